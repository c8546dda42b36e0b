import { compact, present } from '../../base/json/present.ts';
import { isUndeletable } from '../../kinds/kindFacts.ts';
import { fieldOf, livePlaces, liveValue } from '../../manifest/live/liveReference.ts';
import { isShownOnce } from '../../manifest/live/shownOnce.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { DesiredResource, ReadValue } from '../../manifest/model/manifest.ts';
import { isStateOwner } from '../../manifest/model/ownTags.ts';
import { fieldChanges } from '../../patch/fieldChanges.ts';
import { formatRef, type ResourceId } from '../../schema/record/ref.ts';
import { describeRead, minuteOf } from '../model/cause.ts';
import { type Draft, makeDraft, waiting, withRefusals, writes } from '../model/draft.ts';
import { ownerLostNote } from '../model/ownerLost.ts';
import { deletedBefore, type PlanContext } from '../model/planContext.ts';
import { refuse } from '../model/refusal.ts';
import type { Note } from '../record/fieldClaims.ts';
import { sensitivityOf } from '../record/shapeFacts.ts';
import {
  declaredBy,
  draftForgotten,
  draftHandedOver,
  hasDropped,
  isHandedOver,
  notReleased,
} from '../references/handOver.ts';
import { asRenamed, renamedAwayReason, renamingsOf } from '../references/rename.ts';
import { draftPart, draftPartRemoval } from './draftPart.ts';
import { createBodies, newRecord, takingOver } from './newRecord.ts';
import { type Existing, updateOrReplace } from './updateOrReplace.ts';

/** The draft of a declared resource: create, update, replace, adopt, keep, or refuse. */
export function draftDeclared(resource: DesiredResource, planning: PlanContext): Draft {
  return withReads(draftOf(resource, planning), resource, planning);
}

function draftOf(resource: DesiredResource, planning: PlanContext): Draft {
  const { part, handOver } = resource.lifecycle;
  if (part === true) return draftPart(resource, planning);
  if (handOver !== undefined) return draftHandedOver(resource, planning);
  const draft = draftOwned(resource, planning);
  const isNamedAnew = resource.lifecycle.previously !== undefined || renamingsOf(planning).byNew.has(resource.id);
  return isNamedAnew ? asRenamed(draft, planning) : draft;
}

function draftOwned(resource: DesiredResource, planning: PlanContext): Draft {
  const live = planning.snapshot.resources.get(resource.id);
  if (live === undefined) return draftAbsent(resource, planning);

  const ownership = planning.ownership(live);
  switch (ownership.state) {
    case 'ours':
      return updateOrReplace(resource, live, { applied: ownership.applied, notes: [] }, planning);
    case 'unrecorded': {
      const notes = ['the tag gantry/applied is missing: someone removed it'];
      return updateOrReplace(resource, live, { applied: undefined, notes }, planning);
    }
    case 'other': {
      const { owner, applied } = ownership;
      // The stack owned it before its settings had a `project`.
      if (owner === planning.former) {
        const adopting = `adopted from the stack ${owner}, which is this one without its project`;
        return updateOrReplace(resource, live, { applied, adopting, notes: [] }, planning);
      }
      if (isHandedOver(resource, owner)) {
        const isState = isStateOwner(owner); // one note for the whole plan says what to do
        const adopting = isState ? `adopted from the Terraform state ${owner}` : `adopted from the stack ${owner}`;
        const isReleased = isState || hasDropped(resource.id, owner, planning);
        const notes = isReleased ? [] : [notReleased(owner, planning.options.owner)];
        return updateOrReplace(resource, live, { applied, adopting, notes }, planning);
      }
      return refused(resource, live, {
        reason: 'it has another owner',
        refusals: [refuse.ownedByOther(owner, planning.options.owner)],
        notes: [],
      });
    }
    case 'none':
      return takeOver(resource, live, { detail: 'has no owner', applied: ownership.applied, notes: [] }, planning);
    case 'copy':
      return takeOver(
        resource,
        live,
        { detail: 'is a copy of another resource', applied: undefined, notes: [] },
        planning,
      );
    case 'lost': {
      const found = { detail: 'has lost its owner', applied: ownership.applied, notes: [ownerLostNote(live)] };
      return { ...takeOver(resource, live, found, planning), ownerLost: true };
    }
  }
}

