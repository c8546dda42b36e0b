import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codeOf } from '../codeOf.ts';
import { sampled } from '../harness/sampled.ts';
import { ownTown } from './ownTown.ts';
import { entryOf, writeStack } from './town.ts';

const { folder, platform, town, stateOf } = await ownTown('reconcile-modes');

/** Permits everything. In JavaScript, so that threads of policies need not load the type stripper. */
const policyCode = (text: string, id = 'own', more = '') => `import { policy } from 'gantry/policies';
${more}
export default policy({ id: '${id}', about: '${text}', plan: () => [] });
`;

const imposed = (text: string) => policyCode(`${text}' + text + '`, 'imposed', "import { text } from '@acme/rules';");

function group(name: string) {
  return platform.call('GET', `/org/local/group/${name}`);
}

test('auto: the declared stack is applied, and stays applied', async () => {
  const path = writeStack(folder, 'auto', { 'auto-1': 'one' });
  town.entries = [entryOf(path, { name: 'auto' })];
  await town.once();
  expect((await group('auto-1')).body).toMatchObject({ description: 'one', tags: { 'gantry/stack': 'auto' } });
  expect(await stateOf('auto')).toMatchObject({ state: 'in line', failures: 0 });
  const [run] = await town.board.runs('auto');
  expect(run).toMatchObject({ outcome: 'applied', fence: 1, counts: { create: 1 } });
  expect((await town.board.run(run?.id ?? ''))?.document).toMatchObject({
    result: { outcome: 'done', done: ['group/auto-1'] },
  });

  writeStack(folder, 'auto', { 'auto-1': 'two' });
  await town.once();
  expect((await group('auto-1')).body).toMatchObject({ description: 'two' });
  await town.once();
  expect((await town.board.runs('auto')).map(({ outcome, fence }) => `${outcome} ${fence}`)).toEqual([
    'in line 3',
    'applied 2',
    'applied 1',
  ]);
});

test('a mistake in the code is named with its file and line: in the state, in the log and in the run', async () => {
  const path = writeStack(folder, 'mistaken', { 'mistaken-1': 'one', ab: 'two' });
  town.entries = [entryOf(path, { name: 'mistaken' })];
  await town.once();
  const said = 'groups.yaml:6:7: name: "ab" has 2 characters; a name of a group must have 3 to 64';
  const because = `1 problem; nothing was written: ${said}`;
  expect(await stateOf('mistaken')).toMatchObject({ state: 'failing', because });
  expect(town.log).toContainEqual(expect.objectContaining({ stack: 'mistaken', message: because }));
  const [run] = await town.board.runs('mistaken');
  expect((await town.board.run(run?.id ?? ''))?.error?.message).toMatch(/^groups\.yaml:6:7: .*name: "ab"/m);
});

test('detect: drift is reported, with its author, and nothing is written', async () => {
  const path = writeStack(folder, 'detect', { 'detected-1': 'one' });
  town.entries = [entryOf(path, { name: 'detect' })];
  await town.once();
  await platform.call('PATCH', '/org/local/group/detected-1', { description: 'by hand' });
  town.entries = [entryOf(path, { name: 'detect', mode: 'detect' })];
  await town.once();
  expect(await stateOf('detect')).toMatchObject({ state: 'drifted', drifted: 1, counts: { patch: 1 } });
  expect((await group('detected-1')).body).toMatchObject({ description: 'by hand' });
});

