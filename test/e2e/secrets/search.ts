import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const pieceLength = 12;
const startBits = 24;

/** Finds secrets, and any 12 characters of them, in every form in which they could be written. */
export class Search {
  readonly #pieces = new Map<string, string>();
  /** Whether a piece begins with this `startOf`. Most positions of a text need no more than this check. */
  readonly #starts = new Uint8Array(2 ** startBits);
  /** The file version of each file in which nothing was found. */
  readonly #clean = new Map<string, string>();

  constructor(values: readonly string[]) {
    for (const value of values) for (const [form, text] of formsOf(value)) this.#add(form, text);
  }

  get size(): number {
    return this.#pieces.size;
  }

  /** The matches as `form at place`, without the secret itself. */
  in(text: string): readonly string[] {
    const found: string[] = [];
    let rolling = sumOf(text, 0);
    for (let at = 0; at + pieceLength <= text.length; at += 1) {
      const start = startOf(rolling);
      rolling = shifted(rolling, text, at);
      if (this.#starts[start] === 0) continue;
      const form = this.#pieces.get(text.slice(at, at + pieceLength));
      if (form === undefined) continue;
      found.push(`${form} at ${at}, after ${JSON.stringify(text.slice(Math.max(0, at - 60), at))}`);
      at += pieceLength - 1;
      rolling = sumOf(text, at + 1);
    }
    return found;
  }

  /**
   * Searches the names and contents of all files below a folder except `except`; unchanged files are not read again.
   */
  below(folder: string, except: ReadonlySet<string> = new Set()): readonly string[] {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => !except.has(name))
      .flatMap((name) => {
        const path = join(folder, name);
        const status = statSync(path, { bigint: true });
        const version = `${status.ino} ${status.size} ${status.ctimeNs}`;
        if (this.#clean.get(path) === version) return [];
        const text = status.isFile() ? readFileSync(path, 'latin1') : '';
        const found = [...this.in(name), ...this.in(text)];
        if (found.length === 0) this.#clean.set(path, version);
        return found.map((each) => `${name}: ${each}`);
      });
  }

  #add(form: string, text: string): void {
    for (let at = 0; at + pieceLength <= text.length; at += 1) {
      const piece = text.slice(at, at + pieceLength);
      if (!this.#pieces.has(piece)) this.#pieces.set(piece, form);
      this.#starts[startOf(sumOf(piece, 0))] = 1;
    }
  }
}

const startLength = 6;
const factor = 0x01000193;
/** The factor of the first of `startLength` characters when the last one is added. */
const firstFactor = Array.from({ length: startLength - 1 }).reduce<number>((power) => Math.imul(power, factor), 1);

/** The hash of the `startLength` characters from `at`. */
function sumOf(text: string, at: number): number {
  let sum = 0;
  for (let next = at; next < at + startLength; next += 1) sum = (Math.imul(sum, factor) + text.charCodeAt(next)) | 0;
  return sum;
}

/** The hash one character further. */
function shifted(sum: number, text: string, at: number): number {
  const rest = sum - Math.imul(text.charCodeAt(at), firstFactor);
  return (Math.imul(rest, factor) + text.charCodeAt(at + startLength)) | 0;
}

/** The hash reduced to `startBits` bits. */
function startOf(sum: number): number {
  return Math.imul(sum, 0x9e3779b1) >>> (32 - startBits);
}

/** A value in each form, without the parts that depend on neighbouring characters. */
export function formsOf(value: string): readonly (readonly [string, string])[] {
  const bytes = Buffer.from(value);
  const escaped = JSON.stringify(value).slice(1, -1);
  return [
    ['as it is', value],
    ['as JSON', escaped],
    ['as JSON in JSON', JSON.stringify(escaped).slice(1, -1)],
    ['in a URL', encodeURIComponent(value)],
    ['in hex', bytes.toString('hex')],
    ['in capital hex', bytes.toString('hex').toUpperCase()],
    ...[0, 1, 2].flatMap((shift) => {
      // A base64 text depends on the offset of the value; its first and last characters depend on its neighbours.
      const inner = Buffer.concat([Buffer.alloc(shift), bytes])
        .toString('base64')
        .replace(/=+$/, '');
      const certain = inner.slice(shift === 0 ? 0 : 4, -4);
      return [
        ['in base64', certain],
        ['in base64url', certain.replaceAll('+', '-').replaceAll('/', '_')],
      ] as const;
    }),
  ];
}
