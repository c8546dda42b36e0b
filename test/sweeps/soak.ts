import type { ApplyResult } from '../../src/apply/events.ts';
import type { JsonObject } from '../../src/base/json/json.ts';
import type { Exchange } from '../../src/client/http/exchange.ts';
import { isEmptyPlan, isRefused } from '../../src/plan/model/plan.ts';
import { gvcScopedKinds } from '../../src/schema/record/kinds.ts';
import { expectSame } from './crash.ts';
import { expectDone, expectNothingLeft } from './harness/scenarioSteps.ts';
import { applyPlanned, planWork, type Told, type Work, workOf } from './harness/stack.ts';
import { recordsOf } from './harness/state.ts';
import type { World } from './harness/world.ts';

/** Every tenth request fails: its reply is lost, or it is refused, cut, or slow. */
const faults: JsonObject = {
  seed: 'soak',
  faults: [
    { probability: 0.02, drop: true },
    { probability: 0.02, reset: true },
    { probability: 0.02, status: 500 },
    { probability: 0.015, status: 503, retryAfter: 0 },
    { probability: 0.015, status: 429, retryAfter: 0 },
    { probability: 0.01, latency: '4ms' },
  ],
};

/** The total figures of a soak. */
export interface Figures {
  edits: number;
  /** Plans without changes and refused ones, which are no edits. */
  skipped: number;
  requests: number;
  failures: number;
  /** Runs that failed at first. */
  again: number;
  /** Runs without failures that stopped before a data loss that their plan had not shown. */
  stopped: number;
}

/**
 * The most requests for one failure: reading whether it was carried out (for a GVC also its content), and sending it
 * again.
 */
const mostForOneFailure = 2 + gvcScopedKinds.length;
const mostRuns = 6;

/**
 * One edit on both worlds, of which one fails at every tenth request: both end in the same state, without remaining
 * changes, and no run takes more requests than its plan states and its failures explain.
 */
export async function soakEdit(failing: World, calm: World, manifests: string, figures: Figures): Promise<void> {
  const work = await permitting(calm, await workOf({ manifests }, 'soak'));
  const planned = await planWork(calm.exchange, work);
  if (isRefused(planned.plan) || isEmptyPlan(planned.plan)) {
    figures.skipped += 1;
    return;
  }
  await applyCalmly(calm, work, await applyPlanned(calm.exchange, planned), figures);
  await failing.platform.call('POST', '/-faults', { ...faults, seed: `soak ${figures.edits}` });
  await untilDone(failing, work, figures);
  await failing.platform.call('DELETE', '/-faults');
  await expectNothingLeft(failing.exchange, work);
  expectSame(recordsOf(await failing.state()), recordsOf(await calm.state()));
  figures.edits += 1;
}

/**
 * Without failures one run is enough, except if the plan itself gives a workload its first location, where it writes to
 * a volume set that the same plan replaces. That data was not shown, so the run stops, and the next plan asks for
 * permission.
 */
async function applyCalmly(calm: World, work: Work, first: ApplyResult, figures: Figures): Promise<void> {
  const isNewData = ({ error }: ApplyResult['failed'][number]): boolean =>
    error.code === 'plan.stale' && error.message.includes('would be lost, and was not shown');
  if (!first.failed.some(isNewData)) return expectDone(first);
  if (!first.failed.every(isNewData)) expectDone(first);
  const planned = await planWork(calm.exchange, await permitting(calm, work));
  expectDone(await applyPlanned(calm.exchange, planned));
  figures.stopped += 1;
}

async function untilDone(failing: World, work: Work, figures: Figures): Promise<void> {
  for (let run = 1; ; run += 1) {
    const counted = countFailures(failing.exchange);
    const told: Told = { retries: 0 };
    const given = run === 1 ? work : await permitting(failing, work);
    const planned = await planWork(counted.exchange, given);
    const before = { ...counted.count };
    const result = await applyPlanned(counted.exchange, planned, told);
    const requests = counted.count.requests - before.requests;
    const failed = counted.count.failures - before.failures;
    figures.requests += counted.count.requests;
    figures.failures += counted.count.failures;
    const bound = planned.plan.requests.apply + failed * mostForOneFailure;
    if (requests > bound) throw new Error(`${requests} requests, at most ${bound} are explained (${failed} failures)`);
    if (result.failed.length === 0 && result.skipped.length === 0 && result.verified === true) return;
    if (run === mostRuns) expectDone(result);
    figures.again += 1;
  }
}

/** With exactly the numbers that its plan requires. */
async function permitting({ exchange }: World, work: Work): Promise<Work> {
  const { plan } = await planWork(exchange, work);
  const asked = [...plan.refusals, ...plan.changes.flatMap(({ refusals }) => refusals)]
    .flatMap(({ allow = '' }) => /^--allow-data-loss=(\d+)/.exec(allow)?.[1] ?? [])
    .map(Number);
  return { ...work, options: { ...work.options, allowDataLoss: asked[0] ?? work.options.allowDataLoss } };
}

function countFailures(inner: Exchange) {
  const count = { requests: 0, failures: 0 };
  const exchange: Exchange = {
    async send(request) {
      count.requests += 1;
      try {
        const answer = await inner.send(request);
        if (answer.status >= 500 || answer.status === 429) count.failures += 1;
        return answer;
      } catch (error) {
        count.failures += 1;
        throw error;
      }
    },
    close: async () => {},
  };
  return { count, exchange };
}
