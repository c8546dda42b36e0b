import type { JsonObject } from '../../../src/base/json/json.ts';
import type { Exchange } from '../../../src/client/http/exchange.ts';
import type { Scenario, Step } from '../../e2e/harness/scenario.ts';
import { ignoringDescription, lostOfTheirs, replacedBy, type Theirs, writeTheirs } from './others.ts';
import { type Applied, actionsOf, applyWork, planWork, type Work, workOf } from './stack.ts';
import { type Records, recordsOf } from './state.ts';
import { openWorld, type World } from './world.ts';

/** A step of a scenario that applies something, and its result without disturbance. */
export interface Undisturbed {
  readonly it: string;
  readonly work: Work;
  /** The step, as its author wrote it. */
  readonly step: Step;
  /** The value of `gantry/stack`. */
  readonly owner: string;
  /** The state before the step. */
  readonly before: JsonObject;
  /** The records after the step. */
  readonly after: Records;
  /** The number of its requests, with those of planning. */
  readonly requests: number;
  /** The number of the first writing request, counted from 1; undefined if there is no change. */
  readonly firstWrite: number | undefined;
  /** The earlier writes of others to the records that it replaces. */
  readonly theirs: Theirs;
}

/**
 * Runs a scenario in memory and passes each of its steps to `use`, which may change the platform freely; a step that
 * replaces a record is passed a second time, with writes of others to that record. It ends early as `isEnough` says.
 */
export async function eachStep(
  scenario: Scenario,
  use: (step: Undisturbed, world: World) => Promise<void>,
  isEnough = () => false,
): Promise<void> {
  const world = await openWorld(scenario.serve);
  try {
    for (const step of scenario.steps) {
      if (step.before !== undefined) await step.before(world.platform);
      if ('codes' in step) continue;
      const owner = `scenario-${scenario.number}`;
      const before = await world.state();
      const { undisturbed, reached, replaced } = await runUndisturbed(world, step, owner);
      await use(undisturbed, world);
      if (isEnough()) return;
      if (replaced.records.size > 0) {
        await world.restore(before);
        await use(await withTheirs(world, step, owner, replaced), world);
      }
      await world.restore(reached);
      if (step.after !== undefined) await step.after(world.platform);
    }
  } finally {
    await world.close();
  }
}

interface Run {
  readonly undisturbed: Undisturbed;
  readonly reached: JsonObject;
  /** The records that its plan replaces. */
  readonly replaced: Theirs;
}

async function runUndisturbed(world: World, step: Step, owner: string, theirs = nothing): Promise<Run> {
  const work = await workOf(step, owner);
  const before = await world.state();
  const counted = countingExchange(world.exchange);
  const { planned, result } = await applyWork(counted.exchange, work);
  expectDone(result);
  const reached = await world.state();
  const undisturbed = {
    it: step.it,
    work,
    step,
    owner,
    before,
    after: recordsOf(reached),
    requests: counted.requests.length,
    firstWrite: positionOf(counted.requests),
    theirs,
  };
  return { undisturbed, reached, replaced: replacedBy(planned.plan) };
}

const nothing: Theirs = { records: new Map() };

/** A step that replaces a record to which others have written before. */
export async function withTheirs(world: World, step: Step, owner: string, theirs: Theirs): Promise<Undisturbed> {
  await writeTheirs(world.platform, theirs);
  const { manifests = '' } = step;
  const leaving = {
    ...step,
    it: `${step.it}, with writes of others`,
    manifests: ignoringDescription(manifests, theirs),
  };
  const { undisturbed, reached } = await runUndisturbed(world, leaving, owner, theirs);
  const lost = lostOfTheirs(reached, theirs);
  if (lost.length > 0) throw new Error(`lost in a run that nothing disturbed: ${lost.join(', ')}`);
  return undisturbed;
}

export function expectDone({ failed, skipped, verified, differences }: Applied['result']): void {
  const wrong = [
    ...failed.map(({ id, error }) => `${id} failed: ${error.code}: ${error.message}`),
    ...skipped.map(({ id, because }) => `${id} was skipped: ${because}`),
    ...(verified === false ? (differences ?? ['not verified']) : []),
  ];
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
}

function countingExchange(inner: Exchange) {
  const requests: string[] = [];
  const exchange: Exchange = {
    send(request) {
      requests.push(`${request.method} ${request.path}`);
      return inner.send(request);
    },
    close: async () => {},
  };
  return { requests, exchange };
}

export function isWrite(request: string): boolean {
  return !request.startsWith('GET ') && !request.includes('/-query');
}

function positionOf(requests: readonly string[]): number | undefined {
  const at = requests.findIndex(isWrite);
  return at < 0 ? undefined : at + 1;
}

/**
 * Applies until everything is done. If a plan is refused because fewer losses remain than were permitted, it is
 * repeated with the smaller number, as a person would, and never with a larger one.
 */
export async function applyAgain(exchange: Exchange, work: Work): Promise<Applied> {
  return applyWork(exchange, await permitted(exchange, work));
}

async function permitted(exchange: Exchange, work: Work): Promise<Work> {
  const { plan } = await planWork(exchange, work);
  const allowed = [...plan.refusals, ...plan.changes.flatMap(({ refusals }) => refusals)].map(
    ({ allow = '' }) => allow,
  );
  const fewer = (flag: string, given = 0) => {
    const asked = allowed.flatMap((text) => new RegExp(`^--${flag}=(\\d+)`).exec(text)?.[1] ?? []).map(Number);
    return Math.min(given, ...asked);
  };
  const { options } = work;
  return {
    ...work,
    options: {
      ...options,
      allowDataLoss: fewer('allow-data-loss', options.allowDataLoss),
      allowCollateral: fewer('allow-collateral', options.allowCollateral),
    },
  };
}

/** Expects that a further plan has no changes. */
export async function expectNothingLeft(exchange: Exchange, work: Work): Promise<void> {
  const left = actionsOf(await planWork(exchange, work));
  if (left.length > 0) throw new Error(`left to do: ${left.join(', ')}`);
}
