import { describe, expect, test } from 'vitest';
import type { PlatformPort } from '../../src/apply/port/port.ts';
import type { ApplyResult } from '../../src/apply/report/events.ts';
import { runApply } from '../../src/apply/runApply.ts';
import { Capabilities } from '../../src/capabilities/capabilities.ts';
import type { LiveResource } from '../../src/manifest/live/snapshot.ts';
import type { DesiredResource } from '../../src/manifest/model/manifest.ts';
import { makePlan } from '../../src/plan/makePlan.ts';
import type { Change } from '../../src/plan/model/change.ts';
import { makeReplan } from '../../src/plan/replan.ts';
import { ModelPlatform } from '../plan/model.ts';
import { declare, live, options, owner } from '../plan/world.ts';
import { FakeClock, type FakePlatform } from './harness/fakePlatform.ts';
import { fakePlatform } from './harness/harness.ts';
import { body, change, creating, deleting, patching, plan, ref, stack, tags } from './harness/plans.ts';

const gvc = 'gvc/shop';

function forgetting({ id, uid, version }: LiveResource): Change {
  return change(id, {
    action: 'forget',
    patch: body({ tags: { 'gantry/stack': null, 'gantry/applied': null }, id: uid, version }),
    expected: body({}),
    liveUid: uid,
    liveVersion: version,
  });
}

function keeping({ id, uid, version }: LiveResource): Change {
  return change(id, { action: 'keep', liveUid: uid, liveVersion: version });
}

/** A run of one change, during whose verification something happens to its record. */
async function verifying(
  made: (live: LiveResource) => Change,
  meanwhile: (platform: FakePlatform, live: LiveResource) => void,
) {
  const { platform, apply } = fakePlatform();
  const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) }, 3);
  platform.fault('owned', stack, { kind: 'meanwhile', happens: () => meanwhile(platform, live) });
  return (await apply(plan(made(live)))).result;
}

