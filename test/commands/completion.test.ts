import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { complete } from '../../src/cli/completion/complete.ts';
import { liveNames, readNames } from '../../src/cli/completion/liveNames.ts';
import { completionFiles, makeTree } from '../../src/cli/completion/makeTree.ts';
import { completionAt } from '../../src/cli/completion/tree.ts';
import { makeProgram } from '../../src/cli/program.ts';
import { listenOnLoopback } from '../harness/loopback.ts';
import { platformForAll } from '../server/platform.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const program = makeProgram(async () => {});
const tree = await makeTree(program);

function texts(...words: readonly string[]) {
  const { candidates, names } = completionAt(words, tree);
  return { texts: candidates.map(([text]) => text), ...(names === undefined ? {} : { names }) };
}

test.each([
  { words: ['wor'], are: ['workload'] },
  { words: ['pl'], are: ['plan'] },
  { words: ['gvc', 'de'], are: ['delete', 'delete-all-workloads'] },
  { words: ['volumeset', 'snapshot', ''], are: ['create', 'delete', 'get', 'restore'] },
  { words: ['terraform', 'in'], are: ['install'] },
  { words: ['gvc', 'create', '--desc'], are: ['--description'] },
  { words: ['gvc', 'get', '-o', 'yaml'], are: ['yaml', 'yaml-slim'] },
  { words: ['gvc', 'get', '--output=json'], are: ['--output=json', '--output=json-slim'] },
  { words: ['plan', '-o', 'j'], are: ['json'] },
  { words: ['gvc', 'query', '--match', 'n'], are: ['none'] },
  { words: ['gvc', 'update', 'shop', '--set', 'desc'], are: ['description='] },
  { words: ['gvc', 'update', 'shop', '--unset', 'desc'], are: ['description'] },
  { words: ['gvc', 'update', 'shop', '--set=spec.staticP'], are: ['--set=spec.staticPlacement.'] },
  {
    words: ['gvc', 'update', 'shop', '--set', 'spec.staticPlacement.'],
    are: expect.arrayContaining(['spec.staticPlacement.locationLinks=', 'spec.staticPlacement.locationQuery.']),
  },
  { words: ['gvc', 'nothing', ''], are: expect.arrayContaining(['get', 'create']) },
])('$words', ({ words, are }) => {
  expect(texts(...words)).toEqual({ texts: are });
});

test.each([
  { words: ['workload', 'get', ''], names: 'workload' },
  { words: ['workload', 'cron', 'start', 'x', ''], names: 'workload' },
  { words: ['workload', 'get', '--gvc', 's'], names: 'gvc' },
  { words: ['gvc', 'create', '--location', ''], names: 'location' },
  { words: ['profile', 'delete', ''], names: 'profile' },
  { words: ['plan', '--profile', ''], names: 'profile' },
  { words: ['gvc', 'get', '--gvc=sh'], names: 'gvc' },
  { words: ['plan', '--env', ''], names: 'environments' },
  { words: ['gvc', 'get', '--env', ''], names: 'environments' },
  { words: ['status', '--stack', ''], names: 'stacks' },
  { words: ['gvc', 'tag', 'shop', '--remove-tag', ''], names: 'gvc tags' },
  { words: ['serviceaccount', 'remove-key', 'robot', '--key', ''], names: 'serviceaccount keys' },
  { words: ['workload', 'update', 'web', '--set', 'spec.containers.'], names: 'workload name spec.containers' },
  { words: ['gvc', 'update', 'shop', '--set', 'tags.'], names: 'gvc key tags' },
  { words: ['policy', 'add-binding', 'readers', '--permission', ''], names: 'policy permissions' },
])('$words: names of $names', ({ words, names }) => {
  expect(texts(...words)).toEqual({ texts: [], names });
});

test('paths for commands on stacks are completed by the shell', () => {
  expect(texts('plan', 'exa')).toEqual({ texts: [] });
});

const platform = platformForAll({}, async (each) => {
  for (const name of ['shop', 'other']) await each.send('POST', 'gvc', { name });
  await each.send('POST', 'policy', { name: 'readers', targetKind: 'secret', target: 'all', bindings: [] });
  await each.send('POST', 'gvc', { name: 'tagged', tags: { team: 'web', tier: 1, 'gantry/stack': 'x' } });
  const container = { name: 'main', image: 'nginx:1' };
  await each.send('POST', 'gvc/shop/workload', { name: 'web', spec: { type: 'standard', containers: [container] } });
  await each.send('POST', 'serviceaccount', { name: 'robot' });
  await each.send('POST', 'serviceaccount/robot/-addKey', { description: 'of a pipeline' });
});

