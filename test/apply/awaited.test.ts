import { describe, expect, test } from 'vitest';
import { filledOnly } from '../../src/apply/steps/awaited.ts';
import { failures, fakePlatform, writes } from './harness/harness.ts';
import { creating, following, plan, ref } from './harness/plans.ts';

const web = 'workload/shop/web';
const api = 'workload/shop/api';
const reference = `\${live.${web}:status.endpoint}`;
const taking = creating(api, { awaits: [reference], ...following(web) }, { description: `at ${reference}` });

describe('a value that a change takes from a live record', () => {
  test('is waited for, and written', async () => {
    const { platform, apply } = fakePlatform();
    platform.put(ref(web), {});
    platform.fault('read', web, { kind: 'meanwhile', happens: () => {} });
    const happens = () => void platform.put(ref(web), { status: { endpoint: 'https://web' } });
    platform.fault('read', web, { kind: 'meanwhile', happens });
    const { result, events } = await apply(plan(taking));
    expect(result).toMatchObject({ done: [api], verified: true });
    expect(events).toContainEqual({ type: 'waiting', id: api, for: `status.endpoint of ${web}` });
    expect((await platform.read(ref(api)))?.record['description']).toBe('at https://web');
  });

  test('and that stays away is an error that names it, and nothing is written', async () => {
    const { platform, apply } = fakePlatform();
    platform.put(ref(web), {});
    const applied = await apply(plan(taking));
    expect(failures(applied)).toEqual([`${api}: apply.awaited`]);
    expect(applied.result.failed[0]?.error.message).toBe(`the platform does not say status.endpoint of ${web}`);
    expect(writes(platform)).toEqual([]);
  });
});

test('a reference in the place of a value that is awaited is never sent', async () => {
  const { platform } = fakePlatform();
  const port = filledOnly(platform, plan(taking));
  const body = taking.create?.toSend();
  if (body === undefined) throw new Error('it is a creation');
  await expect(port.create(ref(api), body)).rejects.toMatchObject({ code: 'internal.live', resource: api });
  await expect(port.patch(ref(api), body)).rejects.toMatchObject({ code: 'internal.live', resource: api });
  expect(writes(platform)).toEqual([]);
  // Elsewhere the same text is text, which its author has escaped.
  await port.create(ref(web), body);
  expect(writes(platform)).toEqual([`create ${web}`]);
});
