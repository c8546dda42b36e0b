import type { JsonValue } from '../../base/json/json.ts';
import {
  closeBrace,
  closeBracket,
  comma,
  endOfText,
  openBrace,
  openBracket,
  quote,
} from '../../base/json/punctuation.ts';

/** The minimum size of the window; joining the whole text would block the server. */
const windowLength = 256 * 1024;

/** Reads a JSON document in pieces, value by value, from the current position. Throws a SyntaxError. */
class JsonCursor {
  readonly #pieces: readonly string[];
  #next = 0;
  /** The length of the text before the window. */
  #behind = 0;
  #text = '';
  #at = 0;

  constructor(pieces: readonly string[]) {
    this.#pieces = pieces;
  }

  isAt(sign: string): boolean {
    this.#skipSpace();
    return this.#text[this.#at] === sign;
  }

  /** The names of the members of the object at the position. The caller must read the value after each name. */
  *members(): Generator<string> {
    this.#take('{');
    if (this.#passes('}')) return;
    do {
      this.#skipSpace();
      const name: JsonValue = JSON.parse(this.#cut(this.#endOfName()));
      if (typeof name !== 'string') throw this.#wrong();
      this.#take(':');
      yield name;
    } while (this.#passes(','));
    this.#take('}');
  }

  /** Yields once for each item of the list at the position. The caller must read each item. */
  *items(): Generator<void> {
    this.#take('[');
    if (this.#passes(']')) return;
    do yield;
    while (this.#passes(','));
    this.#take(']');
  }

  /** Reads the value at the position and moves past it. */
  value(): JsonValue {
    this.#skipSpace();
    return JSON.parse(this.#cut(this.#endOfValue()));
  }

  /** Throws unless the document ends here. */
  end(): void {
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#wrong();
  }

  #cut(end: number): string {
    const cut = this.#text.slice(this.#at, end);
    this.#at = end;
    return cut;
  }

  /** Extends the window; false if the text has ended. Drops the text that was read, so indexes in the window change. */
  #more(): boolean {
    if (this.#next >= this.#pieces.length) return false;
    const taken = [this.#text.slice(this.#at)];
    // Doubles each time, because a long value is scanned again from its start.
    const most = Math.max(windowLength, 2 * (this.#text.length - this.#at));
    for (let length = 0; length < most && this.#next < this.#pieces.length; this.#next += 1) {
      const piece = this.#pieces[this.#next] ?? '';
      length += piece.length;
      taken.push(piece);
    }
    this.#behind += this.#at;
    this.#at = 0;
    this.#text = taken.join('');
    return true;
  }

  #endOfValue(): number {
    for (;;) {
      const end = this.#endOfValueInWindow();
      if (end !== undefined) return end;
      if (!this.#more()) return this.#text.length;
    }
  }

  #endOfValueInWindow(): number | undefined {
    let depth = 0;
    for (let at = this.#at; at < this.#text.length; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (code === quote) {
        const end = endOfText(this.#text, at);
        if (end === undefined) return undefined;
        at = end;
      } else if (code === openBracket || code === openBrace) depth += 1;
      else if (depth === 0 && (code === comma || code === closeBracket || code === closeBrace)) return at;
      else if (code === closeBracket || code === closeBrace) depth -= 1;
      if (depth === 0 && (code === quote || code === closeBracket || code === closeBrace)) return at + 1;
    }
    return undefined;
  }

  /** The index after the closing quote of the text at the position. */
  #endOfName(): number {
    for (;;) {
      const end = endOfText(this.#text, this.#at);
      if (end !== undefined) return end + 1;
      if (!this.#more()) throw this.#wrong();
    }
  }

  #skipSpace(): void {
    do while (/[ \t\r\n]/.test(this.#text.charAt(this.#at))) this.#at += 1;
    while (this.#at >= this.#text.length && this.#more());
  }

  #passes(sign: string): boolean {
    if (!this.isAt(sign)) return false;
    this.#at += 1;
    return true;
  }

  #take(sign: string): void {
    if (!this.#passes(sign)) throw this.#wrong();
  }

  #wrong(): SyntaxError {
    const at = `at position ${this.#behind + this.#at}`;
    return new SyntaxError(this.#at < this.#text.length ? `unexpected character ${at}` : `unexpected end ${at}`);
  }
}

/** A part of a snapshot: a member of the document or of an org, or an item of one of an org's lists. */
export type SnapshotPart =
  | { readonly of: 'document'; readonly name: string; readonly value: JsonValue }
  | { readonly of: 'org'; readonly org: string }
  | { readonly of: 'member'; readonly org: string; readonly name: string; readonly value: JsonValue }
  | {
      readonly of: 'item';
      readonly org: string;
      readonly name: string;
      readonly index: number;
      readonly value: JsonValue;
    };

/** The parts of a snapshot, one at a time, so that the whole is never in memory. Throws a SyntaxError. */
export function* snapshotParts(pieces: readonly string[]): Generator<SnapshotPart> {
  const cursor = new JsonCursor(pieces);
  for (const name of cursor.members()) {
    if (name !== 'orgs' || !cursor.isAt('{')) yield { of: 'document', name, value: cursor.value() };
    else yield* orgs(cursor);
  }
  cursor.end();
}

function* orgs(cursor: JsonCursor): Generator<SnapshotPart> {
  for (const org of cursor.members()) {
    yield { of: 'org', org };
    if (cursor.isAt('{')) yield* members(cursor, org);
    else yield { of: 'member', org, name: '', value: cursor.value() };
  }
}

function* members(cursor: JsonCursor, org: string): Generator<SnapshotPart> {
  for (const name of cursor.members()) {
    if (!cursor.isAt('[')) yield { of: 'member', org, name, value: cursor.value() };
    else {
      let index = 0;
      for (const _ of cursor.items()) {
        yield { of: 'item', org, name, index, value: cursor.value() };
        index += 1;
      }
    }
  }
}
