import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../src/base/json/json.ts';
import { shapeOf } from '../../src/kinds/shapeOf.ts';
import { applyPatch } from '../../src/patch/applyPatch.ts';
import { kindNamed } from '../../src/schema/record/kinds.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { useQuickLooks } from './quickLooks.ts';
import { useServer } from './useServer.ts';

const cwd = temporaryFolder('lost-answers');

const group: JsonObject = {
  kind: 'group',
  name: 'one',
  id: 'the-id',
  version: 7,
  description: 'old',
  tags: { team: 'a' },
  memberLinks: ['/org/acme/user/ann@example.com'],
};
const secret = { kind: 'secret', name: 'key', id: 'secret-id', version: 3, type: 'opaque', data: { payload: 'old' } };

let records = new Map<string, JsonObject>();
/** What happens to each write; with `shown`, it is done and shown only after that many reads. */
let fault: {
  readonly answer: 500 | 'none';
  readonly isDone: boolean;
  readonly shown?: number;
  /** What another client writes at the same time. */
  readonly theirs?: JsonObject;
} = { answer: 500, isDone: true };
let writes: string[] = [];
let reads = 0;
/** Work that is done after this number of reads. */
let late: { readonly reads: number; readonly work: () => void } | undefined;
/** How far the platform's clock is ahead. */
let clockAheadMs = 0;
const platformTime = () => new Date(Date.now() + clockAheadMs);

function write(method: string, url: string, body: JsonObject): void {
  const before = records.get(url);
  if (method === 'DELETE') records.delete(url);
  else if (method === 'POST') {
    const kind = url.split('/').at(-1) ?? '';
    records.set(`${url}/${String(body['name'])}`, {
      ...body,
      kind,
      id: 'new-id',
      version: 1,
      created: platformTime().toISOString(),
    });
  } else if (before !== undefined) {
    const { id: _id, version: _version, ...patch } = body;
    const kind = kindNamed(before['kind']) ?? 'gvc';
    const made = method === 'PUT' ? undefined : applyPatch(shapeOf(kind, before), before, patch, { org: 'acme' });
    const next = made === undefined ? { ...body, kind: 'group', id: 'the-id' } : made.ok ? made.record : before;
    records.set(url, { ...next, version: Number(before['version']) + 1 });
  }
}

const run = useServer(cwd, async (request, response) => {
  const { method = 'GET', url: target = '' } = request;
  const [url = ''] = target.split('?');
  response.setHeader('date', platformTime().toUTCString());
  let text = '';
  for await (const chunk of request) text += String(chunk);
  if (method === 'GET' || url.endsWith('/-query')) {
    const isRevealed = url.endsWith('/-reveal');
    if (late !== undefined && reads >= late.reads) {
      late.work();
      late = undefined;
    }
    const found = records.get(isRevealed ? url.slice(0, -'/-reveal'.length) : url);
    if (found !== undefined && method === 'GET') {
      reads += 1;
      const { data, ...open } = found;
      return response.end(JSON.stringify(isRevealed ? { ...open, data } : open));
    }
    return response.writeHead(404).end('{"message": "there is no such thing"}');
  }
  writes.push(method);
  if (method === 'DELETE' && !records.has(url)) return response.writeHead(404).end('{"message": "it is gone"}');
  const body: unknown = text === '' ? {} : JSON.parse(text);
  const work = () => write(method, url, isObject(body) ? body : {});
  if (fault.isDone && fault.shown === undefined) work();
  if (fault.theirs !== undefined) write('PATCH', url, fault.theirs);
  if (fault.shown !== undefined) late = { reads: reads + fault.shown, work };
  if (fault.answer === 'none') return response.destroy();
  return response.writeHead(fault.answer).end('{"message": "something went wrong"}');
});
useQuickLooks();
beforeEach(() => {
  records = new Map([
    ['/org/acme/group/one', group],
    ['/org/acme/secret/key', secret],
  ]);
  [writes, reads, clockAheadMs, late] = [[], 0, 0, undefined];
});

const patchFile = join(cwd, 'patch.json');
const editor = join(cwd, 'editor.sh');
beforeAll(() => {
  writeFileSync(patchFile, JSON.stringify({ data: { payload: 'new' } }));
  writeFileSync(editor, '#!/bin/sh\nsed -i "s/description: old/description: new/" "$1"\n');
  chmodSync(editor, 0o755);
});

