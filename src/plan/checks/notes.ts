import { isObject, own } from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import { addTo } from '../../base/multimap.ts';
import { compareText } from '../../base/text/compareText.ts';
import { firstLines, firstOf } from '../../base/text/firstOf.ts';
import { equalValues } from '../../kinds/equal.ts';
import { hiddenField, runs } from '../../kinds/kindFacts.ts';
import { isRequired, mustBeThere } from '../../kinds/referenceStrength.ts';
import type { Reference } from '../../kinds/references.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import { memberShape } from '../../patch/place.ts';
import { isRead, type Kind } from '../../schema/record/kinds.ts';
import { contextOf, formatRef, type ResourceId } from '../../schema/record/ref.ts';
import { readVolumes } from '../consequences/storage.ts';
import type { Refusal } from '../model/change.ts';
import { type Draft, writes } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { refuse } from '../model/refusal.ts';
import { shapeFacts } from '../record/shapeFacts.ts';
import type { DanglingReference, DanglingReferences, Referrers } from '../references/referrers.ts';
import { type Renaming, renamingsOf } from '../references/rename.ts';

/** Adds notes about what a change does, or does not do, to other resources. */
export function noteChanges(
  drafts: ReadonlyMap<ResourceId, Draft>,
  { dangling, referrers }: { readonly dangling: DanglingReferences; readonly referrers: Referrers },
  planning: PlanContext,
): ReadonlyMap<ResourceId, Draft> {
  let noted = noteDangling(drafts, dangling, planning);
  noted = noteOldNames(noted, referrers, planning);
  noted = noteCapacity(noted);
  return noteSecrets(noted, planning);
}

/**
 * Notes on references without a target, which the platform accepts: the workload waits, the route warns, the policy
 * grants nothing, the firewall admits no traffic (platform/deletion.references). Both the deleted record and its
 * referrers get a note.
 */
function noteDangling(
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

/** The same for unchanged resources: their targets may have been deleted since. */
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
  // Usually every target was found, so the references of unchanged resources need not be visited.
  if (desired === undefined || (!writes(draft) && planning.snapshot.unfound?.size === 0)) return [];
  if (desired.lifecycle.handOver !== undefined) return []; // another stack manages it now
  const { elsewhere } = planning.options;
  const isThere = (id: ResourceId): boolean =>
    drafts.has(id) || planning.snapshot.resources.has(id) || planning.isPromised(id);
  const absent = (path: string, id: ResourceId): string => {
    const stack = elsewhere?.get(id);
    const why = stack === undefined ? '' : ` yet: the stack ${JSON.stringify(stack)} declares it`;
    return `${path} refers to ${id}, which does not exist${why}`;
  };
  // A written resource is refused instead.
  const awaited = compact(writes(draft) ? [] : (desired.lifecycle.dependsOn ?? []), (id, index) =>
    isThere(id) || planning.snapshot.hidden?.has(id) === true ? undefined : absent(`lifecycle.dependsOn.${index}`, id),
  );
  const referred = compact(planning.desiredReferences(desired), (reference) => {
    const { target, path } = reference;
    if (planning.hidden(target) !== undefined && !drafts.has(formatRef(target))) {
      return `${path} refers to ${formatRef(target)}, which this token cannot view`;
    }
    if (!isRead(target.kind) || (writes(draft) && mustBeThere(reference))) return undefined; // required targets are refused
    const id = formatRef(target);
    return isThere(id) ? undefined : absent(path, id);
  });
  return [...referred, ...awaited];
}

