import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../temporaryFolder.ts';
import { useQuickLooks } from './quickLooks.ts';
import { useServer } from './useServer.ts';

const cwd = temporaryFolder('wrong-answers');
const group = { kind: 'group', name: 'one', id: 'the-id', version: 7, description: 'old', tags: { team: 'a' } };
const secret = { kind: 'secret', name: 'one', id: 'the-id', version: 7, type: 'opaque', data: { payload: 'x' } };
const changed = { ...group, version: 8, description: 'new', tags: { team: 'b' } };
const elsewhere = { ...changed, name: 'two', id: 'another-id' };

/** The answers to reads, to writes, and of the exporter; a string is sent unchanged. */
let shown: unknown = group;
let written: unknown = '';
let exported: Buffer | string = '';
let encoding = 'identity';
let writes: string[] = [];

const send = useServer(cwd, (request, response) => {
  const { method = 'GET', url = '' } = request;
  request.resume();
  if (url === '/discovery') return void response.end('{"endpoints": {"terraform-exporter": "/tf"}}');
  if (url.startsWith('/tf/')) return void response.setHeader('content-encoding', encoding).end(exported);
  if (method !== 'GET') writes.push(method);
  const answer = method === 'GET' ? shown : written;
  if (answer === undefined) return void response.writeHead(404).end('{"message": "there is no such thing"}');
  response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
});
const run = (line: string) => send(line, { env: { EDITOR: 'true' } });
const patchFile = join(cwd, 'patch.json');
beforeAll(() => writeFileSync(patchFile, JSON.stringify({ description: 'new' })));
useQuickLooks();
beforeEach(() => {
  [shown, written, writes, exported, encoding] = [group, '', [], '', 'identity'];
});

const reading = [
  'group get one',
  'group get one -o json',
  'group update one --set description=newer',
  'group clone one --name three',
  'group edit one --yes',
  'group delete one --yes',
  'secret reveal one',
];
const wrong = [
  ['nothing', {}],
  ['a task', { id: 'task-1', status: 'pending' }],
  ['another record', elsewhere],
  ['a record of another kind', { ...group, kind: 'agent' }],
  ['a record without a name', { ...group, name: { a: 1 } }],
] as const;

test.each(reading.flatMap((line) => wrong.map(([it, answer]) => ({ line, it, answer }))))(
  'gantry $line: $it is not accepted as the record',
  async ({ line, answer }) => {
    shown = answer;
    const { code, stdout, stderr } = await run(line);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/api\.bad-reply: GET \S+: the answer is not the /)]);
    expect(stdout.replace(/^\{\s*"error": .*\}\s*$/s, '')).toBe('');
    expect(writes).toEqual([]);
  },
);

test.each([
  ['user get Ann@Example.com', { kind: 'user', name: 'u-1', id: 'u-1', email: 'ann@example.com' }],
  ['domain get Shop.Example.com', { kind: 'domain', name: 'shop.example.com', id: 'd-1', spec: {} }],
])('gantry %s: an address or a host in another case is the same record', async (line, answer) => {
  shown = answer;
  expect(await run(line)).toMatchObject({ code: 0, stdout: expect.stringContaining('example.com') });
});

test('the right secret is revealed', async () => {
  shown = secret;
  expect(await run('secret reveal one')).toMatchObject({ code: 0, stdout: 'payload: x\n' });
});

test.each(['', {}, { id: 'task-1' }, elsewhere])(
  'a PATCH answered with %j shows the record that is read afterwards',
  async (answer) => {
    written = answer;
    shown = changed;
    const { code, stdout, stderr } = await run('group tag one --tag team=b');
    expect([code, stderr, writes]).toEqual([0, '', ['PATCH']]);
    expect(stdout).toContain('one');
    expect(stdout).not.toContain('two');
  },
);

test.each([
  ['group tag one --tag team=b', 'tags.team'],
  ['group tag one --tag more=1', 'tags.more'],
  ['group tag one --remove-tag team', 'tags.team'],
  [`group patch one --file ${patchFile}`, 'description'],
])(
  'gantry %s: without a record in the answer, a change that the record lacks is reported as not done',
  async (line, path) => {
    const { code, stdout, stderr } = await run(line);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`apply.divergence: group/one was written, but the platform returned unexpected values`);
    expect(stderr).toContain(path);
  },
);