describe('propose', () => {
  test('a plan waits for an approval, and is then applied', async () => {
    const path = writeStack(folder, 'propose', { 'proposed-1': 'one' });
    town.entries = [entryOf(path, { name: 'propose', mode: 'propose' })];
    await town.once();
    const plan = await town.board.waiting('propose');
    expect(await stateOf('propose')).toMatchObject({ state: 'waiting', because: '0 of 1 approvals', plan: plan?.name });
    await town.once();
    expect((await town.board.waiting('propose'))?.name).toBe(plan?.name);
    expect((await group('proposed-1')).status).toBe(404);

    await town.board.approve('propose', plan?.name ?? '', { by: 'ana' });
    expect(await codeOf(town.board.approve('propose', plan?.name ?? '', { by: 'ana' }))).toBe('reconcile.approved');
    await town.once();
    expect((await group('proposed-1')).body).toMatchObject({ description: 'one' });
    expect(await stateOf('propose')).toMatchObject({ state: 'in line' });
    expect(await town.board.waiting('propose')).toBeUndefined();
    expect(await codeOf(town.board.approve('propose', plan?.name ?? '', { by: 'ben' }))).toBe('reconcile.superseded');
  });

  test('a changed input supersedes the plan, with the reason, and its approval is void', async () => {
    const path = writeStack(folder, 'inputs', { 'input-1': 'one' });
    town.entries = [entryOf(path, { name: 'inputs', mode: 'auto' })];
    await town.once();
    town.entries = [entryOf(path, { name: 'inputs', mode: 'propose' })];
    writeStack(folder, 'inputs', { 'input-1': 'two' });
    await town.once();
    const first = await town.board.waiting('inputs');
    await town.board.approve('inputs', first?.name ?? '', { by: 'ana' });
    // The platform changed after the approval.
    await platform.call('PATCH', '/org/local/group/input-1', { description: 'by hand' });
    await town.once();
    const second = await town.board.waiting('inputs');
    expect(second?.name).not.toBe(first?.name);
    expect(second?.approvals.given).toEqual([]);
    expect((await town.board.plans('inputs')).at(-1)?.superseded).toMatchObject({
      by: second?.name,
      because: expect.stringMatching(/^the platform changed: group\/input-1 \(.* → .*\)$/),
    });
    expect((await group('input-1')).body).toMatchObject({ description: 'by hand' });
    expect(await codeOf(town.board.approve('inputs', first?.name ?? '', { by: 'ben' }))).toBe('reconcile.superseded');

    writeStack(folder, 'inputs', { 'input-1': 'three' });
    await town.once();
    expect((await town.board.plans('inputs'))[1]?.superseded?.because).toContain('what is declared changed');
  });

  test('a plan is superseded by a change of each of its inputs, with the reason, and by nothing else', async () => {
    const ofPolicies = 'the policies changed';
    // biome-ignore format: a row is a case
    const changes = [
      [{ 'gantry.yaml': 'price: {storageGbMonth: 1, currency: EUR}' }, 'the settings changed'],
      [{ 'policies/own.mjs': policyCode('other') }, ofPolicies],
      [{ 'policies/shared/text.mjs': "export const text = 'b'" }, ofPolicies],
      [{ 'policies/names.json': '["b"]' }, ofPolicies],
      [{ 'lib/extra.mjs': "export const extra = 'b'" }, ofPolicies],
      [{ 'allowed.txt': 'b' }, ofPolicies],
      [{ '../imposed.mjs': imposed('b') }, ofPolicies],
      // Packages: imported by an imposed policy, the choice of their module, and imported by a policy of the project.
      [{ '../node_modules/@acme/rules/lib/text.js': "exports.text = 'b'" }, ofPolicies],
      [{ '../node_modules/@acme/rules/package.json': '{"name": "@acme/rules", "main": "lib/other.js"}' }, ofPolicies],
      [{ 'node_modules/texts/index.js': "export const installed = 'b'" }, ofPolicies],
      [{ 'value.txt': 'b' }, 'what is declared changed: the code, or a value from outside'],
    ] as const;
    const settings = 'policies: {inputs: {allowed: allowed.txt}}';
    const path = writeStack(join(folder, 'parts'), 'parts', { 'parts-1': 'one' }, settings);
    const write = (files: object) => {
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(path, file)), { recursive: true });
        writeFileSync(
          join(path, file),
          file === 'gantry.yaml' ? `stack: parts\norg: local\n${settings}\n${text}\n` : text,
        );
      }
    };
    write({
      'policies/own.mjs': policyCode('a'),
      'policies/imports.mjs': `import names from './names.json' with { type: 'json' };
import { extra } from '../lib/extra.mjs';
import { text } from './shared/text.mjs';
import { policy } from 'gantry/policies';
export default policy({ id: 'imports', about: text + names + extra, plan: () => [] });
`,
      'policies/names.json': '["a"]',
      'policies/installed.mjs': policyCode("' + installed + '", 'installed', "import { installed } from 'texts';"),
      'node_modules/texts/package.json': '{"name": "texts", "type": "module", "exports": "./index.js"}',
      'node_modules/texts/index.js': "export const installed = 'a'",
      '../node_modules/@acme/rules/package.json': '{"name": "@acme/rules", "main": "lib/text.js"}',
      '../node_modules/@acme/rules/lib/text.js': "exports.text = 'a'",
      '../node_modules/@acme/rules/lib/other.js': "exports.text = 'other'",
      'lib/extra.mjs': "export const extra = 'a'",
      'policies/shared/text.mjs': "export const text = 'a'",
      'allowed.txt': 'a',
      '../imposed.mjs': imposed('a'),
      'value.txt': 'a',
      'outside.yaml':
        'kind: secret\nname: parts-outside\ntype: opaque\ndata: {payload: {fromFile: value.txt}, encoding: plain}\n',
    });
    town.entries = [entryOf(path, { name: 'parts', mode: 'propose' })];
    const once = async () => {
      await town.once({ environment: { PATH: process.env['PATH'], GANTRY_POLICIES: join(path, '../imposed.mjs') } });
      return (await town.board.waiting('parts'))?.name ?? '';
    };
    let plan = await once();
    expect((await stateOf('parts'))?.because).toBe('0 of 1 approvals');
    // Files that nothing loads do not count.
    write({ '../node_modules/@acme/rules/lib/unread.js': 'it', 'node_modules/texts/unread.js': 'it' });
    expect(await once()).toBe(plan);
    // Settings, what policies of the project and of the machine load, a package, and a value.
    for (const [change, says] of sampled<(typeof changes)[number]>(changes, 0, 3, 6, 8, 10)) {
      await town.board.approve('parts', plan, { by: 'ana' });
      write(change);
      const next = await once();
      const [second, superseded] = await town.board.plans('parts');
      expect(second, says).toMatchObject({ name: next, approvals: { given: [] } });
      expect(superseded, says).toMatchObject({ name: plan, superseded: { by: next, because: says } });
      plan = next;
    }
    expect(await once()).toBe(plan);
  });

  test('a plan with a secret waits as well, and the value of the secret is nowhere stored', async () => {
    const path = writeStack(folder, 'secretive', { 'secretive-1': 'one' });
    writeFileSync(
      join(path, 'secret.yaml'),
      'kind: secret\nname: secretive\ntype: opaque\ndata: { payload: of-the-shop }\n',
    );
    town.entries = [entryOf(path, { name: 'secretive', mode: 'propose' })];
    await town.once();
    expect(await stateOf('secretive')).toMatchObject({ state: 'waiting', because: '0 of 1 approvals' });
    const plan = await town.board.waiting('secretive');
    await town.once();
    expect((await town.board.waiting('secretive'))?.name).toBe(plan?.name);
    await town.board.approve('secretive', plan?.name ?? '', { by: 'ana' });
    await town.once();
    expect(await stateOf('secretive')).toMatchObject({ state: 'in line' });

    // The database, its log, and the files beside it contain the secret's name, but not its value.
    const tables = await town.store.sql.query('SELECT tablename FROM pg_tables WHERE schemaname = current_schema()');
    const rows = tables.map(({ tablename }) => town.store.sql.query(`SELECT * FROM ${String(tablename)}`));
    const store = join(folder, 'store');
    const files = readdirSync(store, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    const kept = [
      JSON.stringify(await Promise.all(rows)),
      ...files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')),
    ].join('\n');
    expect(kept).toContain('secret/secretive');
    for (const form of ['of-the-shop', Buffer.from('of-the-shop').toString('base64')]) expect(kept).not.toContain(form);
  });

  test('two approvals at the same moment both count', async () => {
    const path = writeStack(folder, 'both', { 'both-1': 'one' });
    town.entries = [entryOf(path, { name: 'both', mode: 'propose' })];
    await town.once();
    const plan = (await town.board.waiting('both'))?.name ?? '';
    await Promise.all([
      town.board.approve('both', plan, { by: 'ana' }),
      town.board.approve('both', plan, { by: 'ben' }),
    ]);
    expect((await town.board.waiting('both'))?.approvals.given.map(({ by }) => by).sort()).toEqual(['ana', 'ben']);
  });
});