function notesOfReferrers(dangling: DanglingReferences): ReadonlyMap<ResourceId, readonly string[]> {
  const notes = new Map<ResourceId, string[]>();
  for (const [id, references] of dangling) {
    for (const { referrer, reference, written } of references) {
      if (written && isRequired(reference)) continue; // refused: it requires its target
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
  const notes = compact(references, ({ referrer, reference, needed }) => {
    if (isKept && needed) return undefined; // the refusal names it
    if (!planning.desired.has(referrer))
      return `${referrer}, which is not declared here, refers to it at ${reference.path}`;
    return isRefused ? undefined : `${referrer} still refers to it at ${reference.path}`;
  });
  return firstLines(notes, mostNamed, 'references to it');
}

/** Maximum number of readers named. */
const mostNamed = 10;

/** Path of the encoding that applies to all values of the secret. */
const aboutAll = 'encoding';

/** Kinds that refer to a secret without reading it. */
const namesOnly: ReadonlySet<Kind> = new Set<Kind>(['policy', 'group']);

/** Notes for secrets whose values change: the changed keys, never their values, and the readers. */
function noteSecrets(drafts: ReadonlyMap<ResourceId, Draft>, planning: PlanContext): ReadonlyMap<ResourceId, Draft> {
  const changed = compact([...drafts.values()], (draft) => {
    const fields = changedSensitive(draft);
    return fields.length === 0 ? undefined : { draft, keys: keysOf(draft, fields, planning) };
  });
  if (changed.length === 0) return drafts;
  const readers = findReaders(new Set(changed.map(({ draft }) => draft.id)), drafts, planning);
  const noted = changed.map(({ draft, keys }): readonly [ResourceId, Draft] => {
    const notes = compact([keysNote(keys), ...readersNote(readers.get(draft.id) ?? [], keys)]);
    return [draft.id, { ...draft, notes: [...draft.notes, ...notes] }];
  });
  return new Map([...drafts, ...noted]);
}

/** The sensitive fields of a live secret that are written. */
function changedSensitive({ kind, live, desired, fields }: Draft): readonly string[] {
  if (hiddenField(kind) === undefined || live === undefined || desired === undefined) return [];
  const { sensitive } = shapeFacts(shapeOf(kind, desired.record));
  return sensitive.filter((name) => fields.some(({ path }) => path === name || path.startsWith(`${name}.`)));
}

interface ChangedKeys {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Undefined if the live values cannot be read, or the value is a single text. */
function keysOf(
  { ref, live, desired }: Draft,
  fields: readonly string[],
  planning: PlanContext,
): ChangedKeys | undefined {
  const shape = shapeOf(ref.kind, desired?.record);
  const context = contextOf(ref, planning.org);
  const [changed, added, removed] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const name of fields) {
    const field = shape.fields.get(name);
    const [before, after] = [own(live?.record ?? {}, name), own(desired?.record ?? {}, name)];
    if (field === undefined || !isObject(before) || !isObject(after)) return undefined;
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (equalValues(memberShape(field, key), own(before, key), own(after, key), context)) continue;
      const into = own(before, key) === undefined ? added : own(after, key) === undefined ? removed : changed;
      into.add(key);
    }
  }
  const sorted = (keys: ReadonlySet<string>): readonly string[] => [...keys].sort(compareText);
  return { changed: sorted(changed), added: sorted(added), removed: sorted(removed) };
}

function keysNote(keys: ChangedKeys | undefined): string | undefined {
  if (keys === undefined) return undefined;
  const parts = [
    ...keys.changed.map((key) => `${key} changed`),
    ...keys.added.map((key) => `${key} added`),
    ...keys.removed.map((key) => `${key} removed`),
  ];
  return parts.length === 0 ? undefined : `keys: ${parts.join(', ')}`;
}

interface Reader {
  readonly id: ResourceId;
  readonly reference: Reference;
}

/** Records that refer to these secrets after the plan, as far as known. */
function findReaders(
  secrets: ReadonlySet<ResourceId>,
  drafts: ReadonlyMap<ResourceId, Draft>,
  planning: PlanContext,
): ReadonlyMap<ResourceId, readonly Reader[]> {
  const readers = new Map<ResourceId, Reader[]>();
  const look = (id: ResourceId, references: readonly Reference[]): void => {
    for (const reference of references) {
      const target = formatRef(reference.target);
      if (!secrets.has(target)) continue;
      addTo(readers, target, { id, reference });
    }
  };
  for (const resource of planning.desired.values()) {
    if (!namesOnly.has(resource.ref.kind)) look(resource.id, planning.desiredReferences(resource));
  }
  for (const live of planning.known.values()) {
    const goes = drafts.get(live.id)?.action === 'delete';
    if (planning.desired.has(live.id) || goes || namesOnly.has(live.ref.kind)) continue;
    look(live.id, planning.liveReferences(live));
  }
  return readers;
}

/** A reader of a single key is affected only if that key changes. */
function readersNote(readers: readonly Reader[], keys: ChangedKeys | undefined): readonly string[] {
  const moved = keys && new Set([...keys.changed, ...keys.added, ...keys.removed]);
  const isConcerned = ({ reference: { key } }: Reader): boolean =>
    key === undefined || moved === undefined || moved.has(key) || moved.has(aboutAll);
  const ids = [...new Set(readers.filter(isConcerned).map(({ id }) => id))].sort(compareText);
  if (ids.length === 0) return [];
  return [`read by ${firstOf(ids, mostNamed)}`];
}

/**
 * Notes on resources under their old names. On a deletion: other stacks may still route to it (known referrers are
 * noted on every deletion). On a resource that is only released: which resources still refer to the old name.
 */
function noteOldNames(
  drafts: ReadonlyMap<ResourceId, Draft>,
  referrers: Referrers,
  planning: PlanContext,
): ReadonlyMap<ResourceId, Draft> {
  const { byOld } = renamingsOf(planning);
  if (byOld.size === 0) return drafts;
  return new Map(
    [...drafts].map(([id, draft]) => {
      const renaming = byOld.get(id);
      const notes = renaming === undefined ? [] : notesOn(renaming, draft, { drafts, referrers }, planning);
      return [id, notes.length === 0 ? draft : { ...draft, notes: [...draft.notes, ...notes] }];
    }),
  );
}

/** Routes and firewalls of other stacks may refer to a workload, and do not prevent its deletion. */
const unread = 'routes of other stacks that lead to it are not looked up: they have to move before it is deleted';

function notesOn(
  { old, next }: Renaming,
  draft: Draft,
  { drafts, referrers }: { readonly drafts: ReadonlyMap<ResourceId, Draft>; readonly referrers: Referrers },
  planning: PlanContext,
): readonly string[] {
  if (draft.action === 'delete') return runs(draft.kind) ? [unread] : [];
  const declared = [...planning.desired.values()].flatMap((resource) =>
    planning
      .desiredReferences(resource)
      .filter(({ target }) => formatRef(target) === old.id)
      .map(({ path }) => `${resource.id} still refers to the old name at ${path}, not to ${next.id}`),
  );
  const foreign = (referrers.get(old.id) ?? [])
    .filter(({ live }) => !planning.desired.has(live.id) && drafts.get(live.id)?.action !== 'delete')
    .map(({ live, reference }) => `${live.id}, which is not declared here, refers to it at ${reference.path}`);
  return [...new Set([...declared, ...foreign])];
}

/** Refuses an incomplete renaming: declared resources still refer to the old name, which is deleted. */
export function oldNameRefusals(
  { id }: Draft,
  dangling: DanglingReferences,
  planning: PlanContext,
): readonly Refusal[] {
  const renaming = renamingsOf(planning).byOld.get(id);
  if (renaming === undefined) return [];
  return (dangling.get(id) ?? []).flatMap(({ referrer, reference, written }) => {
    const resource = planning.desired.get(referrer);
    if (resource === undefined || (written && isRequired(reference))) return [];
    const said = planning.desiredReferences(resource).filter(({ path }) => path === reference.path);
    return said
      .filter(({ target }) => formatRef(target) === id)
      .map(({ path, pointer }) => refuse.renameReferenced(referrer, path, resource.locate(pointer), renaming.next.id));
  });
}

const capacity = 'spec.initialCapacity';
const capacityNote = `${capacity} applies to new volumes only: existing volumes keep their size`;

/** Notes on volume sets whose existing volumes keep their size (platform/volumeset.shared). */
function noteCapacity(drafts: ReadonlyMap<ResourceId, Draft>): ReadonlyMap<ResourceId, Draft> {
  return new Map(
    [...drafts].map(([id, draft]) => [
      id,
      reachesAllVolumes(draft) ? draft : { ...draft, notes: [...draft.notes, capacityNote] },
    ]),
  );
}

/** Whether the new capacity affects every volume. If no volumes are shown, some may exist. */
function reachesAllVolumes({ action, live, fields }: Draft): boolean {
  if (action === 'replace' || live === undefined) return true;
  if (!fields.some((field) => field.path === capacity)) return true;
  const volumes = readVolumes(live.record);
  return volumes !== undefined && [...volumes.values()].every(({ size }) => size === 0);
}
