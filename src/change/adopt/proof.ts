import { objectAt } from '../../base/json/json.ts';
import { appliedTag, ownerTag } from '../../manifest/model/ownTags.ts';
import type { Change } from '../../plan/model/change.ts';
import type { Plan } from '../../plan/model/plan.ts';
import type { ResourceId } from '../../schema/record/ref.ts';

/** A change that the plan of the written manifests would make to a resource besides adopting it. */
export interface Disproof {
  readonly id: ResourceId;
  /** In words, with the paths of fields. */
  readonly because: readonly string[];
}

/**
 * Does the plan adopt each of these resources, and write only the two tags of Gantry? Other resources do not matter
 * here.
 */
export function disproveAdoption(plan: Plan, ids: readonly ResourceId[]): readonly Disproof[] {
  const changes = new Map(plan.changes.map((change) => [change.id, change]));
  return ids.flatMap((id) => {
    const because = objections(changes.get(id));
    return because.length === 0 ? [] : [{ id, because }];
  });
}

function objections(change: Change | undefined): readonly string[] {
  if (change === undefined) return ['it is missing from the written manifests'];
  const found = [
    ...change.refusals.map(({ code, message }) => `${code}: ${message}`),
    ...change.fields.map(({ path }) => `${path} would change`),
  ];
  if (found.length > 0) return found;
  if (change.action !== 'adopt')
    return [`it would be ${change.action === 'keep' ? 'kept, not adopted' : change.action}`];
  const extra = writtenBeside(change);
  return extra.length === 0 ? [] : [`it would write ${extra.join(', ')}`];
}

const pins: ReadonlySet<string> = new Set(['id', 'version', 'tags']);
const marks: ReadonlySet<string> = new Set([ownerTag, appliedTag]);

function writtenBeside({ patch, then }: Change): readonly string[] {
  const body = patch?.masked ?? {};
  return [
    ...Object.keys(body).filter((name) => !pins.has(name)),
    ...Object.keys(objectAt(body, 'tags')).filter((key) => !marks.has(key)),
    ...(then === undefined ? [] : ['a second step']),
  ];
}
