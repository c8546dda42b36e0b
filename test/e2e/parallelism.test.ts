import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gantry } from './harness/gantry.ts';
import { type Platform, startPlatform } from './harness/platform.ts';
import { startProxy } from './proxy.ts';

const folder = mkdtempSync(join(tmpdir(), 'gantry-parallelism-'));
const names = Array.from({ length: 12 }, (_, index) => `crowd-${index}`);
let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform(['--latency', '20ms']);
  writeFileSync(join(folder, 'gantry.yaml'), 'stack: crowd\n');
  writeFileSync(join(folder, 'all.yaml'), names.map((name) => `kind: group\nname: ${name}\n`).join('---\n'));
});
afterAll(async () => {
  await platform.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** How many writes of one apply, and of the destroy after it, are under way at once, at most. */
async function mostAtOnce(...flags: readonly string[]): Promise<readonly number[]> {
  const most: number[] = [];
  for (const command of [
    ['apply', '.'],
    ['destroy', '--max-deletes=12'],
  ]) {
    let [now, peak] = [0, 0];
    const proxy = await startProxy(
      platform.url,
      ({ isWrite }) => {
        if (isWrite) now += 1;
        peak = Math.max(peak, now);
        return 'pass';
      },
      ({ isWrite }) => {
        if (isWrite) now -= 1;
      },
    );
    const { code, stdout } = await gantry({ ...platform, url: proxy.url }, [...command, '--yes', ...flags], {
      cwd: folder,
    });
    await proxy.close();
    expect(code, stdout).toBe(0);
    most.push(peak);
  }
  return most;
}

test('--parallelism is the most changes that are worked on at a time; without it there are more', async () => {
  expect(await mostAtOnce('--parallelism', '1')).toEqual([1, 1]);
  expect(await mostAtOnce('--parallelism', '3')).toEqual([3, 3]);
  for (const peak of await mostAtOnce()) expect(peak).toBeGreaterThan(3);
});
