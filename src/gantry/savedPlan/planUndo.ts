import { movement } from '../../apply/applyErrors.ts';
import { filledChange } from '../../apply/awaited.ts';
import { notCreatedBy } from '../../apply/lostReply.ts';
import { changedFields } from '../../apply/races.ts';
import { differences, withoutOwnWays } from '../../apply/replyCheck.ts';
import { awaitedNow } from '../../apply/resume.ts';
import { type JsonObject, type JsonValue, objectAt, stringAt } from '../../base/json/json.ts';
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
  valueBehind,
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
import { awaited } from './continueSaved.ts';
import { withoutHidden } from './hidden.ts';
import { planOptionsOf } from './options.ts';
import { type StaleRecord, staleError } from './stale.ts';

/** How a plan is taken back. */
export interface Undoing {
  readonly permits: UndoPermits;
  /** Of its environment, as they are now. */
  readonly limits: readonly Limits[];
  /** It is run on a copy of the platform before it is kept, which refuses it if anything is wrong. */
  readonly isRehearsed?: boolean;
  /** It is kept in a file that is signed. */
  readonly isSigned?: boolean;
  /** Resources that the plans which take back later stacks delete before. */
  readonly gone?: ReadonlySet<ResourceId>;
}

/** The plan that takes another one back, with what was asked for it. */
export interface PlannedUndo extends PlanToSave {
  readonly request: SnapshotRequest;
}

/**
 * The plan that takes back what was applied of a plan. Errors: `undo.done`, `undo.not-applied`, `undo.unfinished`;
 * `plan.stale` where something was written since.
 */
export async function planUndo(
  approved: SavedPlan,
  platform: Platform,
  { permits, limits, isRehearsed = false, isSigned, gone = new Set() }: Undoing,
): Promise<PlannedUndo> {
  const desired = undoDeclarations(approved, shortHash);
  const request = undoRequest(approved, desired, platform.org);
  const read = await withoutHidden(await fetchSnapshot(platform.client, request), approved, platform);
  const snapshot = { ...read, directives: approved.directives };

  const saved = asWritten(approved, snapshot);
  const { untouched, unfinished, moved } = producedBy(
    saved.plan,
    snapshot,
    replanSaved(saved.declared, maskedResources(saved.declared, new Set()), snapshot, planOptionsOf(saved)),
  );
  if (untouched.length + unfinished.length + moved.length > 0 && isTakenBack(saved, snapshot)) throw takenBackAlready();
  if (unfinished.length > 0) throw unfinishedYet(unfinished);
  if (moved.length > 0) throw await staleError(moved, platform, 'Plan from your code instead: it shows what differs.');
  const applied = appliedPart(saved, new Set(untouched));
  const options: UndoOptions = {
    ...permitsOf(permits),
    limits,
    moment: { nowMs: Date.now(), isApplied: false, isSigned },
    ...(isRehearsed ? { rehearsed: true } : {}),
  };
  const make = (state: Snapshot) => makeUndo(applied, state, options, shortHash);
  const undo = make(without(snapshot, gone));
  const listed = await withClosures(platform.client, snapshot, gvcsToList(undo.plan, snapshot));
  const made = listed === snapshot ? undo : make(without(listed, gone));
  const left = untouched.map((id) => `left as it is: ${id} was not changed by that plan`);
  return { ...made, plan: { ...made.plan, notes: [...made.plan.notes, ...left.sort()] }, request };
}

/** The plan without the changes that were not begun. Errors: `undo.not-applied` where none was. */
function appliedPart(saved: SavedPlan, untouched: ReadonlySet<ResourceId>): SavedPlan {
  if (untouched.size === 0) return saved;
  const changes = saved.plan.changes.filter(({ id }) => !untouched.has(id));
  if (changes.every(({ action }) => action === 'keep' || action === 'refuse')) throw notAppliedYet([...untouched]);
  return { ...saved, plan: { ...saved.plan, changes } };
}

/** The live state as it is when these are gone. */
function without(snapshot: Snapshot, gone: ReadonlySet<ResourceId>): Snapshot {
  if (gone.size === 0) return snapshot;
  const closures = [...snapshot.closures].map(
    ([name, closure]) => [name, { ...closure, children: closure.children.filter(({ id }) => !gone.has(id)) }] as const,
  );
  const resources = [...snapshot.resources].filter(([id]) => !gone.has(id));
  return { ...snapshot, resources: new Map(resources), closures: new Map(closures) };
}

