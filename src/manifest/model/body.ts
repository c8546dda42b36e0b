import type { JsonObject } from '../../schema/json/json.ts';
import { textsIn } from '../../schema/json/textsIn.ts';
import { sensitivePlaces } from './sensitivePlaces.ts';

/**
 * A document that may contain secrets. Printing, logging or serialising it gives the masked form; only `expose` gives
 * the real one, and only the client, the applier and the proof call it.
 */
export class Body {
  readonly #document: JsonObject;
  readonly #related: readonly string[];
  /** The same document with every sensitive value as `{"sensitive": true}`. */
  readonly masked: JsonObject;

  /** `related`: further sensitive texts that are not in it (the values that it replaces). */
  constructor(document: JsonObject, masked: JsonObject, related: readonly string[] = []) {
    this.#document = document;
    this.masked = masked;
    this.#related = related;
  }

  expose(): JsonObject {
    return this.#document;
  }

  /** What must not be in a message about it, although the platform may repeat it. */
  hiddenTexts(): readonly string[] {
    const own = sensitivePlaces(this.#document, this.masked).flatMap(({ value }) => textsIn(value));
    return [...new Set([...this.#related, ...own])];
  }

  /** The same body with another content. */
  with(change: (document: JsonObject) => JsonObject): Body {
    return new Body(change(this.#document), change(this.masked), this.#related);
  }

  toJSON(): JsonObject {
    return this.masked;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): JsonObject {
    return this.masked;
  }
}
