import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { startProxy, type Verdict } from '../harness/proxy.ts';
import { startGantry } from '../harness/running.ts';
import { ownedRecords, smallTown } from '../harness/smallTown.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const folder = temporaryFolder('faults');
const forReads: readonly Verdict[] = [{ status: 500 }, { status: 503 }, { status: 429 }, 'cut-before', 'cut-after'];
const forWrites: readonly Verdict[] = [...forReads, { status: 409, body: { status: 409, message: 'busy' } }];

/** A repeatable source of numbers in [0, 1). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state / 0x8000_0000;
  };
}

const random = numbers(7);
const choose = <T>(among: readonly T[]): T | undefined => among[Math.floor(random() * among.length)];

const platform = usePlatform();
let proxy: Awaited<ReturnType<typeof startProxy>>;
/** How often each request failed since its last answer: the third attempt always passes, so that retries suffice. */
const failures = new Map<string, number>();
/** Called at each write; it kills a run at its third one. */
let onWrite: () => void = () => {};
beforeAll(async () => {
  writeFileSync(join(folder, 'gantry.yaml'), 'stack: town\n');
  proxy = await startProxy(platform.url, ({ isWrite, method, path }) => {
    if (isWrite) onWrite();
    const request = `${method} ${path}`;
    const failed = failures.get(request) ?? 0;
    const verdict = failed < 2 && random() < 0.2 ? (choose(isWrite ? forWrites : forReads) ?? 'pass') : 'pass';
    failures.set(request, verdict === 'pass' ? 0 : failed + 1);
    return verdict;
  });
});
afterAll(async () => {
  await proxy.close();
});

/** `--allow-data-loss` must be exact: 1 if the volume holds data, and absent otherwise. */
async function through(url: string, ...args: readonly string[]) {
  for (const flags of [[], ['--allow-data-loss=1']]) {
    const outcome = await inProcess({ url }, [...args, '--yes', ...flags], { cwd: folder });
    if (!outcome.stdout.includes('refused delete.data')) return outcome;
  }
  throw new Error('refused with and without the flag');
}

test('if every fifth request fails and some runs are killed, each successful run ends in the same state (law 5)', async () => {
  const seen = new Map<string, unknown>();
  for (let round = 0; round < 8; round += 1) {
    const image = `town:${choose([1, 2])}`;
    const fileSystem = choose(['ext4', 'xfs']);
    writeFileSync(join(folder, 'town.yaml'), smallTown(image, fileSystem));
    if (random() < 0.4) {
      const { child, ended } = startGantry(proxy.url, ['apply', '.', '--yes', '--allow-data-loss=1'], folder);
      let left = 3;
      onWrite = () => {
        left -= 1;
        if (left === 0) child.kill('SIGKILL');
      };
      await ended;
      onWrite = () => {};
      await proxy.idle();
    }
    await succeeded(through(proxy.url, 'apply', '.'));
    const now = await ownedRecords(platform);
    const key = `${image} ${fileSystem}`;
    if (!seen.has(key)) seen.set(key, now);
    expect(now).toEqual(seen.get(key));
    expect((await inProcess(platform, ['plan', '.', '--detailed-exitcode'], { cwd: folder })).code).toBe(0);
  }
  await succeeded(through(proxy.url, 'destroy'));
  expect(await ownedRecords(platform)).toEqual({});
});
