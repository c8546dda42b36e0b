import {
  isObject,
  type JsonObject,
  type JsonValue,
  mapMembers,
  objectAt,
  own,
  put,
  sameJson,
  stringAt,
} from '../base/json/json.ts';
import type { Pointer } from '../base/json/pointer.ts';
import { compact, present } from '../base/json/present.ts';
import { compareText } from '../base/text/compareText.ts';
import { fillMasks } from '../kinds/fillMasks.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import { keyFor, removeKey } from '../manifest/live/shownOnce.ts';
import type { LiveResource, Snapshot } from '../manifest/live/snapshot.ts';
import type { DesiredResource, Lifecycle, Position } from '../manifest/model/manifest.ts';
import { appliedTag, ownerOf, ownerTag, ownTagPrefix } from '../manifest/model/ownTags.ts';
import { parsePatterns, patternsBelow } from '../patch/place.ts';
import { makePlan } from '../plan/makePlan.ts';
import { describeCause } from '../plan/model/cause.ts';
import { type Change, checkedChange, plannedAction } from '../plan/model/change.ts';
import { toChange } from '../plan/model/draft.ts';
import type { Plan } from '../plan/model/plan.ts';
import type { PlanOptions } from '../plan/model/planOptions.ts';
import { type Marks, patchWithMarks, withMarks } from '../plan/record/bodyTags.ts';
import { claimsOn } from '../plan/record/claims.ts';
import { type ItemPair, type ItemPath, mergeItems, tagHash, withoutShared } from '../plan/record/items.ts';
import { keysMadeBy } from '../plan/record/keysMade.ts';
import { type AppliedRecord, type Hash, readApplied, wasRecorded } from '../plan/record/ownership.ts';
import { isKey, servicePointers, shapeFacts, withoutFields } from '../plan/record/shapeFacts.ts';
import { markAfter, versionAfter } from '../plan/record/version.ts';
import { draftForgotten } from '../plan/references/handOver.ts';
import { isDeclarable } from '../schema/record/kinds.ts';
import { isProtected, protectedTag } from '../schema/record/protection.ts';
import { contextOf, type Ref, type ResourceId, refTo } from '../schema/record/ref.ts';
import { ownableCollections } from '../schema/shape/ownableCollections.ts';
import { formatPath, touches } from '../schema/shape/paths.ts';
import { fieldShape, type ObjectShape } from '../schema/shape/shape.ts';
import { type BlockedChanges, blockedChanges, lossesOf } from './blockedChanges.ts';
import { othersMarks, type UndoneState, withFormerClaims } from './formerClaims.ts';
import type { SavedPlan } from './savedPlan.ts';
import type { PlanToSave } from './savedPlanOf.ts';

/** The permits for the losses of an undo. */
export type UndoPermits = Pick<PlanOptions, 'allowCollateral' | 'allowDangling' | 'allowDataLoss' | 'allowUnseen'>;

/** The permits and the restrictions that they do not lift. */
export type UndoOptions = UndoPermits & Pick<PlanOptions, 'limits' | 'moment' | 'rehearsed'>;

/** The resources to read before an undo: those that it declares, and those that they refer to. */
export function undoDeclarations(saved: SavedPlan, hash: Hash): readonly DesiredResource[] {
  return declarationsOf(saved, blockedChanges(saved), hash);
}

function declarationsOf(saved: SavedPlan, blocked: BlockedChanges, hash: Hash): readonly DesiredResource[] {
  const lifecycles = new Map(saved.declared.map(({ id, lifecycle }) => [id, lifecycle]));
  const successors = new Map(
    compact(saved.plan.changes, ({ id, renamedFrom, ref }) =>
      renamedFrom === undefined || blocked.has(id) ? undefined : ([renamedFrom, ref] as const),
    ),
  );
  return saved.plan.changes.flatMap((change) => {
    const mode = returnOf(change);
    const before = saved.live.get(change.id);
    if (mode === undefined || before === undefined || blocked.has(change.id)) return [];
    const undone: Undone = {
      ...{ change, live: before, mode, hash },
      declared: lifecycles.get(change.id),
      successor: successors.get(change.id),
    };
    const former = change.part === true ? formerPart(undone, saved.plan) : formerDeclaration(undone);
    return former ?? [];
  });
}

function returnOf({ action }: Change): ReturnMode | undefined {
  switch (action) {
    case 'patch':
    case 'adopt':
      return 'restored';
    case 'delete':
      return 'created';
    case 'forget':
      return 'adopted';
    case 'create':
    case 'replace':
    case 'keep':
    case 'refuse':
      return undefined;
  }
}

/**
 * The plan that undoes an applied plan, made by the ordinary planner: created resources are deleted, changed or deleted
 * ones are declared as before, adopted ones are released. The rest of the stack stays unchanged. The notes list the
 * losses. `snapshot`: the live state, at exactly the versions that the plan produced.
 */
