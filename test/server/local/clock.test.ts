import { afterEach, expect, test } from 'vitest';
import { stringAt } from '../../../src/base/json/json.ts';
import { type TestPlatform, testPlatform } from '../platform.ts';

let platform: TestPlatform | undefined;
afterEach(() => platform?.close());

async function started(options: Parameters<typeof testPlatform>[0]): Promise<TestPlatform> {
  platform = await testPlatform(options);
  return platform;
}

test('a virtual clock stands still until it is stepped, and moves by exactly the step', async () => {
  const { send } = await started({ clock: 'virtual' });
  const before = await send('GET', '/-clock');
  const again = await send('GET', '/-clock');
  expect(again.body).toEqual(before.body);
  const after = await send('POST', '/-clock', { advance: '36h' });
  const passed = Date.parse(stringAt(after.body, 'now') ?? '') - Date.parse(stringAt(before.body, 'now') ?? '');
  expect(passed).toBe(36 * 3_600_000);
  const told = Date.parse(after.headers.get('date') ?? '') - Date.parse(before.headers.get('date') ?? '');
  expect(told).toBe(36 * 3_600_000);
});

test.each([0.4, '0.4ms', '1.1h'])('a snapshot after a step of %s can be loaded', async (advance) => {
  const { send } = await started({ clock: 'virtual' });
  expect((await send('POST', '/-clock', { advance })).status).toBe(200);
  await send('POST', 'group', { name: 'readers' });
  const { body } = await send('GET', '/-snapshot?secrets=true');
  expect((await send('PUT', '/-snapshot', body)).status).toBe(200);
});

test('a real clock cannot be stepped', async () => {
  const { send } = await started({});
  expect((await send('POST', '/-clock', { advance: '1h' })).status).toBe(400);
  expect((await send('GET', '/-clock')).body).toMatchObject({ clock: 'real' });
});

test.each([
  [{}],
  [{ advance: 'soon' }],
  [{ advance: -5 }],
  [{ advance: true }],
  [{ advance: '1h 2' }],
  [{ advance: 1e300 }],
  [{ advance: '367d' }],
])('a step of %j is refused', async (body) => {
  const { send } = await started({ clock: 'virtual' });
  expect((await send('POST', '/-clock', body)).status).toBe(400);
});

test('local-only endpoints do not exist without the option dev', async () => {
  const { send } = await started({ dev: false });
  for (const path of ['/-clock', '/-faults', '/-snapshot']) expect((await send('GET', path)).status).toBe(404);
});
