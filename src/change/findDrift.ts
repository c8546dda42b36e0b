import { objectAt, stringAt } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import { compareText } from '../base/text/compareText.ts';
import type { LiveResource, Snapshot } from '../manifest/live/snapshot.ts';
import type { DesiredResource } from '../manifest/model/manifest.ts';
import { ownerOf, partTagOf } from '../manifest/model/ownTags.ts';
import { type Change, isHidden } from '../plan/model/change.ts';
import { partOf } from '../plan/record/claims.ts';
import { type Hash, type Holds, itemHash, type Ownership, ownershipOf, readApplied } from '../plan/record/ownership.ts';
import { versionsRise, versionsTell } from '../plan/record/version.ts';
import type { Ref, ResourceId } from '../schema/record/ref.ts';
import type { DriftRecord, DriftState } from './drift.ts';
import { isCovered } from './verdicts.ts';

/** A resource to examine, before the audit trail is read. */
export interface Finding {
  readonly id: ResourceId;
  readonly ref: Ref;
  /** `absent`, `unowned`: only the audit trail can show whether it ever belonged to this stack. */
  readonly state: DriftState | 'absent' | 'unowned';
  readonly orphaned: boolean;
  readonly live?: LiveResource;
  readonly recordedVersion?: number;
  readonly owner?: string;
  /** Hashes of our items, if only a part is ours. */
  readonly part?: Holds;
  /** Absent: the declaration is not known. */
  readonly declared?: DesiredResource;
}

export interface DriftInput {
  /** Undefined if the declarations are not known. */
  readonly desired: readonly DesiredResource[] | undefined;
  readonly scope: 'whole' | 'partial';
  /** The resources of the owner, and the declared ones. */
  readonly snapshot: Snapshot;
  readonly owner: string;
  readonly hash: Hash;
}

/** All resources of the stack, judged by their tags; ordered by id. */
export function findDrift(input: DriftInput): readonly Finding[] {
  const { desired = [], snapshot } = input;
  const remaining = desired.filter((resource) => !isReleased(resource, snapshot.resources.get(resource.id)));
  const declared = new Map(remaining.map((resource) => [resource.id, resource]));
  const found = [...snapshot.resources.values()].flatMap((live) => {
    const isPart = declared.get(live.id)?.lifecycle.part === true;
    const whole = isPart ? undefined : wholeFinding(live, declared.has(live.id), input);
    return whole ?? partFinding(live, isPart, input) ?? [];
  });
  const absent = [...declared.values()]
    .filter(({ id, lifecycle }) => lifecycle.part !== true && !snapshot.resources.has(id))
    .map(
      ({ id, ref }): Finding => ({
        id,
        ref,
        state: snapshot.hidden?.has(id) === true ? 'hidden' : 'absent',
        orphaned: false,
      }),
    );
  const byId = new Map(desired.map((resource) => [resource.id, resource]));
  return [...found, ...absent]
    .map((finding) => ({ ...finding, ...declaredOf(byId.get(finding.id)) }))
    .sort((a, b) => compareText(a.id, b.id));
}

function declaredOf(declared: DesiredResource | undefined): Pick<Finding, 'declared'> {
  return present({ declared });
}

/**
 * Whether it is in a state that `lifecycle.handOver` intends: without an owner, or owned by the other stack in any
 * form.
 */
function isReleased({ lifecycle: { handOver } }: DesiredResource, live: LiveResource | undefined): boolean {
  if (handOver === undefined) return false;
  const tagged = live === undefined ? undefined : ownerOf(live.record);
  return tagged === undefined || tagged === handOver;
}

/** Undefined if it is neither declared nor carries our owner tag. */
function wholeFinding(live: LiveResource, isDeclared: boolean, input: DriftInput): Finding | undefined {
  const { owner, snapshot, hash } = input;
  const isOwn = ownerOf(live.record) === owner;
  if (!isOwn && !isDeclared) return undefined;
  const finding = judgeTags(live, ownershipOf(live, owner, snapshot.org, hash), input);
  if (finding.state === 'copy' && !isOwn) return undefined;
  const orphaned = readsAllManifests(input) && isOwn && !isDeclared && finding.state !== 'copy';
  return { ...finding, orphaned };
}

