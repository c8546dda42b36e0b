import { isArray, isObject, type JsonObject, type JsonValue, listAt, own } from '../../base/json/json.ts';
import { holdsMaskItself, isMasked, masked as mask } from '../../base/json/mask.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { textsIn } from '../../base/json/textsIn.ts';
import type { PlacedValue } from '../../base/json/valuesAt.ts';
import { ToolError } from '../../base/toolError.ts';
import { hiddenField } from '../../kinds/kindFacts.ts';
import type { Kind } from '../../schema/record/kinds.ts';

/**
 * A document that may contain secrets. Printing, logging or serialising it gives the masked form; only `expose` gives
 * the real one, and only the proof calls it; requests use `toSend`.
 */
export class Body {
  readonly #document: JsonObject;
  readonly #related: readonly string[];
  /** The document with `{"sensitive": true}` instead of every sensitive value. */
  readonly masked: JsonObject;

  /** `related`: further sensitive texts outside of it (the values that it replaces). */
  constructor(document: JsonObject, masked: JsonObject, related: readonly string[] = []) {
    this.#document = document;
    this.masked = masked;
    this.#related = related;
  }

  expose(): JsonObject {
    return this.#document;
  }

  /** The document as a request. Errors: `internal.mask`. */
  toSend(): RequestBody {
    if (this.isUnknown()) throw maskInRequest();
    return requestBody(this.#document);
  }

  /** Whether a mask is in the place of a sensitive value. */
  isUnknown(): boolean {
    return holdsMaskItself(this.#document) || hidesMask(this.#document, this.masked);
  }

  /** Texts that must not be in a message about it, even if the platform repeats them. */
  hiddenTexts(): readonly string[] {
    return [...new Set([...this.#related, ...this.sensitiveTexts()])];
  }

  sensitiveTexts(): readonly string[] {
    return this.sensitivePlaces().flatMap(({ value }) => textsIn(value));
  }

  /** Its sensitive values, with places. */
  sensitivePlaces(): readonly PlacedValue[] {
    return sensitivePlaces(this.#document, this.masked);
  }

  /** The body with other content. */
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

/** Whether something like a mask is where the masked form hides a value. */
function hidesMask(value: JsonValue, masked: JsonValue | undefined): boolean {
  if (value === masked) return false;
  if (masked === mask) return isMasked(value);
  if (isArray(value) && isArray(masked)) return value.some((item, index) => hidesMask(item, masked[index]));
  return (
    isObject(value) &&
    isObject(masked) &&
    Object.entries(value).some(([key, item]) => hidesMask(item, own(masked, key)))
  );
}

/** Every value that the masked form of a document hides, in document order. */
export function sensitivePlaces(document: JsonObject, masked: JsonObject): readonly PlacedValue[] {
  const found: PlacedValue[] = [];
  collect(document, masked, [], found);
  return found;
}

/** Masking changes nothing else, so a value that a mask replaces is sensitive. */
function collect(value: JsonValue, masked: JsonValue | undefined, at: Pointer, found: PlacedValue[]): void {
  if (value === masked) return;
  if (isMasked(masked)) {
    if (!isMasked(value)) found.push({ at, value });
  } else if (isArray(value) && isArray(masked)) {
    for (const [index, item] of value.entries()) collect(item, masked[index], [...at, index], found);
  } else if (isObject(value) && isObject(masked)) {
    for (const [key, item] of Object.entries(value)) collect(item, own(masked, key), [...at, key], found);
  }
}

declare const isChecked: unique symbol;

/** A document that may be sent: it contains no mask. Only `requestBody` and `Body.toSend` make one. */
export type RequestBody = JsonObject & { readonly [isChecked]: true };

/** Errors: `internal.mask`. */
export function requestBody(document: JsonObject): RequestBody {
  if (isSendable(document)) return document;
  throw maskInRequest();
}

function isSendable(document: JsonObject): document is RequestBody {
  return !holdsMaskItself(document);
}

/** Errors: `internal.mask` if a write would replace a hidden value by a mask, or remove it. */
export function checkHidden(kind: Kind, document: JsonObject): void {
  const field = hiddenField(kind);
  if (field === undefined) return;
  // Fields beside a hidden value are masked too; a tag may be named like a mask.
  const isWritten = Object.entries(document).some(([name, value]) => name !== 'tags' && isMasked(value));
  if (isWritten || listAt(document, '$drop').includes(field)) throw maskInRequest();
}

function maskInRequest(): ToolError {
  return new ToolError({
    code: 'internal.mask',
    message:
      'a request would have replaced a sensitive value that is not known by a mask, or removed it: it was not sent',
    hint: 'This is a mistake in Gantry. Please report it, with the plan.',
  });
}
