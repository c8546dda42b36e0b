import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PlatformPort } from '../../src/apply/port.ts';
import { type Progress, progressOf, remainingPlan } from '../../src/apply/resume.ts';
import { runApply } from '../../src/apply/runApply.ts';
import { ToolError } from '../../src/base/toolError.ts';
import type { DesiredResource } from '../../src/manifest/model/manifest.ts';
import { makePlan } from '../../src/plan/makePlan.ts';
import { isEmptyPlan, isRefused, type Plan } from '../../src/plan/model/plan.ts';
import { makeReplan } from '../../src/plan/replan.ts';
import { complete } from '../change/saved/completeParts.ts';
import { runs } from '../harness/sampled.ts';
import { builtIn, ModelPlatform } from '../plan/model.ts';
import { parts, stackOf } from '../plan/stacks.ts';
import { actions, declare, foreign, live, org, owner, plan, snapshot, options as usual } from '../plan/world.ts';
import { deleting } from './harness/plans.ts';

const clock = { now: () => 0, sleep: async () => {} };
const options = { ...usual, maxDeletes: undefined, allowEmpty: true };

function standings(made: Plan, desired: readonly DesiredResource[], platform: ModelPlatform) {
  const now = platform.snapshot();
  const replan = makeReplan(desired, now, options);
  const of = made.changes.filter(({ action }) => action !== 'keep');
  return new Map(of.map((change) => [change.id, progressOf(change, now.resources.get(change.id), { replan, org })]));
}

/** The port of a process that ends after this number of writes: then every call fails. */
function endingAfter(writes: number, port: PlatformPort): PlatformPort {
  let left = writes;
  const limited =
    <A extends readonly unknown[], B>(call: (...given: A) => Promise<B>) =>
    async (...given: A): Promise<B> => {
      if (left === 0) throw new ToolError({ code: 'api.unauthorized', message: 'the end' });
      left -= 1;
      return call(...given);
    };
  return { ...port, create: limited(port.create), patch: limited(port.patch), delete: limited(port.delete) };
}

describe('an interrupted approved plan is resumed', () => {
  test('after any number of writes: the rest is carried out, with the result of the whole run', async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(parts, parts, fc.nat(12), async (first, second, writes) => {
        const platform = new ModelPlatform();
        platform.put(builtIn);
        const start = plan(stackOf(complete(first, first)), platform.snapshot(), options);
        if (isRefused(start)) return;
        await runApply(start, platform.port(owner), { clock, random: () => 0 });
        const desired = stackOf(complete(second, second));
        const made = makePlan(desired, platform.snapshot(), options);
        if (isRefused(made)) return;

        await runApply(made, endingAfter(writes, platform.port(owner)), { clock, random: () => 0, concurrency: 1 });
        const between = standings(made, desired, platform);
        expect([...between].filter(([, { as }]) => as === 'stale')).toEqual([]);
        const left = remainingPlan(made, between, platform.snapshot());
        const result = await runApply(left, platform.port(owner), { clock, random: () => 0 });
        expect(result.failed.map(({ id, error }) => `${id}: ${error.message}`)).toEqual([]);
        expect(result.skipped).toEqual([]);
        expect(actions(plan(desired, platform.snapshot(), options))).toEqual([]);
        expect(isEmptyPlan(remainingPlan(made, standings(made, desired, platform), platform.snapshot()))).toBe(true);
        taken += 1;
      }),
      { numRuns: runs(80) },
    );
    expect(taken).toBeGreaterThan(runs(40));
  });

  test('with only the second step of a change whose first one was carried out', async () => {
    const desired = [
      declare('gvc/g', { spec: { keda: { enabled: true, identityLink: '//identity/app' } } }),
      declare('identity/g/app'),
    ];
    const platform = new ModelPlatform();
    platform.put(builtIn);
    const made = makePlan(desired, platform.snapshot(), options);
    await runApply(made, endingAfter(1, platform.port(owner)), { clock, random: () => 0, concurrency: 1 });
    expect(standings(made, desired, platform).get('gvc/g')).toMatchObject({ as: 'half' });
    const left = remainingPlan(made, standings(made, desired, platform), platform.snapshot());
    expect(actions(left)).toEqual(['patch gvc/g', 'create identity/g/app']);
    const result = await runApply(left, platform.port(owner), { clock, random: () => 0 });
    expect(result).toMatchObject({ failed: [], skipped: [], verified: true });
    expect(platform.read({ kind: 'gvc', name: 'g' })?.version).toBe(2);
  });
});

