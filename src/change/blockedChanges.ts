import { isObject, type JsonObject, own } from '../base/json/json.ts';
import { compact } from '../base/json/present.ts';
import { holdsMask } from '../kinds/fillMasks.ts';
import { mayStore } from '../kinds/kindFacts.ts';
import { mustBeThere } from '../kinds/referenceStrength.ts';
import { type Reference, references } from '../kinds/references.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import type { Change, FieldChange } from '../plan/model/change.ts';
import type { Plan } from '../plan/model/plan.ts';
import { type Hash, ownershipOf } from '../plan/record/ownership.ts';
import { shapeFacts } from '../plan/record/shapeFacts.ts';
import { contextOf, formatRef, gvcOf, type ResourceId } from '../schema/record/ref.ts';
import type { SavedPlan } from './savedPlan.ts';

/** The changes of a plan that an undo leaves in force, each with the reason. */
export type BlockedChanges = ReadonlyMap<ResourceId, string>;

/**
 * The changes that cannot be undone, and those that must stay as a consequence: no record is changed back if it would
 * refer to a resource that cannot be restored, none is created again that needs such a resource, and none is deleted
 * that replaced one or to which a remaining record refers.
 */
export function blockedChanges({ plan, live }: SavedPlan): BlockedChanges {
  const blocked = new Map<ResourceId, string>();
  const block = (change: Change, because: string | undefined): boolean => {
    if (because === undefined || blocked.has(change.id)) return false;
    blocked.set(change.id, because);
    return true;
  };
  for (const change of plan.changes) block(change, whyNotUndone(change, live.get(change.id)));
  for (let hasGrown = true; hasGrown; ) {
    const deleted = plan.changes.filter(({ id, action }) => action === 'delete' && blocked.has(id));
    const lostIds = new Set(deleted.map(({ id }) => id));
    hasGrown = plan.changes
      .map((change) =>
        block(
          change,
          whyReplacementStays(change, lostIds) ?? whyReferrerStays(change, live.get(change.id), lostIds, plan),
        ),
      )
      .includes(true);
  }
  for (let hasGrown = true; hasGrown; ) {
    const referrers = new Map(
      plan.changes
        .filter(({ id, action }) => blocked.has(id) && action !== 'delete')
        .flatMap((change) => targetsOf(change, recordAfter(change), plan).map((id) => [id, change.id] as const)),
    );
    hasGrown = plan.changes
      .filter(({ action }) => action === 'create')
      .map((change) => block(change, whyTargetStays(referrers.get(change.id))))
      .includes(true);
  }
  return blocked;
}

function whyReplacementStays({ renamedFrom }: Change, lostIds: ReadonlySet<ResourceId>): string | undefined {
  const isLast = renamedFrom !== undefined && lostIds.has(renamedFrom);
  return isLast ? `it replaced ${renamedFrom}, which cannot be restored` : undefined;
}

/**
 * Why a change stays: its former record referred to a resource that cannot be restored. A record to be created again
 * only needs its required targets. A record that was only released still has its references.
 */
function whyReferrerStays(
  change: Change,
  before: LiveResource | undefined,
  lostIds: ReadonlySet<ResourceId>,
  plan: Plan,
): string | undefined {
  if (change.action === 'forget') return undefined;
  const now = new Set(targetsOf(change, recordAfter(change), plan));
  const isRelevant = change.action === 'delete' ? mustBeThere : refersTo;
  const lost = targetsOf(change, before?.record, plan, isRelevant).find((id) => lostIds.has(id) && !now.has(id));
  return lost === undefined ? undefined : `it referred to ${lost}, which cannot be restored`;
}

function whyTargetStays(referrer: ResourceId | undefined): string | undefined {
  return referrer === undefined ? undefined : `${referrer} refers to it, and is not changed`;
}

/** The record after the change. */
function recordAfter({ expected, expectedThen }: Change): JsonObject | undefined {
  return (expectedThen ?? expected)?.expose();
}

/** The resources that the record refers to, and its GVC. */
function targetsOf(
  { ref }: Change,
  record: JsonObject | undefined,
  { org }: Plan,
  isRelevant: (reference: Reference) => boolean = refersTo,
): readonly ResourceId[] {
  if (record === undefined) return [];
  const referred = references(ref.kind, record, contextOf(ref, org))
    .filter((reference) => isRelevant(reference) && reference.org === org)
    .map(({ target }) => target);
  return compact([gvcOf(ref), ...referred]).map(formatRef);
}

function refersTo({ strength }: Reference): boolean {
  return strength !== 'none';
}

/** A part of the plan that stays in force, with the reason. */
interface Loss {
  readonly id: ResourceId;
  readonly because: string;
}

/** The reason why a change cannot be undone at all; undefined if it can. */
function whyNotUndone(change: Change, kept: LiveResource | undefined): string | undefined {
  if (change.action === 'replace')
    return 'it was deleted and created again: the id and everything else of the old record are lost';
  if (change.action === 'delete' && kept !== undefined && needsSecrets(kept)) {
    return 'it was deleted, and its secret values are not in the file';
  }
  return undefined;
}

/** Whether it cannot be created without a sensitive value. */
function needsSecrets({ ref, record }: LiveResource): boolean {
  const shape = shapeOf(ref.kind, record);
  const inSchema = shapeFacts(shape).sensitive.some((name) => shape.required?.has(name) === true);
  return inSchema || (shapeFacts(shape).sensitive.length === 0 && holdsMask(record));
}

/** All effects of a change that its inverse does not revert. `never`: the reason if nothing is reverted. */
export function lossesOf(
  change: Change,
  { kept, blockedBecause }: { readonly kept: LiveResource | undefined; readonly blockedBecause: string | undefined },
  plan: Plan,
  hash: Hash,
): readonly Loss[] {
  const { id, action } = change;
  const loss = (because: string): Loss => ({ id, because });
  const planned = new Set(plan.changes.map((each) => each.id));
  const formerOwner = kept === undefined ? undefined : ownerBefore(change, kept, plan, hash);
  const secrets = action === 'patch' || action === 'adopt' ? secretLoss(change) : undefined;
  const bystanders = change.cascadesTo.filter((each) => !planned.has(each));
  return compact([
    blockedBecause === undefined ? undefined : loss(blockedBecause),
    action === 'delete' && mayStore(change.kind) ? loss('it is created again empty: its data is gone') : undefined,
    secrets === undefined ? undefined : loss(secrets),
    formerOwner === undefined ? undefined : loss(`it belonged to the stack ${formerOwner}, which must adopt it again`),
    ...bystanders.map((each) => ({
      id: each,
      because: `it was deleted along with ${id}, and belonged to another owner`,
    })),
  ]);
}

/** The other stack from which the change took over the whole resource. */
function ownerBefore({ action, part }: Change, kept: LiveResource, plan: Plan, hash: Hash): string | undefined {
  if (action !== 'adopt' || part === true) return undefined;
  const former = ownershipOf(kept, plan.stack, plan.org, hash);
  return former.state === 'other' ? former.owner : undefined;
}

function secretLoss({ fields }: Change): string | undefined {
  const paths = fields.filter(isSecret).map(({ path }) => path);
  return paths.length === 0 ? undefined : `the former secret values are not in the file: ${paths.sort().join(', ')}`;
}

function isSecret({ old, new: next }: FieldChange): boolean {
  return [old, next].some(
    (value) => isObject(value) && own(value, 'sensitive') === true && own(value, 'changed') === true,
  );
}
