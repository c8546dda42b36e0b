import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { realClock } from '../../../src/server/core/clock.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { testPlatform } from '../platform.ts';

const root = temporaryFolder('clock');
afterEach(() => void vi.restoreAllMocks());

/** A clock beside the clock of its machine, both in milliseconds. */
function clockAt(wallMs: number) {
  const machine = { wallMs, elapsedMs: 0 };
  const clock = realClock(
    () => machine.wallMs,
    () => machine.elapsedMs,
  );
  return { machine, clock };
}

test('the time of the platform goes on although the clock of the machine is set back', () => {
  const { machine, clock } = clockAt(10_000);
  machine.wallMs = 4_000;
  expect(clock.now()).toBe(10_000);
  machine.elapsedMs = 1_500;
  expect(clock.now()).toBe(11_500);
});

test('the time of the platform follows a clock that is set forward, as after a suspended machine', () => {
  const { machine, clock } = clockAt(10_000);
  machine.wallMs = 90_000;
  machine.elapsedMs = 5;
  expect(clock.now()).toBe(90_000);
  machine.elapsedMs = 25;
  expect(clock.now()).toBe(90_020);
});

test('the clock does not stand before what it has observed', () => {
  const { machine, clock } = clockAt(10_000);
  clock.observe(12_000);
  clock.observe(11_000);
  machine.elapsedMs = 3;
  expect(clock.now()).toBe(12_003);
});

test('a platform that starts after its clock was set back goes on from its last write', async () => {
  const data = join(root, 'data.sqlite');
  const startedAt = (ms: number) => {
    vi.spyOn(Date, 'now').mockReturnValue(ms);
    return testPlatform({ data });
  };
  const before = await startedAt(Date.UTC(2026, 0, 1, 12));
  const { body: first } = await before.send('POST', 'group', { name: 'first' });
  await before.close();
  const after = await startedAt(Date.UTC(2026, 0, 1, 11));
  const { body: second } = await after.send('POST', 'group', { name: 'second' });
  await after.close();
  expect(String(first['created'])).toMatch(/^2026-01-01T12:00:/);
  expect(Date.parse(String(second['created']))).toBeGreaterThanOrEqual(Date.parse(String(first['created'])));
});
