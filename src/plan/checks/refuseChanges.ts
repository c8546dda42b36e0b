import { type JsonObject, objectAt, own } from '../../base/json/json.ts';
import { isMaskText } from '../../base/json/mask.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { compact } from '../../base/json/present.ts';
import { addTo } from '../../base/multimap.ts';
import { suggest, suggestFirst } from '../../base/text/suggest.ts';
import { excessIn, excessOfText, mostBytesOf } from '../../kinds/bodyLimits.ts';
import { holdsMask } from '../../kinds/fillMasks.ts';
import { hiddenField, isNamedByHost, isUndeletable, mayStore } from '../../kinds/kindFacts.ts';
import { blocksDeletion, mustBeThere } from '../../kinds/referenceStrength.ts';
import { isPlaceholder } from '../../kinds/secret/fields.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { markedTexts } from '../../patch/shouldMask.ts';
import { maxBodyValues, maxListItems } from '../../schema/facts/limits.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { isProtected } from '../../schema/record/protection.ts';
import { formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import { formatPath } from '../../schema/shape/paths.ts';
import { type Consequences, stillRefers } from '../consequences/cascade.ts';
import { refusePart } from '../draft/mergePart.ts';
import { partOwners } from '../draft/partsOfOthers.ts';
import type { Refusal } from '../model/change.ts';
import { dataIn } from '../model/dataLoss.ts';
import { type Draft, deletes, withRefusals, writes } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { type DanglingReference, refuse, unmarkedLoss } from '../model/refusal.ts';
import { apexesOf, keptApexes } from '../order/edges.ts';
import { nameOfLoss } from '../record/gvcLosses.ts';
import { whyUnmarked } from '../record/replacementMark.ts';
import { declaredUses } from '../references/needs.ts';
import { bindsAddress, type DanglingReferences, type Referrers, refersAfter } from '../references/referrers.ts';
import { renamingsOf } from '../references/rename.ts';
import { oldNameRefusals } from './notes.ts';
import { refuseKept, refuseLostValues } from './refuseKept.ts';

/** For a change whose body or resulting record is larger than the platform allows (platform/concepts.limits). */
function limitRefusals(draft: Draft): readonly Refusal[] {
  const { create, patch, then, result, kind } = draft;
  const refusals: Refusal[] = [];
  for (const [method, body] of [
    ['POST', create],
    ['PATCH', patch],
    ['PATCH', then],
  ] as const) {
    if (body !== undefined) refusals.push(...bodyRefusals(method, body.expose(), draft));
  }
  // A body with few items may be added to many.
  const whole = refusals.length > 0 || result === undefined ? undefined : boundRefusal(kind, result, draft);
  return whole === undefined ? refusals : [whole];
}

function bodyRefusals(method: 'POST' | 'PATCH', document: JsonObject, draft: Draft): readonly Refusal[] {
  const text = JSON.stringify(document);
  if (text.length < shortText) return [];
  const most = mostBytesOf(draft.kind);
  const bytes = text.length * mostBytesOfUnit <= most ? 0 : new TextEncoder().encode(text).length;
  if (bytes > most) return [refuse.bodyTooLarge(method, bytes, most)];
  if (excessOfText(text) === 'values') return [refuse.tooManyValues(method, maxBodyValues)];
  const bound = boundRefusal(draft.kind, document, draft);
  return compact([bound]);
}

/** A shorter text is within every limit: each item of a list has a comma and at least one character. */
const shortText = 2 * maxListItems;

/** A UTF-16 code unit has at most three bytes in UTF-8. */
const mostBytesOfUnit = 3;

function boundRefusal(kind: Kind, document: JsonObject, { desired }: Draft): Refusal | undefined {
  const excess = excessIn(document);
  if (excess === undefined) return undefined;
  const place: Pointer = excess.place;
  const at = desired === undefined ? undefined : desired.locate(place);
  return refuse.beyondLimit(formatPath(shapeOf(kind, document), document, place), excess.message, at);
}

/** Records besides the drafts. */
interface RelatedRecords {
  /** The records that are deleted together with a GVC. */
  readonly bystanders: Consequences['bystanders'];
  readonly referrers: Referrers;
  readonly dangling: DanglingReferences;
}

/** Adds the refusals of each draft. A refused plan stays complete. */
export function refuseChanges(
  given: ReadonlyMap<ResourceId, Draft>,
  { bystanders, referrers, dangling }: RelatedRecords,
  planning: PlanContext,
): ReadonlyMap<ResourceId, Draft> {
  const drafts = refuseLostValues(given, planning);
  const totals = countLosses(drafts, bystanders, planning);
  const bystanderIds = new Set([...bystanders.values()].flat().map((live) => live.id));
  const apexes = [...drafts.values()].some(deletes) ? keptApexes(drafts, planning) : new Map<string, ResourceId>();
  const isToBeDeleted = (id: ResourceId): boolean => drafts.get(id)?.action === 'delete' || bystanderIds.has(id);
  const targets: Targets = {
    drafts,
    isToBeDeleted,
    suggestionFor: suggestFirst((id) => closestId(id, drafts)),
  };
  const dependentRefusals = unchangedDependents(drafts, isToBeDeleted, planning);
  const oldName = (draft: Draft): readonly Refusal[] => oldNameRefusals(draft, dangling, planning);
  const deleted = [...drafts.values()].flatMap(({ id, action }) => (action === 'delete' ? [id] : []));
  const uses = declaredUses(new Set([...deleted, ...bystanderIds]), planning);
  const needing = new Set([
    ...[...dangling.values()].flat().flatMap((each) => (each.needed ? [each.referrer] : [])),
    ...compact([...uses.values()].flat(), ({ by, blocks }) => (blocks ? undefined : by)),
  ]);
  /** Other stacks of the project that declare a use: these refusals name the place, so other checks skip it. */
  const usedElsewhere = (id: ResourceId): readonly Refusal[] =>
    (uses.get(id) ?? [])
      .filter(({ blocks }) => blocks || planning.options.allowDangling !== needing.size)
      .map((use) => refuse.usedElsewhere(use, needing.size));
  const isUsedBy = (id: ResourceId, by: ResourceId): boolean => uses.get(id)?.some((use) => use.by === by) === true;
  /** Remaining records that need a deleted one. For a renaming, the declared ones are refused already. */
  const neededRefusals = (draft: Draft, along: readonly LiveResource[], isRenamed: boolean): readonly Refusal[] => {
    if (planning.options.allowDangling === needing.size) return [];
    return [draft.id, ...along.map((live) => live.id)].flatMap((gone) =>
      (dangling.get(gone) ?? [])
        .filter(
          ({ needed, referrer }) =>
            needed && !isUsedBy(gone, referrer) && !(isRenamed && planning.desired.has(referrer)),
        )
        .map(({ referrer, reference: { path } }) =>
          refuse.stillNeeded(referrer, path, gone === draft.id ? undefined : gone, needing.size),
        ),
    );
  };
  return new Map(
    [...drafts].map(([id, draft]) => {
      const subdomain = isNamedByHost(draft.kind) && deletes(draft) ? apexes.get(draft.name) : undefined;
      const refusals = compact([
        ...(writes(draft) ? missingReferences(draft, targets, planning) : []),
        writesPlaceholder(draft) ? refuse.placeholder() : undefined,
        writesMask(draft, planning) ? refuse.masked() : undefined,
        tagRefusal(draft, planning),
        ...(deletes(draft) ? deletionRefusals(draft, bystanders.get(id) ?? [], totals, planning) : []),
        ...victimRefusals(draft, totals, planning),
        ...(draft.action === 'delete' ? referrerRefusals(draft, { ...targets, referrers, isUsedBy }, planning) : []),
        ...[id, ...(bystanders.get(id) ?? []).map((live) => live.id)].flatMap(
          (gone) => dependentRefusals.get(gone) ?? [],
        ),
        ...(draft.action === 'delete' ? usedElsewhere(id) : []),
        ...oldName(draft),
        ...(draft.action === 'delete'
          ? neededRefusals(draft, bystanders.get(id) ?? [], oldName(draft).length > 0)
          : []),
        subdomain === undefined ? undefined : refuse.stillReferenced(subdomain, 'name'),
      ]);
      const refused = refuseKept(refuseUnmarked(withRefusals(draft, refusals), planning), planning);
      return [id, withRefusals(refused, limitRefusals(refused))];
    }),
  );
}

/** Whether a placeholder, which `gantry adopt` wrote for an unreadable value, would be written as the value. */
function writesPlaceholder({ kind, create, patch }: Draft): boolean {
  const field = hiddenField(kind);
  if (field === undefined) return false;
  return [create, patch].some((body) => {
    const written = body?.expose() ?? {};
    return compact([own(written, field), own(written, `$replace/${field}`)]).some((value) => isPlaceholder(value));
  });
}

/** Whether a mask, ours or the platform's, would be written because the value is unknown. */
function writesMask({ kind, desired, create, patch, then }: Draft, { options }: PlanContext): boolean {
  const bodies = compact([create, patch, then]);
  if (bodies.some((body) => body.isUnknown())) return true;
  const marks = desired?.lifecycle.sensitive;
  if (desired === undefined || marks === undefined) return false;
  // An undo declares the live values of marked fields.
  const said = options.undoes === true ? [] : markedTexts(shapeOf(kind, desired.record), marks, desired.record);
  return bodies.some(
    (body) =>
      holdsMask(body.expose()) || body.sensitiveTexts().some((text) => isMaskText(text) && !said.includes(text)),
  );
}

/** Refuses tag keys with capital letters if the platform does not keep them. */
function tagRefusal({ create, patch, then }: Draft, { snapshot }: PlanContext): Refusal | undefined {
  if (snapshot.capabilities?.isOtherwise('value.tag-case') !== true) return undefined;
  const keys = [create, patch, then].flatMap((body) => Object.keys(objectAt(body?.expose() ?? {}, 'tags')));
  const upper = [...new Set(keys)].filter((key) => !key.startsWith('$') && key !== key.toLowerCase());
  return upper.length === 0 ? undefined : refuse.tagCase(upper.sort());
}

interface Totals {
  /** Resources of other owners that are deleted along (parts included) or affected by updates. */
  readonly collateral: number;
  readonly data: number;
}

function countLosses(
  drafts: ReadonlyMap<ResourceId, Draft>,
  bystanders: Consequences['bystanders'],
  planning: PlanContext,
): Totals {
  const strangers = [...bystanders.values()].flat();
  const victims = new Set([...drafts.values()].flatMap((draft) => draft.victims ?? []));
  const lost = [...drafts.values()].filter(deletes).flatMap(({ live }) => live ?? []);
  const records = [...strangers, ...lost];
  return {
    collateral:
      strangers.length + victims.size + [...drafts.values()].flatMap((each) => lostParts(each, planning)).length,
    data: records.filter(({ ref, record }) => dataIn(ref.kind, record) !== undefined).length,
  };
}

/** The stacks that lose their part of a deleted resource. A replacement carries their items over. */
function lostParts({ action, live }: Draft, planning: PlanContext): readonly string[] {
  return action === 'delete' && live !== undefined ? partOwners(live, planning) : [];
}

interface Targets {
  readonly drafts: ReadonlyMap<ResourceId, Draft>;
  /** Whether it is deleted. */
  readonly isToBeDeleted: (id: ResourceId) => boolean;
  /** The resource that was probably meant. Cached: thousands of resources may name the same missing one. */
  readonly suggestionFor: (id: ResourceId) => ResourceId | undefined;
}

function missingReferences(draft: Draft, targets: Targets, planning: PlanContext): readonly Refusal[] {
  const { desired } = draft;
  if (desired === undefined) return [];
  const { drafts, isToBeDeleted } = targets;
  const there = (ref: Ref): boolean =>
    drafts.has(formatRef(ref)) ||
    planning.liveAt(ref) !== undefined ||
    planning.hidden(ref) !== undefined ||
    planning.isPromised(formatRef(ref));

  const refusals: Refusal[] = [];
  if (draft.gvc !== undefined && !there({ kind: 'gvc', name: draft.gvc })) {
    refusals.push(
      missingRefusal({ target: `gvc/${draft.gvc}`, path: 'gvc', at: desired.locate(['gvc']) }, targets, planning),
    );
  }
  const apexes = draft.live === undefined ? apexesOf(desired.ref, desired.record) : [];
  if (apexes.length > 0 && !apexes.some(there)) {
    refusals.push(refuse.apexMissing(draft.name, apexes.at(-1)?.name ?? '', desired.locate(['spec', 'dnsMode'])));
  }
  for (const reference of planning.desiredReferences(desired)) {
    if (!mustBeThere(reference)) continue;
    const id = formatRef(reference.target);
    // If the reference blocks the deletion of its target, the deletion is refused instead.
    const isDeleted = drafts.get(id)?.action === 'delete' && !blocksDeletion(draft.kind, reference);
    if (there(reference.target) && !isDeleted) continue;
    const dangling = { target: id, path: reference.path, at: desired.locate(reference.pointer) };
    refusals.push(isDeleted ? refuse.referenceGoes(dangling) : missingRefusal(dangling, targets, planning));
  }
  for (const dangling of dependenciesOf(desired)) {
    const id = dangling.target;
    const { resources, hidden } = planning.snapshot;
    if (isToBeDeleted(id)) refusals.push(deletedDependencyRefusal(desired.id, dangling, planning));
    else if (!drafts.has(id) && !resources.has(id) && hidden?.has(id) !== true && !planning.isPromised(id)) {
      refusals.push(missingRefusal(dangling, targets, planning));
    }
  }
  return refusals;
}

function dependenciesOf({ lifecycle, locate }: DesiredResource): readonly DanglingReference[] {
  return (lifecycle.dependsOn ?? []).map((target, index) => ({
    target,
    path: `lifecycle.dependsOn.${index}`,
    at: locate(['lifecycle', 'dependsOn', index]),
  }));
}

function deletedDependencyRefusal(dependent: ResourceId, dangling: DanglingReference, planning: PlanContext): Refusal {
  const renaming = renamingsOf(planning).byOld.get(dangling.target);
  return renaming === undefined
    ? refuse.referenceGoes(dangling)
    : refuse.renameReferenced(dependent, dangling.path, dangling.at, renaming.next.id);
}

/** Refuses the deletion of a resource that an unchanged one names in `dependsOn`; the key is the deleted one's id. */
function unchangedDependents(
  drafts: ReadonlyMap<ResourceId, Draft>,
  isToBeDeleted: (id: ResourceId) => boolean,
  planning: PlanContext,
): ReadonlyMap<ResourceId, readonly Refusal[]> {
  const refusals = new Map<ResourceId, Refusal[]>();
  for (const { action, desired } of drafts.values()) {
    if (action !== 'keep' || desired?.lifecycle.dependsOn === undefined) continue;
    for (const dangling of dependenciesOf(desired)) {
      if (isToBeDeleted(dangling.target))
        addTo(refusals, dangling.target, deletedDependencyRefusal(desired.id, dangling, planning));
    }
  }
  return refusals;
}

function missingRefusal(dangling: DanglingReference, { suggestionFor }: Targets, { options }: PlanContext): Refusal {
  const stack = options.elsewhere?.get(dangling.target);
  if (stack !== undefined) return refuse.referenceElsewhere(dangling, stack);
  return refuse.referenceMissing(dangling, suggestionFor(dangling.target));
}

function closestId(id: ResourceId, drafts: ReadonlyMap<ResourceId, Draft>): ResourceId | undefined {
  const kind = id.slice(0, id.indexOf('/') + 1);
  return suggest(
    id,
    [...drafts.keys()].filter((other) => other.startsWith(kind)),
  );
}

function deletionRefusals(
  draft: Draft,
  strangers: readonly LiveResource[],
  totals: Totals,
  planning: PlanContext,
): readonly Refusal[] {
  const { options, desired } = planning;
  const { live } = draft;
  if (live === undefined) return [];
  const refusals: Refusal[] = [];
  const dataAllowed = options.allowDataLoss === totals.data;

  for (const { id, record, ref } of [live, ...strangers]) {
    if (isProtected(record)) refusals.push(refuse.protectedRecord(id));
    const data = dataIn(ref.kind, record);
    if (data !== undefined && !dataAllowed) refusals.push(refuse.dataLoss(id, data, totals.data));
    // Even if it is empty now: data may arrive between the approval and the deletion.
    if (draft.action === 'replace' && mayStore(ref.kind) && desired.get(id)?.lifecycle.replace !== true) {
      refusals.push(
        refuse.replaceWithData(id, data ?? 'it is empty now, but may contain data by the time it is deleted'),
      );
    }
  }
  if (strangers.length > 0 && options.allowCollateral !== totals.collateral) {
    refusals.push(
      refuse.bystanders(
        strangers.map(({ id }) => id),
        totals.collateral,
      ),
    );
  }
  const parts = lostParts(draft, planning);
  if (parts.length > 0 && options.allowCollateral !== totals.collateral) {
    refusals.push(refusePart.lost(parts, totals.collateral));
  }
  if (isUndeletable(live.ref.kind, live.record)) refusals.push(refuse.replaceUndeletable());
  return refusals;
}

/** A GVC update that affects others needs their exact number, together with the bystanders of deletions. */
function victimRefusals(
  { takes = [], victims = [] }: Draft,
  totals: Totals,
  { options }: PlanContext,
): readonly Refusal[] {
  if (victims.length === 0 || options.allowCollateral === totals.collateral) return [];
  return [refuse.victims(takes.map(nameOfLoss), victims, totals.collateral)];
}

interface DeletionTargets extends Targets {
  readonly referrers: Referrers;
  readonly isUsedBy: (id: ResourceId, by: ResourceId) => boolean;
}

/**
 * The records that still refer to it afterwards: the platform would refuse the DELETE (platform/deletion.references).
 */
function referrerRefusals(
  draft: Draft,
  { drafts, referrers, isToBeDeleted, isUsedBy }: DeletionTargets,
  planning: PlanContext,
): readonly Refusal[] {
  const live = (referrers.get(draft.id) ?? []).filter(
    ({ live, reference }) =>
      !isToBeDeleted(live.id) &&
      !isUsedBy(draft.id, live.id) &&
      (bindsAddress(live, draft, planning)
        ? refersAfter(drafts.get(live.id), draft.id, planning)
        : blocksDeletion(live.ref.kind, reference) && stillRefers(drafts.get(live.id), draft.id, planning)),
  );
  const declared = planning.desiredReferrers(draft.id).filter(({ id }) => !live.some((each) => each.live.id === id));
  return [
    ...live.map((each) => refuse.stillReferenced(each.live.id, each.reference.path)),
    ...declared.map(({ id, path }) => refuse.stillReferenced(id, path)),
  ];
}

/**
 * Refuses a replacement whose record has no room for the mark although something could be lost without it. With the
 * permit this is a note that names what can be lost.
 */
function refuseUnmarked(draft: Draft, planning: PlanContext): Draft {
  const { carries, unmarked } = draft;
  const old = carries === undefined ? undefined : deletedFirst(draft, planning);
  const why = old === undefined ? undefined : whyUnmarked(old.record);
  if (carries === undefined || why === undefined) return draft;
  return unmarked === true
    ? { ...draft, notes: [...draft.notes, unmarkedLoss(why, carries)] }
    : { ...draft, refusals: [...draft.refusals, refuse.replaceUnmarked(why, carries)] };
}

/** The record that is deleted before this one is created. */
function deletedFirst({ action, id, live }: Draft, planning: PlanContext): LiveResource | undefined {
  if (action === 'replace') return live;
  const renaming = action === 'create' ? renamingsOf(planning).byNew.get(id) : undefined;
  return renaming?.contested === undefined ? undefined : renaming.old;
}
