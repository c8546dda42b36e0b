import { objectAt, stringAt } from '../base/json/json.ts';
import { seeded } from '../base/seeded.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import { livePlaces } from '../manifest/live/liveReference.ts';
import type { Plan } from '../plan/model/plan.ts';
import { makeReplan } from '../plan/replan.ts';
import { formatPath } from '../schema/shape/paths.ts';
import type { Dump } from '../server/inProcess.ts';
import { differencesBetween, type FinalState, finalState } from './finalState.ts';
import type { RehearsalInput } from './input.ts';
import { plain, type Recorded, Recorder } from './recorder.ts';
import type { Point, Points, RehearsalProblem } from './rehearsal.ts';
import { asDifferences, faultsOf, leftToDo, planOn, runOn } from './run.ts';
import { openStage, type Stage } from './stage.ts';

export interface Interrupting {
  readonly input: RehearsalInput;
  /** The stage on which the undisturbed run runs again, and pauses while its state is resumed elsewhere. */
  readonly stage: Stage;
  /** The recorder of that stage, empty. */
  readonly recorder: Recorder;
  /** The requests of the undisturbed run. */
  readonly sent: readonly Recorded[];
  /** The initial and final state of that run. */
  readonly base: Dump;
  readonly after: FinalState;
}

export interface Interrupted {
  readonly points: Points;
  readonly problem?: RehearsalProblem;
}

/**
 * Interrupts the run before and after each request; from there a new plan and its run must reach the same state and
 * then an empty plan. Points with no write in between have the same state, which is resumed once.
 *
 * If only the answer to a write is lost and the run continues without it, the same must hold after that run, with any
 * outcome.
 */
export async function interruptEverywhere(interrupting: Interrupting): Promise<Interrupted> {
  const { input, sent } = interrupting;
  const { seed = 'gantry', mostPoints = 500, around = (exchange) => exchange } = input;
  const all = pointsOf(sent);
  const isSample = all.length > mostPoints;
  const points = isSample ? sampleOf(all, mostPoints, seed) : all;

  let tried = 0;
  function converged(count: number): void {
    tried += count;
    if (count > 0) input.onPoint?.(tried, points.length);
  }
  const recorder = new Recorder();
  const again = await openStage({
    org: input.snapshot.org,
    around: (exchange) => recorder.around(around(exchange, 'again')),
  });
  try {
    const problem =
      (await whereItEnds(again, interrupting, points, converged)) ??
      (await whereItGoesOn({ again, recorder }, interrupting, points, converged));
    const summary = { tried, of: all.length, ...(isSample ? { seed } : {}) };
    return problem === undefined ? { points: summary } : { points: summary, problem };
  } finally {
    await again.close();
  }
}

interface Placed extends Point {
  /** The number of writes carried out before. */
  readonly writes: number;
  /** The request wrote, but its answer is lost: the run may continue. */
  readonly goesOn: boolean;
}

function pointsOf(sent: readonly Recorded[]): readonly Placed[] {
  let writes = 0;
  return sent.flatMap((recorded): readonly Placed[] => {
    const request = plain(recorded);
    const before = { request, when: 'before', writes, goesOn: false } as const;
    if (recorded.wrote) writes += 1;
    return [before, { request, when: 'after', writes, goesOn: recorded.wrote }];
  });
}

type Converged = (points: number) => void;

/** Kills the run: it runs again, and pauses while its state is resumed elsewhere. */
async function whereItEnds(
  again: Stage,
  interrupting: Interrupting,
  points: readonly Placed[],
  converged: Converged,
): Promise<RehearsalProblem | undefined> {
  const { input, stage, recorder, base } = interrupting;
  const open = Map.groupBy(points, ({ writes }) => writes);
  let problem: RehearsalProblem | undefined;
  async function takeUpHere(): Promise<void> {
    const here = open.get(recorder.writes) ?? [];
    const [first] = here;
    if (first === undefined || problem !== undefined) return;
    open.delete(recorder.writes);
    await again.platform.load(withoutHistory(await stage.platform.dump()));
    problem = await takeUp(again, interrupting, first);
    if (problem === undefined) converged(here.filter(({ goesOn }) => !goesOn).length);
  }
  await stage.platform.load(base);
  recorder.before = takeUpHere;
  await runPlanned(stage, input);
  await takeUpHere();
  recorder.before = undefined;
  return problem;
}