export function makeUndo(saved: SavedPlan, snapshot: Snapshot, undoOptions: UndoOptions, hash: Hash): PlanToSave {
  const { plan, live } = saved;
  const blocked = blockedChanges(saved);
  const desired = declarationsOf(saved, blocked, hash).map((resource) => withSensitiveLive(resource, snapshot));
  const deletions = plan.changes.filter(({ id, action }) => action === 'create' && !blocked.has(id));
  const concerned = new Set([...desired, ...deletions].map(({ id }) => id));
  const disownedSnapshot = disownOthers(snapshot, concerned);
  const hidden = desired.filter(({ ref, record }) => shapeFacts(shapeOf(ref.kind, record)).sensitive.length > 0);
  const state = { ...disownedSnapshot, unrevealed: new Set(hidden.map(({ id }) => id)) };
  const { wait, allowLostValues, storagePrice } = saved.options;
  const options: PlanOptions = {
    wait,
    allowLostValues,
    ...present({ storagePrice }),
    ...undoOptions,
    ...plannerOptions,
    owner: plan.stack,
    hash,
  };

  const made = makePlan(desired, state, options);
  const undone = new Map(plan.changes.map((change) => [change.id, change]));
  const declared = new Map(desired.map((resource) => [resource.id, resource]));
  const takenOver = plan.changes.filter(({ action, part }) => action === 'adopt' && part !== true);
  const adopted = new Set(takenOver.map(({ id }) => id));
  const changes = made.changes
    .filter(({ id, action }) => concerned.has(id) || action !== 'keep')
    .map((change) => {
      const [former, now] = [live.get(change.id), state.resources.get(change.id)];
      const of = {
        ...{ stack: plan.stack, org: plan.org, hash, former, now },
        ...{ undone: undone.get(change.id), declared: declared.get(change.id) },
      };
      return withUndoReason(adopted.has(change.id) ? releaseOwnership(change, of) : withFormerClaims(change, of));
    });
  const notes = [...plan.changes]
    .sort((a, b) => compareText(a.id, b.id))
    .flatMap((change) => lossNotes(change, saved, blocked, hash));
  const left = notesOnRemains(plan, state, new Set(deletions.map(({ id }) => id)));
  const undo = { ...made, changes, notes: [...made.notes, ...notes, ...left] };
  return { plan: undo, desired, marking: saved.declared, snapshot: state, options };
}

/** Notes on what stays: files with secrets that were shown once, and keys of accounts that existed before the plan. */
function notesOnRemains(plan: Plan, { resources }: Snapshot, deletedIds: ReadonlySet<ResourceId>): readonly string[] {
  const keys = [...keysMadeBy(plan)].flatMap(([id, descriptions]) =>
    [...descriptions].flatMap((description) => {
      const account = deletedIds.has(id) ? undefined : resources.get(id);
      const key = account && keyFor(account.record, description);
      if (account === undefined || key === undefined) return [];
      return [`left as it is: the key of ${id} for ${description}; ${removeKey(account.ref, key)} removes it`];
    }),
  );
  const files = (plan.saves ?? []).map(({ file, output }) => `left as it is: the file ${file} (output ${output})`);
  return [...keys.sort(compareText), ...files];
}

/** Planner options of every undo: the whole inverse, an empty declaration allowed, operational fields reverted. */
const plannerOptions = {
  undoes: true,
  scope: 'whole',
  allowEmpty: true,
  revertOperational: true,
  targets: [],
  excludes: [],
} as const;

/** The file does not contain values marked as sensitive: they stay unchanged. */
function withSensitiveLive(resource: DesiredResource, { resources }: Snapshot): DesiredResource {
  const now = resources.get(resource.id);
  if (resource.lifecycle.sensitive === undefined || now === undefined) return resource;
  const { ref, record } = resource;
  return { ...resource, record: fillMasks(shapeOf(ref.kind, record), record, now.record) };
}

/** The change with its reason worded for an undo. */
function withUndoReason(change: Change): Change {
  const deleted = plannedAction(change) === 'delete';
  if (deleted) return { ...change, reason: 'the plan that is undone created it' };
  const { cause, ...rest } = change;
  // The code is not even read, so it is not the cause.
  if (cause === undefined) return change;
  const reason = change.reason.replace(describeCause(cause), () => 'changed by the plan that is undone');
  return checkedChange({ ...rest, reason });
}

function lossNotes(change: Change, { live, plan }: SavedPlan, blocked: BlockedChanges, hash: Hash): readonly string[] {
  return lossesOf(change, { kept: live.get(change.id), blockedBecause: blocked.get(change.id) }, plan, hash).map(
    (loss) => `cannot be undone: ${loss.id}: ${loss.because}`,
  );
}

