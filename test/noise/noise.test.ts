import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { isRefused } from '../../src/plan/model/plan.ts';
import { creatableKinds } from '../../src/schema/record/kinds.ts';
import { type AnswerForm, answerForms } from '../../src/server/records/decisions/shownRecord.ts';
import { scenarios } from '../e2e/scenarios/all.ts';
import { Dice } from '../fuzz/dice.ts';
import { applyPlanned, planWork, workOf } from '../sweeps/harness/stack.ts';
import { openWorld } from '../sweeps/harness/world.ts';
import { documentsOf, mutated, stackOf } from './graft.ts';

/** The number of stacks, set by `GANTRY_NOISE`. */
const rounds = Number(process.env['GANTRY_NOISE'] ?? 16);
const seed = process.env['GANTRY_NOISE_SEED'] ?? 'noise';
/** The number of attempted mutations before each apply. */
const tries = 30;

/** Failures that no plan can foresee: checks that only the server can make, and workloads that do not become ready. */
const othersReasons = new Set(['api.invalid', 'apply.timeout', 'apply.not-ready']);

/** Kinds that are rare in scenarios. */
const rest = `
kind: location
name: own-place
provider: byok
---
kind: serviceaccount
name: robot
---
kind: group
name: team
memberLinks: [//serviceaccount/robot, //serviceaccount/other]
---
kind: serviceaccount
name: other
---
kind: agent
name: wire
---
kind: policy
name: reading
targetKind: group
targetLinks: [//group/team]
bindings: [{permissions: [view, edit], principalLinks: [//group/team, //serviceaccount/robot]}]
`;

/**
 * Whole stacks that can be created on an empty platform: the steps of all scenarios that do not depend on other steps.
 */
const whole = [
  { serve: [], manifests: documentsOf(rest), flags: [] },
  ...scenarios.flatMap(({ serve = [], steps }) =>
    steps.flatMap((step) => {
      if ('codes' in step || step.manifests === undefined) return [];
      const manifests = documentsOf(step.manifests);
      return stackOf(manifests) === undefined ? [] : [{ serve, manifests, flags: step.flags ?? [] }];
    }),
  ),
];

function drawForms(dice: Dice): readonly AnswerForm[] {
  const opposite = dice.percent(50) ? 'bare' : 'filled';
  return answerForms.filter((form) => form !== opposite && dice.percent(50));
}

function grown(manifests: readonly JsonObject[], dice: Dice): readonly JsonObject[] {
  let best = manifests;
  for (let attempt = 0; attempt < tries; attempt++) {
    const next = mutated(best, dice);
    if (stackOf(next) !== undefined) best = next;
  }
  return best;
}

test('law 3: after the apply of a generated stack, and of a change of it, the plan is empty in every form of answers', async () => {
  const met = new Set<string>();
  let applied = 0;
  let refused = 0;
  for (let round = 0; round < rounds; round++) {
    const dice = new Dice(`${seed} ${round}`);
    const start = round === 0 ? whole[0] : dice.any(whole);
    if (start === undefined) throw new Error('there are no scenarios');
    const answers = drawForms(dice);
    const world = await openWorld(start.serve, { answers });
    try {
      let manifests = start.manifests;
      for (const generation of [1, 2]) {
        manifests = grown(manifests, dice);
        const desired = stackOf(manifests) ?? [];
        const flags = [...start.flags, '--allow-data-loss=0'];
        const work = await workOf({ manifests: JSON.stringify(manifests), flags }, 'noise');
        const planned = await planWork(world.exchange, work);
        if (isRefused(planned.plan)) {
          refused += 1;
          break;
        }
        const result = await applyPlanned(world.exchange, planned);
        const about = `round ${round}.${generation} of seed ${seed}, answers ${answers.join(',')}`;
        const wrong = result.failed.filter(({ error }) => !othersReasons.has(error.code));
        expect(
          wrong.map(({ id, error }) => `${id}: ${error.message}`),
          about,
        ).toEqual([]);
        if (result.failed.length > 0) {
          refused += 1;
          break;
        }
        const after = await planWork(world.exchange, work);
        const left = after.plan.changes.filter(({ action }) => action !== 'keep');
        expect(
          left.map(({ id, patch, fields }) => [id, patch?.masked, fields]),
          about,
        ).toEqual([]);
        applied += 1;
        for (const { ref } of desired) met.add(ref.kind);
      }
    } finally {
      await world.close();
    }
  }
  expect(applied).toBeGreaterThan(refused);
  if (rounds >= 200) expect([...met].sort()).toEqual([...creatableKinds].sort());
}, 3_600_000);
