import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Gantry } from '../../../../src/automation.ts';
import { type JsonObject, listAt, objectAt } from '../../../../src/base/json/json.ts';
import { linkPackages } from '../../../cli/projectFolder.ts';
import { succeeded } from '../../../outcome.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';
import { writeKeyPair } from '../../../writeKeyPair.ts';
import { inProcess } from '../../harness/inProcess.ts';
import { token, writesSince } from '../../harness/platform.ts';
import { startProxy } from '../../harness/proxy.ts';
import { usePlatform } from '../../harness/usePlatform.ts';

const platform = usePlatform();
const root = temporaryFolder('several');

/** An app of two stacks: net has a GVC, and shop a workload and a secret in it. */
function app(name: string) {
  const cwd = mkdtempSync(join(root, name));
  linkPackages(cwd);
  writeFileSync(join(cwd, 'gantry.yaml'), `project: ${name}\n`);
  const declare = (more = '') =>
    writeFileSync(
      join(cwd, 'stack.ts'),
      `import { App, Group, Gvc, Secret, Stack, Workload } from 'gantry';
const app = new App();
const net = new Stack(app, 'net', { name: 'net' });
const shop = new Stack(app, 'shop', { name: 'shop' });
const gvc = new Gvc(net, '${name}', { locations: ['aws-eu-central-1'] });
new Secret(shop, '${name}', { type: 'opaque', data: { payload: 'hidden-${name}' } });
new Workload(shop, 'web', { gvc, type: 'standard', containers: [
  { name: 'main', image: 'nginx', cpu: '50m', memory: '64Mi', ports: [{ number: 80, protocol: 'http' }] }] });
${more}
export default app;
`,
    );
  declare();
  const run = (...args: readonly string[]) => inProcess(platform, args, { cwd });
  const status = async (path: string) => (await platform.call('GET', `/org/local/${path}`)).status;
  const there = () => Promise.all([`gvc/${name}`, `gvc/${name}/workload/web`, `secret/${name}`].map(status));
  return { name, cwd, run, there, declare };
}

test('one file has the plans of all stacks: it is shown, applied in their order, recognised as done, and taken back', async () => {
  const it = app('whole');
  const saved = await succeeded(it.run('plan', '.', '--all', '--out', 'all.plan'));
  expect(saved.stderr).toContain('The plans are saved in all.plan.');
  expect(saved.stderr).toMatch(/Next: .*gantry apply all\.plan/);
  expect(readFileSync(join(it.cwd, 'all.plan'), 'utf8')).not.toContain('hidden-whole');

  const shown = await succeeded(it.run('show', 'all.plan', '-o', 'json'));
  const { stacks } = JSON.parse(shown.stdout);
  expect(stacks.map((each: { stack: string }) => each.stack)).toEqual(['net.whole', 'shop.whole']);

  const from = await platform.seen();
  await succeeded(it.run('apply', 'all.plan', '--yes'));
  await platform.seen();
  expect(writesSince(platform, from)[0]).toBe('POST /org/local/gvc');
  expect(await it.there()).toEqual([200, 200, 200]);
  expect((await it.run('plan', '.', '--all', '--detailed-exitcode')).code).toBe(0);

  const again = await succeeded(it.run('apply', 'all.plan', '--yes'));
  expect(again.stdout.match(/Everything in this plan is done/g)).toHaveLength(2);

  await succeeded(it.run('undo', 'all.plan', '--out', 'back.plan'));
  await succeeded(it.run('apply', 'back.plan', '--yes'));
  expect(await it.there()).toEqual([404, 404, 404]);
});

test('a stack without changes is named when the file is applied, and is no matter for a second undo', async () => {
  const it = app('quiet');
  it.declare();
  await succeeded(it.run('apply', '.', '--all', '--yes'));
  it.declare("new Group(shop, 'quiet-group');");
  await succeeded(it.run('apply', '.', '--all', '--yes'));
  it.declare("new Group(shop, 'quiet-group', { description: 'another' });");
  await succeeded(it.run('plan', '.', '--all', '--out', 'all.plan'));
  const applied = await succeeded(it.run('apply', 'all.plan', '--yes'));
  expect(applied.stdout).toContain('Stack net.quiet in org local\n\nNo changes were planned.\n');
  await succeeded(it.run('undo', 'all.plan', '--out', 'back.plan'));
  await succeeded(it.run('apply', 'back.plan', '--yes'));
  const again = await it.run('undo', 'all.plan');
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('error undo.done')]);
});