/** The record is absent or only hidden; creating a hidden one is refused. */
function draftAbsent(resource: DesiredResource, planning: PlanContext): Draft {
  const { id, ref, lifecycle } = resource;
  const hidden = planning.hidden(ref);
  if (hidden !== undefined) {
    const of = { id, ref, desired: resource };
    return makeDraft(of, { action: 'patch', reason: 'it is declared', refusals: [refuse.hidden(id, hidden)] });
  }
  const draft = draftCreate(resource, planning);
  if (lifecycle.previously === undefined) return draft;
  const old = { ...ref, name: lifecycle.previously };
  const oldHidden = planning.hidden(old);
  return oldHidden === undefined ? draft : withRefusals(draft, [refuse.hidden(formatRef(old), oldHidden)]);
}

/** Unowned resources are adopted only on request; `lifecycle.adopt: {from}` also counts as one. */
function takeOver(
  resource: DesiredResource,
  live: LiveResource,
  { detail, ...existing }: Existing & { readonly detail: string },
  planning: PlanContext,
): Draft {
  const asked = planning.options.adopt || (resource.lifecycle.adopt ?? false) !== false;
  return asked
    ? updateOrReplace(resource, live, { ...existing, adopting: `adopted: it ${detail}` }, planning)
    : refused(resource, live, {
        reason: `it ${detail}`,
        refusals: [refuse.adoptNotAsked(detail)],
        notes: existing.notes,
      });
}

function refused(
  resource: DesiredResource,
  live: LiveResource,
  why: { readonly reason: string; readonly refusals: Draft['refusals']; readonly notes: readonly Note[] },
): Draft {
  const of = { id: resource.id, ref: resource.ref, desired: resource, live };
  return makeDraft(of, { action: 'adopt', ...why });
}

/**
 * A POST, then a PATCH for references to its own future children. A resource that replaces another one
 * (`lifecycle.previously`, an unfinished replacement) takes over the same values as in a replacement.
 */
function draftCreate(resource: DesiredResource, planning: PlanContext): Draft {
  const old = renamingsOf(planning).byNew.get(resource.id)?.old;
  const deleted = old === undefined ? deletedBefore(resource, planning) : undefined;
  const created = newRecord(resource, old ?? deleted, planning);
  const { whole, notes, tags, refusals, inDoubt } = created;
  return makeDraft(
    { id: resource.id, ref: resource.ref, desired: resource },
    {
      action: 'create',
      reason: deleted === undefined ? whyAbsent(resource, planning) : `${deletedBy}${asWhat(resource, deleted)}`,
      fields: fieldChanges(
        sensitivityOf(resource, (old ?? deleted)?.record),
        {},
        deleted === undefined ? whole : { ...whole, tags: { ...tags.foreign, ...tags.declared } },
      ),
      ...createBodies(resource, created, (old ?? deleted)?.record, planning),
      ...takingOver(created, planning),
      ...present({ from: old ?? deleted, inDoubt }),
      ...waiting(resource, planning.options),
      refusals,
      notes,
    },
  );
}

const deletedBy = 'deleted by an unfinished replacement of this stack';

function whyAbsent({ id }: DesiredResource, { snapshot: { deletions } }: PlanContext): string {
  const gone = deletions?.get(id);
  return gone === undefined ? 'it does not exist yet' : `it was deleted by ${gone.name} at ${minuteOf(gone.at)}`;
}

function asWhat({ id }: DesiredResource, deleted: LiveResource): string {
  return deleted.id === id ? '' : `, as ${deleted.id}`;
}

/**
 * Adds the values that the draft reads from live records: those known only when it is made, and refusals for those that
 * never will be.
 */
