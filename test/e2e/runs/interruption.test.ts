import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Dice } from '../../fuzz/dice.ts';
import { sampled } from '../../harness/sampled.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { type Passing, startProxy, type Verdict } from '../harness/proxy.ts';
import { type Running, startGantry } from '../harness/running.ts';
import { ownedRecords, smallTown } from '../harness/smallTown.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const folder = temporaryFolder('interruption');
const platform = usePlatform();
let whole: Awaited<ReturnType<typeof ownedRecords>>;
const run = (...args: readonly string[]) => inProcess(platform, args, { cwd: folder });
async function destroy(): Promise<void> {
  await succeeded(run('destroy', '--yes', '--allow-data-loss=1'));
  expect(await ownedRecords(platform)).toEqual({});
}

beforeAll(async () => {
  writeFileSync(join(folder, 'gantry.yaml'), 'stack: town\n');
  writeFileSync(join(folder, 'town.yaml'), smallTown());
  await succeeded(run('apply', '.', '--yes'));
  whole = await ownedRecords(platform);
});
afterEach(destroy);

/** Runs a command as a process whose writes are disturbed; returns how it ended. */
async function goWrong(
  args: readonly string[],
  judge: (passing: Passing, running: Running) => Verdict,
  after: (passing: Passing, running: Running) => void = () => {},
) {
  let running: Running;
  const proxy = await startProxy(
    platform.url,
    (passing) => judge(passing, running),
    (passing) => after(passing, running),
  );
  running = startGantry(proxy.url, args, folder);
  const outcome = await running.ended;
  await proxy.close();
  return outcome;
}

/** The same in this process, which cannot be killed. */
async function throughProxy(args: readonly string[], judge: (passing: Passing) => Verdict | Promise<Verdict>) {
  const proxy = await startProxy(platform.url, judge);
  const outcome = await inProcess({ url: proxy.url }, args, { cwd: folder });
  await proxy.close();
  return { ...outcome, writes: proxy.seen.filter(({ isWrite }) => isWrite) };
}

async function expectConverged(): Promise<void> {
  await succeeded(run('apply', '.', '--yes'));
  expect(await ownedRecords(platform)).toEqual(whole);
  await succeeded(run('plan', '.', '--detailed-exitcode'));
}

describe('after kill -9 at any write, another run converges (law 5)', () => {
  const moments = [1, 6, 11].flatMap((write) => [
    { write, when: 'before it is carried out' as const },
    { write, when: 'after it was carried out' as const },
  ]);
  test.each(sampled(moments, 0, 3, 4))('apply killed at write $write, $when', async ({ write, when }) => {
    await destroy();
    const before = when === 'before it is carried out';
    const killed = await goWrong(
      ['apply', '.', '--yes'],
      (passing, { child }) => {
        if (!before || !passing.isWrite || passing.write !== write) return 'pass';
        child.kill('SIGKILL');
        return 'cut-before';
      },
      (passing, { child }) => {
        if (!before && passing.isWrite && passing.write === write) child.kill('SIGKILL');
      },
    );
    expect(killed.signal, killed.stdout + killed.stderr).toBe('SIGKILL');
    await expectConverged();
  });

  test.each(sampled([1, 3, 6], 1))('destroy killed after write %i continues where it stopped', async (write) => {
    await expectConverged();
    const killed = await goWrong(
      ['destroy', '--yes', '--allow-data-loss=1'],
      () => 'pass',
      (passing, { child }) => {
        if (passing.isWrite && passing.write === write) child.kill('SIGKILL');
      },
    );
    expect(killed.signal, killed.stdout + killed.stderr).toBe('SIGKILL');
    expect(Object.keys(await ownedRecords(platform)).length).toBeGreaterThan(0);
  });
});

describe('kill -9 in a replacement', () => {
  test.each(sampled([1, 2, 3], 1))('killed after write %i: another run replaces both records', async (write) => {
    await expectConverged();
    writeFileSync(join(folder, 'town.yaml'), smallTown(undefined, 'xfs'));
    const killed = await goWrong(
      ['apply', '.', '--yes', '--allow-data-loss=1'],
      () => 'pass',
      (passing, { child }) => {
        if (passing.isWrite && passing.write === write) child.kill('SIGKILL');
      },
    );
    expect(killed.signal, killed.stdout + killed.stderr).toBe('SIGKILL');
    await succeeded(run('apply', '.', '--yes', '--allow-data-loss=1'));
    await succeeded(run('plan', '.', '--detailed-exitcode'));
    expect((await ownedRecords(platform))['/org/local/gvc/town/volumeset/archive']).toMatchObject({
      spec: { fileSystemType: 'xfs' },
    });
    writeFileSync(join(folder, 'town.yaml'), smallTown());
  });
});

