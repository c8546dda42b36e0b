import { isObject, type JsonObject, own, sameJson } from '../../base/json/json.ts';
import { applyPatch } from '../../patch/apply/applyPatch.ts';
import type { Change } from '../../plan/model/change.ts';
import { valueAt, withoutFields } from '../../plan/record/shapeFacts.ts';
import type { RecordContext } from '../../schema/record/ref.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import type { Proof } from './explanation.ts';
import { isManaged } from './reasons.ts';
import { isCovered, type Verdict } from './verdicts.ts';

/** The live record, and what it is after each PATCH of the change, by the reference semantics. */
export function stepsOfPatch(
  change: Change,
  shape: ObjectShape,
  live: JsonObject,
  context: RecordContext,
): readonly JsonObject[] {
  const states = [live];
  for (const body of [change.patch, change.then]) {
    const before = states.at(-1);
    if (body === undefined || before === undefined) continue;
    const applied = applyPatch(shape, before, withoutFields(body.expose(), [['id'], ['version']]), context);
    if (!applied.ok) throw new Error(`the patch of ${change.id} cannot be applied to what it was made from`);
    states.push(applied.record);
  }
  return states;
}

/**
 * The proven effect of the patch. `before` and `after`: the verdicts on the live record, and on what it is after the
 * patch. A field that is not managed must be the same in both, unless the plan says that it changes.
 */
export function prove(
  { live, target }: { readonly live: JsonObject; readonly target: JsonObject },
  { before, after }: { readonly before: readonly Verdict[]; readonly after: readonly Verdict[] },
  changed: readonly string[],
): Proof {
  const managed = after.filter(({ why }) => isManaged(why));
  const differing = managed.filter(({ why }) => why === 'differs').map(({ path }) => path);
  const others = before.filter(({ why, path }) => !isManaged(why) && why !== 'own-tag' && !isCovered(path, changed));
  const stays = (verdict: Verdict): boolean => {
    const at = verdict.heldAt === undefined ? undefined : after.find(({ path }) => path === verdict.path)?.heldAt;
    return sameJson(valueAt(live, verdict.heldAt ?? []), at === undefined ? undefined : valueAt(target, at));
  };
  const present = others.filter(({ heldAt }) => heldAt !== undefined);
  const touched = present.filter((verdict) => !stays(verdict)).map(({ path }) => path);
  const against = [...new Set([...differing, ...touched])].sort();
  return {
    holds: against.length === 0,
    managed: managed.length - differing.length,
    untouched: present.length - touched.length,
    against,
  };
}

/** The record with the tags of another: a patch of tags is weighed by itself. */
export function withTagsOf(record: JsonObject, other: JsonObject): JsonObject {
  const tags = own(other, 'tags');
  return isObject(tags) ? { ...record, tags } : withoutFields(record, [['tags']]);
}