describe('verification', () => {
  const patched = (live: LiveResource) => patching(live, { description: 'new' });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'that went back behind what was written', made: patched,
        meanwhile: (platform: FakePlatform, live: LiveResource) => platform.put(live.ref, live.record, 3, live.uid),
        difference: 'was written as version 4, but is at version 3' },
      { it: 'in which somebody else undid what was written', made: patched,
        meanwhile: (platform: FakePlatform, live: LiveResource) => platform.put(live.ref,
          { ...live.record, tags: tags(gvc, 4) }, 9, live.uid),
        difference: 'was written, but somebody else wrote it since (version 4 to 9): description' },
      { it: 'that is gone', made: patched, meanwhile: (platform: FakePlatform) => platform.drop(gvc),
        difference: 'was written, but no longer exists or is no longer owned' },
      { it: 'in whose place another one is, at a later version', made: patched,
        meanwhile: (platform: FakePlatform, live: LiveResource) => platform.put(live.ref, live.record, 9, 'another'),
        difference: 'was written, but another record has its name now' },
      { it: 'that was deleted and is there', made: (live: LiveResource) => deleting(live),
        meanwhile: (platform: FakePlatform, live: LiveResource) => platform.put(live.ref, live.record, 3, live.uid),
        difference: 'was deleted, but exists again' },
      { it: 'that was forgotten and is owned', made: forgetting,
        meanwhile: (platform: FakePlatform, live: LiveResource) => platform.put(live.ref, live.record, 5, live.uid),
        difference: 'was forgotten, but is owned again' },
    ],
  )('finds a record $it', async ({ made, meanwhile, difference }) => {
    expect(await verifying(made, meanwhile)).toMatchObject({ verified: false, differences: [`${gvc} ${difference}`] });
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'later versions of other writers, in which what was written still stands', made: patched,
        meanwhile: (platform: FakePlatform, live: LiveResource) => platform.put(live.ref,
          { ...live.record, description: 'new', tags: { ...tags(gvc, 4), theirs: 'x' } }, 9, live.uid) },
      { it: 'another record under the name of one that was deleted', made: (live: LiveResource) => deleting(live),
        meanwhile: (platform: FakePlatform, live: LiveResource) => platform.put(live.ref, live.record, 1, 'another') },
    ],
  )('accepts $it', async ({ made, meanwhile }) => {
    const result = await verifying(made, meanwhile);
    expect(result.verified).toBe(true);
    expect(result).not.toHaveProperty('differences');
  });

  test('names the differences in their order, not in that of the writes', async () => {
    const { platform, apply } = fakePlatform();
    const happens = () => ['secret/b', 'secret/a'].map((id) => platform.drop(id));
    platform.fault('owned', stack, { kind: 'meanwhile', happens });
    const { result } = await apply(plan(creating('secret/b'), creating('secret/a')), { concurrency: 1 });
    expect(result.differences?.map((text) => text.split(' ')[0])).toEqual(['secret/a', 'secret/b']);
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'that was deleted during the run', meanwhile: (platform: FakePlatform) => platform.drop('group/kept'),
        difference: 'was unchanged, but no longer exists or is no longer owned' },
      { it: 'in whose place another record is',
        meanwhile: (platform: FakePlatform, { ref, record }: LiveResource) => platform.put(ref, record, 2, 'another'),
        difference: 'was unchanged, but another record has its name now' },
      { it: 'that went back to an earlier version',
        meanwhile: (platform: FakePlatform, { ref, record, uid }: LiveResource) => platform.put(ref, record, 1, uid),
        difference: 'was unchanged at version 2, but is at version 1' },
    ],
  )('finds an unchanged record $it', async ({ meanwhile, difference }) => {
    const { platform, apply } = fakePlatform();
    const kept = platform.put(ref('group/kept'), { tags: tags('group/kept') }, 2);
    platform.fault('owned', stack, { kind: 'meanwhile', happens: () => meanwhile(platform, kept) });
    const { result } = await apply(plan(creating(gvc), keeping(kept)));
    expect(result).toMatchObject({ verified: false, differences: [`group/kept ${difference}`] });
  });

  test.each([
    {
      it: 'and plans it again: a difference is one',
      replan: (live: LiveResource) => patching(live, { tags: {} }),
      verified: false,
    },
    { it: 'and plans it again: what leaves nothing to do is right', replan: () => undefined, verified: true },
  ])('sees that somebody else wrote an unchanged record $it', async ({ replan, verified }) => {
    const { platform, apply } = fakePlatform();
    Object.assign(platform, { capabilities: new Capabilities([['version.plus-one', 'holds']]) });
    const kept = platform.put(ref('group/kept'), { tags: tags('group/kept') }, 2);
    const happens = () => platform.put(kept.ref, kept.record, 3, kept.uid);
    platform.fault('owned', stack, { kind: 'meanwhile', happens });
    const { result } = await apply(plan(creating(gvc), keeping(kept)), {
      declares: () => true,
      replan: (_, live) => replan(live),
    });
    expect(result.verified).toBe(verified);
    if (verified) expect(result.compared).toMatchObject({ rewritten: ['group/kept'], notCompared: [] });
  });

  test('takes a value that nobody may read for no change of somebody else', async () => {
    const { platform, apply } = fakePlatform();
    const secret = platform.put(ref('secret/kept'), { tags: tags('secret/kept') }, 2);
    const happens = () => platform.put(secret.ref, { ...secret.record, status: { at: 3 } }, 3, secret.uid);
    platform.fault('owned', stack, { kind: 'meanwhile', happens });
    const { result } = await apply(plan(creating(gvc), keeping(secret)), {
      declares: () => true,
      replan: (_, now) => ({ ...patching(now, {}), fields: [{ path: 'data.password' }] }),
    });
    expect(result).toMatchObject({ verified: true, compared: { notCompared: ['secret/kept'] } });
  });

  test('blames nobody for a newer version where versions do not tell that somebody wrote', async () => {
    const { platform, apply } = fakePlatform();
    const secret = platform.put(ref('secret/kept'), { tags: tags('secret/kept') }, 2);
    const happens = () => platform.put(secret.ref, secret.record, 3, secret.uid);
    platform.fault('owned', stack, { kind: 'meanwhile', happens });
    const { result } = await apply(plan(creating(gvc), keeping(secret)), {
      declares: () => true,
      replan: () => undefined,
    });
    expect(result).toMatchObject({ verified: true, compared: { unchanged: 1, rewritten: [] } });
  });

  test('says which records were not compared, because nothing says how they are declared', async () => {
    const { platform, apply } = fakePlatform();
    const kept = platform.put(ref('group/kept'), { tags: tags('group/kept') }, 2);
    platform.put(kept.ref, kept.record, 3, kept.uid);
    const { result } = await apply(plan(creating(gvc), keeping(kept)));
    expect(result).toMatchObject({ verified: true, compared: { rewritten: [], notCompared: ['group/kept'] } });
  });

  test.each([{ unowned: true }, { unchecked: true }] as const)(
    'expects nothing of what is kept and %o',
    async (mark) => {
      const { apply } = fakePlatform();
      const { result } = await apply(plan(creating(gvc), change('group/kept', { action: 'keep', ...mark })));
      expect(result).toMatchObject({ verified: true, compared: { written: 1, unchanged: 0 } });
    },
  );

  test('of two runs of one stack, neither of which left what it declares, one does not call itself verified', async () => {
    const platform = new ModelPlatform();
    const declared = (a: string, b: string): readonly DesiredResource[] => [
      declare('group/a', { description: a }),
      declare('group/b', { description: b }),
    ];
    const planned = (desired: readonly DesiredResource[]) => {
      const now = platform.snapshot();
      return { made: makePlan(desired, now, options), replan: makeReplan(desired, now, options) };
    };
    const run = ({ made, replan }: ReturnType<typeof planned>, port: PlatformPort) =>
      runApply(made, port, { clock: new FakeClock(), random: () => 0, concurrency: 1, replan, declares: () => true });
    await run(planned(declared('0', '0')), platform.port(owner));

    // Their run is planned between our two writes, and our second write comes before their verification.
    const port = platform.port(owner);
    const theirs: ApplyResult[] = [];
    const held: PlatformPort['patch'] = async (target, document) => {
      if (target.name === 'a') return port.patch(target, document);
      let ours: Promise<LiveResource> | undefined;
      const owned: PlatformPort['owned'] = async (...given) => {
        ours ??= port.patch(target, document);
        await ours;
        return port.owned(...given);
      };
      theirs.push(await run(planned(declared('2', '0')), { ...port, owned }));
      return ours ?? port.patch(target, document);
    };
    const ours = await run(planned(declared('1', '1')), { ...port, patch: held });
    expect(['a', 'b'].map((name) => platform.read({ kind: 'group', name })?.record['description'])).toEqual(['2', '1']);
    expect(ours.done).toEqual(['group/a', 'group/b']);
    expect([ours, ...theirs].map(({ verified }) => verified)).toEqual([false, false]);
  });

  test('asks once, for the kinds that were written or are declared', async () => {
    const platform = new ModelPlatform();
    const port = platform.port(stack);
    const asked: unknown[] = [];
    const watched = {
      ...port,
      owned: (...given: Parameters<typeof port.owned>) => {
        asked.push(given);
        return port.owned(...given);
      },
    };
    platform.put([live('group/kept', {}, { owner: stack })]);
    const kept = change('group/kept', { action: 'keep' });
    const made = plan(creating('gvc/a', {}, { description: 'made', spec: {} }), creating('gvc/b'), kept);
    const { verified } = await runApply(made, watched, { clock: new FakeClock() });
    expect(verified).toBe(true);
    expect(asked).toEqual([[stack, ['gvc', 'group'], ['gvc/a', 'gvc/b', 'group/kept'].map(ref)]]);
  });

  test('says what a stack that is destroyed still has, although no list showed it to the plan', async () => {
    const { platform, apply } = fakePlatform();
    const shown = platform.put(ref('group/shown'), { tags: tags('group/shown') }, 3);
    platform.put(ref('group/unseen'), { tags: tags('group/unseen') }, 1);
    const { result } = await apply(plan(deleting(shown)), { endsEmpty: true });
    expect(result.verified).toBe(false);
    expect(result.differences).toEqual([
      'group/unseen belongs to this stack, was not known to the plan, and is still there',
    ]);
  });

  test('is left to the caller where it is told so', async () => {
    const { platform, apply } = fakePlatform();
    const { result } = await apply(plan(creating(gvc)), { verifies: false });
    expect(result).toMatchObject({ done: [gvc], verified: undefined });
    expect(platform.log).toEqual([`create ${gvc}`]);
  });

  test('that cannot be done says so', async () => {
    const { platform, apply } = fakePlatform();
    platform.fault('owned', stack, { kind: 'error', code: 'api.unavailable', message: 'no answer' });
    const { result } = await apply(plan(creating(gvc)));
    expect(result).toMatchObject({ verified: false, differences: [expect.stringContaining('no answer')] });
  });

  test.each(['create', 'owned'] as const)('a mistake of our own in %s is not an outcome: it is thrown', async (of) => {
    const port = new ModelPlatform().port(stack);
    const broken = { ...port, [of]: () => Promise.reject(new TypeError('ours')) };
    await expect(runApply(plan(creating(gvc)), broken, { clock: new FakeClock() })).rejects.toThrow(TypeError);
  });
});
