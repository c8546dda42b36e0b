import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject, own } from '../../src/base/json/json.ts';
import { dyingExchange, type Point } from './harness/dying.ts';
import { lostOfTheirs } from './harness/others.ts';
import { leaveMarks, lostMarks } from './harness/otherWriter.ts';
import { applyAgain, expectDone, expectNothingLeft, type Undisturbed } from './harness/scenarioSteps.ts';
import { applyWork } from './harness/stack.ts';
import { type Records, recordsOf } from './harness/state.ts';
import type { World } from './harness/world.ts';

/** One point of the crash sweep, inside this process: the run is dropped, and then `expectSameEnd` checks. */
export async function crashAt(step: Undisturbed, world: World, point: Point): Promise<void> {
  await world.restore(step.before);
  const dying = dyingExchange(world.exchange, point);
  const run = applyWork(dying.exchange, step.work);
  const ended = await Promise.race([run.then(() => 'to its end'), dying.dead]);
  if (ended === 'to its end') throw new Error(`the run took only ${dying.sent()} requests`);
  await expectSameEnd(step, world);
}

/**
 * After the death of a run another client writes, and then a second run completes the first. Throws if the end differs
 * from the end without a crash, or if a write of the other client is lost.
 */
export async function expectSameEnd(step: Undisturbed, world: World): Promise<void> {
  const left = await leaveMarks(world.platform, await world.state());
  const { result } = await applyAgain(world.exchange, step.work);
  expectDone(result);
  await expectNothingLeft(world.exchange, step.work);
  const state = await world.state();
  expectSame(recordsOf(state), step.after);
  const lost = [...lostMarks(state, left), ...lostOfTheirs(state, step.theirs)];
  if (lost.length > 0) throw new Error(`lost: ${lost.join(', ')}`);
}

export function expectSame(reached: Records, expected: Records): void {
  const ids = [...new Set([...Object.keys(reached), ...Object.keys(expected)])];
  const unlike = ids.filter((id) => !isDeepStrictEqual(withoutMarks(reached[id]), withoutMarks(expected[id])));
  if (unlike.length === 0) return;
  const shown = unlike.map(
    (id) => `${id}\n  is       ${JSON.stringify(reached[id])}\n  expected ${JSON.stringify(expected[id])}`,
  );
  throw new Error(`another end than without a crash:\n${shown.join('\n')}`);
}

/** Without the switch that the other client has set; its tags are left out already. */
function withoutMarks(record: JsonObject | undefined): JsonObject | undefined {
  const spec = record === undefined ? undefined : own(record, 'spec');
  if (record === undefined || !isObject(spec)) return record;
  const { defaultOptions, ...rest } = spec;
  const { debug: _, ...options } = isObject(defaultOptions) ? defaultOptions : {};
  return { ...record, spec: Object.keys(options).length === 0 ? rest : { ...rest, defaultOptions: options } };
}