test('tags that are missing in the answer of the platform are reported as not set', async () => {
  written = { ...group, version: 8 };
  shown = written;
  expect(await run('group tag one --tag more=1')).toMatchObject({ code: 1, stdout: '' });
});

test.each(['', {}, { id: 'task-1' }, elsewhere])(
  'a creation answered with %j is looked up by name, and reported if it is absent',
  async (answer) => {
    written = answer;
    shown = undefined;
    const { code, stdout, stderr } = await run('group create --name one');
    expect([code, stdout]).toEqual([6, '']);
    expect(stderr).toContain('the answer does not show the group one; it may have been carried out, but the platform');
  },
);

test('a creation with an empty answer shows the record that is found', async () => {
  shown = { ...group, tags: {}, created: new Date(Date.now() + 1_000).toISOString() };
  const { code, stdout, stderr } = await run('group create --name one --description old');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('old');
});

test('an empty list exports nothing', async () => {
  shown = { kind: 'list', itemKind: 'group', items: [] };
  expect(await run('group get -o tf')).toMatchObject({ code: 0, stdout: '' });
});

test('--verbose prints requests, --debug also bodies, except those of secrets', async () => {
  written = changed;
  const lines = async (line: string) => (await run(line)).stderr.split('\n');
  const [get, patch] = ['> GET /org/acme/group/one', '> PATCH /org/acme/group/one'];
  const update = 'group update one --set description=new --set tags.team=b';
  expect(await lines(`${update} -v`)).toEqual([get, patch, '']);
  expect(await lines('group tag one --tag team=b -v')).toEqual([patch, '']);
  const debugged = await lines(`${update} -d`);
  expect(debugged.slice(0, 3)).toEqual([get, `< ${JSON.stringify(group)}`, patch]);
  expect(debugged[3]).toMatch(/^> \{.*"description":"new"/);
  expect(debugged[4]).toBe(`< ${JSON.stringify(changed)}`);
  shown = secret;
  for (const [line, path] of [
    ['secret reveal one -d', 'secret/one/-reveal'],
    ['rest get //secret?limit=1 -o json-slim -d', 'secret?limit=1'],
    ['rest get //secret/one?a=b -o json-slim -d', 'secret/one?a=b'],
  ] as const) {
    expect((await lines(line)).slice(0, 2), line).toEqual([`> GET /org/acme/${path}`, '< (not shown)']);
  }
  const agent = { ...group, kind: 'agent' };
  shown = agent;
  written = { ...agent, status: { bootstrapConfig: { registrationToken: 'start-data' } } };
  const created = await run('agent create --name one -o names -d');
  expect(created.stderr).toContain('< (not shown)\n');
  expect(created.stdout + created.stderr).not.toContain('start-data');
});

test('the output of an exporter is printed without characters that control a terminal', async () => {
  exported = 'resource "a" "b" {\r\n\tname = "x\u001b[2J\u202e"\r\n}\r\n';
  expect(await run('group get one -o tf')).toMatchObject({
    code: 0,
    stdout: 'resource "a" "b" {\n\tname = "x\\u001b[2J\\u202e"\n}\n',
  });
});

test.each([
  ['a page of a proxy', '<!doctype html><html></html>', 'identity', 'an HTML page'],
  ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe, 0x61]), 'identity', 'not UTF-8'],
  ['a text in an unknown encoding', 'resource', 'zstd', 'compressed in a way that is not supported'],
])('%s is not accepted as the output of an exporter', async (_, text, coded, says) => {
  [exported, encoding] = [text, coded];
  const { code, stdout, stderr } = await run('group get one -o tf');
  expect([code, stdout, stderr]).toEqual([
    1,
    '',
    expect.stringContaining(`api.bad-reply: GET /tf/org/acme/group/one: the answer is`),
  ]);
  expect(stderr).toContain(says);
});
