import { isObject, own } from '../../base/json/json.ts';
import { mayStore } from '../../kinds/kindFacts.ts';
import { holdsMask } from '../../kinds/normalForm/fillMasks.ts';
import { shapeOf } from '../../kinds/shape/shapeOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { Change, FieldChange } from '../../plan/model/change.ts';
import type { Plan } from '../../plan/model/plan.ts';
import { type Hash, ownershipOf } from '../../plan/record/ownership.ts';
import { shapeFacts } from '../../plan/record/shapeFacts.ts';
import type { ResourceId } from '../../schema/record/ref.ts';

/** A part of the plan that stays in force, and why. */
export interface Loss {
  readonly id: ResourceId;
  readonly because: string;
}

/** Why a change of a plan cannot be taken back at all; undefined: it can. */
export function whyNotUndone(change: Change, kept: LiveResource | undefined): string | undefined {
  if (change.action === 'replace')
    return 'it was deleted and created again: the id and everything else of the old record are lost';
  if (change.action === 'delete' && kept !== undefined && needsSecrets(kept)) {
    return 'it was deleted, and its secret values are not in the file';
  }
  return undefined;
}

/** Can it not be created without a sensitive value? */
function needsSecrets({ ref, record }: LiveResource): boolean {
  const shape = shapeOf(ref.kind, record);
  const inSchema = shapeFacts(shape).sensitive.some((name) => shape.required?.has(name) === true);
  return inSchema || (shapeFacts(shape).sensitive.length === 0 && holdsMask(record));
}

/** Everything about a change of a plan that its inverse does not bring back. `never`: why it stays altogether. */
export function lossesOf(
  change: Change,
  { kept, never }: { readonly kept: LiveResource | undefined; readonly never: string | undefined },
  plan: Plan,
  hash: Hash,
): readonly Loss[] {
  const { id, action } = change;
  const loss = (because: string): Loss => ({ id, because });
  const planned = new Set(plan.changes.map((each) => each.id));
  const formerOwner = kept === undefined ? undefined : ownerBefore(change, kept, plan, hash);
  const bystanders = change.cascadesTo.filter((each) => !planned.has(each));
  return [
    ...(never === undefined ? [] : [loss(never)]),
    ...(action === 'delete' && mayStore(change.kind) ? [loss('it is created again empty: its data is gone')] : []),
    ...(action === 'patch' || action === 'adopt' ? secretLosses(change).map(loss) : []),
    ...(formerOwner === undefined ? [] : [loss(`it belonged to the stack ${formerOwner}, which must adopt it again`)]),
    ...bystanders.map((each) => ({
      id: each,
      because: `it was deleted along with ${id}, and belonged to another owner`,
    })),
  ];
}

/** The other stack from which the change took the whole resource over. */
function ownerBefore({ action, part }: Change, kept: LiveResource, plan: Plan, hash: Hash): string | undefined {
  if (action !== 'adopt' || part === true) return undefined;
  const former = ownershipOf(kept, plan.stack, plan.org, hash);
  return former.state === 'other' ? former.owner : undefined;
}

function secretLosses({ fields }: Change): readonly string[] {
  const paths = fields.filter(isSecret).map(({ path }) => path);
  return paths.length === 0 ? [] : [`the former secret values are not in the file: ${paths.sort().join(', ')}`];
}

function isSecret({ old, new: next }: FieldChange): boolean {
  return [old, next].some(
    (value) => isObject(value) && own(value, 'sensitive') === true && own(value, 'changed') === true,
  );
}
