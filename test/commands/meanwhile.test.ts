import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../src/base/json/json.ts';
import { shapeOf } from '../../src/kinds/shapeOf.ts';
import { applyPatch } from '../../src/patch/applyPatch.ts';
import { kindNamed } from '../../src/schema/record/kinds.ts';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { token } from '../e2e/harness/platform.ts';
import { usePlatform } from '../e2e/harness/usePlatform.ts';
import { succeeded } from '../outcome.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { useServer } from './useServer.ts';

const cwd = temporaryFolder('meanwhile');

/** A record of every kind with everything that the commands below remove or change. */
const record = {
  id: 'the-id',
  name: 'one',
  keys: [{ name: 'key-1' }],
  bindings: [{ permissions: ['view'], principalLinks: ['/org/acme/group/team'] }],
  memberLinks: ['/org/acme/user/ann@example.com'],
  spec: {
    staticPlacement: { locationLinks: ['/org/acme/location/here'] },
    locations: [{ name: '/org/acme/location/here', retentionPolicy: 'keep' }],
  },
};
let version = 7;
/** The status of the answer to a PATCH, and whether the record changes before it. */
let patched: { readonly status: number; readonly isChanged: boolean } = { status: 200, isChanged: false };
/** How often the platform raises the version by itself before a PATCH, which it then refuses. */
let rises = 0;
/** The change by another client. */
let theirs: JsonObject = {};
/** What it is after a PATCH that another client overtakes. */
let overtaken: JsonObject = {};
/** Whether the platform raises the version at each read. */
let isRestless = false;
let bodies: JsonObject[] = [];
const run = useServer(cwd, async (request, response) => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  if (request.method === 'PATCH') {
    const body: unknown = JSON.parse(text);
    if (isObject(body)) bodies.push(body);
    const before = { ...record, ...theirs };
    if (patched.isChanged) [version, theirs] = [version + 1, overtaken];
    const status = rises > 0 ? 409 : patched.status;
    if (rises > 0) [version, rises] = [version + 1, rises - 1];
    response.writeHead(status);
    const [, , org = '', ...path] = (request.url ?? '').split('/');
    const kind = kindNamed(path.at(-2)) ?? 'gvc';
    const { id: _id, version: _version, ...change }: JsonObject = isObject(body) ? body : {};
    const made = applyPatch(shapeOf(kind, record), before, change, { org, gvc: 'shop' });
    const answer = status === 200 && made.ok ? made.record : before;
    response.end(
      JSON.stringify({ ...answer, version, message: `refusal ${bodies.length}: the version is another one` }),
    );
  } else {
    if (request.method === 'PUT') bodies.push(JSON.parse(text));
    if (isRestless) version += 1;
    response.end(JSON.stringify({ ...record, ...theirs, version }));
  }
});
beforeEach(() => {
  [version, bodies, rises, theirs, isRestless] = [7, [], 0, {}, false];
  overtaken = { tags: { team: 'theirs' } };
});

const lines = [
  'gvc update one --set description=new',
  'gvc add-location one --location there',
  'gvc remove-location one --location here',
  'ipset add-location one --location there',
  'ipset update-location one --location here,free',
  'ipset remove-location one --location here',
  'serviceaccount remove-key one --key key-1',
  'policy add-binding one --permission edit --principal group/team',
  'policy remove-binding one --permission view --principal group/team',
  'group remove-member one --email ann@example.com',
  'workload stop one --gvc shop',
  'workload start one --gvc shop',
];

test.each(lines)('gantry %s sends the id and the version that it read', async (line) => {
  patched = { status: 200, isChanged: false };
  await succeeded(run(line));
  expect(bodies).toEqual([expect.objectContaining({ id: 'the-id', version: 7 })]);
});

test.each(lines)('gantry %s fails if another client changed the record in between', async (line) => {
  patched = { status: 409, isChanged: true };
  const { code, stdout, stderr } = await run(line);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /api\.conflict: somebody else changed the \w+ one after this command had read it; nothing was written/,
  );
  expect(stderr).toContain('Run the command again');
  expect(bodies).toHaveLength(1);
});

test.each(lines)('gantry %s retries if only the version has risen', async (line) => {
  patched = { status: 200, isChanged: false };
  rises = 2;
  await succeeded(run(line));
  expect(bodies.map((body) => body['version'])).toEqual([7, 8, 9]);
});

test('edit retries if only the version has risen', async () => {
  patched = { status: 200, isChanged: false };
  rises = 1;
  const env = { EDITOR: "sed -i 's/^name: one/description: new\\nname: one/'" };
  const { code, stderr } = await run('gvc edit one --yes', { env });
  expect(code, stderr).toBe(0);
  expect(bodies.map((body) => body['version'])).toEqual([7, 8]);
});

test('edit --replace writes if only the version has risen while the editor was open', async () => {
  isRestless = true;
  const env = { EDITOR: "sed -i 's/^name: one/description: new\\nname: one/'" };
  const { code, stderr } = await run('gvc edit one --replace --yes', { env });
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('omebody')]);
  expect(bodies).toEqual([expect.objectContaining({ name: 'one', description: 'new' })]);
});

