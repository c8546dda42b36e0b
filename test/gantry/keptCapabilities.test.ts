import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Capabilities } from '../../src/capabilities/capabilities.ts';
import { readKept, writeKept } from '../../src/project/platform/keptCapabilities.ts';
import { openConnection } from '../../src/provider/platform/connection.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const folder = temporaryFolder('kept');
const target = { endpoint: 'http://127.0.0.1:1', org: 'acme' };
const tell = (): void => {};

async function write(file: string): Promise<void> {
  const now = Date.now();
  await writeKept(file, target, new Capabilities([['read.query', 'otherwise']]), { now, until: now + 60_000 });
}

test('saved capabilities apply only to their endpoint and org', async () => {
  const file = join(folder, 'gantry.platform.json');
  await write(file);
  const startOf = async (of: typeof target) =>
    (await readKept({ platform: file, data: '.gantry' }, { cwd: folder, target: of, tell })).start();
  expect((await startOf(target)).of('read.query')).toBe('otherwise');
  expect((await startOf({ ...target, org: 'acme-dev' })).of('read.query')).toBeUndefined();
  expect((await startOf({ ...target, endpoint: 'http://127.0.0.1:2' })).of('read.query')).toBeUndefined();
  expect(readFileSync(file, 'utf8')).not.toContain('acme');
});

test('a run writes no file for findings that every run makes anew', async () => {
  const cwd = temporaryFolder('kept-anew');
  mkdirSync(join(cwd, '.gantry'));
  const kept = await readKept({ platform: undefined, data: '.gantry' }, { cwd, target, tell });
  await kept.keep(new Capabilities([['secret.reveal', 'holds']]));
  expect(readdirSync(join(cwd, '.gantry'))).toEqual([]);
  await kept.keep(
    new Capabilities([
      ['secret.reveal', 'holds'],
      ['read.limit', 'otherwise'],
    ]),
  );
  expect(readFileSync(join(cwd, '.gantry/platform.json'), 'utf8')).toContain('read.limit');
});

test.each([
  ['.gantry', '.gantry/platform.json'],
  ['.terraform/gantry', '.terraform/gantry/platform.json'],
])(
  'the Terraform provider reads saved capabilities next to its configuration, and saves new ones (%s)',
  async (data, file) => {
    const cwd = temporaryFolder(`kept-by-provider-${data.replace('/', '-')}`);
    await write(join(cwd, 'gantry.platform.json'));
    mkdirSync(join(cwd, data), { recursive: true });
    const none = {
      ignoredTags: [],
      defaultTags: {},
      insecure: false,
      authorities: undefined,
      dialect: undefined,
      embedded: undefined,
    };
    const usual = { ...none, gvc: undefined, token: undefined, tokenTarget: undefined };
    const settings = {
      ...usual,
      ...target,
      maxRisk: undefined,
      maxConcurrency: undefined,
      consistencyMs: undefined,
      takesOver: false,
    };
    const first = await openConnection(settings, { environment: {}, cwd });
    expect(first.client.capabilities.of('read.query')).toBe('otherwise');
    first.client.capabilities.learn('read.limit', 'otherwise');
    await first.close();
    expect(readFileSync(join(cwd, file), 'utf8')).toContain('read.limit');
    const second = await openConnection(settings, { environment: {}, cwd });
    expect(second.client.capabilities.of('read.limit')).toBe('otherwise');
    await second.close();
    const other = await openConnection({ ...settings, org: 'other' }, { environment: {}, cwd });
    expect(other.client.capabilities.known().size).toBe(0);
    await other.close();
  },
);