test('a stack that fails holds those after it, and the file goes on where it stopped', async () => {
  const it = app('stops');
  await succeeded(it.run('plan', '.', '--all', '--out', 'all.plan'));
  const proxy = await startProxy(platform.url, ({ method, path }) =>
    method === 'POST' && path.startsWith('/org/local/gvc') ? { status: 400, body: { message: 'not today' } } : 'pass',
  );
  try {
    const failed = await it.run('apply', 'all.plan', '--yes', '--endpoint', proxy.url);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('Not begun: shop.stops. Apply the same file again: what is done is recognised.');
    expect(await it.there()).toEqual([404, 404, 404]);
  } finally {
    await proxy.close();
  }
  await succeeded(it.run('apply', 'all.plan', '--yes'));
  expect(await it.there()).toEqual([200, 200, 200]);
});

test.each([
  { refused: `/org/local/gvc/halves/workload`, left: ['workload/halves/web'], there: [200, 404, 200] },
  { refused: '/org/local/secret', left: ['secret/halves'], there: [200, 200, 404] },
])('a file whose apply stopped at $refused is taken back as far as it came', async ({ refused, left, there }) => {
  const it = app('halves');
  await succeeded(it.run('plan', '.', '--all', '--out', 'all.plan'));
  expect((await it.run('undo', 'all.plan')).stderr).toContain('error undo.not-applied: this plan was not applied');
  const proxy = await startProxy(platform.url, ({ method, path }) =>
    method === 'POST' && path.startsWith(refused) ? { status: 400, body: { message: 'not today' } } : 'pass',
  );
  try {
    expect((await it.run('apply', 'all.plan', '--yes', '--endpoint', proxy.url)).code).toBe(5);
    expect(await it.there()).toEqual(there);
  } finally {
    await proxy.close();
  }
  const undone = await succeeded(it.run('undo', 'all.plan', '--out', 'back.plan', '--rehearse=crash'));
  for (const id of left) expect(undone.stdout).toContain(`left as it is: ${id} was not changed by that plan`);
  await succeeded(it.run('apply', 'back.plan', '--yes'));
  expect(await it.there()).toEqual([404, 404, 404]);
});

test('a stack of the file that was not begun is no matter for the undo of the others', async () => {
  const it = app('begun');
  await succeeded(it.run('plan', '.', '--all', '--out', 'all.plan'));
  await succeeded(it.run('apply', './net', '--yes'));
  const undone = await succeeded(it.run('undo', 'all.plan', '--out', 'back.plan'));
  expect(undone.stderr).toContain('shop.begun: this plan was not applied: ');
  await succeeded(it.run('apply', 'back.plan', '--yes'));
  expect(await it.there()).toEqual([404, 404, 404]);
});

test('each plan is rehearsed on what those before it leave, and a limit that demands it is met', async () => {
  const it = app('tried');
  writeFileSync(join(it.cwd, 'gantry.yaml'), 'project: tried\nenvironments: {prod: {limits: {rehearsal: required}}}\n');
  const plan = (...more: readonly string[]) => it.run('plan', '.', '--all', '--env', 'prod', ...more);
  await succeeded(plan('--out', 'untried.plan'));
  const early = await it.run('apply', 'untried.plan', '--yes');
  expect([early.code, early.stdout]).toEqual([3, expect.stringContaining('limit.rehearsal')]);

  const tried = JSON.parse((await succeeded(plan('--rehearse=crash', '--out', 'all.plan', '-o', 'json'))).stdout);
  expect(tried.stacks.map(({ rehearsal }: JsonObject) => rehearsal)).toEqual(
    [1, 2].map(() => expect.objectContaining({ consistent: true, stoodInFor: [] })),
  );
  await succeeded(it.run('apply', 'all.plan', '--yes'));
  expect(await it.there()).toEqual([200, 200, 200]);

  it.declare("new Group(net, 'tried-more', { description: 'of both' });");
  await succeeded(plan('--rehearse', '--out', 'more.plan'));
  await succeeded(it.run('apply', 'more.plan', '--yes'));
  await succeeded(it.run('undo', 'more.plan', '--rehearse', '--out', 'less.plan'));
  await succeeded(it.run('apply', 'less.plan', '--yes'));
  const undone = await succeeded(it.run('undo', 'all.plan', '--rehearse=crash', '--out', 'back.plan'));
  expect(undone.stdout.match(/Rehearsal: consistent/g)).toHaveLength(2);
  await succeeded(it.run('apply', 'back.plan', '--yes'));
  expect(await it.there()).toEqual([404, 404, 404]);
});

