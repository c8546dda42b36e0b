import type { ChildProcess } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { client, personCalled, startIssuer } from '../../reconcile/http/smallIssuer.ts';
import { writeNewStore } from '../../reconcile/newStore.ts';
import { Repository } from '../../reconcile/sources/repository.ts';
import { writeStack } from '../../reconcile/town.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { writeKeyPair } from '../../writeKeyPair.ts';
import { inProcess } from '../harness/inProcess.ts';
import { token } from '../harness/platform.ts';
import { startGantry, waitForStderr } from '../harness/running.ts';
import { usePlatform } from '../harness/usePlatform.ts';

/** A folder with a new store. */
async function folderWithStore(name: string): Promise<string> {
  const folder = temporaryFolder(name);
  await writeNewStore(join(folder, '.gantry/reconcile'));
  return folder;
}

let cwd: string;
const platform = usePlatform();

beforeAll(async () => {
  cwd = await folderWithStore('reconcile-command');
  writeStack(cwd, 'shop', { buyers: 'one' });
  writeFileSync(join(cwd, 'reconcile.yaml'), 'stacks:\n  shop: { folder: shop, mode: propose, interval: 1h }\n');
});

async function run(...args: readonly string[]) {
  return inProcess(platform, args, { cwd });
}

async function stateOf(): Promise<unknown> {
  const { stdout } = await run('reconcile', 'status', '-o', 'json');
  return JSON.parse(stdout).stacks[0];
}

test('a plan waits, is approved and applied by separate commands on the store in the folder', async () => {
  expect((await run('reconcile', 'once')).code).toBe(0);
  expect(await stateOf()).toMatchObject({ name: 'shop', state: 'waiting', changes: { create: 1 } });
  const refused = await run('reconcile', 'approve', 'shop');
  expect(refused.stderr).toContain('group/buyers');
  expect(refused.stderr).toContain('error reconcile.not-approved');
  const approved = await run('reconcile', 'approve', 'shop', '--yes', '--by', 'ana');
  expect(approved.code).toBe(0);
  expect((await run('reconcile', 'once')).stdout).toMatch(/^shop {2}in line/);
  expect((await platform.call('GET', '/org/local/group/buyers')).body).toMatchObject({ description: 'one' });
});

test('a stack is paused, triggered and resumed while a worker holds the store', async () => {
  const worker = startGantry(platform.url, ['reconcile', 'run', '--http', '0'], cwd);
  try {
    await waitForStderr(worker, 'The page: http://127.0.0.1:');
    const { port } = JSON.parse(readFileSync(join(cwd, '.gantry/reconcile/worker.json'), 'utf8'));
    expect((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })).status).toBe(401);
    expect((await run('reconcile', 'once')).stderr).toContain('error reconcile.locked');
    await run('reconcile', 'pause', 'shop', '--reason', 'a migration', '--for', '1h');
    expect(await stateOf()).toMatchObject({ state: 'paused', because: 'a migration' });
    await run('reconcile', 'resume', 'shop');
    writeStack(cwd, 'shop', { buyers: 'two' });
    await run('reconcile', 'now', 'shop');
    await expect.poll(stateOf).toMatchObject({ state: 'waiting', changes: { patch: 1 } });
    const unknown = await run('reconcile', 'status', 'ship');
    expect(unknown.stderr).toContain('error reconcile.unknown: there is no stack ship');
  } finally {
    worker.child.kill('SIGTERM');
    await worker.ended;
  }
  expect((await worker.ended).code).toBe(0);
});

test('a stack that cannot be loaded ends with exit code 1 and the reason', async () => {
  writeFileSync(join(cwd, 'shop/groups.yaml'), 'kind: group\nname: "!"\n');
  const { code, stdout } = await run('reconcile', 'once', '-o', 'json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    stacks: [{ state: 'failing', because: expect.stringContaining('"!" is not a valid name'), failures: 1 }],
    error: { code: 'reconcile.failing', message: 'failing: shop' },
  });
  writeStack(cwd, 'shop', { buyers: 'two' });
});

