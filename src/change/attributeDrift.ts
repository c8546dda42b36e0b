import { isObject, type JsonObject, listAt, objectAt, own, sameJson, stringAt } from '../base/json/json.ts';
import { nonEmpty, present } from '../base/json/present.ts';
import { compareText } from '../base/text/compareText.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import { type WriteEvent, writeOfVersion } from '../manifest/live/writer.ts';
import { appliedTag, ownerTag, partTagOf, partTagPrefix } from '../manifest/model/ownTags.ts';
import { fieldChanges } from '../patch/fieldChanges.ts';
import { bySchema } from '../patch/shouldMask.ts';
import { accessChanges, recordsNow, type Transition } from '../plan/consequences/access.ts';
import { withoutItems } from '../plan/draft/mergePart.ts';
import type { FieldChange } from '../plan/model/change.ts';
import { partOf, partsOfOthers } from '../plan/record/claims.ts';
import { placeOf, placesOf } from '../plan/record/items.ts';
import type { Keys } from '../plan/record/keysMade.ts';
import { type Hash, type Holds, itemHash, linkHash, readApplied } from '../plan/record/ownership.ts';
import { withoutUnknown } from '../plan/record/platformValues.ts';
import { isBeingReplaced } from '../plan/record/replacementMark.ts';
import { sensitivityOfLive, shapeFacts, withoutAdded } from '../plan/record/shapeFacts.ts';
import { versionAfter, versionOfMark } from '../plan/record/version.ts';
import type { Kind } from '../schema/record/kinds.ts';
import { contextOf, linkOf } from '../schema/record/ref.ts';
import type { DriftRecord, DriftWrite } from './drift.ts';
import type { Finding } from './findDrift.ts';
import { isCovered } from './verdicts.ts';

export interface DriftContext {
  readonly org: string;
  readonly owner: string;
  readonly hash: Hash;
  /** The part of a record to compare; absent: all of it. */
  readonly view?: RecordView;
  /** The other records; absent: not known. */
  readonly records?: Transition['records'];
  /** Keys of accounts that the stack makes. */
  readonly keys?: Keys;
}

/**
 * Adds the writers from the audit trail to a finding. `writes`: newest first; undefined if not readable or not read.
 * Returns undefined if nothing is to report: as far as is known, the resource never belonged to this stack.
 */
export function attributeDrift(
  finding: Finding,
  writes: readonly WriteEvent[] | undefined,
  context: DriftContext,
): DriftRecord | undefined {
  const { state, part } = finding;
  if (part !== undefined) return driftOfPart(finding, part, writes, context);
  switch (state) {
    case 'absent':
      return driftOfAbsent(finding, writes, context);
    case 'unowned': {
      const ours = writes?.find((write) => isOurs(write.record, finding, context));
      if (ours === undefined) return undefined;
      return { ...baseRecord(finding), state: 'owner-lost', ...driftSince(finding, ours, writes, context) };
    }
    case 'untouched':
    case 'hidden':
      return { ...baseRecord(finding), state };
    case 'recreated':
      // The trail of the present record begins with its creation.
      return { ...baseRecord(finding), state, writes: eventsOf(writes, 0, finding, context), fields: null };
    case 'touched':
      return driftOfTouched(finding, writes, context);
    default: {
      const { recordedVersion } = finding;
      const base =
        recordedVersion === undefined
          ? writes?.find((write) => isOurs(write.record, finding, context))
          : writeOfVersion(writes, recordedVersion);
      return { ...baseRecord(finding), state, ...driftSince(finding, base, writes, context) };
    }
  }
}

/** Other stacks change their parts freely, with their own marks: that is not drift of the whole. */
function driftOfTouched(
  finding: Finding,
  writes: readonly WriteEvent[] | undefined,
  context: DriftContext,
): DriftRecord {
  const base = lastOwnWrite(finding, appliedTag, writes);
  // The trail shows no write after ours: our version only differs from the predicted one.
  const isLast = base !== undefined && base.version === finding.live?.version;
  const isSame = (): boolean =>
    base !== undefined && changesOf(finding, base.record, requireLive(finding).record, context).length === 0;
  if ((isLast || hasOnlyNewKeys(finding, base, context)) && isSame())
    return { ...baseRecord(finding), state: 'untouched' };
  const view = ownerView(requireLive(finding), writes ?? [], context);
  const found: DriftRecord = {
    ...baseRecord(finding),
    ...driftSince(finding, base, writes, view === undefined ? context : { ...context, view }),
    state: 'touched',
  };
  return base === undefined || view === undefined ? found : onlyFields(found, () => true);
}

