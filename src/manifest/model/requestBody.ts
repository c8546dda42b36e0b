import { type JsonObject, listAt } from '../../base/json/json.ts';
import { holdsMaskItself, isMasked } from '../../base/json/masked.ts';
import { ToolError } from '../../base/toolError.ts';
import { hiddenField } from '../../kinds/kindFacts.ts';
import type { Kind } from '../../schema/record/kinds.ts';

declare const isChecked: unique symbol;

/** A document that may be sent: no mask is in it. `requestBody` and `Body.toSend` make one, and nothing else. */
export type RequestBody = JsonObject & { readonly [isChecked]: true };

/** Errors: `internal.mask`. */
export function requestBody(document: JsonObject): RequestBody {
  if (isSendable(document)) return document;
  throw maskInRequest();
}

function isSendable(document: JsonObject): document is RequestBody {
  return !holdsMaskItself(document);
}

/** Errors: `internal.mask`, where a write would put a mask in the place of a hidden value, or take that away. */
export function checkHidden(kind: Kind, document: JsonObject): void {
  const field = hiddenField(kind);
  if (field === undefined) return;
  // What is beside a hidden value is masked like it; a tag may be named like a mask.
  const isWritten = Object.entries(document).some(([name, value]) => name !== 'tags' && isMasked(value));
  if (isWritten || listAt(document, '$drop').includes(field)) throw maskInRequest();
}

export function maskInRequest(): ToolError {
  return new ToolError({
    code: 'internal.mask',
    message:
      'a request would have replaced a sensitive value that is not known by a mask, or removed it: it was not sent',
    hint: 'This is a mistake in Gantry. Please report it, with the plan.',
  });
}