/** Continues the run without the answer. */
async function whereItGoesOn(
  { again, recorder }: { readonly again: Stage; readonly recorder: Recorder },
  interrupting: Interrupting,
  points: readonly Placed[],
  converged: Converged,
): Promise<RehearsalProblem | undefined> {
  for (const point of points.filter(({ goesOn }) => goesOn)) {
    await again.platform.load(interrupting.base);
    recorder.clear();
    recorder.losing = point.request.number;
    await runPlanned(again, interrupting.input);
    recorder.losing = undefined;
    const problem = await takeUp(again, interrupting, point);
    if (problem !== undefined) return problem;
    converged(1);
  }
  return undefined;
}

/** Its result is checked afterwards. */
function runPlanned(stage: Stage, { plan, desired, snapshot, options }: RehearsalInput): Promise<readonly string[]> {
  return asDifferences(async () => faultsOf(await runOn(stage, plan, makeReplan(desired, snapshot, options))));
}

/** Of the history, a plan reads only deletions. */
function withoutHistory(state: Dump): Dump {
  const deletionsOf = ({ entries, ...held }: Dump[string]) => ({ ...held, entries: entries.filter(isDeletion) });
  return Object.fromEntries(Object.entries(state).map(([org, held]) => [org, deletionsOf(held)]));
}

function isDeletion({ journal, body }: Dump[string]['entries'][number]): boolean {
  return journal === 'audit' && stringAt(objectAt(body, 'action'), 'type') === 'delete';
}

/** Values from other records (addresses, keys) that the platform chooses in each run, as in `differencesBetween`. */
function chosenAnew({ changes }: Plan): ReadonlySet<string> {
  return new Set(
    changes.flatMap(({ id, kind, awaits = [], create, patch, expected, expectedThen }) =>
      [create, patch, expected, expectedThen].flatMap((body) => {
        const record = body?.expose() ?? {};
        return livePlaces(record, ({ text }) => awaits.includes(text)).map(
          (at) => `${id}: ${formatPath(shapeOf(kind, record), record, at)} is otherwise`,
        );
      }),
    ),
  );
}

/** A shown-once value is lost if the run ends before storing it: then the plan requires another, and writes nothing. */
function asksForAnother({ refusals, changes }: Plan): boolean {
  const all = [...refusals, ...changes.flatMap((change) => change.refusals)];
  return all.length > 0 && all.every(({ code }) => code === 'live.once');
}

async function takeUp(
  stage: Stage,
  { input, after }: Interrupting,
  { request, when }: Placed,
): Promise<RehearsalProblem | undefined> {
  const point = { request, when };
  let isLost = false;
  const failed = await asDifferences(async () => {
    const { plan, replan } = await planOn(stage, input);
    isLost = asksForAnother(plan);
    if (isLost) return [];
    return faultsOf(await runOn(stage, plan, replan));
  });
  if (failed.length > 0) return { what: 'apply', point, differences: failed };
  if (isLost) return undefined;
  const { org } = input.snapshot;
  const differing = differencesBetween(after, finalState(await stage.platform.dump(), org), org);
  const chosen = chosenAnew(input.plan);
  const other = differing.filter((difference) => !chosen.has(difference));
  if (other.length > 0) return { what: 'state', point, differences: other };
  const left = await asDifferences(async () => leftToDo((await planOn(stage, input)).plan));
  return left.length === 0 ? undefined : { what: 'plan', point, differences: left };
}

/** `count` of these in their order, the same for equal seeds. */
export function sampleOf<T>(all: readonly T[], count: number, seed: string): readonly T[] {
  const random = seeded(seed);
  const order = all.map((_, index) => index);
  // Only the first places of a shuffle.
  for (let place = 0; place < Math.min(count, order.length); place += 1) {
    const other = place + Math.floor(random() * (order.length - place));
    [order[place], order[other]] = [order[other] ?? other, order[place] ?? place];
  }
  const chosen = new Set(order.slice(0, count));
  return all.filter((_, index) => chosen.has(index));
}
