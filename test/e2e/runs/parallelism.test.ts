import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { startProxy, type Verdict } from '../harness/proxy.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const folder = temporaryFolder('parallelism');
const names = Array.from({ length: 12 }, (_, index) => `crowd-${index}`);
const platform = usePlatform();
beforeAll(() => {
  writeFileSync(join(folder, 'gantry.yaml'), 'stack: crowd\n');
  writeFileSync(join(folder, 'all.yaml'), names.map((name) => `kind: group\nname: ${name}\n`).join('---\n'));
});

/**
 * The largest numbers of concurrent writes of one apply and of the destroy after it. No write is answered before
 * `atLeast` writes, or all remaining ones, have arrived.
 */
async function mostAtOnce(atLeast: number, ...flags: readonly string[]): Promise<readonly number[]> {
  const most: number[] = [];
  for (const command of [
    ['apply', '.'],
    ['destroy', '--max-deletes=12'],
  ]) {
    let [now, peak, answered] = [0, 0, 0];
    let enough = Promise.withResolvers<void>();
    const proxy = await startProxy(
      platform.url,
      async ({ isWrite }): Promise<Verdict> => {
        if (!isWrite) return 'pass';
        now += 1;
        peak = Math.max(peak, now);
        if (now >= Math.min(atLeast, names.length - answered)) enough.resolve();
        await enough.promise;
        return 'pass';
      },
      ({ isWrite }) => {
        if (!isWrite) return;
        now -= 1;
        answered += 1;
        if (now === 0) enough = Promise.withResolvers<void>();
      },
    );
    const { code, stdout } = await inProcess({ url: proxy.url }, [...command, '--yes', ...flags], { cwd: folder });
    await proxy.close();
    expect(code, stdout).toBe(0);
    most.push(peak);
  }
  return most;
}

test('--parallelism limits the changes that run at the same time; the default is higher', async () => {
  expect(await mostAtOnce(1, '--parallelism', '1')).toEqual([1, 1]);
  expect(await mostAtOnce(3, '--parallelism', '3')).toEqual([3, 3]);
  for (const peak of await mostAtOnce(4)) expect(peak).toBeGreaterThan(3);
});
