import { isArray, isObject, type JsonValue, own } from '../../schema/json/json.ts';

/** One entry of a patch object. */
export interface Entry {
  readonly key: string;
  readonly value: JsonValue;
}

/**
 * One way to write a change, and what it costs: first the leaves that it writes or removes (an empty object or list
 * is one leaf, a name in `$drop` or `$retain` too; the key by which `$patch` finds its item is an address and free),
 * then its bytes as JSON.
 */
export interface Candidate {
  readonly entries: readonly Entry[];
  readonly leaves: number;
}

export function countLeaves(value: JsonValue): number {
  if (isArray(value)) return value.length === 0 ? 1 : value.reduce<number>((sum, item) => sum + countLeaves(item), 0);
  if (!isObject(value)) return 1;
  const names = Object.keys(value);
  return names.length === 0 ? 1 : names.reduce((sum, name) => sum + countLeaves(own(value, name) ?? null), 0);
}

/** The cheapest; of equally cheap ones the first. */
export function cheapest(candidates: readonly Candidate[]): Candidate | undefined {
  const [first, ...others] = candidates;
  if (first === undefined) return undefined;
  let best = first;
  for (const candidate of others) if (isCheaper(candidate, best)) best = candidate;
  return best;
}

export function isCheaper(candidate: Candidate, than: Candidate): boolean {
  if (candidate.leaves !== than.leaves) return candidate.leaves < than.leaves;
  return bytesOf(candidate) < bytesOf(than);
}

/** Bytes of the entries in JSON, with the commas between them. */
export function bytesOf({ entries }: Candidate): number {
  return entries.reduce(
    (sum, { key, value }) => sum + utf8Length(JSON.stringify(key)) + utf8Length(JSON.stringify(value)) + 2,
    -1,
  );
}

function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // A surrogate pair is two units and four bytes; other units above 0x7ff are three bytes.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}
