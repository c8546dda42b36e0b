import { compact } from '../base/json/present.ts';
import { firstOf } from '../base/text/firstOf.ts';
import { ToolError } from '../base/toolError.ts';
import { hiddenField, isUnrevealed } from '../kinds/kindFacts.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import { ownerOf } from '../manifest/model/ownTags.ts';
import type { Change } from '../plan/model/change.ts';
import { isKeptAsDeclared } from '../plan/model/plan.ts';
import { type Keys, keysMadeBy, versionBefore } from '../plan/record/keysMade.ts';
import { isUnmoved, isUnwritten, looksUnmoved } from '../plan/record/savedRecord.ts';
import { versionsJump, versionsTell } from '../plan/record/version.ts';
import { touches } from '../schema/shape/paths.ts';
import type { Compared } from './events.ts';
import { unlike } from './replyCheck.ts';
import { delayMs, type Run } from './run.ts';

export interface Verification {
  readonly verified: boolean | undefined;
  /** Records that were found as they should be; present if `verified` is true and something was compared. */
  readonly compared?: Compared;
  readonly differences?: readonly string[];
  /** The records that the stack owned then, of the compared kinds; absent if they were not read. */
  readonly owned?: readonly LiveResource[];
}

const longestDelayMs = 1_000;

/**
 * Compares everything that the plan wrote or declares with one owner query over these kinds; sends no query if nothing
 * was written. A record that another client has written since is planned again: it counts if nothing is left to do.
 */
export async function verify(run: VerifiedRun): Promise<Verification> {
  const { plan, written, port, clock, random, halt, patience } = run;
  if (written.size === 0) return { verified: true };
  const changes = plan.changes.filter((change) => written.has(change.id) || isKeptAsDeclared(change));
  const kinds = [...new Set(changes.map(({ kind }) => kind))];
  const isGone = ({ id }: Change): boolean => ['deleted', 'forgotten'].includes(written.get(id)?.as ?? '');
  const refs = changes.filter((change) => !isGone(change)).map(({ ref }) => ref);
  try {
    for (let round = 0, waitedMs = 0; ; round += 1) {
      const owned = await port.owned(plan.stack, kinds, refs);
      const { compared, differences, mayBeOld } = await compare(changes, owned, run);
      if (differences.length === 0) return { verified: true, compared, owned };
      const isOver = halt.aborted || waitedMs > patience.consistencyMs;
      if (isOver || !mayBeOld) return { verified: false, differences, owned };
      const delay = delayMs(round, longestDelayMs, random());
      await clock.sleep(delay, halt);
      waitedMs += delay;
    }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const differences = [`the records could not be read again: ${error.message}`];
    return { verified: false, differences };
  }
}

type VerifiedRun = Pick<
  Run,
  | 'plan'
  | 'written'
  | 'capabilities'
  | 'port'
  | 'clock'
  | 'random'
  | 'halt'
  | 'patience'
  | 'planned'
  | 'replan'
  | 'declares'
  | 'endsEmpty'
  | 'secondSteps'
>;

interface CheckedRun extends VerifiedRun {
  readonly keys: Keys;
}

interface Comparison {
  readonly compared: Compared;
  /** In words, sorted. */
  readonly differences: readonly string[];
  /** True if the platform may show all of the differences only for a while after the write. */
  readonly mayBeOld: boolean;
}

async function compare(
  changes: readonly Change[],
  owned: readonly LiveResource[],
  run: VerifiedRun,
): Promise<Comparison> {
  const byId = new Map(owned.map((live) => [live.id, live]));
  const checkedRun = { ...run, keys: keysMadeBy(run.plan) };
  const findings = await Promise.all(
    changes.map(async (change) => ({ id: change.id, ...(await checkChange(change, byId.get(change.id), checkedRun)) })),
  );
  const left = remainingRecords(owned, run);
  const count = (as: Finding['as']): number => findings.filter((each) => each.as === as).length;
  const idsOf = (then: Finding['then']): readonly string[] =>
    findings.filter((each) => each.then === then).map(({ id }) => id);
  return {
    compared: {
      written: count('written'),
      unchanged: count('unchanged'),
      deleted: count('deleted'),
      released: count('released'),
      rewritten: idsOf('rewritten'),
      notCompared: idsOf('not-compared'),
    },
    differences: compact(findings, ({ id, difference }) =>
      difference === undefined ? undefined : `${id} ${difference}`,
    )
      .concat(left)
      .sort(),
    mayBeOld:
      left.length === 0 && findings.every(({ difference, isOld }) => difference === undefined || isOld === true),
  };
}

/** If everything was to be deleted: what the stack still has, and no list showed to the plan. */
function remainingRecords(owned: readonly LiveResource[], { plan, endsEmpty }: VerifiedRun): readonly string[] {
  if (!endsEmpty || plan.leftOut !== undefined) return [];
  const known = new Set(plan.changes.map(({ id }) => id));
  return owned
    .filter(({ id, record }) => !known.has(id) && ownerOf(record) === plan.stack)
    .map(({ id }) => `${id} belongs to this stack, was not known to the plan, and is still there`);
}

