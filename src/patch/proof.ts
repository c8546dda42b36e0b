import { type JsonObject, sameJson } from '../base/json/json.ts';
import { normalise } from '../schema/normalForm/normalise.ts';
import type { RecordContext } from '../schema/record/context.ts';
import type { Kind } from '../schema/record/kinds.ts';
import { shapeOf } from '../schema/shape/shapeOf.ts';
import { applyPatch } from './apply/applyPatch.ts';

/** Does the patch, by the reference semantics, make the live record into one whose normal form is `proof`? */
export function leadsTo(
  proof: JsonObject,
  kind: Kind,
  live: JsonObject,
  patch: JsonObject,
  context: RecordContext,
): boolean {
  const applied = applyPatch(shapeOf(kind, live), live, patch, context);
  return applied.ok && sameJson(normalise(kind, applied.record, context), proof);
}
