/**
 * The position of a page in a journal, newest first: after the entry with this time and number (platform/audit.trail).
 */
export interface EntryCursor {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly seq: number;
}

export function newestFirst(a: EntryCursor, b: EntryCursor): number {
  return b.atMs - a.atMs || b.seq - a.seq;
}

const form = /^(\d{1,16})\.(\d{1,16})$/;

export function writeEntryCursor({ atMs, seq }: EntryCursor): string {
  return `${atMs}.${seq}`;
}

/** Returns undefined if the text is not a cursor. */
export function readEntryCursor(text: string): EntryCursor | undefined {
  const [, time, number] = form.exec(text) ?? [];
  if (time === undefined || number === undefined) return undefined;
  const cursor = { atMs: Number(time), seq: Number(number) };
  return Number.isSafeInteger(cursor.atMs) && Number.isSafeInteger(cursor.seq) ? cursor : undefined;
}