test('a store belongs to one list of stacks and can be moved; another list is refused without --take-over', async () => {
  const parent = temporaryFolder('reconcile-lists');
  const [before, now] = [join(parent, 'before'), join(parent, 'now')];
  mkdirSync(before);
  await writeNewStore(join(before, '.gantry/reconcile'));
  writeStack(before, 'shop', { buyers: 'one' });
  writeFileSync(join(before, 'reconcile.yaml'), 'stacks: {shop: {folder: shop}}');
  writeFileSync(join(before, 'other.yaml'), 'stacks: {other: {folder: shop}}');
  expect((await inProcess(platform, ['reconcile', 'once'], { cwd: before })).code).toBe(0);
  renameSync(before, now);
  const once = (...args: readonly string[]) => inProcess(platform, ['reconcile', 'once', ...args], { cwd: now });
  expect((await once()).code).toBe(0);
  const other = await once('--config', 'other.yaml');
  expect([other.code, other.stderr]).toEqual([
    1,
    expect.stringContaining(
      `reconcile.other-file: the store is of another list of stacks, ${join(now, 'reconcile.yaml')}, and this one is ${join(now, 'other.yaml')}`,
    ),
  ]);
  expect((await once('--config', 'other.yaml', '--take-over')).stdout).toMatch(/^other /);
});

test('if limits require keys, a plan that the worker signs waits for the signature of an approver', async () => {
  const folder = await folderWithStore('reconcile-keys');
  const planner = writeKeyPair(folder, 'planner');
  const approver = writeKeyPair(folder, 'approver');
  const limits = 'environments: {prod: {limits: {signature: required, approvals: 1}}}\n';
  const path = writeStack(
    folder,
    'keys',
    { keyed: 'one' },
    `signers: {plan: planners, approval: approvers}\n${limits}`,
  );
  copyFileSync(planner.pub, join(path, 'planners'));
  copyFileSync(approver.pub, join(path, 'approvers'));
  writeFileSync(join(folder, 'reconcile.yaml'), 'stacks: {keys: {folder: keys, mode: auto, env: prod}}');
  const reconcile = (...args: readonly string[]) => inProcess(platform, ['reconcile', ...args], { cwd: folder });
  const approve = (...args: readonly string[]) => reconcile('approve', 'keys', '--yes', ...args);

  expect((await reconcile('once')).stdout).toContain('only a signed plan can be applied, and the worker has no key');
  expect((await reconcile('once', '--sign', planner.key)).stdout).toMatch(/^keys {2}waiting .*0 of 1 approvals/);
  expect((await approve()).stderr).toContain('error reconcile.signature: limits or signers of gantry.yaml ask');
  const own = await approve('--sign', planner.key);
  expect([own.code, own.stderr]).toEqual([3, expect.stringContaining('error saved.own-approval: ')]);
  expect((await platform.call('GET', '/org/local/group/keyed')).status).toBe(404);
  expect((await approve('--sign', approver.key)).code).toBe(0);
  expect((await reconcile('once', '--sign', planner.key)).stdout).toMatch(/^keys {2}in line/);
  expect((await platform.call('GET', '/org/local/group/keyed')).body).toMatchObject({ description: 'one' });
});

test.each([
  { it: 'the default one', named: [], org: 'local', code: 0 },
  { it: 'a chosen one', named: ['--profile', 'prod'], org: 'beta', code: 1 },
])('the org of a profile wins over gantry.yaml only if the profile was chosen: $it', async ({ named, org, code }) => {
  const folder = await folderWithStore('reconcile-profile');
  writeFileSync(join(folder, 'token'), token);
  const profile = ['--endpoint', platform.url, '--org', 'beta', '--token-file', 'token'];
  expect((await inProcess(undefined, ['profile', 'create', 'prod', ...profile], { cwd: folder })).code).toBe(0);
  writeStack(folder, 'net', { [`of-${org}`]: 'one' });
  writeFileSync(join(folder, 'reconcile.yaml'), 'stacks: {net: {folder: net, mode: auto}}');
  const planned = await inProcess(undefined, ['plan', 'net', ...named], { cwd: folder });
  expect(planned.code).toBe(code);
  const once = await inProcess(undefined, ['reconcile', 'once', ...named], { cwd: folder });
  expect([once.code, once.stdout]).toEqual([code, expect.stringContaining(code === 0 ? 'in line' : 'beta')]);
  expect((await platform.call('GET', `/org/local/group/of-${org}`)).status).toBe(code === 0 ? 200 : 404);
});

