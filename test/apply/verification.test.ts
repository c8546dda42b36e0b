import { describe, expect, test } from 'vitest';
import { fakePlatform } from './harness.ts';
import { creating, patching, plan, ref, stack, tags } from './plans.ts';

const gvc = 'gvc/shop';

describe('verification', () => {
  test('finds a record that went back behind what was written', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) }, 3);
    platform.fault('owned', stack, {
      kind: 'meanwhile',
      happens: () => platform.put(live.ref, live.record, 3, live.uid),
    });
    const { result } = await apply(plan(patching(live, { description: 'new' })));
    expect(result.verified).toBe(false);
    expect(result.differences).toEqual([`${gvc} was written as version 4, but is at version 3`]);
  });

  test('accepts later versions of other writers', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) }, 3);
    platform.fault('owned', stack, {
      kind: 'meanwhile',
      happens: () => platform.put(live.ref, live.record, 9, live.uid),
    });
    expect((await apply(plan(patching(live, { description: 'new' })))).result.verified).toBe(true);
  });

  test('that cannot be done says so', async () => {
    const { platform, apply } = fakePlatform();
    platform.fault('owned', stack, { kind: 'error', code: 'api.unavailable', message: 'no answer' });
    const { result } = await apply(plan(creating(gvc)));
    expect(result).toMatchObject({ verified: false, differences: [expect.stringContaining('no answer')] });
  });
});