/** Secrets are named only, so that their values are not read: they are not in the file either. */
function undoRequest({ plan, facts }: SavedPlan, desired: readonly DesiredResource[], org: string): SnapshotRequest {
  const visible = desired.filter(({ ref }) => hiddenField(ref.kind) === undefined);
  const request = snapshotRequest(visible, org, plan.stack);
  const changed = plan.changes.filter(({ action }) => action !== 'keep');
  return {
    ...request,
    referenced: [
      ...request.referenced,
      ...changed.map(({ ref }) => ref),
      ...changed.flatMap(awaited),
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

function takenBackAlready(): ToolError {
  return new ToolError({
    code: 'undo.done',
    message: 'this plan has been undone already: everything is as it was before',
    hint: 'Nothing is left to undo. To make its changes again, plan from your code.',
  });
}

/**
 * Is everything that the plan changed, and that can be taken back, as it was before it, although it was applied? Of a
 * plan that only creates nobody can say that: what is not there may never have been.
 */
function isTakenBack(saved: SavedPlan, snapshot: Snapshot): boolean {
  const stuck = blockedChanges(saved);
  const changes = saved.plan.changes.filter(
    ({ id, action }) => action !== 'keep' && action !== 'refuse' && !stuck.has(id),
  );
  return changes.some(({ action }) => action !== 'create') && changes.every((each) => isBack(each, saved, snapshot));
}

function isBack(change: Change, { plan, live }: SavedPlan, { resources }: Snapshot): boolean {
  const [before, now] = [live.get(change.id), resources.get(change.id)];
  if (change.action === 'create') return now === undefined;
  if (before === undefined || now === undefined) return false;
  const moved = movedSince(before, now, plan.org);
  if (change.action === 'delete') return now.uid !== change.liveUid && moved.length === 0;
  // What others wrote into other fields is theirs.
  const isTouched = moved.some((path) => isOfChange(change, path));
  return now.uid === change.liveUid && now.version > versionProduced(change) && !isTouched;
}

/**
 * An applied plan with the values that were known only after its apply. What a record holds there is what the apply
 * wrote, whatever became of the record that the value is from: its version tells whether somebody has written since.
 * Where versions do not tell that, only the value that is there to be read now counts.
 */
function asWritten(saved: SavedPlan, { resources, capabilities }: Snapshot): SavedPlan {
  const { plan, declared } = saved;
  const tells = versionsTell(capabilities);
  const values = new Map(
    plan.changes.flatMap((change) => {
      const live = resources.get(change.id);
      if (change.awaits === undefined || live === undefined) return [];
      const read = awaitedNow(change, resources) ?? [];
      return [[change.id, new Map([...read, ...(tells ? writtenInto(change, live) : [])])] as const];
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

/** The values that a record has where its change awaited some. */
function writtenInto({ awaits = [], expected, expectedThen }: Change, live: LiveResource): LiveValues {
  const promised: JsonObject = (expectedThen ?? expected)?.expose() ?? {};
  const { kind } = live.ref;
  const values = new Map<string, JsonValue>();
  for (const at of livePlaces(promised, ({ text }) => awaits.includes(text))) {
    const text = valueThere(promised, at);
    const path = formatPath(shapeOf(kind, promised), promised, at);
    const place = pointerTo(path, shapeOf(kind, live.record), live.record);
    const value = place && valueThere(live.record, place);
    if (typeof text !== 'string' || value === undefined) continue;
    const [reference, behind] = valueBehind(text, value) ?? [];
    if (reference !== undefined && behind !== undefined && awaits.includes(reference)) values.set(reference, behind);
  }
  return values;
}

/** The result of an applied plan. */
interface Produced {
  /** Changes that were not begun: everything is as it was before them. */
  readonly untouched: readonly ResourceId[];
  /** Changes that were not carried out to their end. */
  readonly unfinished: readonly ResourceId[];
  /** Records that were written again since. */
  readonly moved: readonly StaleRecord[];
}

/**
 * Is everything as the plan left it: at the versions that it produced, and gone where it deleted? `replan` tells what the
 * platform stores in its own way.
 */
export function producedBy(plan: Plan, { resources, capabilities }: Snapshot, replan: Replan): Produced {
  const reading = { ...plan, replan, tells: versionsTell(capabilities) };
  const keys = keysMadeBy(plan);
  const found = plan.changes.flatMap((change) => {
    const live = resources.get(change.id);
    const state = stateOf(change, live && beforeKeys(live, keys.get(change.id)), reading);
    return state === undefined ? [] : [{ id: change.id, state }];
  });
  return {
    untouched: found.filter(({ state }) => state === 'untouched').map(({ id }) => id),
    unfinished: found.filter(({ state }) => state === 'unfinished').map(({ id }) => id),
    moved: found.flatMap(({ state }) => (typeof state === 'string' ? [] : [state])),
  };
}

/** The plan, and how live records are read. */
type Reading = Pick<Plan, 'org' | 'stack'> & {
  readonly replan: Replan;
  /** Do versions tell who wrote last? */
  readonly tells: boolean;
};

/** Undefined: as the plan left it. */
function stateOf(
  change: Change,
  live: LiveResource | undefined,
  reading: Reading,
): 'untouched' | 'unfinished' | StaleRecord | undefined {
  const { action, liveUid, liveVersion = 0 } = change;
  const { org, replan } = reading;
  if (action === 'keep' || action === 'refuse') return undefined;
  const isAsBefore = action === 'create' ? live === undefined : live?.uid === liveUid && live?.version === liveVersion;
  const notApplied = isAsBefore ? 'untouched' : 'unfinished';
  if (action === 'replace') return live === undefined || live.uid === liveUid ? notApplied : undefined;
  if (action === 'delete') {
    if (live === undefined) return undefined;
    return live.uid === liveUid ? notApplied : stale(change, live, 'somebody has created it since', org);
  }
  if (live === undefined) return action === 'create' ? notApplied : stale(change, live, 'it is gone', org);
  const foreign = action === 'create' ? notCreatedBy(change, live, org, replan) : undefined;
  if (foreign !== undefined) return stale(change, live, foreign, org);
  if (action !== 'create' && live.uid !== liveUid) return stale(change, live, movement(live, liveUid, undefined), org);
  const version = versionProduced(change);
  if (live.version < version) return notApplied;
  if (isAsLeft(change, live, reading)) return undefined;
  // The version can be that of somebody else, and the plan was never carried out.
  const before = live.version === version ? liveVersion : version;
  return { ...stale(change, live, movement(live, live.uid, before), org), since: before };
}

/**
 * Ours was the last write, and everything is as the plan promised it. The version may be a later one: somebody else
 * wrote other fields between planning and applying, and the change was written with the pin of that. Where versions do
 * not tell who wrote last, the content alone does.
 */
function isAsLeft(change: Change, live: LiveResource, { org, stack, replan, tells }: Reading): boolean {
  const isExact = live.version === versionProduced(change);
  const expected = (change.expectedThen ?? change.expected)?.expose();
  if (expected === undefined) return isExact;
  const mark = change.part === true ? (partTagOf(stack) ?? '') : appliedTag;
  const [promised, now] = [expected, live.record].map((record) => stringAt(objectAt(record, 'tags'), mark));
  const isLast = readApplied(now ?? '')?.version === live.version;
  const isSameMark = withoutVersion(promised ?? '') === withoutVersion(now ?? '');
  // Of a part only what it declares was promised.
  const differing = promisedOtherwise(change, live, org);
  // At the version that the change produced, in whatever number of writes, it is what the platform stored of it.
  const isAnswer = isExact || !tells || (isLast && isSameMark);
  const reading = isAnswer && differing.length > 0 ? replan.ofAnswer?.(live.id, live, 'read') : undefined;
  const others = withoutOwnWays(differing, reading);
  if (others.some((path) => change.part !== true || isOfChange(change, path))) return false;
  const changed = isExact ? [] : withoutOwnWays(otherFields(change, live, org), reading);
  if (changed.some((path) => isOfChange(change, path))) return false;

  if (promised === undefined) return now === undefined && isExact;
  if (!tells) return isSameMark;
  return (isSameMark || change.part !== true) && isLast;
}

/** 1 of a creation, one more than the pin of a change; one more with a second step. */
function versionProduced({ action, liveVersion = 0, then }: Change): number {
  const first = action === 'create' ? firstVersion : versionAfter(liveVersion);
  return then === undefined ? first : versionAfter(first);
}

function stale(change: Change, live: LiveResource | undefined, moved: string, org: string): StaleRecord {
  return {
    id: change.id,
    moved,
    fields: live === undefined ? [] : otherFields(change, live, org),
    uid: live?.uid ?? change.liveUid,
    since: versionProduced(change),
  };
}

/** Where the record is not what the change left; our own tags say nothing to people, and name the version. */
function otherFields(change: Change, live: LiveResource, org: string): readonly string[] {
  const expected = (change.expectedThen ?? change.expected)?.expose();
  if (expected === undefined) return [];
  // What the platform chose for a record that is new is not in what was promised.
  if (change.action !== 'create') return changedFields(expected, live, org);
  return promisedOtherwise(change, live, org);
}

function promisedOtherwise(
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

/** Is it a field that the change wrote, or is the one inside the other? */
function isOfChange({ fields }: Change, path: string): boolean {
  return fields.some((field) => touches(field.path, path));
}