const lines = [
  'group update one --set description=new',
  'group update one --unset tags.team',
  'group tag one --tag team=b',
  'group tag one --remove-tag team',
  'group remove-member one --email ann@example.com',
  `secret patch key --file ${patchFile}`,
  'group create --name two --description second',
  'group clone one --name two',
  'group edit one --yes',
  'group edit one --yes --replace',
];

test.each(lines)(
  'gantry %s: if the write was done although its answer was lost, the command succeeds',
  async (line) => {
    fault = { answer: 500, isDone: true };
    const ran = await run(line, { env: { EDITOR: editor } });
    expect(ran.code, ran.stderr).toBe(0);
    expect(writes).toHaveLength(1);
  },
);

test.each([1, 3, 5, 6, 9].map((index) => lines[index] ?? ''))(
  'gantry %s: if the write was not done, the command says that the platform does not show it',
  async (line) => {
    fault = { answer: 500, isDone: false };
    const ran = await run(line, { env: { EDITOR: editor } });
    expect(ran.code).toBe(6);
    expect(ran.stderr).toContain('it may have been carried out, but the platform does not show it');
    expect(writes).toHaveLength(1);
  },
);

test('a connection that breaks after the write is a success', async () => {
  fault = { answer: 'none', isDone: true };
  expect((await run('group update one --set description=new')).code).toBe(0);
});

test('a write that the platform shows late is read again', async () => {
  fault = { answer: 500, isDone: true, shown: 2 };
  expect((await run('group update one --set description=new')).code).toBe(0);
  expect(reads).toBeGreaterThan(2);
});

test.each([
  { line: 'update one --set description=mine', theirs: { description: 'theirs' }, shows: 'description is "theirs"' },
  { line: 'update one --unset tags.team', theirs: { tags: { team: 'b' } }, shows: 'tags.team is "b"' },
  { line: 'tag one --remove-tag team', theirs: { tags: { team: 'b' } }, shows: 'tags.team is "b"' },
  { line: 'edit one --yes', theirs: { description: 'theirs' }, shows: 'description is "theirs"' },
  { line: 'edit one --yes --replace', theirs: { description: 'theirs' }, shows: 'description is "theirs"' },
])('gantry group $line: a write of another client is not mistaken for its own', async ({ line, theirs, shows }) => {
  fault = { answer: 500, isDone: false, theirs };
  const ran = await run(`group ${line}`, { env: { EDITOR: editor } });
  expect(ran.code).toBe(6);
  expect(ran.stdout).toBe('');
  expect(ran.stderr).toContain(`the platform does not show it: ${shows}`);
});

test('an edit that removes a tag with --replace has failed if another client wrote and the tag is still there', async () => {
  const removing = join(cwd, 'removing.sh');
  writeFileSync(removing, '#!/bin/sh\nsed -i "/team: a/d; s/^tags:/tags: {}/" "$1"\n');
  chmodSync(removing, 0o755);
  fault = { answer: 500, isDone: false, theirs: { tags: { other: 'b' } } };
  const ran = await run('group edit one --yes --replace', { env: { EDITOR: removing } });
  expect(ran.code).toBe(6);
  expect(ran.stderr).toContain('the platform does not show it: tags.team is "a"');
});

test('a connection that breaks before the write is a failure, although another client changes the record', async () => {
  fault = { answer: 'none', isDone: false, theirs: { description: 'theirs' } };
  expect((await run('group update one --set description=mine')).code).toBe(6);
});

test('a later write of another client to other fields does not hide the write', async () => {
  fault = { answer: 500, isDone: true, theirs: { tags: { other: 'b' } } };
  expect((await run('group update one --set description=new')).code).toBe(0);
});

const registry = 'registry.example/';
const web = (image: string): JsonObject => ({
  kind: 'workload',
  name: 'web',
  id: 'web-id',
  version: 4,
  spec: { type: 'serverless', containers: [{ name: 'main', image, cpu: '50m', memory: '128Mi' }] },
});

const digest = (digit: string): string => `@sha256:${digit.repeat(64)}`;

