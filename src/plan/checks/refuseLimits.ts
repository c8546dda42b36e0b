import type { JsonObject } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { excessIn, excessOfText, mostBytesOf } from '../../kinds/bodyLimits.ts';
import { shapeOf } from '../../kinds/shape/shapeOf.ts';
import { maxBodyValues, maxListItems } from '../../schema/facts/limits.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { formatPath } from '../../schema/shape/paths.ts';
import type { Refusal } from '../model/change.ts';
import { type Draft, withRefusals } from '../model/draft.ts';
import { refuse } from '../model/refusal.ts';

/** A change whose body, or whose record afterwards, is larger than the platform takes (platform/concepts.limits). */
export function refuseLimits(draft: Draft): Draft {
  const { create, patch, then, result, kind } = draft;
  const refusals: Refusal[] = [];
  for (const [method, body] of [
    ['POST', create],
    ['PATCH', patch],
    ['PATCH', then],
  ] as const) {
    if (body !== undefined) refusals.push(...bodyRefusals(method, body.expose(), draft));
  }
  // A body of few items may be added to many.
  const whole = refusals.length > 0 || result === undefined ? undefined : boundRefusal(kind, result, draft);
  return withRefusals(draft, whole === undefined ? refusals : [whole]);
}

function bodyRefusals(method: 'POST' | 'PATCH', document: JsonObject, draft: Draft): readonly Refusal[] {
  const text = JSON.stringify(document);
  if (text.length < shortText) return [];
  const most = mostBytesOf(draft.kind);
  const bytes = text.length * mostBytesOfUnit <= most ? 0 : new TextEncoder().encode(text).length;
  if (bytes > most) return [refuse.bodyTooLarge(method, bytes, most)];
  if (excessOfText(text) === 'values') return [refuse.tooManyValues(method, maxBodyValues)];
  const bound = boundRefusal(draft.kind, document, draft);
  return bound === undefined ? [] : [bound];
}

/** A shorter text is within every limit: each item of a list has a comma and at least one character. */
const shortText = 2 * maxListItems;

/** A unit of UTF-16 has at most three bytes in UTF-8. */
const mostBytesOfUnit = 3;

function boundRefusal(kind: Kind, document: JsonObject, { desired }: Draft): Refusal | undefined {
  const excess = excessIn(document);
  if (excess === undefined) return undefined;
  const place: Pointer = excess.place;
  const at = desired === undefined ? undefined : desired.locate(place);
  return refuse.beyondLimit(formatPath(shapeOf(kind, document), document, place), excess.message, at);
}
