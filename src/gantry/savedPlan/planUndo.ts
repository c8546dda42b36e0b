import { movement } from '../../apply/applyErrors.ts';
import { filledChange } from '../../apply/awaited.ts';
import { notCreatedBy } from '../../apply/lostReply.ts';
import { changedFields } from '../../apply/races.ts';
import { differences, withoutOwnWays } from '../../apply/replyCheck.ts';
import { awaitedNow } from '../../apply/resume.ts';
import { type JsonObject, type JsonValue, objectAt, stringAt } from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import { valueThere } from '../../base/json/valuesAt.ts';
import { ToolError } from '../../base/toolError.ts';
import { blockedChanges } from '../../change/blockedChanges.ts';
import { makeUndo, type UndoOptions, type UndoPermits, undoDeclarations } from '../../change/makeUndo.ts';
import { maskedResources, replanSaved } from '../../change/replanSaved.ts';
import type { SavedPlan } from '../../change/savedPlan.ts';
import type { PlanToSave } from '../../change/savedPlanOf.ts';
import { fetchSnapshot, withClosures } from '../../client/fetchSnapshot.ts';
import { hiddenField } from '../../kinds/kindFacts.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import {
  type LiveValues,
  livePlaces,
  liveReferences,
  valueOfReference,
  withLiveValues,
} from '../../manifest/live/liveReference.ts';
import type { LiveResource, Snapshot, SnapshotRequest } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { appliedTag, partTagOf } from '../../manifest/model/ownTags.ts';
import { gvcsToList } from '../../plan/gvcsToList.ts';
import { type Change, checkedChange } from '../../plan/model/change.ts';
import type { Limits } from '../../plan/model/limits.ts';
import { permitsOf } from '../../plan/model/permits.ts';
import type { Plan } from '../../plan/model/plan.ts';
import { beforeKeys, keysMadeBy } from '../../plan/record/keysMade.ts';
import { readApplied } from '../../plan/record/ownership.ts';
import { movedSince } from '../../plan/record/savedRecord.ts';
import { firstVersion, versionAfter, versionsTell, withoutVersion } from '../../plan/record/version.ts';
import type { Replan } from '../../plan/replan.ts';
import type { Platform } from '../../project/platform/platform.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { formatPath, pointerTo, touches } from '../../schema/shape/paths.ts';
import { shortHash } from '../loading/hash.ts';
import { snapshotRequest } from '../loading/snapshotRequest.ts';
import { withoutHidden } from './hiddenRecords.ts';
import { planOptionsOf } from './options.ts';
import { awaitedRefs } from './resumeSavedPlan.ts';
import { type StaleRecord, staleError } from './stale.ts';

/** The options of an undo. */
export interface PlanUndoOptions {
  readonly permits: UndoPermits;
  /** The present limits of its environment. */
  readonly limits: readonly Limits[];
  /** Whether it is rehearsed on a copy of the platform before it is saved; problems there refuse it. */
  readonly isRehearsed?: boolean;
  /** Whether it is saved in a signed file. */
  readonly isSigned?: boolean;
  /** Resources that the undos of later stacks delete before. */
  readonly deletedBefore?: ReadonlySet<ResourceId>;
}

/** The plan that undoes another one, with its snapshot request. */
export interface PlannedUndo extends PlanToSave {
  readonly request: SnapshotRequest;
}

/**
 * The plan that undoes the applied changes of a plan. Errors: `undo.done`, `undo.not-applied`, `undo.unfinished`;
 * `plan.stale` if something was written since.
 */
export async function planUndo(
  approved: SavedPlan,
  platform: Platform,
  { permits, limits, isRehearsed = false, isSigned, deletedBefore = new Set() }: PlanUndoOptions,
): Promise<PlannedUndo> {
  const desired = undoDeclarations(approved, shortHash);
  const request = undoRequest(approved, desired, platform.org);
  const read = await withoutHidden(await fetchSnapshot(platform.client, request), approved, platform);
  const snapshot = { ...read, directives: approved.directives };

  const saved = withAwaitedValues(approved, snapshot);
  const { untouched, unfinished, stale } = appliedStateOf(
    saved.plan,
    snapshot,
    replanSaved(saved.declared, maskedResources(saved.declared, new Set()), snapshot, planOptionsOf(saved)),
  );
  if (untouched.length + unfinished.length + stale.length > 0 && isUndone(saved, snapshot)) throw alreadyUndone();
  if (unfinished.length > 0) throw unfinishedYet(unfinished);
  if (stale.length > 0) throw await staleError(stale, platform, 'Plan from your code instead: it shows what differs.');
  const applied = appliedPart(saved, new Set(untouched));
  const options: UndoOptions = {
    ...permitsOf(permits),
    limits,
    moment: { nowMs: Date.now(), isApplied: false, isSigned },
    ...(isRehearsed ? { rehearsed: true } : {}),
  };
  const make = (state: Snapshot) => makeUndo(applied, state, options, shortHash);
  const undo = make(withoutResources(snapshot, deletedBefore));
  const listed = await withClosures(platform.client, snapshot, gvcsToList(undo.plan, snapshot));
  const made = listed === snapshot ? undo : make(withoutResources(listed, deletedBefore));
  const left = untouched.map((id) => `left as it is: ${id} was not changed by that plan`);
  return { ...made, plan: { ...made.plan, notes: [...made.plan.notes, ...left.sort()] }, request };
}

