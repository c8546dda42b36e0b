import { expect, test } from 'vitest';
import { Dice } from '../fuzz/dice.ts';
import { runs } from '../harness/sampled.ts';
import { lawFigures } from '../laws/figures.ts';
import { seed } from './harness/budget.ts';
import { openWorld } from './harness/world.ts';
import { type Figures, soakEdit } from './soak.ts';
import { drawStack, edit, manifestsOf } from './soakStacks.ts';

/** `npm run soak` makes 2,000 edits; `GANTRY_SOAK` sets another number. */
const edits = Number(process.env['GANTRY_SOAK'] ?? runs(16));
const editsOfOneStack = 8;

test('every tenth request fails: no record is lost or made twice, and requests stay within the budget (laws 5 and 7)', {
  timeout: 3_600_000,
}, async () => {
  const figures: Figures = { edits: 0, skipped: 0, requests: 0, failures: 0, again: 0, stopped: 0 };
  for (let stack = 0; figures.edits < edits; stack += 1) {
    const dice = new Dice(`${seed}/soak/${stack}`);
    const [failing, calm] = await Promise.all([openWorld(), openWorld()]);
    try {
      let drawn = drawStack(dice);
      for (let count = 0; count < editsOfOneStack && figures.edits < edits; count += 1) {
        const manifests = manifestsOf(drawn);
        try {
          await soakEdit(failing, calm, manifests, figures);
        } catch (error) {
          throw new Error(`stack ${stack}, edit ${count}: ${String(error)}\n${manifests}`, { cause: error });
        }
        drawn = edit(drawn, dice);
      }
    } finally {
      await Promise.all([failing.close(), calm.close()]);
    }
  }
  lawFigures({ edits: figures.edits });
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  expect(figures.failures / figures.requests).toBeGreaterThan(0.05);
  expect(figures.stopped).toBeLessThan(figures.edits / 100);
});
