import { type JsonObject, objectAt } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import { compareText } from '../base/text/compareText.ts';
import { fillMasks } from '../kinds/fillMasks.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import {
  describeWriter,
  unknownWriter,
  type WriteEvent,
  type WritesOf,
  writeOfVersion,
} from '../manifest/live/writer.ts';
import type { Body } from '../manifest/model/body.ts';
import { withoutOwnTags } from '../manifest/model/ownTags.ts';
import type { Change } from '../plan/model/change.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import { touches } from '../schema/shape/paths.ts';
import { unlike } from './replyCheck.ts';
import { overwrittenFields } from './sameWrite.ts';

/** Another writer changed a record between the read that the plan was made from and our write. */
export interface Race {
  readonly id: ResourceId;
  /**
   * Our write was `written` on top of theirs, or given up as `stale`; `unsure`: ours was carried out, its answer was
   * lost, and nothing shows whether the platform itself or another writer set `theirs`.
   */
  readonly outcome: 'written' | 'stale' | 'unsure';
  /**
   * The version that the plan was made from, 0 for none, and their last version. The latter is absent if the record is
   * deleted, or if ours was written on top and their version is unknown.
   */
  readonly from: number;
  readonly to?: number;
  /** Fields of theirs that still exist, dotted, sorted, without values. */
  readonly theirs: readonly string[];
  /** Fields of ours that were not written. */
  readonly notWritten: readonly string[];
}

/** A race, with the names of the other writers: sorted, `unknown` if the audit trail does not have them. */
export interface SettledRace extends Race {
  readonly by: readonly string[];
}

/** All that is needed to report the race after the run. */
export interface SeenRace extends Race {
  readonly uid: string;
  /** The record after the other write, if the one before it is not known. */
  readonly found?: LiveResource;
  /** The version of our write, if their last one is not known. */
  readonly ours?: number;
}

/** The record that a write was made for. */
export interface Pin {
  readonly uid: string;
  readonly version: number;
}

/** A write of ours that conflicts with another client's. */
export interface WriteConflict {
  readonly change: Change;
  /** The record that was approved. */
  readonly promised: Body | undefined;
  /** The version that it was approved for. */
  readonly from: number;
  readonly org: string;
}

/** Our write replaced theirs, whose last version was `to`; `stored` is the record now. */
export function wonRace(
  { change, promised, from, org }: WriteConflict,
  to: number | undefined,
  stored: LiveResource,
): SeenRace {
  const theirs = changedFields(promised?.expose(), stored, org);
  const last = to === undefined ? { ours: stored.version } : { to };
  return { id: change.id, uid: stored.uid, outcome: 'written', from, ...last, theirs, notWritten: [] };
}

/** Nothing of ours was written. `again`: the change as it would be planned now. */
export function lostRace(
  { change, promised, from, org }: WriteConflict,
  found: LiveResource,
  again?: Change,
): SeenRace {
  const there = changedFields(promised?.expose(), found, org);
  const ours = change.fields.map(({ path }) => path);
  const overwritten = again === undefined ? [] : overwrittenFields(change, again);
  const theirs = [...there.filter((path) => !ours.some((own) => touches(own, path))), ...overwritten];
  return {
    id: change.id,
    uid: found.uid,
    outcome: 'stale',
    from,
    to: found.version,
    theirs: theirs.sort(),
    notWritten: ours.filter((own) => there.some((path) => touches(own, path))).sort(),
    ...(promised === undefined ? { found } : {}),
  };
}

/** Our write was carried out, but the record differs from it: because of the platform itself, or another writer. */
export function unsureRace({ change, promised, from, org }: WriteConflict, found: LiveResource): SeenRace {
  const theirs = changedFields(promised?.expose(), found, org);
  const { uid, version: to } = found;
  return { id: change.id, uid, outcome: 'unsure', from, to, theirs, notWritten: [] };
}

/** Another writer has taken a name that was free when the plan was made. */
export function takenNameRace(
  { id, expected: promised }: Change & { readonly expected: Body },
  found: LiveResource,
  org: string,
): SeenRace {
  const expected = promised.expose();
  return {
    id,
    uid: found.uid,
    outcome: 'stale',
    from: 0,
    to: found.version,
    theirs: changedFields(expected, found, org),
    notWritten: [...unlike(withoutOwnTags(expected), found, org)].sort(),
  };
}

/** The record is deleted, or another one has its name. */
export function goneRace({ id, fields }: Change, { uid, version: from }: Pin): SeenRace {
  const notWritten = fields.map(({ path }) => path).sort();
  return { id, uid, outcome: 'stale', from, theirs: [], notWritten };
}

/**
 * Adds the writers, in the order of the ids. The audit trail is read once for each record, and never without
 * `writesOf`.
 */
export async function settleRaces(
  seen: Iterable<SeenRace>,
  org: string,
  writesOf: WritesOf | undefined,
): Promise<readonly SettledRace[]> {
  const sorted = [...seen].sort((a, b) => compareText(a.id, b.id));
  return Promise.all(
    sorted.map(async ({ uid, found, ours, ...seen }) => {
      const writes = await writesOf?.(uid);
      const race = ours === undefined ? seen : { ...seen, ...present({ to: lastBelow(ours, seen.from, writes) }) };
      const before = writeOfVersion(writes, race.from)?.record;
      const theirs = found === undefined || before === undefined ? race.theirs : changedFields(before, found, org);
      return { ...race, theirs, by: writers(race, writes) };
    }),
  );
}

/** The last version of other writers before ours, by the audit trail. */
function lastBelow(ours: number, from: number, writes: readonly WriteEvent[] = []): number | undefined {
  const versions = writes.map(({ version }) => version).filter((version) => version > from && version < ours);
  return versions.length === 0 ? undefined : Math.max(...versions);
}

function writers({ from, to }: Race, writes: readonly WriteEvent[] | undefined): readonly string[] {
  const theirs = (writes ?? []).filter(({ action, version }) =>
    to === undefined ? action === 'delete' : version > from && version <= to,
  );
  return theirs.length === 0 ? [unknownWriter] : [...new Set(theirs.map(describeWriter))].sort();
}

/** The paths where a record differs from the expected one, in both directions; our own tags do not count. */
export function changedFields(expected: JsonObject | undefined, live: LiveResource, org: string): readonly string[] {
  if (expected === undefined) return [];
  const known = fillMasks(shapeOf(live.ref.kind, expected), expected, live.record);
  const ours = withoutOwnTags({ ...known, tags: objectAt(known, 'tags') });
  const theirs = withoutOwnTags({ ...live.record, tags: objectAt(live.record, 'tags') });
  const paths = [...unlike(ours, live, org), ...unlike(theirs, { ...live, record: ours }, org)];
  return [...new Set(paths)].sort();
}
