import { formatRef, type ResourceId } from '../../schema/record/ref.ts';
import { type Draft, writes } from '../model/draft.ts';
import { isRead } from '../record/kindTraits.ts';
import type { LeftReference, LeftReferences } from './danglingReferences.ts';
import type { Planning } from '../model/planContext.ts';
import { isRequired, mustBeThere } from '../record/referenceStrength.ts';

/** Of more holders than these only the number is told. */
const mostNamed = 10;

/**
 * Notes for references that nobody will find the target of: the platform accepts it, and the workload waits, or the route
 * warns, or the policy grants nothing, or the firewall lets nobody in (platform/deletion.references). What is written
 * says what of it is missing; what is deleted says who still refers to it, and they say it too.
 */
export function noteDangling(
  drafts: ReadonlyMap<ResourceId, Draft>,
  left: LeftReferences,
  planning: Planning,
): ReadonlyMap<ResourceId, Draft> {
  const held = notesOfHolders(left);
  return new Map(
    [...drafts].map(([id, draft]) => {
      const missing = writes(draft) ? missingNotes(draft, drafts, planning) : [];
      const notes = [...missing, ...(held.get(id) ?? []), ...notesOnGone(draft, left.get(id) ?? [], planning)];
      return [id, notes.length === 0 ? draft : { ...draft, notes: [...draft.notes, ...notes] }];
    }),
  );
}

function missingNotes(
  { desired }: Draft,
  drafts: ReadonlyMap<ResourceId, Draft>,
  planning: Planning,
): readonly string[] {
  if (desired === undefined) return [];
  return planning.desiredReferences(desired).flatMap((reference) => {
    const { target, path } = reference;
    if (planning.hidden(target) !== undefined && !drafts.has(formatRef(target))) {
      return [`${path} refers to ${formatRef(target)}, which this token may not view`];
    }
    if (mustBeThere(reference) || !isRead(target.kind)) return []; // what must be there is refused
    const id = formatRef(target);
    return drafts.has(id) || planning.liveAt(target) !== undefined
      ? []
      : [`${path} refers to ${id}, which does not exist`];
  });
}

function notesOfHolders(left: LeftReferences): ReadonlyMap<ResourceId, readonly string[]> {
  const notes = new Map<ResourceId, string[]>();
  for (const [id, references] of left) {
    for (const { holder, reference, written } of references) {
      if (written && isRequired(reference)) continue; // refused: it needs what it names
      const list = notes.get(holder) ?? [];
      notes.set(holder, list);
      list.push(`${reference.path} refers to ${id}, which is deleted`);
    }
  }
  return notes;
}

function notesOnGone({ refusals }: Draft, references: readonly LeftReference[], planning: Planning): readonly string[] {
  const told = refusals.some(({ code }) => code === 'rename.referenced');
  const notes = references.flatMap(({ holder, reference }) => {
    if (!planning.desired.has(holder)) return [`${holder} refers to it at ${reference.path}, and is not declared here`];
    return told ? [] : [`${holder} still refers to it at ${reference.path}`];
  });
  const more = notes.length - mostNamed;
  return more > 0 ? [...notes.slice(0, mostNamed), `and ${more} more references to it are left`] : notes;
}
