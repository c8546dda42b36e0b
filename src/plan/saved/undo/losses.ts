import type { LiveResource } from '../../../manifest/snapshot.ts';
import { isObject, own } from '../../../schema/json.ts';
import type { ResourceId } from '../../../schema/ref.ts';
import { shapeOf } from '../../../schema/shapes.ts';
import { keepsData } from '../../dataLoss.ts';
import type { Change, FieldChange } from '../../plan.ts';
import { shapeFacts } from '../../shapeFacts.ts';

/** What stays as the plan made it, and why. */
export interface Loss {
  readonly id: ResourceId;
  readonly because: string;
}

/** Why a change cannot be taken back at all; undefined: it can. */
export function whyNotUndone(change: Change, kept: LiveResource | undefined): string | undefined {
  if (change.part === true) return 'it is a part of a resource of somebody else: declare the items as they were';
  if (change.action === 'replace') return 'it was deleted and created again: its id, and what hung on it, are gone';
  if (change.action === 'delete' && kept !== undefined && needsSecrets(kept)) {
    return 'it was deleted, and its secret values are not in the file';
  }
  return undefined;
}

/** Can it not be created without a sensitive value? */
function needsSecrets({ ref, record }: LiveResource): boolean {
  const shape = shapeOf(ref.kind, record);
  return shapeFacts(shape).sensitive.some((name) => shape.required?.has(name) === true);
}

/** Everything about a change that its inverse does not bring back. `formerOwner`: of what was taken over. */
export function lossesOf(
  change: Change,
  kept: LiveResource | undefined,
  formerOwner: string | undefined,
  planned: ReadonlySet<ResourceId>,
): readonly Loss[] {
  const { id, action } = change;
  if (action === 'keep' || action === 'refuse') return [];
  const loss = (because: string): Loss => ({ id, because });
  const never = whyNotUndone(change, kept);
  const bystanders = change.cascadesTo.filter((each) => !planned.has(each));
  return [
    ...(never === undefined ? [] : [loss(never)]),
    ...(action === 'delete' && keepsData(change.kind) ? [loss('it is created again empty: its data is gone')] : []),
    ...(action === 'patch' || action === 'adopt' ? secretLosses(change).map(loss) : []),
    ...(formerOwner === undefined
      ? []
      : [loss(`it belonged to the stack ${formerOwner}, which has to adopt it again`)]),
    ...bystanders.map((each) => ({ id: each, because: `it went along with ${id}, and belonged to others` })),
  ];
}

function secretLosses({ fields }: Change): readonly string[] {
  const paths = fields.filter(isSecret).map(({ path }) => path);
  return paths.length === 0 ? [] : [`the secret values before it are not in the file: ${paths.sort().join(', ')}`];
}

function isSecret({ old, new: next }: FieldChange): boolean {
  return [old, next].some(
    (value) => isObject(value) && own(value, 'sensitive') === true && own(value, 'changed') === true,
  );
}