/**
 * The live state, with the ownership of all other resources removed: the rest of the stack is neither changed nor
 * deleted, can still be referred to, and counts as bystanders in a deleted GVC. Gaps in the list of the stack's
 * resources do not matter then.
 */
function disownOthers(snapshot: Snapshot, concerned: ReadonlySet<ResourceId>): Snapshot {
  const disowned = (live: LiveResource): LiveResource =>
    concerned.has(live.id) ? live : { ...live, record: withoutMarks(live.record) };
  const { gaps: _, ...known } = snapshot;
  return {
    ...known,
    resources: new Map([...snapshot.resources].map(([id, live]) => [id, disowned(live)])),
    closures: new Map(
      [...snapshot.closures].map(([gvc, closure]) => [gvc, { ...closure, children: closure.children.map(disowned) }]),
    ),
  };
}

function withoutMarks(record: JsonObject): JsonObject {
  const tags = objectAt(record, 'tags');
  const marks = Object.keys(tags).filter((key) => key.startsWith(appliedTag));
  if (marks.length === 0) return record;
  const rest = withoutFields(
    tags,
    marks.map((key) => [key]),
  );
  return { ...record, tags: rest };
}

const reason = 'it was taken over by the plan that is undone';

/** Undoes a takeover: the last write also drops our two tags, or restores the mark that was there for us before. */
function releaseOwnership(change: Change, of: UndoneState): Change {
  const { former, now } = of;
  if (now === undefined) return change;
  const back = change.action === 'keep' ? forgetChange(change, now, of.declared) : change;
  if (back.action !== 'patch' && back.action !== 'forget') return change;
  const isOwned = former === undefined || ownerOf(former.record) !== undefined;
  const left = isOwned ? undefined : stringAt(objectAt(former.record, 'tags'), appliedTag);
  const { patch, then, expected, expectedThen } = back;
  const marksAfter = (steps: number): Marks =>
    new Map([
      ...othersMarks(of, appliedTag),
      [ownerTag, undefined],
      [appliedTag, left && former && markAfter(left, former.version, versionAfter(now.version, steps))],
    ]);
  const [first, second] = [marksAfter(1), marksAfter(2)];
  if (then !== undefined && expectedThen !== undefined) {
    const dropping = patchWithMarks(then, second, objectAt(expected.expose(), 'tags'));
    return { ...back, action: 'forget', reason, then: dropping, expectedThen: withMarks(expectedThen, second) };
  }
  const dropping = patchWithMarks(patch, first, objectAt(now.record, 'tags'));
  return { ...back, action: 'forget', reason, patch: dropping, expected: withMarks(expected, first) };
}

function forgetChange({ requires }: Change, now: LiveResource, declared: DesiredResource | undefined): Change {
  return toChange(draftForgotten(now, reason, declared), { write: requires, delete: [], then: [] });
}

/**
 * The items that the stack claimed before the change of a part, and existing items that it began to claim, as a
 * declaration; perhaps empty. `withFormerClaims` sets the recorded claims.
 */
function formerPart({ change, live: kept, declared, hash }: Undone, { org, stack }: Plan): DesiredResource | undefined {
  const { kind, name, gvc } = kept.ref;
  if (!isDeclarable(kind)) return undefined;
  const of = { owner: stack, org, hash };
  const before = claimsOn(kept, of);
  const after = claimsOn({ ...kept, record: change.expected?.expose() ?? {} }, of);
  const owns = (path: ItemPath) => before.at(path).mine !== undefined || after.at(path).mine !== undefined;
  // A foreign item is included if something inside it is owned: it gives the position.
  const item = ({ collection, path, live = null, inside }: ItemPair): JsonValue | undefined => {
    if (!isObject(live) || ownableCollections(collection).size === 0) return owns(path) ? live : undefined;
    const rest = withoutShared(collection, live);
    const picked = inside(rest);
    return picked === rest && !owns(path) ? undefined : picked;
  };
  const merging = { context: contextOf(kept.ref, org), base: 'declared' as const, item };
  return {
    ref: refTo(kind, name, gvc),
    id: kept.id,
    record: mergeItems(merging, shapeOf(kind, kept.record), kept.record, {}),
    lifecycle: { part: true, ...pathsOf(declared) },
    locate: () => unknownPosition,
  };
}

/** The position of values from a saved record: no file declares them. */
const unknownPosition: Position = { file: '(what was live before)', line: 1, column: 1 };

/** How a resource returns: changed back, created again, or taken over again. */
type ReturnMode = 'restored' | 'created' | 'adopted';

interface Undone {
  readonly change: Change;
  /** The resource before the change. */
  readonly live: LiveResource;
  /** The declared lifecycle at the time of the change. */
  readonly declared: Lifecycle | undefined;
  readonly mode: ReturnMode;
  /** The resource that replaced it and that it now replaces, as in a rename. */
  readonly successor: Ref | undefined;
  readonly hash: Hash;
}