// biome-ignore format: a row is a case
test.each([
  { it: 'with its registry', from: `${registry}nginx:8`, to: 'nginx:9', shown: `${registry}nginx:9`, code: 0 },
  { it: 'with its digest', from: `nginx:8${digest('a')}`, to: 'nginx:9', shown: `nginx:9${digest('b')}`, code: 0 },
  { it: 'as it was', from: `${registry}nginx:9`, to: 'nginx:9', shown: `${registry}nginx:9`, code: 6 },
  { it: 'as another one', from: 'nginx:8', to: 'nginx:9', shown: `${registry}other/redis:9`, code: 6 },
  { it: 'from elsewhere', from: 'nginx:8', to: 'ghcr.io/nginx:9', shown: `${registry}nginx:9`, code: 6 },
])('an image that the platform shows $it after an update whose answer was lost: exit $code', async (row) => {
  const path = '/org/acme/gvc/shop/workload/web';
  records.set(path, web(row.from));
  const containers = Object(web(row.shown)['spec']).containers;
  fault = { answer: 500, isDone: false, theirs: { spec: { containers } } };
  const ran = await run(`workload update web --gvc shop --set spec.containers.main.image=${row.to}`);
  expect(ran.code, ran.stderr).toBe(row.code);
  if (row.code === 6) expect(ran.stderr).toContain(`spec.containers.main.image is "${row.shown}"`);
});

test('an update below a container that does not exist sends nothing', async () => {
  records.set('/org/acme/gvc/shop/workload/web', web('nginx:8'));
  const ran = await run('workload update web --gvc shop --set spec.containers.mian.image=nginx:9');
  expect(ran.stderr).toContain('spec.containers has no item "mian"');
  expect(records.get('/org/acme/gvc/shop/workload/web')).toEqual(web('nginx:8'));
  expect(ran.code).toBe(64);
});

test.each([
  { image: 'nginx:9', code: 0 },
  { image: 'redis:9', code: 6 },
])('a workload that was created with $image, whose answer was lost: exit $code', async ({ image, code }) => {
  fault = { answer: 500, isDone: true };
  const set = records.set.bind(records);
  records.set = (path, record) => {
    const spec = Object(record['spec']);
    const [main] = spec.containers;
    return set(path, { ...record, spec: { ...spec, containers: [{ ...main, image: `${registry}nginx:9` }] } });
  };
  const ran = await run(`workload create --name web --gvc shop --image ${image} --type serverless`);
  expect(ran.code, ran.stderr).toBe(code);
});

test('the error shows no secret value', async () => {
  fault = { answer: 500, isDone: false, theirs: { data: { payload: 'theirs' } } };
  const ran = await run(`secret patch key --file ${patchFile}`);
  expect(ran.code).toBe(6);
  expect(ran.stderr).toContain('the platform does not show it');
  expect(ran.stdout + ran.stderr).not.toContain('theirs');
});

test('a creation is not reported as done if another record has the name', async () => {
  fault = { answer: 500, isDone: false };
  const ran = await run('group create --name one --description second');
  expect(ran.code).toBe(6);
  expect(ran.stderr).toContain('the platform does not show it: ');
  expect(ran.stderr).toContain('description is "old"');
  expect(records.get('/org/acme/group/one')).toEqual(group);
});

test.each([
  { it: 'it was created a minute ago', made: { created: new Date(Date.now() - 60_000).toISOString() } },
  { it: 'it has no creation time', made: {} },
])('a creation is not reported as done if an equal record may have existed before: $it', async ({ made }) => {
  records.set('/org/acme/group/one', { ...group, memberLinks: [], ...made });
  fault = { answer: 500, isDone: false };
  const ran = await run('group create --name one --description old');
  expect(ran.code).toBe(6);
  expect(ran.stdout).toBe('');
  expect(ran.stderr).toContain('such a record may have been there before');
});

test('the clock of the platform may differ from that of the command', async () => {
  const day = 86_400_000;
  clockAheadMs = day;
  fault = { answer: 500, isDone: true };
  expect((await run('group create --name two --description second')).code).toBe(0);
  records.set('/org/acme/group/one', {
    ...group,
    memberLinks: [],
    created: new Date(Date.now() + day - 60_000).toISOString(),
  });
  fault = { answer: 500, isDone: false };
  const ran = await run('group create --name one --description old');
  expect(ran.code).toBe(6);
  expect(ran.stderr).toContain('such a record may have been there before');
});

test('a deletion is repeated, and a 404 then means that it was done', async () => {
  fault = { answer: 500, isDone: true };
  const ran = await run('group delete one --yes');
  expect(ran.code, ran.stderr).toBe(0);
  expect(writes).toEqual(['DELETE', 'DELETE']);
});

test('a platform without DELETE has deleted nothing', async () => {
  const path = '/org/acme/group/one';
  fault = { answer: 500, isDone: false };
  const has = records.has.bind(records);
  records.has = (key) => key !== path && has(key);
  const ran = await run('group delete one --yes');
  expect(ran.code).not.toBe(0);
  expect(records.get(path)).toEqual(group);
});
