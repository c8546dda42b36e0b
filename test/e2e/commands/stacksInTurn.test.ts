import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { Gantry } from '../../../src/automation.ts';
import { linkPackages } from '../../cli/projectFolder.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { token } from '../harness/platform.ts';
import { startProxy } from '../harness/proxy.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const platform = usePlatform();
const root = temporaryFolder('in-turn');

/** An app of the stacks net, shop and edge; `declare` replaces what is in them. */
function app(name: string, first: string) {
  const cwd = mkdtempSync(join(root, name));
  linkPackages(cwd);
  writeFileSync(join(cwd, 'gantry.yaml'), `project: ${name}\n`);
  const declare = (resources: string): void => {
    writeFileSync(
      join(cwd, 'stack.ts'),
      [
        `import { App, Domain, Group, Gvc, Identity, Secret, Stack, Workload } from 'gantry';`,
        'const app = new App();',
        `const [net, shop, edge] = ['net', 'shop', 'edge'].map((id) => new Stack(app, id, { name: \`${name}-\${id}\` }));`,
        resources,
        'export default app;',
      ].join('\n'),
    );
  };
  declare(first);
  const run = (...args: readonly string[]) => inProcess(platform, args, { cwd });
  const status = async (path: string) => (await platform.call('GET', `/org/local/${path}`)).status;
  return { cwd, declare, run, status };
}

const names = ['net', 'shop', 'edge'];

/** What net has: what is not said of it is dropped. */
function net(name: string, more: readonly string[] = []): string {
  return [`const gvc = new Gvc(net, '${name}', { locations: ['aws-eu-central-1'] });`, ...more].join('\n');
}

const identity = `const identity = new Identity(net, 'api', { gvc });`;

function secret(name: string, more = ''): string {
  return `const secret = new Secret(net, '${name}', { type: 'opaque', data: { payload: 'x' }${more} });`;
}

/** The workload of shop. */
function web(uses = '', env = ''): string {
  const container = `{ name: 'main', image: 'nginx', cpu: '50m', memory: '64Mi', ports: [{ number: 80, protocol: 'http' }], env: {${env}} }`;
  return `new Workload(shop, 'web', { gvc, type: 'standard', ${uses} containers: [${container}] });`;
}

const using = web('identity,', `DB: secret.key('payload')`);

/** The group of edge. */
const edge = (name: string) => `new Group(edge, '${name}-edge', {});`;

/** The writes of what was sent, without the probes. */
function writes(seen: readonly { readonly method: string; readonly path: string; readonly isWrite: boolean }[]) {
  return seen.flatMap(({ method, path, isWrite }) => (isWrite ? [`${method} ${path.replace(/[?].*/, '')}`] : []));
}

test('an identity and a secret that two stacks drop are deleted after the workload has let go of them', async () => {
  const it = app('both', lines(net('both', [identity, secret('both-db')]), using, edge('both')));
  await succeeded(it.run('apply', '.', '--all', '--yes'));
  it.declare(lines(net('both'), web(), edge('both')));

  const plan = await succeeded(it.run('plan', '.', '--all'));
  expect(plan.stdout).toContain(
    'identity/both/api: it is deleted after the stack both-shop.both: workload/both/web needs',
  );
  expect(plan.stdout).toContain('No changes yet: 3 unchanged');
  expect(plan.stdout).toContain('Later: 2 to delete, after both-shop.both.');

  const proxy = await startProxy(platform.url, () => 'pass');
  try {
    await succeeded(it.run('apply', '.', '--all', '--yes', '--endpoint', proxy.url));
    const sent = writes(proxy.seen);
    const changed = sent.indexOf('PATCH /org/local/gvc/both/workload/web');
    for (const gone of ['gvc/both/identity/api', 'secret/both-db']) {
      expect(sent.indexOf(`DELETE /org/local/${gone}`)).toBeGreaterThan(changed);
      expect(await it.status(gone)).toBe(404);
    }
    expect(changed).toBeGreaterThan(-1);
  } finally {
    await proxy.close();
  }
  expect((await it.run('plan', '.', '--all', '--detailed-exitcode')).code).toBe(0);
});

test('a GVC, its identity and the workload of another stack in it go in one run, the workload first', async () => {
  const it = app(
    'whole',
    lines(
      net('whole', [identity, secret('whole-db')]),
      using,
      edge('whole'),
      `new Group(net, 'whole-net', {}); new Group(shop, 'whole-shop', {});`,
    ),
  );
  await succeeded(it.run('apply', '.', '--all', '--yes'));
  it.declare(lines(edge('whole'), `new Group(net, 'whole-net', {}); new Group(shop, 'whole-shop', {});`));
  await succeeded(it.run('apply', '.', '--all', '--yes'));
  for (const gone of ['gvc/whole', 'secret/whole-db']) expect(await it.status(gone)).toBe(404);
  expect((await it.run('plan', '.', '--all', '--detailed-exitcode')).code).toBe(0);
});

