import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runApply } from '../../src/apply/runApply.ts';
import { isRefused } from '../../src/plan/model/plan.ts';
import { runs } from '../harness/sampled.ts';
import { builtIn, carryOut, ModelPlatform } from './model.ts';
import { parts, stackOf } from './stacks.ts';
import { actions, codes, owner, plan } from './world.ts';

const allowed = { maxDeletes: undefined, allowEmpty: true } as const;

describe('laws over generated stacks', () => {
  test('3 and 6: a plan can be carried out in every order that its edges allow, and the next plan is empty', () => {
    let carried = 0;
    fc.assert(
      fc.property(fc.array(parts, { minLength: 1, maxLength: 3 }), fc.infiniteStream(fc.nat()), (stacks, choices) => {
        const platform = new ModelPlatform();
        platform.put(builtIn);
        for (const stack of stacks) {
          const desired = stackOf(stack);
          const made = plan(desired, platform.snapshot(), allowed);
          if (isRefused(made)) {
            for (const code of codes(made)) expect(['reference.missing', 'delete.referenced']).toContain(code);
            continue;
          }
          carryOut(made, platform, (count) => (choices.next().value ?? 0) % Math.max(count, 1));
          const after = plan(desired, platform.snapshot(), allowed);
          expect(actions(after)).toEqual([]);
          carried += 1;
        }
        const gone = plan([], platform.snapshot(), allowed);
        expect(codes(gone)).toEqual([]);
        carryOut(gone, platform, (count) => (choices.next().value ?? 0) % Math.max(count, 1));
        expect(actions(plan([], platform.snapshot(), allowed))).toEqual([]);
      }),
      { numRuns: runs(1_000) },
    );
    expect(carried).toBeGreaterThan(100);
  });

  test('every response is as promised: the applier carries out generated plans and verifies them', async () => {
    const clock = { now: () => 0, sleep: async () => {} };
    await fc.assert(
      fc.asyncProperty(fc.array(parts, { minLength: 1, maxLength: 3 }), async (stacks) => {
        const platform = new ModelPlatform();
        platform.put(builtIn);
        for (const stack of [...stacks, undefined]) {
          const desired = stack === undefined ? [] : stackOf(stack);
          const made = plan(desired, platform.snapshot(), allowed);
          if (isRefused(made)) continue;
          const result = await runApply(made, platform.port(owner), { clock, random: () => 0 });
          expect(result.failed.map(({ id, error }) => `${id}: ${error.message}`)).toEqual([]);
          expect(result.skipped).toEqual([]);
          expect(result.verified).toBe(true);
          expect(actions(plan(desired, platform.snapshot(), allowed))).toEqual([]);
        }
      }),
      { numRuns: runs(200) },
    );
  });
});