test('auto: a plan over the limits of its environment waits, and no approval lets it run', async () => {
  const limits = 'environments: {prod: {limits: {max-changes: 1}}}\n';
  const path = writeStack(folder, 'limited', { 'limited-1': 'one', 'limited-2': 'two' }, limits);
  town.entries = [entryOf(path, { name: 'limited', env: 'prod' })];
  await town.once();
  expect(await stateOf('limited')).toMatchObject({
    state: 'waiting',
    because: expect.stringContaining('2 resources would be changed; at most 1 are allowed'),
  });
  const plan = await town.board.waiting('limited');
  expect(await codeOf(town.board.approve('limited', plan?.name ?? '', { by: 'ana' }))).toBe('reconcile.blocked');
  expect((await group('limited-1')).status).toBe(404);
  writeStack(folder, 'limited', { 'limited-1': 'one' }, limits);
  await town.once();
  expect(await stateOf('limited')).toMatchObject({ state: 'in line' });
});

test('a failing stack holds back the stacks after it, which continue when it is repaired', async () => {
  const broken = writeStack(folder, 'broken', { 'held-1': 'one' });
  writeFileSync(join(broken, 'groups.yaml'), 'kind: group\nname: H!\n');
  const after = writeStack(folder, 'after', { 'held-2': 'two' });
  town.entries = [entryOf(after, { name: 'after', after: ['broken'] }), entryOf(broken, { name: 'broken' })];
  await town.once();
  expect(await stateOf('broken')).toMatchObject({ state: 'failing', failures: 1 });
  expect(await stateOf('after')).toMatchObject({ state: 'waiting', because: 'it comes after broken, which fails' });
  expect((await group('held-2')).status).toBe(404);
  writeStack(folder, 'broken', { 'held-1': 'one' });
  await town.once();
  expect((await group('held-2')).body).toMatchObject({ description: 'two' });
});

