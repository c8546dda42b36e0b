import { expect, test } from 'vitest';
import type { PlatformPort } from '../../../src/apply/port.ts';
import { countCalls } from '../../../src/apply/runApply.ts';
import { requestBody } from '../../../src/manifest/model/body.ts';
import { ModelPlatform } from '../../plan/model.ts';
import { owner } from '../../plan/world.ts';

const gvc = { kind: 'gvc', name: 'shop' } as const;

/** Each call once, to a GVC that is created and deleted again. */
async function callAll(port: PlatformPort): Promise<void> {
  await port.tryCreate(gvc, requestBody({ name: 'shop' }));
  const { uid, version } = await port.create(gvc, requestBody({ name: 'shop', tags: { 'gantry/stack': owner } }));
  await port.patch(gvc, requestBody({ description: 'a', id: uid, version }));
  expect(await port.read(gvc)).toMatchObject({ version: 2, record: { description: 'a' } });
  expect(await port.children('shop')).toEqual([]);
  expect(await port.deployments(gvc)).toEqual([]);
  expect(await port.owned(owner, ['gvc'])).toHaveLength(1);
  await port.delete(gvc);
  expect(await port.read(gvc)).toBeUndefined();
}

test('without its own count, each call of a port counts once', async () => {
  const { counted, requests } = countCalls(new ModelPlatform().port(owner));
  expect(requests()).toBe(0);
  await callAll(counted);
  expect(requests()).toBe(9);
});

test('the count of the port itself starts with the run and includes repetitions', async () => {
  let sent = 40;
  const { counted, requests } = countCalls({ ...new ModelPlatform().port(owner), requests: () => sent });
  await callAll(counted);
  expect(requests()).toBe(0);
  sent = 57;
  expect(requests()).toBe(17);
});
