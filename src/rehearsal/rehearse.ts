import { makeReplan } from '../plan/replan.ts';
import { type Base, baseOfReading } from './base.ts';
import { finalState } from './finalState.ts';
import type { RehearsalInput } from './input.ts';
import { interruptEverywhere } from './interruptions.ts';
import { proposedKeys } from './proposedKeys.ts';
import { Recorder } from './recorder.ts';
import { type Rehearsal, type RehearsalProblem, valuesOf } from './rehearsal.ts';
import { asDifferences, faultsOf, leftToDo, planOn, runOn } from './run.ts';
import { openStage } from './stage.ts';
import { unreadReferrers } from './unreadReferrers.ts';

/**
 * Runs a plan on an embedded platform that starts with the live state, and plans again, which must give an empty plan;
 * with `crash` also after an interruption at each request. The plan must not be refused.
 */
export async function rehearse(input: RehearsalInput): Promise<Rehearsal> {
  const { plan, desired, snapshot, options, around = (exchange) => exchange } = input;
  const { org } = snapshot;
  const recorder = new Recorder();
  const stage = await openStage({ org, around: (exchange) => recorder.around(around(exchange, 'first')) });
  try {
    const base = input.base ?? baseOfReading(input, await stage.platform.dump());
    await stage.platform.load(base.state);
    const said = {
      stoodInFor: inWords(base),
      proposed: proposedKeys(plan),
      // A complete state contains all referrers.
      unreadReferrers: input.base === undefined ? unreadReferrers(input) : [],
    };
    const untried = () => ({ tried: 0, of: 2 * recorder.sent.length });

    const problem = await runThrough();
    const requests = recorder.sent.length;
    if (problem !== undefined) return { ...said, requests, points: untried(), problem };
    const after = finalState(await stage.platform.dump(), org);
    const points = untried();
    const left = await asDifferences(async () => leftToDo((await planOn(stage, input)).plan));
    if (left.length > 0) {
      return { ...said, requests, points, problem: { what: 'plan', differences: left } };
    }
    if (!input.crash) return { ...said, requests, points };
    const sent = recorder.sent.slice(0, requests);
    recorder.clear();
    return {
      ...said,
      requests,
      ...(await interruptEverywhere({ input, stage, recorder, sent, base: base.state, after })),
    };
  } finally {
    await stage.close();
  }

  async function runThrough(): Promise<RehearsalProblem | undefined> {
    let failing: string | undefined;
    const differences = await asDifferences(async () => {
      const result = await runOn(stage, plan, makeReplan(desired, snapshot, options));
      failing = result.failed[0]?.id;
      return faultsOf(result);
    });
    if (differences.length === 0) return undefined;
    const request = recorder.behind(failing === undefined ? undefined : refOfChange(failing), org);
    return { what: 'apply', differences, ...(request === undefined ? {} : { request }) };
  }

  /** Only the secrets that the plan was made with: a complete state contains more. */
  function inWords({ standIns, sealed }: Base): readonly string[] {
    return [...standIns, ...sealed.filter((id) => snapshot.resources.has(id)).map(valuesOf)].sort();
  }

  function refOfChange(id: string) {
    return plan.changes.find((change) => change.id === id)?.ref;
  }
}