/** Whether only keys that the stack makes were added since our write. Each raises the version by one. */
function hasOnlyNewKeys({ id, live }: Finding, base: WriteEvent | undefined, { keys }: DriftContext): boolean {
  if (live === undefined || base === undefined) return false;
  const before = new Set(keysOf(base.record).map((key) => own(key, 'name')));
  const made = keysOf(live.record).filter((key) => !before.has(own(key, 'name')));
  const descriptions = new Set(made.map((key) => stringAt(key, 'description') ?? ''));
  const isOwn = made.length > 0 && descriptions.isSubsetOf(keys?.get(id) ?? new Set());
  // A second key with the same description was added by another client.
  return isOwn && descriptions.size === made.length && live.version === base.version + made.length;
}

function keysOf(record: JsonObject): readonly JsonObject[] {
  return listAt(record, 'keys').filter(isObject);
}

/**
 * The last write of this stack: the version that its mark names, if that write left this mark, otherwise the write that
 * left it last. The trail has to reach back beyond it, because later writes of others keep the mark.
 */
function lastOwnWrite(
  { live, recordedVersion = 0 }: Finding,
  tag: string,
  writes: readonly WriteEvent[] | undefined,
): WriteEvent | undefined {
  const predicted = writeOfVersion(writes, recordedVersion);
  const markOf = (record: JsonObject | undefined) => stringAt(objectAt(record ?? {}, 'tags'), tag);
  const mark = markOf(live?.record);
  if (mark === undefined) return predicted;
  const records = (writes ?? []).filter(({ action }) => action === 'create' || action === 'edit');
  // An undo leaves an earlier mark again, so only the newest writes in a row with this mark count.
  const newest = records.findIndex(({ record }) => markOf(record) === mark);
  const others = records.findIndex(({ record }, at) => at > newest && markOf(record) !== mark);
  const index = newest < 0 ? -1 : (others < 0 ? records.length : others) - 1;
  // If versions do not rise, several of our writes may have left this mark, and writes of others kept it.
  const keepsVersion = ({ version, record }: WriteEvent, at: number): boolean =>
    records[at + 1]?.version === version && !sameJson(records[at + 1]?.record ?? {}, record);
  if (records.slice(0, Math.max(index, 0)).some(keepsVersion)) return undefined;
  // If versions jump, an earlier write of ours may have the version in the mark.
  if (predicted !== undefined && markOf(predicted.record) === mark) return predicted;
  const [first, before] = [records[index], records[index + 1]];
  // A write of ours keeps a mark that an undo has left, as writes of others do.
  if (newest < index && before !== undefined && versionOfMark(mark) <= before.version) return undefined;
  return first?.action === 'create' || before !== undefined ? first : undefined;
}

/** A record without the items that only other stacks claim, and without their tags. */
export type RecordView = (record: JsonObject) => JsonObject;

/** How the owner of a record sees its versions; undefined if no other stack owns a part of it. */
export function ownerView(
  live: LiveResource,
  writes: readonly WriteEvent[],
  context: DriftContext,
): RecordView | undefined {
  const { org, owner, hash } = context;
  const records = [live.record, ...writes.map(({ record }) => record)];
  if (!records.some((record) => Object.keys(objectAt(record, 'tags')).some(isPartTag))) return undefined;
  const heldByOthers = new Set<string>();
  const heldByOwner = new Set<string>();
  for (const record of records) {
    for (const { holds } of partsOfOthers({ ...live, record }, { owner, org, hash }).values()) {
      for (const item of holds.keys()) heldByOthers.add(item);
    }
    for (const item of readApplied(stringAt(objectAt(record, 'tags'), appliedTag) ?? '')?.holds?.keys() ?? []) {
      heldByOwner.add(item);
    }
  }
  const heldOnlyByOthers = heldByOthers.difference(heldByOwner);
  return (record) => {
    const shape = shapeOf(live.ref.kind, record);
    const tags = Object.entries(objectAt(record, 'tags')).filter(([key]) => !isPartTag(key));
    const without = withoutItems(shape, record, heldOnlyByOthers, contextOf(live.ref, org), hash);
    return { ...without, tags: Object.fromEntries(tags.filter(([key]) => key in objectAt(without, 'tags'))) };
  };
}