/** docs/client.md: a change in between is refused, except for the values of tags that the command does not write. */
test.each([
  { it: 'another field', now: { tags: { team: 'a' }, description: 'theirs' }, isRefused: true },
  { it: 'a new tag', now: { tags: { team: 'a', more: 'x' } }, isRefused: true },
  { it: 'a removed tag', now: { tags: {} }, isRefused: true },
  { it: 'the tag that is set', now: { tags: { team: 'b' } }, set: '--set tags.team=c', isRefused: true },
  { it: 'the tag that is removed', now: { tags: { team: 'b' } }, set: '--unset tags.team', isRefused: true },
  { it: 'the id', now: { tags: { team: 'a' }, id: 'another' }, isRefused: true },
  { it: 'another tag', now: { tags: { team: 'b' } }, isRefused: false },
])('update is refused if another client changed $it: $isRefused', async ({ now, set, isRefused }) => {
  patched = { status: 200, isChanged: true };
  [rises, theirs, overtaken] = [1, { tags: { team: 'a' } }, now];
  const { code, stderr } = await run(`gvc update one ${set ?? '--set spec.tracing.sampling=50'}`);
  expect([code, bodies.length], stderr).toEqual(isRefused ? [1, 1] : [0, 2]);
});

test('update of a secret value is not repeated, because nothing shows whether it was changed', async () => {
  patched = { status: 200, isChanged: false };
  [rises, theirs] = [1, { type: 'opaque' }];
  const { code, stderr } = await run('secret update one --set data.payload=new');
  expect([code, bodies.length], stderr).toEqual([1, 1]);
});

/** A platform may refuse directives, or id and version, so other forms are tried; the reason is in the first answer. */
test.each([
  'gvc update one --set description=new',
  'gvc update one --set spec.env.A.value=b',
  'group add-member one --serviceaccount bot',
])('%s shows the first refusal if every form of it is refused', async (line) => {
  patched = { status: 400, isChanged: false };
  const { code, stderr } = await run(line);
  expect([code, stderr]).toEqual([1, expect.stringContaining('refusal 1: ')]);
  expect(bodies.length).toBeGreaterThan(1);
});

test('a PATCH without a version is sent only if the record is still the one that was read', async () => {
  patched = { status: 400, isChanged: true };
  expect((await run('gvc update one --set description=new')).stderr).toContain('api.conflict: somebody else changed');
  expect(bodies).toHaveLength(1);
});

test('a conflict without another writer shows the message of the platform', async () => {
  patched = { status: 409, isChanged: false };
  expect((await run('gvc update one --set description=new')).stderr).toContain('the version is another one');
});

const platform = usePlatform();

/**
 * An editor during which another client writes, the first time it is open. `second` is the text that it saves the
 * second time.
 */
async function edited(name: string, second: string, more: readonly string[] = []) {
  await platform.call('POST', '/org/local/group', { name, description: 'before' });
  writeFileSync(
    join(cwd, `${name}.mjs`),
    `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
const [file] = process.argv.slice(2);
const text = readFileSync(file, 'utf8');
if (existsSync('${name}.once')) {
  writeFileSync('${name}.seen', text);
  writeFileSync(file, ${second});
} else {
  writeFileSync('${name}.once', '');
  const headers = { authorization: '${token}', 'content-type': 'application/json' };
  const body = JSON.stringify({ tags: { team: 'theirs' } });
  await fetch('${platform.url}/org/local/group/${name}', { method: 'PATCH', headers, body });
  writeFileSync(file, text.replace('description: before', 'description: mine'));
}
`,
  );
  const env = { EDITOR: `${process.execPath} ${join(cwd, `${name}.mjs`)}` };
  const outcome = await inProcess(platform, ['group', 'edit', name, ...more], { cwd, env });
  const { body } = await platform.call('GET', `/org/local/group/${name}`);
  return { ...outcome, body };
}

test('edit shows the change of another client, and sends nothing if it is closed unchanged', async () => {
  const { code, stderr, body } = await edited('unchanged', 'text');
  expect(stderr).toContain('tags.team: (none) → "theirs"');
  expect(stderr).toMatch(
    /edit\.not-saved: somebody else changed the record while you edited it, and the file was closed as/,
  );
  expect(code).toBe(1);
  expect(body).toMatchObject({ description: 'before', tags: { team: 'theirs' } });
});

test.each([
  ['edit', 'released', []],
  ['edit --replace', 'replaced', ['--replace']],
])('%s rebases its change on that of another client after the blocking line is deleted', async (_, name, more) => {
  const { code, stderr, body } = await edited(name, "text.replace(/^.*Delete this line.*\\n/m, '')", more);
  expect(code, stderr).toBe(0);
  expect(body).toMatchObject({ description: 'mine', tags: { team: 'theirs' } });
});