function withReads(draft: Draft, { reads = [] }: DesiredResource, planning: PlanContext): Draft {
  if (!writes(draft)) return draft;
  const bodies = [draft.create, draft.patch, draft.then].map((body) => body?.expose() ?? {});
  const isWritten = (read: ReadValue) => livePlaces(bodies, ({ text }) => text === read.text).length > 0;
  // An existing record keeps values that are shown only once.
  const open = reads.filter((read) => read.value === undefined && (!isShownOnce(read) || isWritten(read)));
  if (open.length === 0) return draft;
  const lost = open.filter((read) => read.wasShown === true);
  const isHidden = ({ id, ref }: ReadValue) => !planning.desired.has(id) && planning.hidden(ref) !== undefined;
  const hidden = open.filter(isHidden);
  const absent = open.filter((read) => !isHidden(read) && !isExpected(read, planning));
  const unset = open.filter((read) => isUnset(read, planning));
  const replaced = draft.action === 'replace' ? open : [];
  const said = open.filter((read) => ![...lost, ...hidden, ...absent, ...unset].includes(read)).map(describeRead);
  const note = said.length === 0 ? undefined : `known after apply: ${said.join(', ')}`;
  return withRefusals({ ...draft, awaits: open.map(({ text }) => text), notes: compact([...draft.notes, note]) }, [
    ...lost.map((read) => refuse.readLost(read, planning.snapshot.resources.get(read.id)?.record ?? {})),
    ...hidden.map(({ id, path, ref }) => refuse.readHidden(id, path, planning.hidden(ref) ?? 'view')),
    ...absent.map(({ id, path }) => refuse.readAbsent(id, path)),
    ...unset.map(({ id, path }) => refuse.readUnset(id, path)),
    ...replaced.map(({ id, path }) => refuse.readReplaces(id, path)),
  ]);
}

/** Whether there will be a record to read the value from. */
function isExpected({ id }: ReadValue, { desired, snapshot, isPromised }: PlanContext): boolean {
  return desired.has(id) || snapshot.resources.has(id) || isPromised(id);
}

/** Whether it is a field that only users set, and that has no value and no planned one. */
function isUnset(read: ReadValue, { desired, snapshot, options }: PlanContext): boolean {
  const { id } = read;
  const live = snapshot.resources.get(id);
  if (live === undefined || desired.has(id) || options.before?.has(id) === true) return false;
  const field = fieldOf(read);
  return !('hint' in field) && !field.isAnswer && liveValue(live.record, read) === undefined;
}

/** The drafts of undeclared resources with our owner tag. */
export function draftUndeclared(known: ReadonlyMap<ResourceId, LiveResource>, planning: PlanContext): readonly Draft[] {
  return [...known.values()].flatMap((live) => {
    if (planning.desired.has(live.id)) return [];
    return draftRemoval(live, planning) ?? [];
  });
}

function draftRemoval(live: LiveResource, planning: PlanContext): Draft | undefined {
  const { options, snapshot } = planning;
  const ownership = planning.ownership(live);
  switch (ownership.state) {
    case 'ours': {
      const taken = declaredBy(live.id, planning);
      if (taken?.adopts === true) {
        return { ...keep(live, `handed over to the stack ${taken.owner}, which adopts it`), unchecked: true };
      }
      const renamed = renamedAwayReason(live.id, planning);
      if (renamed === undefined && options.scope === 'partial' && !options.prune) {
        return { ...keep(live, 'not declared here'), unchecked: true };
      }
      if (renamed === undefined && snapshot.gaps !== undefined && options.destroys !== true) {
        return {
          ...keep(live, 'no longer declared, and kept: the platform does not list everything'),
          unchecked: true,
        };
      }
      const reason = renamed ?? (options.destroys === true ? destroyedReason(options) : 'it is no longer declared');
      const next = renamingsOf(planning).byOld.get(live.id)?.next;
      if (ownership.applied.retain) return draftForgotten(live, `${reason}, but has lifecycle.retain`, next);
      if (isUndeletable(live.ref.kind, live.record)) {
        return draftForgotten(live, `${reason}, but the platform never deletes it`, next);
      }
      const refusals = taken === undefined ? [] : [refuse.declaredElsewhere(taken.owner, options.owner)];
      return makeDraft({ id: live.id, ref: live.ref, live }, { action: 'delete', reason, refusals });
    }
    case 'copy':
      return planning.carriesOwner(live)
        ? keepUnowned(live, 'a copy of another resource: not owned, never deleted')
        : draftPartRemoval(live, planning);
    case 'unrecorded':
      return keepUnowned(
        live,
        'the tag gantry/applied is missing, so it might not belong to this stack: never deleted',
      );
    case 'lost':
    case 'other':
    case 'none':
      return draftPartRemoval(live, planning);
  }
}

function destroyedReason({ targets, excludes }: PlanContext['options']): string {
  return targets.length + excludes.length === 0 ? 'the whole stack is destroyed' : 'a part of the stack is destroyed';
}

function keep(live: LiveResource, note: string): Draft {
  return makeDraft({ id: live.id, ref: live.ref, live }, { action: 'keep', reason: '', notes: [note] });
}

function keepUnowned(live: LiveResource, note: string): Draft {
  return { ...keep(live, note), unowned: true };
}