test('a secret that is renamed keeps its old name until the workload of another stack reads the new one', async () => {
  const it = app('renamed', lines(net('renamed', [identity, secret('renamed-db')]), using, edge('renamed')));
  await succeeded(it.run('apply', '.', '--all', '--yes'));
  const lifecycle = `, lifecycle: { previously: 'renamed-db' }`;
  it.declare(lines(net('renamed', [identity, secret('renamed-db-2', lifecycle)]), using, edge('renamed')));
  const plan = await succeeded(it.run('plan', '.', '--all'));
  expect(plan.stdout).toContain('secret/renamed-db: it is deleted after the stack renamed-shop.renamed');
  await succeeded(it.run('apply', '.', '--all', '--yes'));
  expect(await it.status('secret/renamed-db')).toBe(404);
  expect(await it.status('secret/renamed-db-2')).toBe(200);
  expect((await it.run('plan', '.', '--all', '--detailed-exitcode')).code).toBe(0);
});

test('a plan of one stack is refused where another one has or declares a use of what it deletes', async () => {
  const it = app('alone', lines(net('alone', [identity, secret('alone-db')]), using, edge('alone')));
  await succeeded(it.run('apply', '.', '--all', '--yes'));

  it.declare(
    lines(net('alone'), web(`identityLink: '//gvc/alone/identity/api',`, `DB: 'scheme://secret/alone-db.payload'`)),
  );
  for (const stacks of [['--stack', 'alone-net'], ['--all']]) {
    const declared = await it.run('plan', '.', ...stacks);
    expect([declared.code, declared.stdout.replace(/\s+/g, ' ')]).toEqual([
      3,
      expect.stringMatching(
        /refused delete.referenced: workload\/alone\/web of the stack alone-shop.alone is declared to need it at spec.identityLink \(stack.ts:\d+/,
      ),
    ]);
  }

  it.declare(lines(net('alone'), web(), edge('alone')));
  const live = await it.run('apply', '.', '--stack', 'alone-net', '--yes');
  expect([live.code, live.stdout]).toEqual([
    3,
    expect.stringContaining('refused delete.referenced: workload/alone/web stays, and needs it at'),
  ]);
  expect(await it.status('secret/alone-db')).toBe(200);
});

test('destroy of one stack is refused while another one needs something of it, by command and by API', async () => {
  const it = app('ruin', lines(net('ruin', [identity, secret('ruin-db')]), using, edge('ruin')));
  await succeeded(it.run('apply', '.', '--all', '--yes'));
  const refused = await it.run('destroy', '.', '--stack', 'ruin-net', '--yes');
  expect([refused.code, refused.stdout.replace(/\s+/g, ' ')]).toEqual([
    3,
    expect.stringContaining('refused delete.referenced: workload/ruin/web of the stack ruin-shop.ruin is declared to'),
  ]);

  await using gantry = await Gantry.open({ project: it.cwd, endpoint: platform.url, token, org: 'local' });
  const [first] = await gantry.loadAll('.');
  if (first === undefined) throw new Error('the stack net');
  const { plan } = await gantry.plan(first, { destroy: true });
  const { refusals = [] } = plan.changes.find(({ id }) => id === 'secret/ruin-db') ?? {};
  expect([first.owner, refusals.map(({ code }) => code)]).toEqual(['ruin-net.ruin', ['delete.referenced']]);
  expect(await it.status('secret/ruin-db')).toBe(200);

  await succeeded(it.run('destroy', '.', '--stack', 'ruin-shop', '--yes'));
  await succeeded(it.run('destroy', '.', '--stack', 'ruin-net', '--yes'));
  expect([await it.status('secret/ruin-db'), await it.status('gvc/ruin')]).toEqual([404, 404]);
});

test('what another stack names in dependsOn is not deleted', async () => {
  const shop = `new Group(shop, 'depends-shop', { lifecycle: { dependsOn: ['group/depends-gone'] } });`;
  const it = app('depends', lines(net('depends'), `new Group(net, 'depends-gone', {});`, shop, edge('depends')));
  await succeeded(it.run('apply', '.', '--all', '--yes'));
  it.declare(lines(net('depends'), shop, edge('depends')));
  const { code, stdout } = await it.run('plan', '.', '--stack', 'depends-net');
  expect([code, stdout.replace(/\s+/g, ' ')]).toEqual([
    3,
    expect.stringContaining('group/depends-shop of the stack depends-shop.depends is declared to need it at lifecycle'),
  ]);
});

test.each(['net', 'edge'])('a group that %s drops and shop adopts is handed over in one run', async (from) => {
  const name = `moved-${from}`;
  const others = names.map((each) => `new Group(${each}, '${name}-${each}', {});`).join('\n');
  const it = app(name, lines(others, `new Group(${from}, '${name}', {});`));
  await succeeded(it.run('apply', '.', '--all', '--yes'));
  const before = await platform.call('GET', `/org/local/group/${name}`);
  const lifecycle = `lifecycle: { adopt: { from: '${name}-${from}.${name}' } }`;
  it.declare(lines(others, `new Group(shop, '${name}', { ${lifecycle} });`));
  const plan = await succeeded(it.run('plan', '.', '--all'));
  expect(plan.stdout).toContain('1 to adopt');
  expect(plan.stdout).not.toContain('to delete');
  const applied = await succeeded(it.run('apply', '.', '--all', '--yes'));
  expect(applied.stdout).not.toContain('has not released it');
  const after = await platform.call('GET', `/org/local/group/${name}`);
  expect(after.body).toMatchObject({ id: Object(before.body).id, tags: { 'gantry/stack': `${name}-shop.${name}` } });
  expect((await it.run('plan', '.', '--all', '--detailed-exitcode')).code).toBe(0);
});

test('what another stack declares without adopting it is not deleted', async () => {
  const others = names.map((each) => `new Group(${each}, 'taken-${each}', {});`).join('\n');
  const it = app('taken', lines(others, `new Group(net, 'taken', {});`));
  await succeeded(it.run('apply', '.', '--all', '--yes'));
  it.declare(lines(others, `new Group(shop, 'taken', {});`));
  const applied = await it.run('apply', '.', '--all', '--yes');
  expect([applied.code, applied.stdout]).toEqual([
    3,
    expect.stringContaining('refused delete.referenced: the stack taken-shop.taken declares it'),
  ]);
  expect(await it.status('group/taken')).toBe(200);
});

test('a deletion that would be refused when its turn comes is refused before anything is written', async () => {
  const it = app(
    'kept',
    lines(net('kept', [identity, secret('kept-db', `, tags: { 'scheme/protected': 'true' }`)]), using, edge('kept')),
  );
  await succeeded(it.run('apply', '.', '--all', '--yes'));
  it.declare(lines(net('kept'), web(), edge('kept')));
  const version = async () => Object((await platform.call('GET', '/org/local/gvc/kept/workload/web')).body).version;
  const before = await version();
  for (const command of [['plan'], ['apply', '--yes']]) {
    const { code, stdout } = await it.run(...command, '.', '--all');
    expect([code, stdout]).toEqual([3, expect.stringContaining('refused delete.protected')]);
  }
  expect(await version()).toBe(before);

  const limited = await it.run('apply', '.', '--all', '--yes', '--max-deletes', '1');
  expect([limited.code, limited.stdout]).toEqual([3, expect.stringContaining('delete.too-many')]);
  expect(await version()).toBe(before);
});

test('what a workload of another stack needs that stays without being declared is refused in the plan', async () => {
  const group = `new Group(shop, 'stays-shop', {});`;
  const retained = web('lifecycle: { retain: true }, identity,', `DB: secret.key('payload')`);
  const it = app('stays', lines(net('stays', [identity, secret('stays-db')]), retained, group, edge('stays')));
  await succeeded(it.run('apply', '.', '--all', '--yes'));
  it.declare(lines(net('stays'), group, edge('stays')));
  const { code, stdout } = await it.run('apply', '.', '--all', '--yes');
  expect(code).toBe(3);
  expect(stdout).toContain('refused delete.referenced: workload/stays/web still refers to it at spec.identityLink');
  expect(stdout).toContain('refused delete.referenced: workload/stays/web stays, and needs it at');
});

test('a run that ends between the passes is finished by the next one', async () => {
  const it = app('cut', lines(net('cut', [identity, secret('cut-db')]), using, edge('cut')));
  await succeeded(it.run('apply', '.', '--all', '--yes'));
  it.declare(lines(net('cut'), web(), edge('cut')));
  const proxy = await startProxy(platform.url, ({ method }) => (method === 'DELETE' ? { status: 403 } : 'pass'));
  try {
    expect((await it.run('apply', '.', '--all', '--yes', '--endpoint', proxy.url)).code).not.toBe(0);
  } finally {
    await proxy.close();
  }
  expect(await it.status('secret/cut-db')).toBe(200);
  await succeeded(it.run('apply', '.', '--all', '--yes'));
  for (const gone of ['secret/cut-db', 'gvc/cut/identity/api']) expect(await it.status(gone)).toBe(404);
  expect((await it.run('plan', '.', '--all', '--detailed-exitcode')).code).toBe(0);
});

/** Each question gets a yes. */
function answersYes(): () => number {
  let asked = 0;
  const answers = function* () {
    asked += 1;
    yield 'yes\n';
  };
  Object.defineProperty(process, 'stdin', { get: () => Readable.from(answers()), configurable: true });
  return () => asked;
}

const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {};
afterEach(() => void Object.defineProperty(process, 'stdin', stdin));

test.each([
  { name: 'asked-with', other: `new Group(net, 'asked-with-group', {});`, questions: 2, it: 'was confirmed with it' },
  { name: 'asked-alone', other: '', questions: 2, it: 'had nothing else to confirm' },
])('a deletion that waits is confirmed once: its stack $it', async ({ name, other, questions }) => {
  const it = app(name, lines(net(name, [identity, secret(`${name}-db`)]), using, edge(name)));
  await succeeded(it.run('apply', '.', '--all', '--yes'));
  it.declare(lines(net(name), web(), edge(name), other));
  const asked = answersYes();
  await succeeded(inProcess(platform, ['apply', '.', '--all'], { cwd: it.cwd, canAsk: true }));
  expect(asked()).toBe(questions);
  expect(await it.status(`secret/${name}-db`)).toBe(404);
});

function lines(...parts: readonly string[]): string {
  return parts.join('\n');
}

test('of the deletions that wait, --target and --exclude choose which ones a run of all stacks makes', async () => {
  const it = app('part', lines(net('part', [identity, secret('part-db'), `new Group(net, 'part-old', {});`]), using));
  await succeeded(it.run('apply', '.', '--all', '--yes'));
  it.declare(lines(net('part'), web()));
  const statuses = () => Promise.all(['secret/part-db', 'gvc/part/identity/api', 'group/part-old'].map(it.status));

  // The group is gone when the run comes back for the secret.
  const selection = ['--target', 'group/part-old', '--target', 'secret/*', '--target', 'workload/part/web'];
  const plan = await succeeded(it.run('plan', '.', '--all', ...selection));
  expect(plan.stdout).toContain('this plan is partial: 1 change is left out by --target');
  expect(plan.stdout).toContain('Later: 1 to delete, after part-shop.part.');
  await succeeded(it.run('apply', '.', '--all', '--yes', ...selection));
  expect(await statuses()).toEqual([404, 200, 404]);

  await succeeded(it.run('apply', '.', '--all', '--yes', '--exclude', 'identity/part/api'));
  expect(await statuses()).toEqual([404, 200, 404]);
  await succeeded(it.run('apply', '.', '--all', '--yes'));
  expect(await statuses()).toEqual([404, 404, 404]);
});

test('a deletion that waits for a change that is left out is refused, by plan and apply, before anything is written', async () => {
  const it = app('barred', lines(net('barred', [identity, secret('barred-db')]), using));
  await succeeded(it.run('apply', '.', '--all', '--yes'));
  it.declare(lines(net('barred', [`new Group(net, 'barred-new', {});`]), web(), `new Group(shop, 'barred-shop', {});`));
  for (const selection of [
    ['--exclude', 'workload/barred/web'],
    ['--target', 'secret/barred-db', '--target', 'group/barred-new'],
    ['--target', 'secret/barred-db', '--target', 'group/barred-new', '--target', 'group/barred-shop'],
  ]) {
    for (const command of [['plan'], ['apply', '--yes']]) {
      const { code, stdout } = await it.run(...command, '.', '--all', ...selection);
      const refused = expect.stringContaining('refused delete.referenced: workload/barred/web');
      expect([command, code, stdout]).toEqual([command, 3, refused]);
    }
  }
  expect(await it.status('secret/barred-db')).toBe(200);
  expect(await it.status('group/barred-new')).toBe(404);
});

test('what --target or --exclude names in none of the stacks of a run is refused before anything is written', async () => {
  const it = app('typo', lines(net('typo'), web()));
  for (const flag of ['--target', '--exclude']) {
    const { code, stderr } = await it.run('apply', '.', '--all', '--yes', flag, 'workload/typo/wbe');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`${flag}=workload/typo/wbe names no resource of these`),
    ]);
    expect(stderr).toContain('Did you mean workload/typo/web?');
  }
  expect(await it.status('gvc/typo')).toBe(404);
});
