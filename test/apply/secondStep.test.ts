import { beforeEach, describe, expect, test } from 'vitest';
import { runApply } from '../../src/apply/runApply.ts';
import { type JsonObject, objectAt, stringAt } from '../../src/base/json/json.ts';
import type { DesiredResource } from '../../src/manifest/model/manifest.ts';
import { appliedTag } from '../../src/manifest/model/ownTags.ts';
import { makePlan } from '../../src/plan/makePlan.ts';
import type { Plan } from '../../src/plan/model/plan.ts';
import { readApplied } from '../../src/plan/record/ownership.ts';
import { makeReplan } from '../../src/plan/replan.ts';
import { builtIn, ModelPlatform } from '../plan/model.ts';
import { actions, declare, options, owner } from '../plan/world.ts';

const clock = { now: () => 0, sleep: async () => {} };
const gvc = { kind: 'gvc', name: 'g' } as const;
const app = { keda: { enabled: true, identityLink: '/org/o/gvc/g/identity/app' } };
/** The identity is in the GVC that refers to it, and the GVC has another change: a second step sets the reference. */
const desired = [declare('gvc/g', { description: 'new', spec: app }), declare('identity/g/app')];

describe('a change of two steps if another client writes before the first one', () => {
  let platform: ModelPlatform;
  let made: Plan;
  beforeEach(async () => {
    platform = new ModelPlatform();
    platform.put(builtIn);
    await apply(makePlan([declare('gvc/g', { description: 'old' })], platform.snapshot(), options));
    made = makePlan(desired, platform.snapshot(), options);
    expect(made.changes.find(({ id }) => id === 'gvc/g')?.then).toBeDefined();
  });

  function apply(plan: Plan) {
    const replan = makeReplan(desired, platform.snapshot(), options);
    return runApply(plan, platform.port(owner), { clock, random: () => 0, replan });
  }

  test('writes the change of the second step: that is not sent', async () => {
    platform.patch(gvc, { spec: { keda: { identityLink: app.keda.identityLink } } });
    const result = await apply(made);
    expect(result).toMatchObject({ failed: [], skipped: [], verified: true });
    const { version, record = {} } = platform.read(gvc) ?? {};
    expect(record).toMatchObject({ description: 'new', spec: app });
    const noted = readApplied(stringAt(objectAt(record, 'tags'), appliedTag) ?? '');
    expect([version, noted?.version]).toEqual([3, 3]); // Created, theirs, and one of ours.
    expect(actions(makePlan(desired, platform.snapshot(), options))).toEqual([]);
  });

  test('writes both: nothing is sent', async () => {
    platform.patch(gvc, { description: 'new', spec: app });
    const result = await apply(made);
    expect(result).toMatchObject({ failed: [], skipped: [], verified: true });
    expect(platform.read(gvc)?.version).toBe(2);
  });
});

test('a creation in two steps that another run of the same code carried out sends nothing', async () => {
  const platform = new ModelPlatform();
  platform.put(builtIn);
  const made = makePlan(desired, platform.snapshot(), options);
  expect(made.changes.find(({ id }) => id === 'gvc/g')).toMatchObject({ action: 'create', then: expect.anything() });
  const replan = makeReplan(desired, platform.snapshot(), options);
  for (const run of ['theirs', 'ours']) {
    const result = await runApply(made, platform.port(owner), { clock, random: () => 0, replan });
    expect(result, run).toMatchObject({ failed: [], skipped: [], verified: true });
    expect(platform.read(gvc)?.version, run).toBe(2);
  }
});

test.each<{ it: string; theirs: Partial<JsonObject>; path: string }>([
  { it: 'in the first step', theirs: { description: 'theirs' }, path: 'description' },
  { it: 'in the second step', theirs: { spec: { keda: { ...app.keda, enabled: false } } }, path: 'spec.keda.enabled' },
])('a creation in two steps by another run with other code is not ours: other $it', async ({ theirs, path }) => {
  const platform = new ModelPlatform();
  platform.put(builtIn);
  const empty = platform.snapshot();
  const others = [declare('gvc/g', { description: 'new', spec: app, ...theirs }), declare('identity/g/app')];
  const run = (code: readonly DesiredResource[]) =>
    runApply(makePlan(code, empty, options), platform.port(owner), {
      clock,
      random: () => 0,
      replan: makeReplan(code, empty, options),
    });
  expect(await run(others)).toMatchObject({ failed: [], verified: true });
  const { failed } = await run(desired);
  expect(failed.map(({ id, error }) => `${id} ${error.code}`)).toEqual(['gvc/g plan.stale']);
  expect(failed[0]?.error.message).toContain(`another run has created it with another ${path}`);
  expect(platform.read(gvc)?.record).toMatchObject(theirs);
});