test('a paused stack is not run until its pause ends', async () => {
  const path = writeStack(folder, 'paused', { 'paused-1': 'one' });
  town.entries = [entryOf(path, { name: 'paused' })];
  await town.store.follow({ origin: '/town/reconcile.yaml', stacks: town.entries });
  town.pass(7_200_000); // The clock of the store differs from the clock of the user who pauses.
  await town.board.pause('paused', { reason: 'a migration', forMs: 60_000, by: 'ana' });
  await town.once();
  expect(await stateOf('paused')).toMatchObject({ state: 'paused', because: 'a migration' });
  expect(await town.board.runs('paused')).toEqual([]);
  town.pass(61_000);
  await town.once();
  expect(await stateOf('paused')).toMatchObject({ state: 'in line' });
});

test('reconcile.yaml can pause a stack, and the stacks after it wait for that reason', async () => {
  const path = writeStack(folder, 'moving', { 'moving-1': 'one' });
  const next = entryOf(writeStack(folder, 'next', { 'next-1': 'one' }), { name: 'next', after: ['moving'] });
  const paused = { reason: 'it moves', untilMs: town.store.now() + 60_000 };
  town.entries = [entryOf(path, { name: 'moving', paused }), next];
  await town.once();
  expect(await stateOf('moving')).toMatchObject({ state: 'paused', because: 'it moves', pause: paused });
  expect(await town.board.runs('moving')).toEqual([]);
  expect(await stateOf('next')).toMatchObject({ state: 'waiting', because: 'it comes after moving, which is paused' });
  town.pass(61_000);
  await town.once();
  expect(await stateOf('moving')).toMatchObject({ state: 'in line' });
});