test('a worker serves health and metrics, and a signed webhook makes a stack run', async () => {
  const folder = await folderWithStore('reconcile-operations');
  const repository = new Repository(folder);
  const push = (description: string) =>
    repository.commit({
      'gantry.yaml': 'stack: pushed\norg: local\n',
      'group.yaml': `kind: group\nname: pushed\ndescription: ${description}\n`,
    });
  push('one');
  writeFileSync(
    join(folder, 'reconcile.yaml'),
    `webhooks: {github: {env: HOOK}}
stacks: {pushed: {git: {url: ${repository.folder}, branch: main}, mode: auto, interval: 1h}}`,
  );
  const sha256 = createHash('sha256').update('wall-token').digest('hex');
  writeFileSync(join(folder, 'tokens.yaml'), `tokens: [{name: wall, role: read, sha256: ${sha256}}]`, { mode: 0o600 });
  const args = ['reconcile', 'run', '--http', '0', '--tokens', 'tokens.yaml', '-o', 'json'];
  const worker = startGantry(platform.url, args, folder, { HOOK: 'of-the-forge' });
  try {
    const { url } = JSON.parse(await printed(worker.child));
    const ask = async (path: string, init: RequestInit = {}): Promise<readonly [number, string]> => {
      const response = await fetch(`${url}${path}`, init);
      return [response.status, await response.text()];
    };
    const metrics = (token: string) => ask('/-metrics', { headers: { authorization: `Bearer ${token}` } });
    const described = async () => (await platform.call('GET', '/org/local/group/pushed')).body['description'];
    expect([await ask('/-health'), await ask('/-ready')]).toEqual([
      [200, 'ok\n'],
      [200, 'ready\n'],
    ]);
    await expect
      .poll(() => metrics('wall-token'))
      .toEqual([200, expect.stringMatching(/^gantry_reconcile_stacks\{state="in line"\} 1$/m)]);
    expect((await metrics('another'))[0]).toBe(401);
    expect(await described()).toBe('one');
    push('two');
    const body = JSON.stringify({ ref: 'refs/heads/main', repository: { clone_url: repository.folder } });
    const hook = (secret: string) => {
      const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
      const headers = { 'content-type': 'application/json', 'x-github-event': 'push' };
      return ask('/-hooks', { method: 'POST', body, headers: { ...headers, 'x-hub-signature-256': signature } });
    };
    expect((await hook('of-another'))[0]).toBe(401);
    expect(await hook('of-the-forge')).toEqual([202, '{"stacks":1}']);
    await expect.poll(described).toBe('two');
  } finally {
    worker.child.kill('SIGTERM');
    await worker.ended;
  }
  expect((await worker.ended).code).toBe(0);
});

/** The document that a command prints when it is ready. */
async function printed({ stdout }: ChildProcess): Promise<string> {
  let text = '';
  for await (const part of stdout ?? []) {
    text += String(part);
    if (text.trimEnd().endsWith('}')) break;
  }
  return text;
}

test('users sign in to a worker, approve by name, and stay signed in when it restarts', async () => {
  await using issuer = await startIssuer();
  issuer.person = personCalled('ann', { groups: ['platform'] });
  const folder = await folderWithStore('reconcile-sign-in-command');
  writeStack(folder, 'signed', { signers: 'one' });
  writeFileSync(
    join(folder, 'reconcile.yaml'),
    `sign-in:
  issuer: ${issuer.url}
  client-id: ${client.id}
  client-secret: { env: CLIENT_SECRET }
  roles: { approve: { groups: [platform] } }
stacks: { signed: { folder: signed, mode: propose, interval: 1h } }`,
  );
  const started = async () => {
    const args = ['reconcile', 'run', '--http', '0', '-o', 'json'];
    const worker = startGantry(platform.url, args, folder, { CLIENT_SECRET: client.secret });
    const { url } = JSON.parse(await printed(worker.child));
    const ask = async (path: string, cookie: string, body?: object) => {
      const init = { method: 'POST', body: JSON.stringify(body) };
      const headers = { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json', origin: url }) };
      return fetch(new URL(path, url), { redirect: 'manual', headers, ...(body === undefined ? {} : init) });
    };
    return { worker, ask };
  };
  const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  let { worker, ask } = await started();
  try {
    const left = await ask('/-sign-in', '');
    const came = await ask(issuer.returns(left.headers.get('location') ?? ''), cookieOf(left));
    expect([came.status, came.headers.get('location')]).toEqual([303, '/']);
    const cookie = cookieOf(came);
    const detail = async () => JSON.parse(await (await ask('/api/stacks/signed', cookie)).text());
    const waiting = async () => (await detail()).waiting?.name;
    await expect.poll(waiting).toEqual(expect.any(String));
    worker.child.kill('SIGTERM');
    const { stderr } = await worker.ended;
    expect(stderr).toContain('ann@example.com has signed in with the role approve');
    for (const secret of [client.secret, cookie.split('=')[1] ?? '']) expect(stderr).not.toContain(secret);
    ({ worker, ask } = await started());
    expect((await ask('/api/stacks/signed/approve', cookie, { plan: await waiting() })).status).toBe(200);
    await expect.poll(detail).toMatchObject({ earlier: [{ approvals: { given: [{ by: 'ann@example.com' }] } }] });
    expect((await platform.call('GET', '/org/local/group/signers')).body).toMatchObject({ description: 'one' });
  } finally {
    worker.child.kill('SIGTERM');
    await worker.ended;
  }
});
