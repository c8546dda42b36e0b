import type { JsonObject } from '../schema/json.ts';

/**
 * A document that may hold secrets. Printing, logging or serialising it gives the masked form;
 * only `expose` gives the real one, and only the client, the applier and the proof call it.
 */
export class Body {
  readonly #document: JsonObject;
  /** The same document with every sensitive value as `{"sensitive": true}`. */
  readonly masked: JsonObject;

  constructor(document: JsonObject, masked: JsonObject) {
    this.#document = document;
    this.masked = masked;
  }

  expose(): JsonObject {
    return this.#document;
  }

  toJSON(): JsonObject {
    return this.masked;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): JsonObject {
    return this.masked;
  }
}
