import { describe, expect, test } from 'vitest';
import { failures, fakePlatform, writes } from './harness/harness.ts';
import { patching, plan, ref, tags } from './harness/plans.ts';

const gvc = 'gvc/shop';
const takes = [{ what: 'location', name: 'aws-eu-central-1' }] as const;

/** A GVC that loses a location, with one workload of others in it. */
function losing(victims: readonly string[]) {
  const fake = fakePlatform();
  const live = fake.platform.put(ref(gvc), { tags: tags(gvc) });
  fake.platform.put(ref('workload/shop/theirs'), {});
  const change = patching(live, { description: 'smaller' }, { takes, ...(victims.length === 0 ? {} : { victims }) });
  return { ...fake, change };
}

describe('an update that removes something from a GVC', () => {
  test('lists the children directly before, and is sent if only approved ones are affected', async () => {
    const { platform, apply, change } = losing(['workload/shop/theirs']);
    expect((await apply(plan(change))).result.done).toEqual([gvc]);
    const log = platform.log.filter((line) => line.endsWith(` ${gvc}`));
    expect(log.slice(log.indexOf(`children ${gvc}`))).toContain(`patch ${gvc}`);
    expect(log.indexOf(`children ${gvc}`)).toBeGreaterThan(-1);
  });

  test('is not sent if others created a child since', async () => {
    const { platform, apply, change } = losing(['workload/shop/theirs']);
    platform.put(ref('workload/shop/newcomer'), {});
    const applied = await apply(plan(change));
    expect(failures(applied)).toEqual([`${gvc}: plan.stale`]);
    expect(applied.result.failed[0]?.error.message).toContain(
      'it takes away location aws-eu-central-1 from workload/shop/newcomer, which was not approved',
    );
    expect(writes(platform)).toEqual([]);
  });

  test('is not repeated if others created a child while the GVC was busy', async () => {
    const { platform, apply, change } = losing(['workload/shop/theirs']);
    const comes = () => platform.put(ref('workload/shop/newcomer'), {});
    platform.fault('patch', gvc, { kind: 'error', code: 'api.conflict' });
    platform.fault('read', gvc, { kind: 'meanwhile', happens: comes });
    expect(failures(await apply(plan(change)))).toEqual([`${gvc}: plan.stale`]);
    expect(writes(platform)).toEqual([`patch ${gvc}`]);
  });

  test('is not sent if others created the first child of theirs', async () => {
    const { platform, apply, change } = losing([]);
    expect(failures(await apply(plan(change)))).toEqual([`${gvc}: plan.stale`]);
    expect(writes(platform)).toEqual([]);
  });

  test('accepts deleted children, unaffected ones, and those of this plan', async () => {
    const { platform, apply, change } = losing(['workload/shop/theirs']);
    platform.drop('workload/shop/theirs');
    platform.put(ref('identity/shop/new'), {});
    const own = platform.put(ref('workload/shop/own'), { tags: tags('workload/shop/own') });
    const applied = await apply(plan(change, patching(own, { description: 'x' })));
    expect(failures(applied)).toEqual([]);
  });

  test('accepts children that a partial plan leaves out', async () => {
    const { platform, apply, change } = losing(['workload/shop/theirs']);
    platform.put(ref('workload/shop/own'), { tags: tags('workload/shop/own') });
    const partial = { ...plan(change), leftOut: [{ id: 'workload/shop/own', action: 'patch' as const }] };
    expect(failures(await apply(partial))).toEqual([]);
  });

  test('accepts children of this stack that the plan does not contain, as in an undo, but no new ones of others', async () => {
    const { platform, apply, change } = losing([]);
    platform.drop('workload/shop/theirs');
    platform.put(ref('workload/shop/own'), { tags: tags('workload/shop/own') });
    expect(failures(await apply(plan(change)))).toEqual([]);

    const other = losing([]);
    other.platform.drop('workload/shop/theirs');
    other.platform.put(ref('workload/shop/banks'), { tags: { 'gantry/stack': 'bank' } });
    expect(failures(await other.apply(plan(other.change)))).toEqual([`${gvc}: plan.stale`]);
  });

  test('accepts children that this plan adopts, or that a partial one leaves out', async () => {
    const { platform, apply, change } = losing([]);
    const theirs = platform.at('workload/shop/theirs');
    if (theirs === undefined) throw new Error('it was put there');
    const adopting = patching(theirs, { description: 'ours' }, { action: 'adopt' });
    expect(failures(await apply(plan(change, adopting), { concurrency: 1 }))).toEqual([]);

    const other = losing([]);
    const leftOut = [{ id: 'workload/shop/theirs', action: 'adopt' as const }];
    expect(failures(await other.apply({ ...plan(other.change), leftOut }))).toEqual([]);
  });

  test('names all new children, sorted', async () => {
    const { platform, apply, change } = losing(['workload/shop/theirs']);
    for (const name of ['z', 'a']) platform.put(ref(`workload/shop/${name}`), {});
    const { result } = await apply(plan(change));
    expect(result.failed[0]?.error.message).toContain('from workload/shop/a, workload/shop/z, which');
  });

  test('of a deleted GVC is stale', async () => {
    const { platform, apply, change } = losing([]);
    platform.drop(gvc);
    expect((await apply(plan(change))).result.failed.map(({ error }) => error.message)).toEqual([
      `${gvc} has changed since the plan was made: it no longer exists`,
    ]);
  });

  test('is not preceded by lists if it removes nothing', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { tags: tags(gvc) });
    await apply(plan(patching(live, { description: 'other' })));
    expect(platform.log).not.toContain(`children ${gvc}`);
  });
});