/** How a stack that owns a part sees these versions of a record: only with the items that it claims in one of them. */
export function partView(live: LiveResource, versions: readonly JsonObject[], context: DriftContext): RecordView {
  const ours = new Set(versions.flatMap((record) => [...(partOf({ ...live, record }, context)?.keys() ?? [])]));
  return (record) => {
    const [shape, within] = [shapeOf(live.ref.kind, record), contextOf(live.ref, context.org)];
    const items = placesOf(shape, record, within).map((path) => itemHash(placeOf(path), context.hash));
    return withoutItems(shape, record, new Set(items.filter((item) => !ours.has(item))), within, context.hash);
  };
}

function isPartTag(key: string): boolean {
  return key.startsWith(partTagPrefix);
}

/** For a part, only changes of its own items count. */
function driftOfPart(
  finding: Finding,
  part: Holds,
  writes: readonly WriteEvent[] | undefined,
  context: DriftContext,
): DriftRecord {
  if (finding.state === 'untouched') return { ...baseRecord(finding), state: 'untouched' };
  const base = lastOwnWrite(finding, partTagOf(context.owner) ?? '', writes);
  const versions = [requireLive(finding).record, ...(writes ?? []).map(({ record }) => record)];
  const view = partView(requireLive(finding), versions, context);
  const found: DriftRecord = {
    ...baseRecord(finding),
    ...driftSince(finding, base, writes, { ...context, view }),
    state: 'touched',
  };
  if (base === undefined) return found;
  const ours = [base.record, requireLive(finding).record].flatMap((record) =>
    pathsOfPart(finding, part, record, context),
  );
  return onlyFields(found, ({ path }) => isCovered(path, ours));
}

/** Only the relevant fields; untouched if there are none. */
function onlyFields(record: DriftRecord, isRelevant: (field: FieldChange) => boolean): DriftRecord {
  const writes = (record.writes ?? [])
    .map((write) => ({ ...write, fields: write.fields.filter(isRelevant) }))
    .filter(({ fields }) => fields.length > 0);
  const fields = (record.fields ?? []).filter(isRelevant);
  if (writes.length > 0 || fields.length > 0) return { ...record, state: 'touched', fields, writes };
  const { access: _access, ...others } = record;
  return { ...others, state: 'untouched', fields, writes };
}

function requireLive({ live, id }: Finding): LiveResource {
  if (live === undefined) throw new Error(`${id} is said to be there and is not`);
  return live;
}

/** The paths of our items: those missing in a record without our part. */
function pathsOfPart(
  { ref }: Finding,
  part: Holds,
  record: JsonObject,
  { org, hash }: DriftContext,
): readonly string[] {
  const [shape, context] = [shapeOf(ref.kind, record), contextOf(ref, org)];
  const without = withoutItems(shape, record, new Set(part.keys()), context, hash);
  return fieldChanges(bySchema(shape), without, record, context).map(({ path }) => path);
}

/** Deleted if the newest event for the name in the trail is the deletion of our record. */
function driftOfAbsent(
  finding: Finding,
  writes: readonly WriteEvent[] | undefined,
  context: DriftContext,
): DriftRecord | undefined {
  const last = writes?.find(({ action }) => action !== 'exec');
  if (last?.action !== 'delete' || !isOurs(last.record, finding, context)) return undefined;
  const { version, at, writer } = last;
  const deletion: DriftWrite = { action: 'delete', version, at, by: writer, fields: [] };
  const state = isBeingReplaced(last.record, context.owner) ? 'unfinished' : 'deleted';
  const access = accessOf(finding, last.record, undefined, context);
  return { ...baseRecord(finding), state, recordedVersion: version, writes: [deletion], ...access };
}

