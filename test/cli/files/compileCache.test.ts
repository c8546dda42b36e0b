import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { filesBelow } from '../../harness/filesBelow.ts';
import type { Outcome } from '../../outcome.ts';
import { makeStackFolder, type StackFolder, stackOf } from '../../project/stack/stackFolder.ts';

const canary = 'canary-7f3a91c2';
let folder: StackFolder;
let cache = '';
let temporary = '';

beforeEach(() => {
  folder = makeStackFolder();
  cache = join(folder.path, 'cache');
  temporary = join(folder.path, 'tmp');
  mkdirSync(cache, { mode: 0o700 });
  mkdirSync(temporary, { mode: 0o700 });
  folder.write('stack.ts', stackOf(`const password: string = '${canary}';\nexport const kept = password.length;`));
});
afterEach(() => folder.remove());

async function runWell(env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const outcome = await folder.start(['validate'], { XDG_CACHE_HOME: cache, TMPDIR: temporary, ...env }).ended;
  expect(outcome).toMatchObject({ code: 0, stdout: '1 resource is valid\n', stderr: '' });
  return outcome;
}

test('the compile cache is in a private folder, and contains nothing of a stack', async () => {
  await runWell();
  await runWell();
  const compiled = join(cache, 'gantry', 'compiled');
  expect(lstatSync(compiled).mode & 0o777).toBe(0o700);
  expect(filesBelow(compiled).length).toBeGreaterThan(5);
  for (const file of [...filesBelow(cache), ...filesBelow(temporary)]) {
    const bytes = readFileSync(file);
    expect([bytes.includes(canary), bytes.includes(Buffer.from(canary, 'utf16le'))], file).toEqual([false, false]);
  }
  expect(readdirSync(temporary)).toEqual([]);
});

test('a compile cache that the user configured for all programs gets nothing of a stack', async () => {
  await runWell({ NODE_COMPILE_CACHE: join(cache, 'node') });
  expect(readdirSync(join(cache, 'gantry/compiled'))).toEqual(['types']);
  for (const file of filesBelow(cache)) expect(readFileSync(file).includes(canary), file).toBe(false);
});

test('without an absolute XDG_CACHE_HOME the cache is in the home folder', async () => {
  await runWell({ XDG_CACHE_HOME: 'cache' });
  expect(filesBelow(join(folder.path, '.cache/gantry/compiled')).length).toBeGreaterThan(5);
  expect(readdirSync(cache)).toEqual([]);
});

test.each([{ NODE_DISABLE_COMPILE_CACHE: '1' }, { HOME: '', XDG_CACHE_HOME: '' }])(
  'with %o nothing is cached',
  async (env) => {
    await runWell(env);
    expect([...filesBelow(cache), ...filesBelow(temporary)]).toEqual([]);
  },
);

const somebodyElse = 12_345;

// biome-ignore format: a row is a case
test.each([
  { it: 'can be read by others', make: (path: string) => mkdirSync(path), mode: 0o755, at: 'gantry/compiled' },
  { it: 'can be written by others', make: (path: string) => mkdirSync(path), mode: 0o777, at: 'gantry/compiled' },
  { it: 'is sticky and can be written by everybody', make: (path: string) => mkdirSync(path), mode: 0o1777,
    at: 'gantry/compiled' },
  { it: 'is in a folder that everybody can write', make: (path: string) => mkdirSync(path), mode: 0o777, at: 'gantry' },
  { it: 'is in a folder that a group can write', make: (path: string) => mkdirSync(path), mode: 0o770, at: 'gantry' },
])('a cache folder that $it is not used', async ({ make, mode, at }) => {
  mkdirSync(join(cache, 'gantry'), { recursive: true, mode: 0o700 });
  const path = join(cache, at);
  if (!existsSync(path)) make(path);
  chmodSync(path, mode);
  await runWell();
  expect(filesBelow(cache)).toEqual([]);
  expect(readdirSync(temporary)).toEqual([]);
});

test('a link to another folder is not used', async () => {
  const elsewhere = join(folder.path, 'elsewhere');
  mkdirSync(elsewhere, { mode: 0o700 });
  mkdirSync(join(cache, 'gantry'), { mode: 0o700 });
  symlinkSync(elsewhere, join(cache, 'gantry', 'compiled'));
  await runWell();
  expect(filesBelow(elsewhere)).toEqual([]);
});

test('a file in place of the cache folder is left unchanged', async () => {
  writeFileSync(join(cache, 'gantry'), 'mine');
  await runWell();
  expect(readFileSync(join(cache, 'gantry'), 'utf8')).toBe('mine');
});

/** Only root can change the owner of a folder. */
test.each(process.getuid?.() === 0 ? ['gantry/compiled', 'gantry', ''] : [])(
  'a folder of another user ("%s") is not used',
  async (at) => {
    mkdirSync(join(cache, 'gantry/compiled'), { recursive: true, mode: 0o700 });
    chownSync(join(cache, at), somebodyElse, somebodyElse);
    await runWell();
    expect(filesBelow(cache)).toEqual([]);
    expect(readdirSync(temporary)).toEqual([]);
  },
);