test('behind a plan that is refused none is rehearsed', async () => {
  const it = app('over');
  it.declare("new Group(net, 'over-net'); new Group(shop, 'over-shop');");
  const { code, stdout, stderr } = await it.run('plan', '.', '--all', '--rehearse', '--max-changes=1');
  expect([code, stdout]).toEqual([3, expect.not.stringContaining('Rehearsal')]);
  expect(stderr).toContain('The plan is refused, so it was not rehearsed.');
  expect(stderr).toContain('The plan of a stack before it is refused, so it was not rehearsed.');
});

test('nothing is written where a later plan of the file is stale already, or a limit refuses it now', async () => {
  const it = app('ahead');
  const group = (stack: string, name: string, text: string) =>
    `new Group(${stack}, '${name}', { description: '${text}' });`;
  const declare = (text: string) =>
    it.declare(group('net', 'ahead-net', text) + group('shop', 'ahead-one', text) + group('shop', 'ahead-two', text));
  const limit = (limits: string) =>
    writeFileSync(join(it.cwd, 'gantry.yaml'), `project: ahead\nenvironments: {prod: {limits: {${limits}}}}\n`);
  limit('max-changes: 9');
  declare('old');
  await succeeded(it.run('apply', '.', '--all', '--yes', '--env', 'prod'));
  declare('new');
  await succeeded(it.run('plan', '.', '--all', '--env', 'prod', '--out', 'all.plan'));

  limit('max-changes: 1');
  let from = await platform.seen();
  const limited = await it.run('apply', 'all.plan', '--yes');
  expect([limited.code, limited.stdout]).toEqual([3, expect.stringContaining('refused limit.max-changes')]);
  await platform.seen();
  expect(writesSince(platform, from)).toEqual([]);

  limit('max-changes: 9');
  await platform.call('PATCH', '/org/local/group/ahead-two', { description: 'of a stranger' });
  from = await platform.seen();
  const stale = await it.run('apply', 'all.plan', '--yes');
  expect([stale.code, stale.stderr]).toEqual([4, expect.stringMatching(/nothing was written:\s+group\/ahead-two/)]);
  await platform.seen();
  expect(writesSince(platform, from)).toEqual([]);
});

test('nothing is written where a later plan of the file writes a secret that is another one by now', async () => {
  const it = app('other');
  await succeeded(it.run('plan', '.', '--all', '--out', 'all.plan'));
  const code = join(it.cwd, 'stack.ts');
  writeFileSync(code, readFileSync(code, 'utf8').replace('hidden-other', 'hidden-now'));
  const { code: exit, stderr } = await it.run('apply', 'all.plan', '--yes');
  expect([exit, stderr]).toEqual([4, expect.stringContaining('saved.secret-changed')]);
  expect(await it.there()).toEqual([404, 404, 404]);
});