interface Former extends Undone {
  readonly applied: AppliedRecord | undefined;
}

/**
 * The state before a change, as a declaration: what the stack declared then, and what the change touched. Fields that
 * others wrote or the platform chose stay undeclared, so the stack does not adopt them. Undefined for kinds that cannot
 * be declared.
 */
function formerDeclaration(undone: Undone): DesiredResource | undefined {
  const { live, successor } = undone;
  const { kind, name, gvc } = live.ref;
  if (!isDeclarable(kind)) return undefined;
  const applied = readApplied(String(own(objectAt(live.record, 'tags'), appliedTag) ?? ''));
  const former: Former = { ...undone, applied };
  const tags = formerTags(former);
  const visible = withoutPlatformFields(shapeOf(kind, live.record), live.record, undone.declared?.untyped);
  const chosen = undone.mode === 'created' ? [] : fieldsOfOthers(former, visible);
  const record = withoutFields(visible, chosen);
  return {
    ref: refTo(kind, name, gvc),
    id: live.id,
    record: { ...record, tags },
    lifecycle: {
      ...formerLifecycle(former),
      // The undone plan may have begun to record it: it would then be removed as a field of this stack.
      ...present({
        ignore:
          chosen.length === 0 ? undefined : chosen.map((each) => formatPath(shapeOf(kind, visible), visible, each)),
      }),
      ...(successor !== undefined && successor.gvc === gvc ? { previously: successor.name, replace: true } : {}),
    },
    locate: () => unknownPosition,
  };
}

/**
 * Removes sensitive fields, whose values are not in the file, and what the platform adds to the envelope: no stack
 * wrote it, and beside a sensitive field the file contains a mask.
 */
function withoutPlatformFields(shape: ObjectShape, record: JsonObject, untyped: readonly string[] = []): JsonObject {
  const { sensitive } = shapeFacts(shape);
  const isDescribed = (name: string): boolean =>
    fieldShape(shape, name) !== undefined || patternsBelow(parsePatterns(untyped), name).length > 0;
  return mapMembers(record, (value, name) => (sensitive.includes(name) || !isDescribed(name) ? undefined : value));
}

/** The tags that the stack had set, and those that the change touched. */
function formerTags({ change, live: { record }, applied, mode, hash }: Former): JsonObject {
  const after = objectAt(change.expectedThen?.expose() ?? change.expected?.expose() ?? {}, 'tags');
  const tags: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(objectAt(record, 'tags'))) {
    if (key.startsWith(ownTagPrefix) || key === protectedTag) continue;
    const touched = change.action !== 'forget' && !sameJson(own(after, key), value);
    const back =
      mode === 'created' ? !key.startsWith('scheme/') : touched || applied?.holds?.has(tagHash(key, hash)) === true;
    if (back) put(tags, key, value);
  }
  return tags;
}

/** The fields that the platform chose or others wrote, and that the change did not touch. */
function fieldsOfOthers({ change, live, applied, hash }: Former, record: JsonObject): readonly Pointer[] {
  const shape = shapeOf(live.ref.kind, record);
  const touched = (path: string): boolean => change.fields.some((field) => touches(field.path, path));
  const chosen = servicePointers(shape, record).filter((pointer) => {
    const path = formatPath(shape, record, pointer);
    return !touched(path) && !wasRecorded(applied?.fields, path, hash);
  });
  // The writer of an item's key chose the item; it stays, unless the change touched something in it.
  const keys = chosen.filter((pointer) => isKey(shape, pointer));
  const items = keys.map((pointer) => pointer.slice(0, -1)).filter((item) => !touched(formatPath(shape, record, item)));
  const isInside = (pointer: Pointer): boolean =>
    items.some((item) => item.length <= pointer.length && item.every((step, index) => step === pointer[index]));
  return [...items, ...chosen.filter((pointer) => !keys.includes(pointer) && !isInside(pointer))];
}

function formerLifecycle({ change, live: { record }, applied, declared, mode }: Former): Lifecycle {
  const after = change.expectedThen?.expose() ?? change.expected?.expose() ?? {};
  const wasProtected = isProtected(record);
  return {
    ...(wasProtected ? { protect: true } : isProtected(after) ? { protect: false } : {}),
    ...(applied?.retain === true ? { retain: true } : {}),
    ...(mode === 'adopted' ? { adopt: true } : {}),
    ...pathsOf(declared),
  };
}

/** The paths of a lifecycle that say how values are read and shown: an undo must treat its values the same. */
function pathsOf({ untyped, sensitive }: Lifecycle = {}): Lifecycle {
  return present({ untyped, sensitive });
}
