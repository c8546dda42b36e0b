import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { bothAtOnce } from '../harness/bothAtOnce.ts';
import { inProcess } from '../harness/inProcess.ts';
import { ownedRecords, smallTown } from '../harness/smallTown.ts';
import { usePlatform } from '../harness/usePlatform.ts';

/** Two processes of one stack at the same time: there is no lock, and compare-and-set makes one of them stale. */
const root = temporaryFolder('two');
const platform = usePlatform();

function project(name: string, image?: string): string {
  const folder = mkdtempSync(join(root, name));
  writeFileSync(join(folder, 'gantry.yaml'), 'stack: town\n');
  writeFileSync(join(folder, 'town.yaml'), smallTown(image));
  return folder;
}

const one = project('one');
const run = (...args: readonly string[]) => inProcess(platform, args, { cwd: one });

describe('two processes with the same code', () => {
  beforeEach(async () => {
    const gone = await run('destroy', '--yes', '--allow-data-loss=1', '--stack', 'town');
    if (gone.code !== 0) await run('destroy', '--yes');
  });

  test('creating: the result is that of one apply, and the next plan is empty', async () => {
    const outcomes = await bothAtOnce(platform, [one, project('same')], ['apply', '.', '--yes']);
    for (const { code, stderr, stdout } of outcomes) expect(code, stdout + stderr).toBe(0);
    await succeeded(run('plan', '.', '--detailed-exitcode'));
    const gvc = await platform.call('GET', '/org/local/gvc/town');
    expect(gvc.body['version']).toBe(2);
  });

  test('destroying: everything is deleted and nothing fails', async () => {
    expect((await run('apply', '.', '--yes')).code).toBe(0);
    const outcomes = await bothAtOnce(platform, [one, project('same')], ['destroy', '--yes', '--allow-data-loss=1']);
    for (const { code, stderr, stdout } of outcomes) expect(code, stdout + stderr).toBe(0);
    expect(await ownedRecords(platform)).toEqual({});
  });
});

describe('two processes with different code', () => {
  test('each record matches one of the two, the other process is stale, and the next apply settles it', async () => {
    expect((await run('apply', '.', '--yes')).code).toBe(0);
    const red = project('red', 'registry.example.com/town:red');
    const blue = project('blue', 'registry.example.com/town:blue');
    const outcomes = await bothAtOnce(platform, [red, blue], ['apply', '.', '--yes']);
    const stale = outcomes.filter(({ code }) => code === 4 || code === 5);
    expect(stale.length).toBeGreaterThan(0);
    for (const { stdout } of stale) {
      expect(stdout).toContain('plan.stale');
      expect(stdout).not.toContain('apply.divergence');
    }
    await succeeded(inProcess(platform, ['apply', '.', '--yes'], { cwd: red }));
    for (const record of Object.values(await ownedRecords(platform))) {
      expect(JSON.stringify(record)).not.toContain('town:blue');
    }
    expect((await inProcess(platform, ['plan', '.', '--detailed-exitcode'], { cwd: red })).code).toBe(0);
  });
});