test('the plans are signed and approved as one, and no stack can be taken out of the file', async () => {
  const it = app('signed');
  const [planner, approver] = ['planner', 'approver'].map((name) => writeKeyPair(root, name));
  if (planner === undefined || approver === undefined) throw new Error('there are two keys');
  await succeeded(it.run('plan', '.', '--all', '--out', 'all.plan', '--sign', planner.key));
  const trust = ['--signed-by', planner.pub, '--approved-by', approver.pub];
  const early = await it.run('apply', 'all.plan', '--yes', ...trust);
  expect([early.code, early.stderr]).toEqual([3, expect.stringContaining('saved.approvals')]);
  const approved = await succeeded(it.run('approve', 'all.plan', '--sign', approver.key, '--yes', '-o', 'json'));
  expect(JSON.parse(approved.stdout).signatures[1].stack).toBe('net.signed, shop.signed');

  const file = join(it.cwd, 'all.plan');
  const whole = readFileSync(file, 'utf8');
  const parsed = JSON.parse(whole);
  for (const stacks of [listAt(parsed, 'stacks').toReversed(), listAt(parsed, 'stacks').slice(0, 1), []]) {
    writeFileSync(file, JSON.stringify({ ...parsed, stacks }));
    const changed = await it.run('apply', 'all.plan', '--yes', ...trust);
    expect([changed.code, changed.stderr]).toEqual([3, expect.stringContaining('saved.tampered')]);
  }
  writeFileSync(file, whole);
  await succeeded(it.run('apply', 'all.plan', '--yes', ...trust));
  expect(await it.there()).toEqual([200, 200, 200]);
});

test('a resource that moves from one stack of the file to another is handed over, and nothing is left to do', async () => {
  const it = app('moves');
  const group = (stack: string, more = '') => `new Group(${stack}, 'handed', {${more}});`;
  it.declare(group('net'));
  await succeeded(it.run('apply', '.', '--all', '--yes'));
  it.declare(group('shop', `lifecycle: { adopt: { from: 'net.moves' } }`));
  await succeeded(it.run('plan', '.', '--all', '--out', 'all.plan'));
  await succeeded(it.run('apply', 'all.plan', '--yes'));
  expect((await it.run('plan', '.', '--all', '--detailed-exitcode')).code).toBe(0);
});

test('where the plan of one stack is refused, none is saved', async () => {
  const it = app('refused');
  const { code, stderr } = await it.run('plan', '.', '--all', '--out', 'all.plan', '--max-changes=1');
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining('The plan of shop.refused is refused, so no plan was saved to all.plan.'),
  ]);
});

test('a program saves the plans of several stacks in one file, opens them, and applies each', async () => {
  const it = app('program');
  await using gantry = await Gantry.open({ project: it.cwd, endpoint: platform.url, token, org: 'local' });
  const plans = [];
  for (const stack of await gantry.loadAll('.')) plans.push(await gantry.plan(stack));
  await gantry.save(plans, 'all.plan');
  await expect(gantry.open('all.plan')).rejects.toMatchObject({ code: 'stack.choose' });
  for (const plan of await gantry.openAll('all.plan')) await gantry.apply(plan);
  expect(await it.there()).toEqual([200, 200, 200]);
});