describe('a platform that fails', () => {
  const failures: readonly { readonly it: string; readonly verdict: Verdict }[] = [
    { it: '500 before anything is done', verdict: { status: 500 } },
    { it: '503', verdict: { status: 503, headers: { 'retry-after': '0' } } },
    { it: '429', verdict: { status: 429, headers: { 'retry-after': '0' } } },
    { it: 'a cut connection', verdict: 'cut-before' },
    { it: 'a cut connection after the commit', verdict: 'cut-after' },
  ];
  test.each(failures)(
    'the first write to each path fails with $it: one apply converges without duplicates',
    async ({ verdict }) => {
      await destroy();
      const met = new Set<string>();
      const applied = await throughProxy(['apply', '.', '--yes'], ({ isWrite, method, path }) => {
        const fresh = isWrite && !met.has(`${method} ${path}`);
        if (isWrite) met.add(`${method} ${path}`);
        return fresh ? verdict : 'pass';
      });
      expect(applied.code, applied.stdout + applied.stderr).toBe(0);
      expect(await ownedRecords(platform)).toEqual(whole);
      await expectConverged();
    },
  );

  test.each(sampled([15, 25, 35], 2))(
    'if %i of 100 writes are cut, retries and further runs lead to the same state as without faults',
    async (percent) => {
      const dice = new Dice(`cut-${percent}`);
      let cut = 0;
      const judge = ({ isWrite }: Passing): Verdict => {
        if (!isWrite || !dice.percent(percent)) return 'pass';
        cut += 1;
        return dice.one(['cut-before', 'cut-after']);
      };
      /** Repeats the command until a run succeeds. */
      const insist = async (...args: readonly string[]): Promise<void> => {
        const codes: (number | null)[] = [];
        while (codes.at(-1) !== 0 && codes.length < 8) codes.push((await throughProxy(args, judge)).code);
        expect(codes.at(-1), codes.join()).toBe(0);
      };
      await destroy();
      await insist('apply', '.', '--yes');
      expect(await ownedRecords(platform)).toEqual(whole);
      writeFileSync(join(folder, 'town.yaml'), smallTown('registry.example.com/town:2'));
      await insist('apply', '.', '--yes');
      expect(JSON.stringify(await ownedRecords(platform))).toContain('registry.example.com/town:2');
      writeFileSync(join(folder, 'town.yaml'), smallTown());
      await insist('apply', '.', '--yes');
      expect(await ownedRecords(platform)).toEqual(whole);
      await succeeded(run('plan', '.', '--detailed-exitcode'));
      await insist('destroy', '--yes', '--allow-data-loss=1');
      expect(await ownedRecords(platform)).toEqual({});
      expect(cut).toBeGreaterThan(0);
    },
  );

  test('a deletion whose answer is lost is not repeated for the next record of that name', async () => {
    await expectConverged();
    const lost = new Set<string>();
    const destroyed = await throughProxy(['destroy', '--yes', '--allow-data-loss=1'], ({ method, path }) => {
      if (method !== 'DELETE' || lost.has(path)) return 'pass';
      lost.add(path);
      return 'cut-after';
    });
    expect(destroyed.code, destroyed.stdout + destroyed.stderr).toBe(0);
    const deletions = destroyed.writes.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
    expect(deletions).toEqual([...new Set(deletions)]);
  });
});

describe('another writer between plan and apply', () => {
  const isGvcPatch = ({ method, path }: Passing) => method === 'PATCH' && path.startsWith('/org/local/gvc/town');
  async function changeBetween(meanwhile: () => Promise<unknown>) {
    await expectConverged();
    writeFileSync(join(folder, 'town.yaml'), smallTown('registry.example.com/town:2'));
    let done = false;
    const outcome = await throughProxy(['apply', '.', '--yes'], async (passing): Promise<Verdict> => {
      if (!done && isGvcPatch(passing) && !passing.path.includes('/workload/')) {
        done = true;
        await meanwhile();
      }
      return 'pass';
    });
    expect(done).toBe(true);
    writeFileSync(join(folder, 'town.yaml'), smallTown());
    return outcome;
  }

  test('on another field: our write continues, and theirs is kept', async () => {
    const theirs = { tags: { theirs: 'kept' } };
    const { code, stdout } = await changeBetween(() => platform.call('PATCH', '/org/local/gvc/town', theirs));
    expect(code, stdout).toBe(0);
    const { body } = await platform.call('GET', '/org/local/gvc/town');
    expect(body).toMatchObject({ description: 'registry.example.com/town:2', tags: { theirs: 'kept' } });
  });

  test('on our field: the change is stale and named, and no change that waits for it is written', async () => {
    const theirs = { description: 'theirs' };
    const { code, stdout } = await changeBetween(() => platform.call('PATCH', '/org/local/gvc/town', theirs));
    expect(code).toBe(4);
    expect(stdout).toContain('plan.stale');
    expect(stdout).toContain('description');
    expect((await platform.call('GET', '/org/local/gvc/town')).body['description']).toBe('theirs');
  });
});