/** The plan without the changes that were not begun. Errors: `undo.not-applied` if none was. */
function appliedPart(saved: SavedPlan, untouched: ReadonlySet<ResourceId>): SavedPlan {
  if (untouched.size === 0) return saved;
  const changes = saved.plan.changes.filter(({ id }) => !untouched.has(id));
  if (changes.every(({ action }) => action === 'keep' || action === 'refuse')) throw notAppliedYet([...untouched]);
  return { ...saved, plan: { ...saved.plan, changes } };
}

/** The live state without these resources. */
function withoutResources(snapshot: Snapshot, gone: ReadonlySet<ResourceId>): Snapshot {
  if (gone.size === 0) return snapshot;
  const closures = [...snapshot.closures].map(
    ([name, closure]) => [name, { ...closure, children: closure.children.filter(({ id }) => !gone.has(id)) }] as const,
  );
  const resources = [...snapshot.resources].filter(([id]) => !gone.has(id));
  return { ...snapshot, resources: new Map(resources), closures: new Map(closures) };
}

/** Only names secrets, so their values are not read: the file does not contain them either. */
function undoRequest({ plan, facts }: SavedPlan, desired: readonly DesiredResource[], org: string): SnapshotRequest {
  const visible = desired.filter(({ ref }) => hiddenField(ref.kind) === undefined);
  const request = snapshotRequest(visible, org, plan.stack);
  const changed = plan.changes.filter(({ action }) => action !== 'keep');
  return {
    ...request,
    referenced: [
      ...request.referenced,
      ...changed.map(({ ref }) => ref),
      ...changed.flatMap(awaitedRefs),
      ...(plan.saves ?? []).flatMap(({ value }) => liveReferences(value)).map(({ ref }) => ref),
      ...facts.map(({ ref }) => ref),
    ],
  };
}

function notAppliedYet(ids: readonly ResourceId[]): ToolError {
  return new ToolError({
    code: 'undo.not-applied',
    message: `this plan was not applied: ${ids.join(', ')}`,
    hint: 'There is nothing to undo. Or what it created has been undone already.',
  });
}

function unfinishedYet(ids: readonly ResourceId[]): ToolError {
  return new ToolError({
    code: 'undo.unfinished',
    message: `the apply of this plan stopped in the middle of a change: ${ids.join(', ')}`,
    hint: 'Apply the plan again, which finishes it, and undo it then.',
  });
}

function alreadyUndone(): ToolError {
  return new ToolError({
    code: 'undo.done',
    message: 'this plan has been undone already: everything is as it was before',
    hint: 'Nothing is left to undo. To make its changes again, plan from your code.',
  });
}

/**
 * Whether everything that the plan changed and that can be undone is as before, although it was applied. Cannot be told
 * for a plan that only creates: its records may never have existed.
 */
function isUndone(saved: SavedPlan, snapshot: Snapshot): boolean {
  const stuck = blockedChanges(saved);
  const changes = saved.plan.changes.filter(
    ({ id, action }) => action !== 'keep' && action !== 'refuse' && !stuck.has(id),
  );
  return (
    changes.some(({ action }) => action !== 'create') && changes.every((each) => isRestored(each, saved, snapshot))
  );
}

function isRestored(change: Change, { plan, live }: SavedPlan, { resources }: Snapshot): boolean {
  const [before, now] = [live.get(change.id), resources.get(change.id)];
  if (change.action === 'create') return now === undefined;
  if (before === undefined || now === undefined) return false;
  const moved = movedSince(before, now, plan.org);
  if (change.action === 'delete') return now.uid !== change.liveUid && moved.length === 0;
  // Changes of others in other fields do not count.
  const isTouched = moved.some((path) => isOfChange(change, path));
  return now.uid === change.liveUid && now.version > versionProduced(change) && !isTouched;
}

