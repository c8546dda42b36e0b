import { describe, expect, test } from 'vitest';
import { runApply } from '../../src/apply/runApply.ts';
import type { LiveResource } from '../../src/manifest/live/snapshot.ts';
import type { Change } from '../../src/plan/model/change.ts';
import { ModelPlatform } from '../plan/model.ts';
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

  test.each([
    {
      it: 'that went back behind what was written',
      made: patched,
      meanwhile: (platform: FakePlatform, live: LiveResource) => platform.put(live.ref, live.record, 3, live.uid),
      difference: 'was written as version 4, but is at version 3',
    },
    {
      it: 'that is gone',
      made: patched,
      meanwhile: (platform: FakePlatform) => platform.drop(gvc),
      difference: 'was written, but no longer exists or is no longer owned',
    },
    {
      it: 'in whose place another one is, at a later version',
      made: patched,
      meanwhile: (platform: FakePlatform, live: LiveResource) => platform.put(live.ref, live.record, 9, 'another'),
      difference: 'was written, but another record has its name now',
    },
    {
      it: 'that was deleted and is there',
      made: (live: LiveResource) => deleting(live),
      meanwhile: (platform: FakePlatform, live: LiveResource) => platform.put(live.ref, live.record, 3, live.uid),
      difference: 'was deleted, but exists again',
    },
    {
      it: 'that was forgotten and is owned',
      made: forgetting,
      meanwhile: (platform: FakePlatform, live: LiveResource) => platform.put(live.ref, live.record, 5, live.uid),
      difference: 'was forgotten, but is owned again',
    },
  ])('finds a record $it', async ({ made, meanwhile, difference }) => {
    expect(await verifying(made, meanwhile)).toMatchObject({ verified: false, differences: [`${gvc} ${difference}`] });
  });

  test.each([
    {
      it: 'later versions of other writers',
      made: patched,
      meanwhile: (platform: FakePlatform, live: LiveResource) => platform.put(live.ref, live.record, 9, live.uid),
    },
    {
      it: 'another record under the name of one that was deleted',
      made: (live: LiveResource) => deleting(live),
      meanwhile: (platform: FakePlatform, live: LiveResource) => platform.put(live.ref, live.record, 1, 'another'),
    },
  ])('accepts $it', async ({ made, meanwhile }) => {
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

  test('asks once, for the kinds that were written', async () => {
    const port = new ModelPlatform().port(stack);
    const asked: unknown[] = [];
    const watched = {
      ...port,
      owned: (...given: Parameters<typeof port.owned>) => {
        asked.push(given);
        return port.owned(...given);
      },
    };
    const kept = change('group/kept', { action: 'keep' });
    const made = plan(creating('gvc/a', {}, { description: 'made', spec: {} }), creating('gvc/b'), kept);
    const { verified } = await runApply(made, watched, { clock: new FakeClock() });
    expect(verified).toBe(true);
    expect(asked).toEqual([[stack, ['gvc']]]);
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
