import { notCreatedBy } from '../../apply/reply/lostReply.ts';
import { differences, withoutOwnWays } from '../../apply/reply/replyCheck.ts';
import { changedFields } from '../../apply/report/races.ts';
import { movement } from '../../apply/run/applyErrors.ts';
import { objectAt, stringAt } from '../../base/json/json.ts';
import type { LiveResource, Snapshot } from '../../manifest/live/snapshot.ts';
import { appliedTag, partTagOf } from '../../manifest/model/ownTags.ts';
import type { Change } from '../../plan/model/change.ts';
import type { Plan } from '../../plan/model/plan.ts';
import { beforeKeys, keysMadeBy } from '../../plan/record/keysMade.ts';
import { readApplied } from '../../plan/record/ownership.ts';
import { firstVersion, versionAfter, versionsTell, withoutVersion } from '../../plan/record/version.ts';
import type { Replan } from '../../plan/replan.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { touches } from '../../schema/shape/paths.ts';
import type { StaleRecord } from './stale.ts';

/** The result of an applied plan. */
export interface Produced {
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
export function versionProduced({ action, liveVersion = 0, then }: Change): number {
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
export function isOfChange({ fields }: Change, path: string): boolean {
  return fields.some((field) => touches(field.path, path));
}