/**
 * Fills values known only after the apply into an applied plan. The record's present value there is the one that the
 * apply wrote, even if the source record has changed: the record's version shows later writes. If versions do not show
 * writes, only the source's present value counts.
 */
function withAwaitedValues(saved: SavedPlan, { resources, capabilities }: Snapshot): SavedPlan {
  const { plan, declared } = saved;
  const tells = versionsTell(capabilities);
  const values = new Map(
    plan.changes.flatMap((change) => {
      const live = resources.get(change.id);
      if (change.awaits === undefined || live === undefined) return [];
      const read = awaitedNow(change, resources) ?? [];
      return [[change.id, new Map([...read, ...(tells ? awaitedValuesIn(change, live) : [])])] as const];
    }),
  );
  if (values.size === 0) return saved;
  const filled = (change: Change, known: LiveValues | undefined): Change => {
    if (known === undefined) return change;
    const { awaits, ...whole } = filledChange(change, known);
    const left = (awaits ?? []).filter((reference) => !known.has(reference));
    return checkedChange(left.length === 0 ? whole : { ...whole, awaits: left });
  };
  return {
    ...saved,
    plan: { ...plan, changes: plan.changes.map((change) => filled(change, values.get(change.id))) },
    declared: declared.map((resource) => {
      const known = values.get(resource.id);
      return known === undefined ? resource : { ...resource, record: withLiveValues(resource.record, known) };
    }),
  };
}

/** The live values at the places where the change waited for values. */
function awaitedValuesIn({ awaits = [], expected, expectedThen }: Change, live: LiveResource): LiveValues {
  const promised: JsonObject = (expectedThen ?? expected)?.expose() ?? {};
  const { kind } = live.ref;
  const values = new Map<string, JsonValue>();
  for (const at of livePlaces(promised, ({ text }) => awaits.includes(text))) {
    const text = valueThere(promised, at);
    const path = formatPath(shapeOf(kind, promised), promised, at);
    const place = pointerTo(path, shapeOf(kind, live.record), live.record);
    const value = place && valueThere(live.record, place);
    if (typeof text !== 'string' || value === undefined) continue;
    const [reference, behind] = valueOfReference(text, value) ?? [];
    if (reference !== undefined && behind !== undefined && awaits.includes(reference)) values.set(reference, behind);
  }
  return values;
}

interface AppliedState {
  /** Changes that were not begun: their resources are as before. */
  readonly untouched: readonly ResourceId[];
  /** Changes that were not finished. */
  readonly unfinished: readonly ResourceId[];
  /** Records that were written since. */
  readonly stale: readonly StaleRecord[];
}

/**
 * Compares the live state with the plan's result: the versions that it produced, and the deletions. `replan` recognises
 * values that the platform stores in another form.
 */
export function appliedStateOf(plan: Plan, { resources, capabilities }: Snapshot, replan: Replan): AppliedState {
  const reading = { ...plan, replan, showsWriter: versionsTell(capabilities) };
  const keys = keysMadeBy(plan);
  const found = compact(plan.changes, (change) => {
    const live = resources.get(change.id);
    const state = stateOf(change, live && beforeKeys(live, keys.get(change.id)), reading);
    return state === undefined ? undefined : { id: change.id, state };
  });
  return {
    untouched: found.filter(({ state }) => state === 'untouched').map(({ id }) => id),
    unfinished: found.filter(({ state }) => state === 'unfinished').map(({ id }) => id),
    stale: compact(found, ({ state }) => (typeof state === 'string' ? undefined : state)),
  };
}

/** The plan, and the functions to compare live records. */
type Comparison = Pick<Plan, 'org' | 'stack'> & {
  readonly replan: Replan;
  /** Whether versions show who wrote last. */
  readonly showsWriter: boolean;
};

