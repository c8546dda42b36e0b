import { addTo } from '../../base/multimap.ts';
import { firstLines } from '../../base/text/firstOf.ts';
import { isRequired, mustBeThere } from '../../kinds/shape/referenceStrength.ts';
import { isRead } from '../../schema/record/kinds.ts';
import { formatRef, type ResourceId } from '../../schema/record/ref.ts';
import { type Draft, writes } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import type { DanglingReference, DanglingReferences } from './danglingReferences.ts';

/** At most this many referrers are named. */
const mostNamed = 10;

/**
 * Notes on references without a target, which the platform accepts: the workload waits, the route warns, the policy
 * grants nothing, the firewall admits nobody (platform/deletion.references). Both the deleted record and its referrers
 * get a note.
 */
export function noteDangling(
  drafts: ReadonlyMap<ResourceId, Draft>,
  dangling: DanglingReferences,
  planning: PlanContext,
): ReadonlyMap<ResourceId, Draft> {
  const ofReferrers = notesOfReferrers(dangling);
  return new Map(
    [...drafts].map(([id, draft]) => {
      const missing = writes(draft) || draft.action === 'keep' ? missingNotes(draft, drafts, planning) : [];
      const notes = [
        ...missing,
        ...(ofReferrers.get(id) ?? []),
        ...notesOnGone(draft, dangling.get(id) ?? [], planning),
      ];
      return [id, notes.length === 0 ? draft : { ...draft, notes: [...draft.notes, ...notes] }];
    }),
  );
}

/** The same where nothing is changed: what an unchanged resource refers to may be gone since. */
export function noteMissing(
  drafts: ReadonlyMap<ResourceId, Draft>,
  planning: PlanContext,
): ReadonlyMap<ResourceId, Draft> {
  if (planning.snapshot.unfound?.size === 0) return drafts;
  return new Map(
    [...drafts].map(([id, draft]) => {
      const missing = missingNotes(draft, drafts, planning);
      return [id, missing.length === 0 ? draft : { ...draft, notes: [...draft.notes, ...missing] }];
    }),
  );
}

function missingNotes(draft: Draft, drafts: ReadonlyMap<ResourceId, Draft>, planning: PlanContext): readonly string[] {
  const { desired } = draft;
  // Usually everything was found, and the references of what is unchanged need not be visited.
  if (desired === undefined || (!writes(draft) && planning.snapshot.unfound?.size === 0)) return [];
  if (desired.lifecycle.handOver !== undefined) return []; // no business of this stack any more
  const { promised, elsewhere } = planning.options;
  const isThere = (id: ResourceId): boolean =>
    drafts.has(id) || planning.snapshot.resources.has(id) || promised?.has(id) === true;
  const absent = (path: string, id: ResourceId): string => {
    const stack = elsewhere?.get(id);
    const why = stack === undefined ? '' : ` yet: the stack ${JSON.stringify(stack)} declares it`;
    return `${path} refers to ${id}, which does not exist${why}`;
  };
  // Of what is written it is refused.
  const awaited = (writes(draft) ? [] : (desired.lifecycle.dependsOn ?? [])).flatMap((id, index) =>
    isThere(id) || planning.snapshot.hidden?.has(id) === true ? [] : [absent(`lifecycle.dependsOn.${index}`, id)],
  );
  const referred = planning.desiredReferences(desired).flatMap((reference) => {
    const { target, path } = reference;
    if (planning.hidden(target) !== undefined && !drafts.has(formatRef(target))) {
      return [`${path} refers to ${formatRef(target)}, which this token cannot view`];
    }
    if (!isRead(target.kind) || (writes(draft) && mustBeThere(reference))) return []; // what must be there is refused
    const id = formatRef(target);
    return isThere(id) ? [] : [absent(path, id)];
  });
  return [...referred, ...awaited];
}

function notesOfReferrers(dangling: DanglingReferences): ReadonlyMap<ResourceId, readonly string[]> {
  const notes = new Map<ResourceId, string[]>();
  for (const [id, references] of dangling) {
    for (const { referrer, reference, written } of references) {
      if (written && isRequired(reference)) continue; // refused: it needs what it names
      addTo(notes, referrer, `${reference.path} refers to ${id}, which is deleted`);
    }
  }
  return notes;
}

function notesOnGone(
  { refusals }: Draft,
  references: readonly DanglingReference[],
  planning: PlanContext,
): readonly string[] {
  const isRefused = refusals.some(({ code }) => code === 'rename.referenced');
  const isKept = refusals.some(({ code }) => code === 'delete.referenced');
  const notes = references.flatMap(({ referrer, reference, needed }) => {
    if (isKept && needed) return []; // the refusal names it
    if (!planning.desired.has(referrer))
      return [`${referrer}, which is not declared here, refers to it at ${reference.path}`];
    return isRefused ? [] : [`${referrer} still refers to it at ${reference.path}`];
  });
  return firstLines(notes, mostNamed, 'references to it');
}