interface Finding {
  readonly as: 'written' | 'unchanged' | 'deleted' | 'released';
  /** Another client has written it since: it is still as declared, or that is unknown. */
  readonly then?: 'rewritten' | 'not-compared';
  readonly difference?: string;
  /** The record is as before a write of this run. */
  readonly isOld?: true;
}

/** Compares one resource with its expected state. */
async function checkChange(change: Change, now: LiveResource | undefined, run: CheckedRun): Promise<Finding> {
  const written = run.written.get(change.id);
  switch (written?.as) {
    case 'deleted':
      return {
        as: 'deleted',
        ...(now?.uid === written.uid && {
          difference:
            written.denied === true
              ? 'is still there: its deletion was answered with 404'
              : 'was deleted, but exists again',
          isOld: true as const,
        }),
      };
    case 'forgotten':
      return { as: 'released', ...(now && { difference: 'was forgotten, but is owned again', isOld: true as const }) };
    case 'stored': {
      const { live, unchanged } = written;
      return {
        as: unchanged === true ? 'unchanged' : 'written',
        ...(await checkRecordState(change, { ...live, live }, now, run)),
      };
    }
    case undefined: {
      const { liveUid: uid, liveVersion: version } = change;
      const live = run.planned(change.id);
      return { as: 'unchanged', ...(await checkRecordState(change, { uid, version, live }, now, run)) };
    }
  }
}

/** The last state of the record that the run knew. */
interface KnownState {
  readonly uid: string | undefined;
  readonly version: number | undefined;
  readonly live: LiveResource | undefined;
}

async function checkRecordState(
  change: Change,
  { uid, version, live }: KnownState,
  now: LiveResource | undefined,
  run: CheckedRun,
): Promise<Omit<Finding, 'as'>> {
  const isWritten = run.written.has(change.id);
  const past = isWritten ? 'was written' : 'was unchanged';
  if (now === undefined) return { difference: `${past}, but no longer exists or is no longer owned`, isOld: true };
  if (uid !== undefined && now.uid !== uid) return { difference: `${past}, but another record has its name now` };
  if (
    version === undefined ||
    isUnwritten({ version, live }, now, { org: run.plan.org, capabilities: run.capabilities })
  )
    return {};
  if (now.version < version) {
    return {
      difference: `${past}${isWritten ? ' as' : ' at'} version ${version}, but is at version ${now.version}`,
      isOld: true,
    };
  }
  const keys = run.keys.get(change.id);
  if (keys !== undefined && now.version > version && versionBefore(now, keys) === version) return {};
  if (live !== undefined && isUnmoved(live, now, run.plan.org)) return {};
  const paths = await differingPaths(change, now, run);
  if (paths === undefined) return { then: 'not-compared' };
  // If versions do not prove a write, no other writer is reported.
  if (paths.length === 0) return versionsTell(run.capabilities) ? { then: 'rewritten' } : {};
  const where = firstOf(paths, mostNamed);
  const before = isWritten && now.version === version ? run.planned(change.id) : undefined;
  if (before !== undefined && looksUnmoved(before, now, run.plan.org)) {
    return { difference: `${past}, but the platform shows what was there before: ${where}`, isOld: true };
  }
  // A version that jumps may be that of a write of this run whose answer was lost.
  const who = versionsJump(run.capabilities) ? 'the platform or somebody else' : 'somebody else';
  return { difference: `${past}, but ${who} wrote it since (version ${version} to ${now.version}): ${where}` };
}

const mostNamed = 5;

/** The paths that a plan would change in a record that another client has written since; undefined if unknown. */
async function differingPaths(
  change: Change,
  now: LiveResource,
  { plan, written, replan, declares, port, secondSteps }: VerifiedRun,
): Promise<readonly string[] | undefined> {
  const isWritten = written.has(change.id);
  if (replan === undefined || !(isWritten || declares(change.id))) {
    const expected = secondSteps.get(change.id)?.expectedThen ?? change.expectedThen ?? change.expected;
    return isWritten && expected !== undefined && change.part !== true
      ? unlike(expected.expose(), now, plan.org)
      : undefined;
  }
  // Queries do not return the values of secrets.
  const live = hiddenField(change.kind) === undefined ? now : await port.read(change.ref);
  if (live === undefined || live.uid !== now.uid) return ['it no longer exists'];
  const again = replan(change.id, live);
  if (again === undefined) return [];
  const paths = again.fields.map(({ path }) => path).sort();
  if (paths.length === 0) return [again.reason];
  // If the user requested it, a value that cannot be read is planned to be written each time.
  const field = hiddenField(change.kind);
  if (field === undefined || !isUnrevealed(change.kind, live.record)) return paths;
  const known = paths.filter((path) => !touches(path, field));
  return known.length === 0 ? undefined : known;
}