/** Undefined if this stack owns no part of it. */
function partFinding(live: LiveResource, isDeclared: boolean, input: DriftInput): Finding | undefined {
  const { owner, snapshot, hash } = input;
  const part = partOf(live, { owner, org: snapshot.org, hash });
  const applied = readApplied(stringAt(objectAt(live.record, 'tags'), partTagOf(owner) ?? '') ?? '');
  if (part === undefined || applied === undefined) return undefined;
  const { id, ref, version } = live;
  const state = version === applied.version && versionsRise(snapshot.capabilities) ? 'untouched' : 'touched';
  return {
    id,
    ref,
    live,
    state,
    part,
    orphaned: readsAllManifests(input) && !isDeclared,
    recordedVersion: applied.version,
  };
}

/** Whether all manifests were read; otherwise nothing is orphaned. */
function readsAllManifests({ desired, scope }: DriftInput): boolean {
  return desired !== undefined && scope === 'whole';
}

function judgeTags(
  live: LiveResource,
  ownership: Ownership,
  { hash, snapshot: { capabilities } }: DriftInput,
): Omit<Finding, 'orphaned'> {
  const { id, ref, uid, version } = live;
  const of = { id, ref, live };
  switch (ownership.state) {
    case 'ours': {
      const { version: recordedVersion, writtenTo } = ownership.applied;
      const isAnother = writtenTo !== undefined && writtenTo !== itemHash(uid, hash);
      if (version === recordedVersion && versionsRise(capabilities) && !isAnother)
        return { ...of, state: 'untouched', recordedVersion };
      // Where versions do not rise by one, a version can be lower than our write's for another reason.
      const isLower = version < recordedVersion && versionsTell(capabilities);
      const state = isAnother || isLower ? 'recreated' : 'touched';
      return { ...of, state, recordedVersion };
    }
    case 'lost':
      return { ...of, state: 'owner-lost', recordedVersion: ownership.applied.version };
    case 'other':
      return { ...of, state: 'other-owner', owner: ownership.owner };
    case 'none':
      return { ...of, state: 'unowned' };
    case 'unrecorded':
      return { ...of, state: 'unrecorded' };
    case 'copy':
      return { ...of, state: 'copy' };
  }
}

/** Which trail to read, if any: by the platform's id, or by name if the record does not exist. */
export function trailOf({ state }: Finding): 'record' | 'name' | undefined {
  if (state === 'untouched') return undefined;
  return state === 'absent' ? 'name' : 'record';
}

/**
 * Separates changes of others that no apply would undo: fields in `lifecycle.ignore`, tags of others, operational
 * fields, values chosen by the platform. `change`: the present plan's change for the resource; undefined: none. The
 * plan decides, so drift and plan never disagree. `showsWriter`: whether a newer version proves a write.
 */
export function withoutLeftAlone(record: DriftRecord, change: Change | undefined, showsWriter = true): DriftRecord {
  const { state, orphaned, fields } = record;
  if (state !== 'touched' || orphaned || change?.action === 'refuse') return record;
  const isShown = record.writes !== null && fields !== null && fields.length > 0;
  if (change === undefined && !isShown && !showsWriter) {
    return { ...record, state: 'risen', writes: [], fields: [], secretsUnknown: false };
  }
  if (change === undefined) {
    return { ...record, state: 'left-alone', fields: fields === null ? null : [], leftAlone: fields ?? [] };
  }
  if (fields === null) return record;
  const revertedPaths = change.fields.map(({ path }) => path);
  const drifted = fields.filter(({ path }) => isCovered(path, revertedPaths));
  const leftAlone = fields.filter((field) => !drifted.includes(field));
  // Others may have changed a secret that the plan writes: the audit trail does not show it.
  const mayMask = record.secretsUnknown && change.fields.some(({ old, new: next }) => isHidden(old) || isHidden(next));
  if (drifted.length > 0 || mayMask) return { ...record, fields: drifted, leftAlone };
  return { ...record, state: 'left-alone', fields: [], leftAlone };
}