/** Empty if no access changes. */
function accessOf(
  { ref }: Finding,
  before: JsonObject,
  after: JsonObject | undefined,
  { records = recordsNow(new Map()) }: DriftContext,
): Pick<DriftRecord, 'access'> {
  const access = accessChanges({ ref, before, after, records });
  return nonEmpty({ access });
}

function baseRecord({ id, orphaned, live, recordedVersion, owner, part }: Finding): Omit<DriftRecord, 'state'> {
  return {
    id,
    part: part !== undefined,
    orphaned,
    ...present({ version: live?.version, recordedVersion, owner }),
    writes: [],
    fields: [],
    secretsUnknown: false,
  };
}

/** The drift after `base`, the last write of this stack. */
function driftSince(
  finding: Finding,
  base: WriteEvent | undefined,
  writes: readonly WriteEvent[] | undefined,
  context: DriftContext,
): Pick<DriftRecord, 'writes' | 'fields' | 'access' | 'secretsUnknown'> & { readonly recordedVersion?: number } {
  const { live } = finding;
  const { view = (record: JsonObject) => record } = context;
  const secretsUnknown = shapeFacts(shapeOf(finding.ref.kind, live?.record)).sensitive.length > 0;
  if (live === undefined || base === undefined) {
    return {
      writes: writes === undefined ? null : eventsOf(writes, 0, finding, context),
      fields: null,
      secretsUnknown,
    };
  }
  return {
    recordedVersion: base.version,
    writes: eventsOf(writes, base.version, finding, context),
    fields: changesOf(finding, base.record, live.record, context),
    ...accessOf(finding, view(base.record), view(live.record), context),
    secretsUnknown,
  };
}

/** The writes after a version, up to the live one, each with its changes. Null if the trail cannot be read. */
function eventsOf(
  writes: readonly WriteEvent[] | undefined,
  after: number,
  finding: Finding,
  context: DriftContext,
): readonly DriftWrite[] | null {
  if (writes === undefined) return null;
  const records = writes.filter(({ action }) => action === 'create' || action === 'edit');
  // If our own write has another version than predicted, gaps come from the platform.
  const isDense = after === 0 || after === finding.recordedVersion;
  const upTo = finding.live?.version ?? Number.POSITIVE_INFINITY;
  return records.flatMap(({ action, version, at, writer, record }, index): readonly DriftWrite[] => {
    if (version <= after || version > upTo || (action !== 'create' && action !== 'edit')) return [];
    const last = records[index + 1];
    // If the trail lacks a version, the changes cannot be assigned to one of the two writes.
    const isNext = last !== undefined && (!isDense || versionAfter(last.version) === version);
    const before = isNext ? last.record : undefined;
    return [
      {
        action,
        version,
        at,
        by: writer,
        fields: before === undefined ? [] : changesOf(finding, before, record, context),
      },
    ];
  });
}

/** The differences between two versions of a record, without our own tags and sensitive values. */
export function changesOf(
  { ref, declared }: Pick<Finding, 'ref' | 'declared'>,
  before: JsonObject,
  after: JsonObject,
  { org, view = (record) => record }: DriftContext,
): readonly FieldChange[] {
  const found = fieldChanges(
    sensitivityOfLive(ref, declared, after, before),
    comparable(ref.kind, view(before)),
    comparable(ref.kind, view(after)),
    contextOf(ref, org),
  );
  // Sorted, because the platform may reorder fields.
  return found.toSorted((a, b) => compareText(a.path, b.path));
}

function comparable(kind: Kind, record: JsonObject): JsonObject {
  const shape = shapeOf(kind, record);
  const shown = withoutUnknown(withoutAdded(shape, record), shapeFacts(shape).sensitive);
  const tags = objectAt(record, 'tags');
  // The content of our own tags is not reported; their removal is.
  return Object.hasOwn(tags, appliedTag) ? { ...shown, tags: { ...tags, [appliedTag]: 'recorded' } } : shown;
}

/** Whether this record carried the tags of this stack, and they were written for it. */
function isOurs(record: JsonObject, { ref }: Finding, { owner, org, hash }: DriftContext): boolean {
  const tags = objectAt(record, 'tags');
  const applied = readApplied(stringAt(tags, appliedTag) ?? '');
  return stringAt(tags, ownerTag) === owner && applied?.linkHash === linkHash(linkOf(ref, org), hash);
}