describe('a value that is known after apply, in the plans of two stacks', () => {
  /** `api` of shop takes the address of the last of these workloads of net. */
  function taking(name: string) {
    const it = app(name);
    const paths = { api: `/org/local/gvc/${name}/workload/api`, sources: `/org/local/gvc/${name}-far/workload` };
    const declare = (...sources: readonly string[]) =>
      it.declare(`const far = new Gvc(net, '${name}-far', { locations: ['aws-eu-central-1'] });
const ports = [{ number: 80, protocol: 'http' }] as const;
const sources = ${JSON.stringify(sources)}.map(
  (each) => new Workload(far, each, { type: 'serverless', containers: [{ name: 'main', image: 'nginx', ports }] }));
new Workload(shop, 'api', { gvc, type: 'standard', containers: [
  { name: 'main', image: 'api', env: { WEB: sources.at(-1).url + '/v1' } }] });`);
    declare('one');
    const patch = (body: JsonObject) => platform.call('PATCH', paths.api, body);
    const addressOf = async (source: string) =>
      objectAt((await platform.call('GET', `${paths.sources}/${source}`)).body, 'status')['canonicalEndpoint'];
    const taken = async () => JSON.stringify((await platform.call('GET', paths.api)).body);
    return { ...it, declare, patch, addressOf, taken, paths };
  }

  test('is known to the rehearsal of the second one, and to the undo of both', async () => {
    const it = taking('takes');
    const tried = await succeeded(it.run('plan', '.', '--all', '--rehearse=crash', '--out', 'all.plan'));
    expect(tried.stdout).toContain('note: known after apply: status.canonicalEndpoint of workload/takes-far/one');
    expect(tried.stdout.match(/Rehearsal: consistent/g)).toHaveLength(2);
    await succeeded(it.run('apply', 'all.plan', '--yes'));
    expect(await it.taken()).toContain(`"value":"${await it.addressOf('one')}/v1"`);

    const undone = await succeeded(it.run('undo', 'all.plan', '--rehearse=crash', '--out', 'back.plan'));
    expect(undone.stdout.match(/Rehearsal: consistent/g)).toHaveLength(2);
    await succeeded(it.run('apply', 'back.plan', '--yes'));
    expect(await it.there()).toEqual([404, 404, 404]);
  });

  test('is what the apply wrote, for an undo: whatever became of the other record, and not what somebody wrote', async () => {
    const it = taking('wrote');
    await succeeded(it.run('plan', '.', '--all', '--out', 'all.plan'));
    await succeeded(it.run('apply', 'all.plan', '--yes'));
    await platform.call('DELETE', `${it.paths.sources}/one`);
    const undone = await succeeded(it.run('undo', 'all.plan'));
    expect(undone.stdout).toContain('left as it is: workload/wrote-far/one was not changed by that plan');
    expect(undone.stdout).toContain('- workload/wrote/api (version 1)');

    const theirs = { name: 'main', '$patch/env': [{ name: 'WEB', value: 'https://theirs/v1' }] };
    expect((await it.patch({ spec: { '$patch/containers': [theirs] } })).status).toBe(200);
    expect((await it.run('undo', 'all.plan')).stderr).toContain('workload/wrote/api');
  });

  test('of a file whose apply stopped goes in where somebody has written another field since, and is taken back', async () => {
    const it = taking('stopped');
    await succeeded(it.run('apply', '.', '--all', '--yes'));
    const first = await it.addressOf('one');
    it.declare('one', 'two');
    await succeeded(it.run('plan', '.', '--all', '--out', 'all.plan'));
    const proxy = await startProxy(platform.url, ({ method, path }) =>
      method === 'PATCH' && path === it.paths.api ? { status: 400, body: { message: 'not today' } } : 'pass',
    );
    try {
      expect((await it.run('apply', 'all.plan', '--yes', '--endpoint', proxy.url)).code).toBe(1);
    } finally {
      await proxy.close();
    }
    await it.patch({ tags: { theirs: '1' } });
    await succeeded(it.run('apply', 'all.plan', '--yes'));
    const taken = await it.taken();
    expect(taken).toContain(`"value":"${await it.addressOf('two')}/v1"`);
    expect(taken).toContain('"theirs":"1"');
    await succeeded(it.run('undo', 'all.plan', '--out', 'back.plan'));
    await succeeded(it.run('apply', 'back.plan', '--yes'));
    expect(await it.taken()).toContain(`"value":"${first}/v1"`);
  });
});

test('what a stack takes of a record that an earlier stack of the file changes is known after apply', async () => {
  const it = app('moves');
  const write = (description: string) =>
    writeFileSync(
      join(it.cwd, 'stack.ts'),
      `import { App, Gvc, Stack, Workload } from 'gantry';
const app = new App();
const net = new Stack(app, 'net');
const gvc = new Gvc(net, 'moves', { locations: ['aws-eu-central-1'], description: '${description}' });
new Workload(new Stack(app, 'shop'), 'web', { gvc, type: 'standard', containers: [
  { name: 'main', image: 'nginx', env: { GVC: gvc.live('description') } }] });
export default app;
`,
    );
  write('one');
  await succeeded(it.run('apply', '.', '--all', '--yes'));
  write('two');
  const planned = await succeeded(it.run('plan', '.', '--all', '--rehearse', '--out', 'all.plan'));
  expect(planned.stdout).toContain('known after apply: description of gvc/moves');
  await succeeded(it.run('apply', 'all.plan', '--yes'));
  const { body } = await platform.call('GET', '/org/local/gvc/moves/workload/web');
  expect(JSON.stringify(body)).toContain('{"name":"GVC","value":"two"}');
  expect((await it.run('plan', '.', '--all', '--detailed-exitcode')).code).toBe(0);
});
