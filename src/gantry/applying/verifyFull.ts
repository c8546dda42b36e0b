import { type ApplyResult, outcomeOf } from '../../apply/events.ts';
import { systemClock } from '../../apply/port.ts';
import { delayMs } from '../../apply/run.ts';
import { ToolError } from '../../base/toolError.ts';
import { actionWords } from '../../change/words.ts';
import type { Change } from '../../plan/model/change.ts';
import type { Plan } from '../../plan/model/plan.ts';

/** Limit of repetitions: a difference may come from an outdated read. */
const mostRepetitions = 3;
const longestDelayMs = 1_000;

/**
 * `--verify=full`: after a successful run everything is planned again, and the plan must be empty. Adds the requests;
 * `differences` lists the remaining changes. The result of a failed run is unchanged.
 */
export async function verifyFull(
  result: ApplyResult,
  planAgain: () => Promise<Plan>,
  sleep: (ms: number) => Promise<void> = systemClock.sleep,
): Promise<ApplyResult> {
  if (outcomeOf(result) !== 'done') return result;
  let { requests } = result;
  try {
    for (let round = 0; ; round += 1) {
      const plan = await planAgain();
      requests += plan.requests.snapshot;
      const differences = remainingDifferences(plan);
      if (differences.length === 0) return { ...result, requests, verification: 'full' };
      if (round === mostRepetitions) return { ...result, requests, verification: 'full', verified: false, differences };
      await sleep(delayMs(round, longestDelayMs, 1));
    }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const differences = [`it could not be planned again: ${error.message}`];
    return { ...result, requests, verification: 'full', verified: false, differences };
  }
}

/** The remaining changes of a plan, one line per resource, without values. */
function remainingDifferences({ changes, refusals }: Plan): readonly string[] {
  const open = changes.filter(({ action }) => action !== 'keep');
  return [...open.map(describeRemaining), ...refusals.map(({ message }) => message)];
}

function describeRemaining({ id, action, fields, refusals }: Change): string {
  const paths = fields.map(({ path }) => path).join(', ');
  const why = refusals.map(({ message }) => message).join('; ') || paths;
  return `${id} would still be ${actionWords[action].done}${why === '' ? '' : `: ${why}`}`;
}