describe('writes of others in between', () => {
  const before = live('gvc/g', { description: 'old' });
  const desired = [declare('gvc/g', { description: 'new' }), declare('group/people')];
  const made = plan(desired, [before]);
  const replan = makeReplan(desired, snapshot([before]), usual);
  const standing = (id: string, now: ReturnType<typeof live> | undefined): Progress => {
    const change = made.changes.find((each) => each.id === id);
    if (change === undefined) throw new Error(`no change for ${id}`);
    return progressOf(change, now, { replan, org });
  };

  test('another field: the same write, pinned to the current record', () => {
    const now = live(
      'gvc/g',
      { description: 'old', tags: { a: '1' } },
      { version: 4, applied: { version: 1, tagKeys: [] } },
    );
    expect(standing('gvc/g', now)).toMatchObject({ as: 'repinned', change: { liveVersion: 4, action: 'patch' } });
  });

  test('the same field: stale, with its path', () => {
    const now = live('gvc/g', { description: 'other' }, { version: 2, applied: { version: 1 } });
    expect(standing('gvc/g', now)).toMatchObject({ as: 'stale', moved: expect.stringContaining('description') });
  });

  test('a deletion, or a deletion and a creation: stale', () => {
    expect(standing('gvc/g', undefined)).toMatchObject({ as: 'stale', moved: 'it no longer exists' });
    const another = { ...before, uid: 'another' };
    expect(standing('gvc/g', another)).toMatchObject({ as: 'stale', moved: expect.stringContaining('another record') });
  });

  test('the desired value: nothing is left', () => {
    expect(standing('gvc/g', live('gvc/g', { description: 'new' }, { version: 2 }))).toEqual({ as: 'done' });
  });

  test('a name that was unused: stale', () => {
    expect(standing('group/people', foreign('group/people'))).toMatchObject({ as: 'stale' });
    expect(standing('group/people', undefined)).toEqual({ as: 'open' });
  });

  test('data in an empty record that is to be deleted: stale, unless its loss was approved', () => {
    const empty = live('volumeset/g/data', { status: { locations: [] } });
    const going = plan([], [empty], { allowEmpty: true }).changes[0];
    if (going === undefined) throw new Error('nothing goes');
    const filled = live('volumeset/g/data', { status: { locations: [{ volumes: [{ lifecycle: 'bound' }] }] } });
    expect(progressOf(going, empty, { replan, org })).toEqual({ as: 'open' });
    expect(progressOf(going, filled, { replan, org })).toMatchObject({
      as: 'stale',
      moved: 'the data of volumeset/g/data would be lost, which was not shown: 1 volume',
    });
    const approved = plan([], [filled], { allowEmpty: true, allowDataLoss: 1 }).changes[0];
    expect(approved).toMatchObject({ action: 'delete', losesData: ['volumeset/g/data'] });
    expect(progressOf(approved ?? going, filled, { replan, org })).toEqual({ as: 'open' });
  });

  test('a change of a record to be deleted: stale; its deletion: done', () => {
    const going = deleting(before);
    const moved = live('gvc/g', { description: 'other' }, { version: 2 });
    expect(progressOf(going, moved, { replan, org })).toMatchObject({ as: 'stale' });
    expect(progressOf(going, undefined, { replan, org })).toEqual({ as: 'done' });
    expect(progressOf(going, before, { replan, org })).toEqual({ as: 'open' });
  });
});