test('names come from the platform, are cached for a minute in private files, and a missing platform is no error', async () => {
  const home = temporaryFolder('completion');
  mkdirSync(home, { recursive: true });
  const environment = { HOME: home, GANTRY_ENDPOINT: platform.url, GANTRY_TOKEN: 'secret-token', GANTRY_ORG: 'local' };
  for (const [file, each] of await completionFiles(program)) writeFileSync(join(home, file), JSON.stringify(each));
  const startMs = Date.now();
  const ask = (words: readonly string[], nowMs = startMs, more = {}) => {
    const surroundings = { environment: { ...environment, ...more }, cwd: home };
    return complete(words, {
      ...surroundings,
      folder: pathToFileURL(`${home}/`),
      nowMs,
      liveNames: (kind, connection) => readNames(kind, connection, surroundings),
    });
  };
  expect(await ask(['wor'])).toBe('workload\tcommands of workload\n');
  expect(await ask(['--org', 'acme', 'volumeset', 'sn'])).toBe('snapshot\tcommands of volumeset snapshot\n');
  expect(await ask(['gvc', 'get', 's'])).toBe('shop\t\n');
  expect(await ask(['gvc', 'get', '--gvc=o'])).toBe('--gvc=other\t\n');
  expect(await ask(['gvc', 'tag', 'tagged', '--remove-tag', 't'])).toBe('team\t\ntier\t\n');
  expect(await ask(['gvc', 'tag', 'shop', '--remove-tag', ''])).toBe('');
  expect(await ask(['gvc', 'update', 'tagged', '--set=tags.te'])).toBe('--set=tags.team=\t\n');
  const inShop = ['--gvc', 'shop', 'workload', 'update', 'web', '--set'];
  expect(await ask([...inShop, 'spec.containers.m'])).toBe('spec.containers.main.\t\n');
  expect(await ask([...inShop, 'spec.containers.main.ima'])).toMatch(/^spec\.containers\.main\.image=\t.*\n$/);
  const { keys = [] } = Object((await platform.send('GET', 'serviceaccount/robot')).body);
  expect(keys).toHaveLength(1);
  expect(await ask(['serviceaccount', 'remove-key', 'robot', '--key', ''])).toBe(`${keys[0].name}\t\n`);
  // Only permissions of the kind that the policy targets; before the policy is named, all permissions.
  const granted = ['policy', 'add-binding', 'readers', '--permission'];
  expect(await ask([...granted, 'r'])).toBe('reveal\t\n');
  expect(await ask([...granted, 'exec'])).toBe('');
  expect(await ask(['policy', 'add-binding', '--permission', 'exec'])).toContain('exec.runCronWorkload\t\n');
  writeFileSync(join(home, 'gantry.yaml'), 'stack: shop\nenvironments: {dev: {stack: shop-dev}, prod: {}}\n');
  expect(await ask(['plan', '--env', ''])).toBe('dev\t\nprod\t\n');
  expect(await ask(['status', '--stack', ''])).toBe('shop\t\nshop-dev\t\n');
  rmSync(join(home, 'gantry.yaml'));
  const folder = join(home, '.cache/gantry/completion');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  await platform.send('POST', 'gvc', { name: 'second' });
  expect(await ask(['gvc', 'get', 's'])).toBe('shop\t\n');
  // File times use the machine's clock, whatever time has passed since the start.
  expect((await ask(['gvc', 'get', 's'], Date.now() + 120_000)).split('\n').toSorted()).toEqual([
    '',
    'second\t',
    'shop\t',
  ]);
});

test.each([
  { it: 'cannot be reached', endpoint: async () => 'http://127.0.0.1:1' },
  { it: 'does not answer', endpoint: silentPlatform },
])('a platform that $it has no names, and is no error', async ({ endpoint }) => {
  const environment = { GANTRY_ENDPOINT: await endpoint(), GANTRY_TOKEN: 'secret-token', GANTRY_ORG: 'local' };
  const cwd = temporaryFolder('completion-none');
  expect(await liveNames('gvc', {}, { environment, cwd }, 50)).toBeUndefined();
});

/** A server that accepts connections and never answers. */
async function silentPlatform(): Promise<string> {
  const server = createServer();
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${await listenOnLoopback(server)}`;
}

test('a name with a meaning for a shell or a terminal is not offered', async () => {
  const home = temporaryFolder('completion-hostile');
  for (const [file, each] of await completionFiles(program)) writeFileSync(join(home, file), JSON.stringify(each));
  const hostile = ['$(id)', 'a;b', 'a b', 'a\nb', '-rf', '`id`', "a'b", 'a\u001b[2J', 'a\u202eb', 'a|b', '~', 'a*'];
  const harmless = ['shop', 'ann+1@example.com', 'team/web:1.0', 'größe', '東京'];
  const found = await complete(['gvc', 'get', ''], {
    environment: {},
    cwd: home,
    folder: pathToFileURL(`${home}/`),
    nowMs: 0,
    liveNames: async () => [...hostile, ...harmless],
  });
  expect(found).toBe(harmless.map((name) => `${name}\t\n`).join(''));
});
