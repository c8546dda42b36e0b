import { awaitedNow } from '../../apply/resume.ts';
import { filledChange } from '../../apply/steps/awaited.ts';
import type { JsonObject, JsonValue } from '../../base/json/json.ts';
import { valueThere } from '../../base/json/valuesAt.ts';
import { ToolError } from '../../base/toolError.ts';
import { maskedResources, replanSaved } from '../../change/saved/replanSaved.ts';
import type { SavedPlan } from '../../change/saved/savedPlan.ts';
import type { PlanToSave } from '../../change/saved/savedPlanOf.ts';
import { blockedChanges } from '../../change/undo/blockedChanges.ts';
import { makeUndo, type UndoOptions, type UndoPermits, undoDeclarations } from '../../change/undo/makeUndo.ts';
import { fetchSnapshot, withClosures } from '../../client/fetchSnapshot.ts';
import { hiddenField } from '../../kinds/kindFacts.ts';
import { shapeOf } from '../../kinds/shape/shapeOf.ts';
import {
  type LiveValues,
  livePlaces,
  liveReferences,
  valueBehind,
  withLiveValues,
} from '../../manifest/live/liveReference.ts';
import type { LiveResource, Snapshot, SnapshotRequest } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { gvcsToList } from '../../plan/gvcsToList.ts';
import { type Change, checkedChange } from '../../plan/model/change.ts';
import type { Limits } from '../../plan/model/limits.ts';
import { permitsOf } from '../../plan/model/permits.ts';
import { movedSince } from '../../plan/record/savedRecord.ts';
import { versionsTell } from '../../plan/record/version.ts';
import type { Platform } from '../../project/platform/platform.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { formatPath, pointerTo } from '../../schema/shape/paths.ts';
import { shortHash } from '../planning/hash.ts';
import { snapshotRequest } from '../planning/snapshotRequest.ts';
import { awaited } from './continueSaved.ts';
import { withoutHidden } from './hidden.ts';
import { planOptionsOf } from './options.ts';
import { isOfChange, producedBy, versionProduced } from './produced.ts';
import { staleError } from './stale.ts';

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