/** Undefined if the resource is as the plan left it. */
function stateOf(
  change: Change,
  live: LiveResource | undefined,
  reading: Comparison,
): 'untouched' | 'unfinished' | StaleRecord | undefined {
  const { action, liveUid, liveVersion = 0 } = change;
  const { org, replan } = reading;
  if (action === 'keep' || action === 'refuse') return undefined;
  const isAsBefore = action === 'create' ? live === undefined : live?.uid === liveUid && live?.version === liveVersion;
  const notApplied = isAsBefore ? 'untouched' : 'unfinished';
  if (action === 'replace') return live === undefined || live.uid === liveUid ? notApplied : undefined;
  if (action === 'delete') {
    if (live === undefined) return undefined;
    return live.uid === liveUid ? notApplied : staleRecord(change, live, 'somebody has created it since', org);
  }
  if (live === undefined) return action === 'create' ? notApplied : staleRecord(change, live, 'it is gone', org);
  const foreign = action === 'create' ? notCreatedBy(change, live, org, replan) : undefined;
  if (foreign !== undefined) return staleRecord(change, live, foreign, org);
  if (action !== 'create' && live.uid !== liveUid)
    return staleRecord(change, live, movement(live, liveUid, undefined), org);
  const version = versionProduced(change);
  if (live.version < version) return notApplied;
  if (isAsApplied(change, live, reading)) return undefined;
  // The version may come from another client, and the plan may not have been applied.
  const before = live.version === version ? liveVersion : version;
  return { ...staleRecord(change, live, movement(live, live.uid, before), org), since: before };
}

/**
 * Whether our write was the last one, and the record is as promised. The version may be higher: others wrote other
 * fields between planning and applying, and the change used that version as its pin. If versions do not show who wrote
 * last, only the content counts.
 */
function isAsApplied(change: Change, live: LiveResource, { org, stack, replan, showsWriter }: Comparison): boolean {
  const isExact = live.version === versionProduced(change);
  const expected = (change.expectedThen ?? change.expected)?.expose();
  if (expected === undefined) return isExact;
  const mark = change.part === true ? (partTagOf(stack) ?? '') : appliedTag;
  const [promised, now] = [expected, live.record].map((record) => stringAt(objectAt(record, 'tags'), mark));
  const isLast = readApplied(now ?? '')?.version === live.version;
  const isSameMark = withoutVersion(promised ?? '') === withoutVersion(now ?? '');
  // For a part, only its declared items were promised.
  const differing = pathsUnlikePromise(change, live, org);
  // At the version that the change produced, the record is the platform's stored form of it, even after several writes.
  const isAnswer = isExact || !showsWriter || (isLast && isSameMark);
  const reading = isAnswer && differing.length > 0 ? replan.ofAnswer?.(live.id, live, 'read') : undefined;
  const others = withoutOwnWays(differing, reading);
  if (others.some((path) => change.part !== true || isOfChange(change, path))) return false;
  const changed = isExact ? [] : withoutOwnWays(differingFields(change, live, org), reading);
  if (changed.some((path) => isOfChange(change, path))) return false;

  if (promised === undefined) return now === undefined && isExact;
  if (!showsWriter) return isSameMark;
  return (isSameMark || change.part !== true) && isLast;
}

/** The first version for a creation, otherwise the one after the pin; one more with a second step. */
function versionProduced({ action, liveVersion = 0, then }: Change): number {
  const first = action === 'create' ? firstVersion : versionAfter(liveVersion);
  return then === undefined ? first : versionAfter(first);
}

function staleRecord(change: Change, live: LiveResource | undefined, reason: string, org: string): StaleRecord {
  return {
    id: change.id,
    reason,
    fields: live === undefined ? [] : differingFields(change, live, org),
    uid: live?.uid ?? change.liveUid,
    since: versionProduced(change),
  };
}

/**
 * The paths where the record differs from the change's result; without our own tags, which contain the version and mean
 * nothing to users.
 */
function differingFields(change: Change, live: LiveResource, org: string): readonly string[] {
  const expected = (change.expectedThen ?? change.expected)?.expose();
  if (expected === undefined) return [];
  // The promise for a new record lacks values that the platform chose.
  if (change.action !== 'create') return changedFields(expected, live, org);
  return pathsUnlikePromise(change, live, org);
}

function pathsUnlikePromise(
  { create, patch, then, expected, expectedThen }: Change,
  live: LiveResource,
  org: string,
): readonly string[] {
  const promised = expectedThen ?? expected;
  if (promised === undefined) return [];
  const sent = [create, patch, then].map((body) => objectAt(body?.expose() ?? {}, 'tags'));
  const body = { tags: Object.assign({}, ...sent) };
  return differences({ body, expected: promised }, live, org).filter((path) => !path.startsWith('tags."gantry/'));
}

/** Whether the change wrote a field that equals, contains or is inside this path. */
function isOfChange({ fields }: Change, path: string): boolean {
  return fields.some((field) => touches(field.path, path));
}
