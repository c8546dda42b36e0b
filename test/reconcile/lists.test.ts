import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSources } from '../../src/reconcile/sources/openSources.ts';
import { codeOf } from '../codeOf.ts';
import { token } from '../e2e/harness/platform.ts';
import { ownTown } from './ownTown.ts';
import { entryOf, openTown, writeStack } from './town.ts';

const { folder, platform, town, stateOf } = await ownTown('reconcile-lists');

async function textOf(name: string) {
  return (await platform.call('GET', `/org/local/group/${name}`)).body['description'];
}

test('a worker ends when another list of stacks takes over its store, and runs none of the other stacks', async () => {
  const mine = entryOf(writeStack(folder, 'mine', { 'mine-1': 'one' }), { name: 'mine' });
  const theirs = entryOf(writeStack(folder, 'theirs', { 'theirs-1': 'one' }), {
    name: 'theirs',
    intervalMs: 3_600_000,
  });
  town.entries = [mine];
  await town.once();
  const other = { origin: '/other/reconcile.yaml', stacks: [theirs] };
  expect(await codeOf(town.store.follow(other))).toBe('reconcile.other-file');
  await town.store.follow(other, { takeOver: true });
  expect((await town.board.list()).map(({ entry }) => entry.name)).toEqual(['theirs']);
  const worker = town.worker();
  await worker.start();
  expect(await codeOf(worker.run())).toBe('reconcile.other-file');
  expect((await town.board.list()).map(({ entry }) => entry.name)).toEqual(['theirs']);
  expect(await town.board.runs('theirs')).toEqual([]);
  await town.store.follow({ origin: '/town/reconcile.yaml', stacks: [] }, { takeOver: true });
});

test('workers with a named list at different paths share its store, each with its own folders', async () => {
  await using shared = await openTown(platform.url, { kind: 'folder', folder: join(folder, 'shared') });
  const text = 'name: fleet\nstacks: {shared: {folder: shared, mode: auto}}';
  const places = ['one', 'two'].map((place) => join(folder, place));
  for (const [index, place] of places.entries()) {
    writeStack(place, 'shared', { 'shared-1': `text ${index}` });
    writeFileSync(join(place, 'reconcile.yaml'), text);
  }
  for (const [index, place] of places.entries()) {
    const sources = openSources({ stateFolder: join(place, 'state'), environment: {}, cwd: place });
    const readConfig = sources.readConfig('reconcile.yaml');
    await shared.once({ readConfig, fetchStack: sources.fetchStack });
    expect(await textOf('shared-1')).toBe(`text ${index}`);
    const [{ entry } = { entry: undefined }] = await shared.board.list();
    expect(entry?.source).toEqual({ kind: 'folder', path: '(list)/shared' });
  }
});

test.each([
  ['the org of the worker by default', {}, 'elsewhere', 'failing'],
  ['another org that the worker allows', { orgs: ['local', 'acme'] }, 'elsewhere', 'in line'],
  ['no org that the worker does not allow', { orgs: ['acme'] }, undefined, 'failing'],
])('a stack of a followed file may be in %s', async (_, more, org, state) => {
  const entry = entryOf(writeStack(folder, 'org', { 'org-1': 'one' }), { name: 'org', org: 'local' });
  const followed = { kind: 'git', url: 'https://e.com/fleet', repository: 'e.com/fleet', ref: 'HEAD' } as const;
  const webhooks = { github: [], gitlab: [], standard: [] };
  const config = { origin: '/town/reconcile.yaml', stacks: [entry], webhooks, followed, ...more };
  const options = { endpoint: platform.url, token, embedded: false, ...(org === undefined ? {} : { org }) };
  await town.once({ readConfig: async () => config, options });
  expect(await stateOf('org')).toMatchObject({ state });
  if (state === 'failing') expect((await stateOf('org'))?.because).toContain('and this one is in local');
});

test('the second of two folders with the same stack fails, with both paths, until it gets another stack name', async () => {
  const path = writeStack(folder, 'twin', { 'twin-1': 'first' });
  mkdirSync(join(folder, 'copies'));
  const copy = writeStack(join(folder, 'copies'), 'twin', { 'twin-1': 'second', 'twin-2': 'second' });
  const first = entryOf(path, { name: 'twin' });
  const second = entryOf(copy, { name: 'copy' });
  town.entries = [first];
  await town.once();
  town.entries = [second, first];
  await town.once();
  expect(await stateOf('twin')).toMatchObject({ state: 'in line' });
  expect(await stateOf('copy')).toMatchObject({
    state: 'failing',
    because: `copy (${copy}) and twin (${path}) are the same stack, twin: each would undo what the other one writes`,
  });
  expect([await textOf('twin-1'), await textOf('twin-2')]).toEqual(['first', undefined]);

  // A stack in mode detect conflicts with no other.
  town.entries = [{ ...second, mode: 'detect' }, first];
  await town.once();
  expect([(await stateOf('copy'))?.state, (await stateOf('twin'))?.state]).toEqual(['drifted', 'in line']);

  // After the first stack is removed, the second one has its records.
  town.entries = [second];
  await town.once();
  expect(await stateOf('copy')).toMatchObject({ state: 'in line' });
  expect([await textOf('twin-1'), await textOf('twin-2')]).toEqual(['second', 'second']);

  town.entries = [second, { ...first, stack: 'single' }];
  writeStack(folder, 'twin', { 'single-1': 'first' });
  await town.once();
  expect([(await stateOf('copy'))?.state, (await stateOf('twin'))?.state]).toEqual(['in line', 'in line']);
});

test('stacks that exchange their names become in line, whichever runs first', async () => {
  const [a, b] = ['a', 'b'].map((name) => entryOf(writeStack(folder, name, { [`${name}-1`]: 'one' }), { name }));
  if (a === undefined || b === undefined) throw new Error('there are two');
  town.entries = [a, b];
  await town.once();
  town.entries = [
    { ...a, stack: 'b' },
    { ...b, stack: 'a' },
  ];
  writeStack(folder, 'a', { 'b-1': 'two' });
  writeStack(folder, 'b', { 'a-1': 'two' });
  await town.once();
  await town.once();
  expect([(await stateOf('a'))?.state, (await stateOf('b'))?.state]).toEqual(['in line', 'in line']);
  expect([await textOf('a-1'), await textOf('b-1')]).toEqual(['two', 'two']);
});

test('an endpoint in another spelling is the same platform', async () => {
  const entry = entryOf(writeStack(folder, 'spelled', { 'spelled-1': 'one' }), { name: 'spelled' });
  const copy = entryOf(writeStack(join(folder, 'copies'), 'spelled', { 'spelled-1': 'two' }), { name: 'spelled-copy' });
  const tokenFile = join(folder, 'token');
  writeFileSync(tokenFile, token, { mode: 0o600 });
  town.entries = [entry];
  await town.once();
  const { port } = new URL(platform.url);
  for (const endpoint of [`${platform.url}/`, `HTTP://127.0.0.1:${port}`, `http://localhost:${port}`]) {
    town.entries = [entry, { ...copy, endpoint, tokenFile }];
    await town.once();
    expect(await stateOf('spelled-copy')).toMatchObject({ because: expect.stringContaining('are the same stack') });
  }
});
