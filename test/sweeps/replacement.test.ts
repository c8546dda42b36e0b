import { describe, expect, test } from 'vitest';
import { Dice } from '../fuzz/dice.ts';
import { lawFigures } from '../laws/figures.ts';
import { crashAt } from './crash.ts';
import { isWhole, seed, tell } from './harness/budget.ts';
import { moments } from './harness/dying.ts';
import { crashPointsOfWriting, sample } from './harness/points.ts';
import { openWorld } from './harness/world.ts';
import { prepare, type Refused, refusals, refuseAt, stopAt } from './replacement.ts';
import { replacementStacks } from './replacementStacks.ts';

/** Every replaced record has foreign tags, values of lifecycle.ignore and switches of operators. */
describe('a replacement that is killed, stopped or refused anywhere loses nothing, and the next run completes it (law 5)', () => {
  test.each(replacementStacks)('$it', { timeout: 1_200_000 }, async (stack) => {
    // A sample has one point of each sort, the moments and the refusals in turn.
    const turn = replacementStacks.indexOf(stack) % 3;
    const world = await openWorld();
    const failures: string[] = [];
    let swept = 0;
    try {
      const step = await prepare(world, stack);
      const dice = new Dice(`${seed}/replacement/${stack.it}`);
      const chosen = <T>(all: readonly T[]) => (isWhole ? all : sample(all, 1, dice));
      const attempt = async (what: string, run: () => Promise<void>): Promise<void> => {
        swept += 1;
        await run().catch((error: unknown) => failures.push(`${what}: ${String(error)}`));
      };
      const requests = Array.from({ length: step.requests - (step.firstWrite ?? 1) + 1 }, (_, index) => index + 1);
      const inTurn = <T>(all: readonly T[]) => (isWhole ? all : all.slice(turn, turn + 1));
      const refused = requests.flatMap((request) =>
        inTurn(Object.keys(refusals)).map((why) => ({ request, why: why as Refused })),
      );
      const killed = crashPointsOfWriting(step).filter(({ moment }) => inTurn(moments).includes(moment));
      for (const point of chosen(killed)) {
        await attempt(`killed at request ${point.request}, ${point.moment}`, () => crashAt(step, world, point));
      }
      for (const { request, why } of chosen(refused)) {
        await attempt(`${why}, from request ${request} of the run on`, () => refuseAt(step, world, request, why));
      }
      for (const request of chosen(requests)) {
        await attempt(`stopped at request ${request} of the run`, () => stopAt(step, world, request));
      }
    } finally {
      await world.close();
    }
    lawFigures({ points: swept });
    tell(`${stack.it}: ${swept} points`);
    expect(failures).toEqual([]);
  });
});
