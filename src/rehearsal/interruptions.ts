import { makeReplan } from '../plan/replan.ts';
import type { Dump } from '../server/inside.ts';
import { differencesBetween, type FinalState, finalState } from './finalState.ts';
import type { RehearsalInput } from './input.ts';
import { plain, type Recorded, type Recorder } from './recorder.ts';
import type { Point, Points, RehearsalProblem } from './rehearsal.ts';
import { asDifferences, faultsOf, leftToDo, planOn, runOn } from './run.ts';
import { sampleOf } from './sample.ts';
import { openStage, type Stage } from './stage.ts';

export interface Interrupting {
  readonly input: RehearsalInput;
  /** Where the undisturbed run runs a second time, and stands still while its state is taken up elsewhere. */
  readonly stage: Stage;
  /** Of that stage, empty. */
  readonly recorder: Recorder;
  /** What the undisturbed run sent. */
  readonly sent: readonly Recorded[];
  /** The state that it began with, and the one that it came to. */
  readonly base: Dump;
  readonly after: FinalState;
}

export interface Interrupted {
  readonly points: Points;
  readonly problem?: RehearsalProblem;
}

/**
 * Ends the run before each request, and after each whose answer is lost; from there a new plan and its run must come to the
 * same state and to an empty plan. Points between which nothing was written have one state, which is taken up once.
 */
export async function interruptEverywhere(interrupting: Interrupting): Promise<Interrupted> {
  const { input, stage, recorder, sent } = interrupting;
  const { plan, desired, snapshot, options } = input;
  const all = pointsOf(sent);
  const { seed = 'gantry', mostPoints = 500 } = input;
  const isSample = all.length > mostPoints;
  const open = byWrites(isSample ? sampleOf(all, mostPoints, seed) : all);
  const again = await openStage({
    org: snapshot.org,
    around: (exchange) => input.around?.(exchange, 'again') ?? exchange,
  });

  let tried = 0;
  let problem: RehearsalProblem | undefined;
  async function takeUpHere(): Promise<void> {
    const here = open.get(recorder.writes);
    const [first] = here ?? [];
    if (here === undefined || first === undefined || problem !== undefined) return;
    open.delete(recorder.writes);
    await again.platform.load(withoutHistory(await stage.platform.dump()));
    problem = await takeUp(again, interrupting, first);
    if (problem !== undefined) return;
    tried += here.length;
    input.onPoint?.(tried, Math.min(all.length, mostPoints));
  }

  try {
    await stage.platform.load(interrupting.base);
    recorder.before = takeUpHere;
    await runOn(stage, plan, makeReplan(desired, snapshot, options));
    await takeUpHere();
    const points = { tried, of: all.length, ...(isSample ? { seed } : {}) };
    return problem === undefined ? { points } : { points, problem };
  } finally {
    recorder.before = undefined;
    await again.close();
  }
}

interface Placed extends Point {
  /** How many writes were carried out then. */
  readonly writes: number;
}

function pointsOf(sent: readonly Recorded[]): readonly Placed[] {
  let writes = 0;
  return sent.flatMap((recorded): readonly Placed[] => {
    const request = plain(recorded);
    const before = { request, when: 'before', writes } as const;
    if (recorded.wrote) writes += 1;
    return [before, { request, when: 'after', writes }];
  });
}

function byWrites(points: readonly Placed[]): Map<number, readonly Placed[]> {
  const found = new Map<number, readonly Placed[]>();
  for (const point of points) found.set(point.writes, [...(found.get(point.writes) ?? []), point]);
  return found;
}

/** Nothing is planned from what was told of the past. */
function withoutHistory(state: Dump): Dump {
  return Object.fromEntries(Object.entries(state).map(([org, held]) => [org, { ...held, entries: [] }]));
}

async function takeUp(
  stage: Stage,
  { input, after }: Interrupting,
  { request, when }: Placed,
): Promise<RehearsalProblem | undefined> {
  const point = { request, when };
  const failed = await asDifferences(async () => {
    const { plan, replan } = await planOn(stage, input);
    return faultsOf(await runOn(stage, plan, replan));
  });
  if (failed.length > 0) return { what: 'apply', point, differences: failed };
  const { org } = input.snapshot;
  const other = differencesBetween(after, finalState(await stage.platform.dump(), org), org);
  if (other.length > 0) return { what: 'state', point, differences: other };
  const left = await asDifferences(async () => leftToDo((await planOn(stage, input)).plan));
  return left.length === 0 ? undefined : { what: 'plan', point, differences: left };
}
