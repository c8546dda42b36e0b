import { type JsonObject, sameJson } from '../base/json/json.ts';
import { normalise } from '../kinds/normalForm/normalise.ts';
import { shapeOf } from '../kinds/shape/shapeOf.ts';
import type { RecordContext } from '../schema/record/context.ts';
import type { Kind } from '../schema/record/kinds.ts';
import { applyPatch } from './apply/applyPatch.ts';

/** What a patch is for. */
interface Patched {
  readonly kind: Kind;
  readonly live: JsonObject;
  readonly context: RecordContext;
}

/** Does the patch, by the reference semantics, make the live record into one whose normal form is `proof`? */
export function leadsTo(proof: JsonObject, { kind, live, context }: Patched, patch: JsonObject): boolean {
  const applied = applyPatch(shapeOf(kind, live), live, patch, context);
  return applied.ok && sameJson(normalise(kind, applied.record, context), proof);
}
