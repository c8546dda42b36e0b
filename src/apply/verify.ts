import { ToolError } from '../errors/toolError.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import type { Written } from './reply/written.ts';
import { delayMs, type Run } from './run/run.ts';

/**
 * Compares the records of the owner with what was written: versions at least those returned, deleted records gone.
 * Returns the differences, in words.
 */
function differencesFrom(written: ReadonlyMap<ResourceId, Written>, owned: readonly LiveResource[]): readonly string[] {
  const byId = new Map(owned.map((live) => [live.id, live]));
  const differences: string[] = [];
  for (const [id, each] of written) {
    const now = byId.get(id);
    if (each.as === 'deleted' && now?.uid === each.uid) differences.push(`${id} was deleted, but exists again`);
    if (each.as === 'forgotten' && now !== undefined) differences.push(`${id} was forgotten, but is owned again`);
    if (each.as !== 'stored') continue;
    const { uid, version } = each.live;
    if (now === undefined) differences.push(`${id} was written, but no longer exists or is no longer owned`);
    else if (now.uid !== uid) differences.push(`${id} was written, but another record has its name now`);
    else if (now.version < version)
      differences.push(`${id} was written as version ${version}, but is at version ${now.version}`);
  }
  return differences.sort();
}

export interface Verification {
  readonly verified: boolean | undefined;
  readonly differences?: readonly string[];
  /** What the stack owned then, of the kinds that were written; absent where it was not read. */
  readonly owned?: readonly LiveResource[];
}

/** A difference may be a stale read: it is checked this many times. */
const mostRepetitions = 3;
const longestDelayMs = 1_000;

/** One owner query over the kinds that were written; none if nothing was written. */
export async function verify({ plan, written, port, clock, random, halt }: VerifiedRun): Promise<Verification> {
  const kinds = [...new Set(plan.changes.filter(({ id }) => written.has(id)).map(({ kind }) => kind))];
  if (kinds.length === 0) return { verified: true };
  try {
    for (let round = 0; ; round += 1) {
      const owned = await port.owned(plan.stack, kinds);
      const differences = differencesFrom(written, owned);
      if (differences.length === 0) return { verified: true, owned };
      if (round === mostRepetitions) return { verified: false, differences, owned };
      await clock.sleep(delayMs(round, longestDelayMs, random()), halt);
    }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const differences = [`the written records could not be read again: ${error.message}`];
    return { verified: false, differences };
  }
}

type VerifiedRun = Pick<Run, 'plan' | 'written' | 'port' | 'clock' | 'random' | 'halt'>;
