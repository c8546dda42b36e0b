import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inProcess } from '../../harness/inProcess.ts';
import { startGantry } from '../../harness/running.ts';
import { smallTown } from '../../harness/smallTown.ts';
import { usePlatform } from '../../harness/usePlatform.ts';

const folder = mkdtempSync(join(tmpdir(), 'gantry-show-'));
const elsewhere = mkdtempSync(join(tmpdir(), 'gantry-show-elsewhere-'));
const file = join(folder, 'town.plan');
const printed: Record<string, string> = {};
const platform = usePlatform();

/** Runs a command without a platform and without manifests. */
const alone = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  inProcess(undefined, args, { cwd: elsewhere, env });

beforeAll(async () => {
  writeFileSync(join(folder, 'gantry.yaml'), 'stack: town\n');
  writeFileSync(join(folder, 'town.yaml'), smallTown());
  for (const flags of [['--patch'], ['-o', 'json'], ['-o', 'yaml'], ['--out', 'town.plan']]) {
    const { code, stdout, stderr } = await inProcess(platform, ['plan', '.', ...flags], { cwd: folder });
    expect(code, stderr).toBe(0);
    printed[flags.join(' ')] = stdout;
  }
});
afterAll(async () => {
  for (const each of [folder, elsewhere]) rmSync(each, { recursive: true, force: true });
});

/** Starts serving a page and returns its address. With CI set, no browser is opened. */
async function opened(...flags: readonly string[]) {
  const { child, ended } = startGantry('', ['show', file, '--open', ...flags], elsewhere, { CI: 'true' });
  const address = await new Promise<string>((resolve) => {
    let said = '';
    child.stderr?.on('data', (part) => {
      said += String(part);
      const [, found] = /Report: (http:\/\/127\.0\.0\.1:\d+\/\S+)\n/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => resolve(said));
  });
  return { child, ended, address };
}

test('gantry show FILE --open serves its report on loopback until it is interrupted', async () => {
  const { child, ended, address } = await opened();
  const page = await fetch(address);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('<title>Saved plan of town</title>');
  expect((await fetch(new URL('/', address))).status).toBe(404);
  child.kill('SIGINT');
  expect(await ended).toEqual({
    code: 0,
    signal: null,
    stdout: '',
    stderr: `Report: ${address}\nNo browser was opened: this is a pipeline (CI is set). Press Ctrl-C to stop serving it.\n`,
  });
  await expect(fetch(address)).rejects.toThrow();
});

test.each([
  { flags: ['--patch'], prints: '--patch' },
  { flags: ['-o', 'json'], prints: '-o json' },
])('gantry show FILE --open $flags prints the plan too, in this form', async ({ flags, prints }) => {
  const { child, ended, address } = await opened(...flags);
  expect((await fetch(address)).status).toBe(200);
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 0, stdout: printed[prints] });
});

describe('gantry show FILE', () => {
  test('prints the same as plan, without a platform and without manifests', async () => {
    const shown = await alone(['show', file]);
    expect(shown).toEqual({ code: 0, stdout: printed['--out town.plan'], stderr: '' });
    expect((await alone(['show', file, '--patch'])).stdout).toBe(printed['--patch']);
  });

  test('prints the same JSON and YAML as plan, byte for byte', async () => {
    expect((await alone(['show', file, '-o', 'json'])).stdout).toBe(printed['-o json']);
    const yaml = await alone(['show', file, '-o', 'yaml']);
    expect(yaml.stdout).toBe(printed['-o yaml']);
    expect(load(yaml.stdout)).toMatchObject({ stack: 'town', refused: false });
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'one byte was changed', change: (text: string) => text.replace('"town"', '"twon"'), code: 'saved.tampered',
        exit: 3 },
      { it: 'the end is missing', change: (text: string) => text.slice(0, text.length / 2), code: 'saved.damaged',
        exit: 1 },
      { it: 'it is a manifest', change: () => 'kind: group\nname: x\n', code: 'saved.damaged', exit: 1 },
      { it: 'it is empty', change: () => '', code: 'saved.damaged', exit: 1 },
    ],
  )('refuses a file where $it, as apply does', async ({ change, code, exit }) => {
    const other = join(elsewhere, 'other.plan');
    writeFileSync(other, change(readFileSync(file, 'utf8')));
    const shown = await alone(['show', other, '-o', 'json']);
    expect(shown.code).toBe(exit);
    expect(JSON.parse(shown.stdout)).toMatchObject({ error: { code } });
  });

  test('refuses a file that was saved without a key if a key is set', async () => {
    const { code, stdout, stderr } = await alone(['show', file], { GANTRY_SECRET_KEY: 'x'.repeat(44) });
    expect(code).toBe(3);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^error saved\.unsigned/);
  });

  test('names a file that does not exist', async () => {
    const { code, stdout } = await alone(['show', 'absent.plan', '-o', 'json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'file.read', place: { file: 'absent.plan' } } });
  });
});