test("resuming a stack that reconcile.yaml pauses ends only the user's own pause, and reports where the other is", async () => {
  const path = writeStack(folder, 'frozen', { 'frozen-1': 'one' });
  const paused = { reason: 'a freeze', at: 'reconcile.yaml: stacks.frozen.paused' };
  town.entries = [entryOf(path, { name: 'frozen', paused })];
  await town.once();
  await town.board.pause('frozen', { reason: 'a look', by: 'ana' });
  expect(await stateOf('frozen')).toMatchObject({ because: 'a look' });
  await expect(town.board.resume('frozen', 'ana')).rejects.toMatchObject({
    code: 'reconcile.paused',
    message: 'frozen stays paused (a freeze): that is set in reconcile.yaml: stacks.frozen.paused',
  });
  expect(await stateOf('frozen')).toMatchObject({ state: 'paused', because: 'a freeze' });
  town.entries = [entryOf(path, { name: 'frozen' })];
  await town.once();
  expect(await stateOf('frozen')).toMatchObject({ state: 'in line' });
});

test('outside its windows a stack is planned, but not written', async () => {
  const path = writeStack(folder, 'windows', { 'window-1': 'one' });
  const closed = { days: ['mon' as const], from: '00:00', to: '00:01', timezone: 'UTC' };
  town.entries = [entryOf(path, { name: 'windows', windows: [closed] })];
  await town.once();
  expect(await stateOf('windows')).toMatchObject({
    state: 'waiting',
    because: expect.stringContaining('it is applied'),
  });
  expect((await group('window-1')).status).toBe(404);
});

test('storage and its cost are known for each run, also without changes, and listed where they change', async () => {
  const path = writeStack(folder, 'stored', { stored: 'one' }, 'price: {storageGbMonth: 0.5, currency: EUR}\n');
  const write = (gb: number) =>
    writeFileSync(
      join(path, 'store.yaml'),
      `kind: gvc
name: stored
spec: {staticPlacement: {locationLinks: [//location/aws-eu-central-1]}}
---
kind: volumeset
name: files
gvc: stored
spec: {fileSystemType: ext4, performanceClass: general-purpose-ssd, initialCapacity: ${gb}}
---
kind: workload
name: keeper
gvc: stored
spec:
  type: stateful
  containers:
    - name: main
      image: keeper:1
      ports: [{number: 80, protocol: tcp}]
      volumes: [{uri: scheme://volumeset/files, path: /files}]
  defaultOptions: {autoscaling: {metric: cpu, target: 95, minScale: 1, maxScale: 1}}
`,
    );
  town.entries = [entryOf(path, { name: 'stored', mode: 'propose' })];
  write(10);
  await town.once();
  expect((await stateOf('stored'))?.because).toBe('0 of 1 approvals');
  const [plan] = await town.board.plans('stored');
  await town.board.approve('stored', plan?.name ?? '', { by: 'ann' });
  await town.once();
  // More runs than the page lists, and none with a plan.
  for (let runs = 0; runs < 3; runs += 1) {
    town.pass(60_000);
    await town.once();
  }
  const points = await town.board.storage('stored');
  expect(points.map(({ atMs, ...point }) => point)).toEqual([
    { gb: 0, cost: 0, currency: 'EUR' },
    { gb: 10, cost: 5, currency: 'EUR' },
    { gb: 10, cost: 5, currency: 'EUR' },
  ]);
  const [last] = await town.board.runs('stored');
  expect(points.map(({ atMs }) => atMs)).toEqual([expect.any(Number), expect.any(Number), last?.endMs]);
});
