import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { listenOnLoopback } from '../harness/loopback.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { useQuickLooks } from './quickLooks.ts';

const cwd = temporaryFolder('watch');
useQuickLooks();

/** Watches the GVCs of `looks`, one entry for each read; after the last read it is interrupted. */
async function watched(looks: readonly (readonly JsonObject[])[], line = '', time = '30s') {
  let lists = 0;
  const server = createServer(({ url = '' }, response) => {
    const name = /\/gvc\/(\w+)$/.exec(url)?.[1];
    const items = looks[lists] ?? looks.at(-1) ?? [];
    if (name === undefined || name === looks.at(-1)?.at(-1)?.['name']) lists += 1;
    if (lists === looks.length + 1) process.emit('SIGHUP');
    if (lists > looks.length) return void response.writeHead(404).end('{}'); // so that no command watches forever
    const body = name === undefined ? { items } : { kind: 'gvc', ...items.find((each) => each['name'] === name) };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  onTestFinished(() => void server.close().closeAllConnections());
  const where = ['--endpoint', `http://127.0.0.1:${await listenOnLoopback(server)}`, '--org', 'acme', '--token', 'key'];
  const words = ['gvc', 'get', ...line.split(' ').filter((word) => word !== ''), '--watch', '--wait-timeout', time];
  const { code, stdout, stderr } = await inProcess(undefined, [...words, ...where], { cwd });
  expect(code, stderr).toBe(0);
  return { lines: stdout.split('\n').slice(0, -1), stderr };
}

test.each([
  { it: 'only a name', of: (name: string) => ({ name }) },
  { it: 'an id', of: (name: string) => ({ id: `id-${name}`, name }) },
  { it: 'a link', of: (name: string) => ({ name, links: [{ rel: 'self', href: `/org/acme/gvc/${name}` }] }) },
])('get --watch shows each record of a list that has $it', async ({ of }) => {
  const { lines } = await watched([['one', 'two'].map(of)], '-o names', '0s');
  expect(lines).toEqual(['one', 'two']);
});

const [one, two, six] = [{ name: 'one' }, { name: 'two' }, { name: 'six' }];
const described = { ...two, description: 'another' };
const life = [
  [one, two],
  [one, two],
  [one, described],
  [one, described, six],
  [described, six],
];

/** docs/client.md: `+` for a new row, `~` for a changed and `-` for a removed one. */
test('get --watch prints new, changed and deleted records below one line of titles', async () => {
  const { lines } = await watched(life);
  expect(lines.map((line) => line.slice(0, 7).trimEnd())).toEqual([
    '  NAME',
    '  one',
    '  two',
    '~ two',
    '+ six',
    '- one',
  ]);
  expect(lines[3]).toMatch(/^~ two +another$/);
});

test('get --watch prints the titles again if a longer name needs another layout', async () => {
  const { lines } = await watched([[one], [one, { name: 'a-longer-name' }]]);
  expect(lines.map((line) => line.trim().split(/ {2,}/)[0])).toEqual(['NAME', 'one', 'NAME', '+ a-longer-name']);
});

test('get --watch -o names prints the names of new, changed and deleted records', async () => {
  expect((await watched(life, '-o names')).lines).toEqual(['one', 'two', 'two', 'six', 'one is gone']);
});

test('get --watch with names reads only these records', async () => {
  const { lines } = await watched(
    [
      [one, two],
      [one, described],
    ],
    'one two -o names',
  );
  expect(lines).toEqual(['one', 'two', 'two']);
});

test('get --watch of an empty list says so, and continues', async () => {
  const { lines, stderr } = await watched([[], [], [one]], '-o names');
  expect([lines, stderr]).toEqual([['one'], 'No GVCs found.\n']);
});
