import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { App, Group, Gvc, Identity, Secret, Stack, Workload } from 'gantry';
import { type ApplyEvent, Gantry, type NewPlan, type Notice } from 'gantry/automation';
import { describe, expect, test } from 'vitest';
import { codeOf } from '../codeOf.ts';
import { listenOnLoopback } from '../harness/loopback.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const folder = temporaryFolder('automation');

/** A stack of four resources: a GVC, an identity, a secret, and a workload that uses both. */
function shop({ image = 'shop:1', password = 'first' } = {}): App {
  const app = new App();
  const stack = new Stack(app, 'shop');
  const gvc = new Gvc(stack, 'shop', { locations: ['aws-eu-central-1'] });
  const backend = new Identity(gvc, 'backend');
  new Secret(stack, 'password', { type: 'opaque', data: { payload: password } });
  new Workload(gvc, 'web', {
    type: 'standard',
    identity: backend,
    containers: [{ name: 'main', image, cpu: '50m', memory: '64Mi', ports: [{ number: 8080, protocol: 'http' }] }],
  });
  return app;
}

function inMemory(options: Parameters<typeof Gantry.open>[0] = {}) {
  return Gantry.open({ project: folder, embedded: 'memory', environment: {}, ...options });
}

describe('an app in this process', () => {
  test('is planned, applied and read, and then its plan is empty', async () => {
    await using gantry = await inMemory();
    const stack = await gantry.load(shop());
    expect(stack.owner).toBe('shop');
    const plan = await gantry.plan(stack);
    expect(plan.counts).toEqual({
      create: 4,
      patch: 0,
      replace: 0,
      delete: 0,
      keep: 0,
      adopt: 0,
      forget: 0,
      refuse: 0,
    });
    const events: ApplyEvent[] = [];
    const { outcome, result } = await gantry.apply(plan, { on: (event) => void events.push(event) });
    expect(outcome).toBe('done');
    expect(result.verified).toBe(true);
    // The workload refers to the identity, which lives in the GVC.
    const done = events.filter(({ type }) => type === 'done').map(({ id }) => id);
    expect(done.filter((id) => id !== 'secret/password')).toEqual([
      'gvc/shop',
      'identity/shop/backend',
      'workload/shop/web',
    ]);
    const web = await gantry.read('workload/shop/web');
    expect(web?.record).toMatchObject({ name: 'web', tags: { 'gantry/stack': 'shop' } });
    expect(await gantry.read('workload/shop/other')).toBeUndefined();
    expect((await gantry.plan(stack)).isEmpty).toBe(true);
  });

  test('is destroyed', async () => {
    await using gantry = await inMemory();
    const stack = await gantry.load(shop());
    await gantry.apply(await gantry.plan(stack));
    const plan = await gantry.plan(stack, { destroy: true });
    expect(plan.counts.delete).toBe(4);
    await gantry.apply(plan, { verify: 'full' });
    expect(await gantry.read('gvc/shop')).toBeUndefined();
  });

  test('changes one field with one PATCH', async () => {
    await using gantry = await inMemory();
    await gantry.apply(await gantry.plan(await gantry.load(shop())));
    const plan = await gantry.plan(await gantry.load(shop({ image: 'shop:2' })));
    expect(plan.plan.changes.filter(({ action }) => action !== 'keep')).toMatchObject([
      { id: 'workload/shop/web', action: 'patch', fields: [{ path: 'spec.containers.main.image' }] },
    ]);
    expect((await gantry.explain(plan, 'workload/shop/web')).resource).toBe('workload/shop/web');
    expect((await gantry.rehearse(plan)).problem).toBeUndefined();
  });

  test('a stack inside of it can be loaded by itself, with its id as the name', async () => {
    await using gantry = await inMemory();
    const app = new App();
    const stack = new Stack(app, 'network');
    new Gvc(stack, 'net', { locations: ['aws-eu-central-1'] });
    expect((await gantry.load(stack)).owner).toBe('network');
  });

  test('the stack name of options, environment or settings wins over its id', async () => {
    await using named = await inMemory({ stack: 'other' });
    expect((await named.load(shop())).owner).toBe('other');
    await using inEnvironment = await inMemory({ environment: { GANTRY_STACK: 'env' } });
    expect((await inEnvironment.load(shop())).owner).toBe('env');
  });
});

test('several stacks of an app are loaded in their order, or one of them by name', async () => {
  const app = shop();
  new Group(new Stack(app, 'people'), 'readers');
  await using gantry = await inMemory();
  await expect(gantry.load(app)).rejects.toMatchObject({
    code: 'stack.choose',
    message: 'there are 2 stacks: shop, people',
    hint: 'Name one, load(source, { stack }), or use loadAll(source).',
  });
  expect((await gantry.load(app, { stack: 'people' })).desired.map(({ id }) => id)).toEqual(['group/readers']);
  const stacks = await gantry.loadAll(app);
  expect(stacks.map(({ owner }) => owner)).toEqual(['shop', 'people']);
  for (const stack of stacks) await gantry.apply(await gantry.plan(stack));
  const groups = (await gantry.list('group')).map(({ id }) => id);
  expect(groups).toContain('group/readers');
  expect(groups.filter((id) => !id.startsWith('group/'))).toEqual([]);
  expect((await gantry.list()).map(({ id }) => id)).toEqual(expect.arrayContaining(['group/readers', 'gvc/shop']));
});

test.each([
  ['old', 'new'],
  ['old.mine', 'new.mine'],
])('moves a resource from the stack %s to %s of an app with a `project`', async (from, handOver) => {
  const project = temporaryFolder('gantry-hand-over');
  writeFileSync(join(project, 'gantry.yaml'), 'project: mine\n');
  await using gantry = await Gantry.open({ project, embedded: 'memory', environment: {} });
  const app = (make: (stacks: { readonly old: Stack; readonly young: Stack }) => void) => {
    const all = new App();
    const stacks = { old: new Stack(all, 'old'), young: new Stack(all, 'new') };
    for (const [name, stack] of Object.entries(stacks)) new Group(stack, `group-${name}`);
    make(stacks);
    return all;
  };
  const handsOver = app(({ old }) => new Group(old, 'vault', { lifecycle: { handOver } }));
  const takes = app(({ young }) => new Group(young, 'vault', { lifecycle: { adopt: { from } } }));
  for (const each of [app(({ old }) => new Group(old, 'vault')), handsOver, takes]) {
    for (const stack of await gantry.loadAll(each)) await gantry.apply(await gantry.plan(stack));
  }
  expect((await gantry.read('group/vault'))?.record['tags']).toMatchObject({ 'gantry/stack': 'new.mine' });
  // The old stack, as it was before the other one took the resource over.
  const again = await gantry.plan(await gantry.load(handsOver, { stack: 'old' }));
  expect(again.plan.changes.flatMap(({ id, refusals }) => refusals.map(({ message }) => `${id}: ${message}`))).toEqual(
    [],
  );
});

describe('an identity that one stack drops and a later stack releases in the same commit', () => {
  function app({ isUsed }: { readonly isUsed: boolean }): App {
    const all = new App();
    const [net, web] = [new Stack(all, 'net'), new Stack(all, 'web')];
    const gvc = new Gvc(net, 'shop', { locations: ['aws-eu-central-1'] });
    const identity = isUsed ? new Identity(net, 'api', { gvc }) : undefined;
    new Workload(web, 'web', {
      gvc,
      type: 'standard',
      ...(identity === undefined ? {} : { identity }),
      containers: [{ name: 'main', image: 'shop:1', cpu: '50m', memory: '64Mi' }],
    });
    return all;
  }

  async function deployed() {
    const gantry = await inMemory();
    for (const stack of await gantry.loadAll(app({ isUsed: true }))) await gantry.apply(await gantry.plan(stack));
    return gantry;
  }

  test('waits in the first pass over all stacks, and is deleted in a second one', async () => {
    await using gantry = await deployed();
    const stacks = await gantry.loadAll(app({ isUsed: false }));
    const waiting: unknown[] = [];
    for (const stack of stacks) {
      const plan = await gantry.plan(stack);
      waiting.push(...(plan.plan.waiting ?? []));
      await gantry.apply(plan);
    }
    expect(waiting).toEqual([
      { id: 'identity/shop/api', after: 'web', by: 'workload/shop/web', path: 'spec.identityLink' },
    ]);
    expect(await gantry.read('identity/shop/api')).toBeDefined();

    const again = stacks.toReversed();
    for (const stack of again) await gantry.apply(await gantry.plan(stack));
    expect(await gantry.read('identity/shop/api')).toBeUndefined();
    for (const stack of again) {
      const { isEmpty, plan } = await gantry.plan(stack);
      expect([isEmpty, plan.waiting]).toEqual([true, undefined]);
    }
  });

  test('is not deleted by a program that loads only the first stack', async () => {
    await using gantry = await deployed();
    const { plan } = await gantry.plan(await gantry.load(app({ isUsed: false }), { stack: 'net' }));
    const refused = plan.changes.filter(({ action }) => action === 'refuse');
    expect(refused.map(({ id, refusals }) => [id, refusals.map(({ code }) => code)])).toEqual([
      ['identity/shop/api', ['delete.referenced']],
    ]);
  });
});

test('problems of the tree of an app and of its fields are reported together, at their places', async () => {
  await using gantry = await inMemory();
  const app = shop();
  new Group(app, 'staff', { description: 'x'.repeat(251) });
  app.node.addValidation({ validate: () => ['every team has a name'] });
  const { problems } = await gantry.validate(app);
  const told = problems.map(({ rule, position: { file, column } }) => [rule, file.endsWith('gantry.test.ts'), column]);
  expect(told).toContainEqual(['stack.validation', true, expect.any(Number)]);
  expect(told.filter(([rule]) => rule !== 'stack.validation')).toEqual([['description.length', true, 42]]);
});

test('the graph of an app has its references without a platform', async () => {
  await using gantry = await inMemory();
  const { nodes, links } = await gantry.graph(shop());
  expect(nodes.map(({ id }) => id)).toEqual([
    'gvc/shop',
    'identity/shop/backend',
    'location/aws-eu-central-1',
    'secret/password',
    'workload/shop/web',
  ]);
  expect(links.filter(({ from }) => from === 'workload/shop/web').map(({ to }) => to)).toEqual([
    'gvc/shop',
    'identity/shop/backend',
  ]);
  expect(await codeOf(gantry.graph([{ kind: 'group', name: 'Readers!' }]))).toBe('input.invalid');
});

test('adopts live records as minimal manifests, which a plan only adopts', async () => {
  const records = [
    { kind: 'group', name: 'readers', description: 'all of them' },
    { kind: 'gvc', name: 'old', tags: { 'gantry/stack': 'another' } },
  ];
  await using gantry = await inMemory({ records, stack: 'shop' });
  const { files, manifests, left } = await gantry.adopt('all');
  expect(files).toEqual([{ name: 'resources.yaml', text: 'kind: group\nname: readers\ndescription: all of them\n' }]);
  expect(left.map(({ id }) => id)).toContain('gvc/old');
  const plan = await gantry.plan(await gantry.load(manifests.map(({ manifest }) => manifest)), { adopt: true });
  expect(plan.counts).toMatchObject({ adopt: 1, patch: 0, create: 0, refuse: 0 });

  expect((await gantry.adopt(['group/readers'], { split: true })).files.map(({ name }) => name)).toEqual([
    'group.readers.yaml',
  ]);
  const refused: unknown = await gantry.adopt(['gvc/old', 'group/nobody']).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: 'adopt.impossible',
    hint: 'Leave out group/nobody, gvc/old.',
    causes: [{ resource: 'group/nobody', message: 'there is no such resource' }, { resource: 'gvc/old' }],
  });
});

test('adopts live records as code', async () => {
  await using gantry = await inMemory({ records: [{ kind: 'group', name: 'readers' }] });
  const [code] = (await gantry.adopt(['group/readers'], { format: 'ts' })).files;
  expect(code?.name).toBe('stack.ts');
  expect(code?.text).toContain("new Group(stack, 'readers');");
});

test('adopts nothing if the GVC does not exist, and refuses a record that no manifest can express', async () => {
  const tags = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`tag-${index}`, 'x']));
  await using gantry = await inMemory({ records: [{ kind: 'group', name: 'labelled', tags }], gvc: 'none' });
  const left = [{ id: 'gvc/none', because: 'there is no such resource' }];
  expect(await gantry.adopt('all')).toEqual({ manifests: [], files: [], left });
  await expect(gantry.adopt(['group/labelled'])).rejects.toMatchObject({
    code: 'adopt.unreadable',
    message: expect.stringMatching(/^the live state cannot be expressed as a valid manifest:\n.*tags\.user-count/),
  });
});

describe('a stack that depends on another one of its app', () => {
  /** `shop` is in the GVC of `network`, and uses a secret of `secrets`. */
  function app(): App {
    const all = new App();
    const gvc = new Gvc(new Stack(all, 'network'), 'europe', { locations: ['aws-eu-central-1'] });
    const shop = new Stack(all, 'shop');
    new Identity(shop, 'backend', { gvc });
    const password = new Secret(new Stack(all, 'secrets'), 'password', { type: 'opaque', data: { payload: 'x' } });
    const containers = [{ name: 'main', image: 'shop:1', env: { PASSWORD: password.key('payload') } }] as const;
    new Workload(shop, 'web', { gvc, type: 'standard', containers });
    return all;
  }

  test('names that stack if it is not applied yet, and is planned once it is', async () => {
    await using gantry = await inMemory();
    const stack = await gantry.load(app(), { stack: 'shop' });
    const plan = await gantry.plan(stack);
    expect(plan.refused).toBeDefined();
    const told = plan.plan.changes.flatMap(({ refusals }) => refusals.map(({ message }) => message));
    expect(told.map((message) => message.replace(/^.*?: /, ''))).toEqual([
      'gvc refers to gvc/europe, which the stack "network" declares and which is not live yet: ' +
        'apply that stack first, or all of them (--all; in a program, loadAll)',
      expect.stringContaining('the stack "network" declares'),
    ]);
    expect(plan.plan.changes.flatMap(({ notes }) => notes)).toContain(
      'spec.containers.main.env.PASSWORD.value refers to secret/password, which does not exist yet: ' +
        'the stack "secrets" declares it',
    );
    await gantry.apply(await gantry.plan(await gantry.load(app(), { stack: 'network' })));
    expect((await gantry.plan(stack)).counts).toMatchObject({ create: 2, refuse: 0 });
  });

  test('counts on the plans that it comes after, and on nothing else that is not live', async () => {
    await using gantry = await inMemory();
    const stacks = await gantry.loadAll(app());
    expect(stacks.map(({ owner }) => owner)).toEqual(['network', 'secrets', 'shop']);
    const plans: NewPlan[] = [];
    for (const stack of stacks) plans.push(await gantry.plan(stack, { after: plans }));
    expect(plans.map(({ refused }) => refused)).toEqual([undefined, undefined, undefined]);
    const [network, secrets, shop] = stacks;
    if (network === undefined || secrets === undefined || shop === undefined) throw new Error('a stack is missing');
    const after = [await gantry.plan(secrets)];
    for (const alone of [await gantry.plan(shop), await gantry.plan(shop, { after })]) {
      expect(await codeOf(gantry.apply(alone))).toBe('plan.refused');
      expect(alone.plan.changes.flatMap(({ refusals }) => refusals.map(({ message }) => message))).toContainEqual(
        expect.stringContaining('which the stack "network" declares and which is not live yet: apply that stack first'),
      );
    }
    expect(await gantry.read('gvc/europe')).toBeUndefined();
  });

  test('is an error if the other one depends on a secret of it too', async () => {
    await using gantry = await inMemory();
    const all = new App();
    const stacks = ['one', 'two'].map((name) => new Stack(all, name));
    const secrets = stacks.map((stack, index) => {
      return new Secret(stack, `password-${index}`, { type: 'opaque', data: { payload: 'x' } });
    });
    for (const [index, stack] of stacks.entries()) {
      const env = { PASSWORD: secrets[1 - index]?.key('payload') };
      new Workload(new Gvc(stack, `gvc-${index}`), 'web', {
        type: 'standard',
        containers: [{ name: 'main', image: 'shop:1', env }],
      });
    }
    const { problems } = await gantry.validate(all);
    expect(problems.filter(({ severity }) => severity === 'error')).toMatchObject([
      {
        rule: 'stack.order',
        message: expect.stringContaining('PASSWORD.value of workload/gvc-0/web refers to secret'),
      },
    ]);
  });
});

describe('sources', () => {
  test('manifests as objects, with problems that name the wrong one', async () => {
    await using gantry = await inMemory();
    const { desired } = await gantry.load([{ kind: 'group', name: 'readers' }]);
    expect(desired.map(({ id }) => id)).toEqual(['group/readers']);
    const wrong = [
      { kind: 'group', name: 'readers' },
      { kind: 'group', name: 'Readers!' },
    ];
    const error: unknown = await gantry.load(wrong).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'input.invalid',
      causes: [{ resource: 'group/Readers!', place: { file: 'manifests[1]' } }],
    });
    expect(String(error)).toMatch(
      /1 problem; nothing was written:\n {2}manifests\[1\]:1:1 {2}name\.form {2}name: .*Readers!/,
    );
    const { valid, problems } = await gantry.validate(wrong);
    expect([valid, problems.length]).toEqual([false, 1]);
    const spec = {
      type: 'standard',
      containers: [{ name: 'main', image: 'shop:1' }],
      firewallConfig: { internal: { inboundAllowWorkload: ['//gvc/shop/workload/web'] } },
    };
    const idle = [
      { kind: 'gvc', name: 'shop' },
      { kind: 'workload', gvc: 'shop', name: 'web', spec },
    ];
    const warned = [{ rule: 'workload.inbound-list', severity: 'warning' }];
    expect(await gantry.validate(idle)).toMatchObject({ valid: true, problems: warned });
  });

  test('files of the project, with the settings next to them', async () => {
    const project = join(folder, 'files');
    mkdirSync(project);
    writeFileSync(join(project, 'gantry.yaml'), 'stack: files\norg: acme\n');
    writeFileSync(join(project, 'a.yaml'), 'kind: group\nname: readers\n');
    await using gantry = await inMemory({ project });
    const stack = await gantry.load();
    expect([stack.owner, stack.scope, stack.desired.map(({ id }) => id)]).toEqual([
      'files',
      'whole',
      ['group/readers'],
    ]);
    expect(await gantry.validate('a.yaml')).toEqual({ valid: true, resources: 1, problems: [] });
  });

  test('a stack file, whose output becomes a notice and is not written to standard output', async () => {
    writeFileSync(
      join(folder, 'loud.ts'),
      `console.log('noise', process.env.SHOP, process.argv.length); export default [{ kind: 'group', name: 'loud' }];`,
    );
    const notices: Notice[] = [];
    await using gantry = await inMemory({
      environment: { SHOP: 'yes' },
      onNotice: (notice) => void notices.push(notice),
    });
    expect((await gantry.load('loud.ts')).desired).toHaveLength(1);
    // On a busy machine there is a note too, that the stack is still running.
    expect(notices.filter(({ type }) => type !== 'note')).toEqual([
      { type: 'output', file: 'loud.ts', line: 'noise yes 2' },
    ]);
  });

  test('a source without manifests is refused', async () => {
    await using gantry = await inMemory();
    const nothing: { synth(): readonly object[] } = JSON.parse('{}');
    expect(await codeOf(gantry.load(nothing))).toBe('automation.source');
    expect(await codeOf(Promise.resolve().then(() => gantry.read('workload/web')))).toBe('automation.resource');
  });
});

describe('refusals and failures', () => {
  test('names that do not exist, which only the compiler would find, are refused', async () => {
    await using gantry = await inMemory();
    const stack = await gantry.load([{ kind: 'group', name: 'readers' }]);
    const misspelt: { adopt?: boolean } = JSON.parse('{"alowEmpty":true}');
    const message = 'plan() has no option "alowEmpty"';
    await expect(gantry.plan(stack, misspelt)).rejects.toMatchObject({ message, hint: 'Did you mean allowEmpty?' });
    const plan = await gantry.plan(stack, { allowEmpty: true, target: [], exclude: [], wait: false });
    await gantry.apply(plan);
    const wrong: object = { wrong: 1 };
    const steps: Readonly<Record<string, () => Promise<unknown>>> = {
      open: () => Gantry.open(wrong),
      load: () => gantry.load([], wrong),
      validate: () => gantry.validate([], wrong),
      graph: () => gantry.graph([], wrong),
      adopt: () => gantry.adopt('all', wrong),
      rehearse: () => gantry.rehearse(plan, wrong),
      save: () => gantry.save(plan, join(folder, 'wrong.plan'), wrong),
      approve: () => gantry.approve('wrong.plan', { sign: 'key.pem', ...wrong }),
      apply: () => gantry.apply(plan, wrong),
      undo: () => gantry.undo(plan, wrong),
      drift: () => gantry.drift(stack, wrong),
      status: () => gantry.status(stack, wrong),
      outputs: () => gantry.outputs(stack, wrong),
    };
    for (const [step, call] of Object.entries(steps)) {
      const error = { code: 'automation.option', message: `${step}() has no option "wrong"` };
      await expect(call(), step).rejects.toMatchObject(error);
    }
    const kind: 'group' = JSON.parse('"grup"');
    await expect(gantry.list(kind)).rejects.toMatchObject({ code: 'automation.kind', hint: 'Did you mean group?' });
    expect((await gantry.list('group')).map(({ id }) => id)).toContain('group/readers');
  });

  test('a refused plan has `refused`, and cannot be applied, saved or rehearsed', async () => {
    await using gantry = await inMemory();
    const groups = ['readers', 'writers', 'owners'].map((name) => ({ kind: 'group', name }));
    await gantry.apply(await gantry.plan(await gantry.load(groups)));
    const plan = await gantry.plan(await gantry.load(groups.slice(0, 1)), { maxDeletes: 1 });
    expect(plan.refused?.code).toBe('plan.refused');
    expect(await codeOf(gantry.apply(plan))).toBe('plan.refused');
    expect(await codeOf(gantry.save(plan, join(folder, 'refused.plan')))).toBe('plan.refused');
    expect(await codeOf(gantry.rehearse(plan))).toBe('plan.refused');
    const permitted = await gantry.plan(await gantry.load(groups.slice(0, 1)), { maxDeletes: 2 });
    expect([permitted.refused, permitted.counts.delete]).toEqual([undefined, 2]);
  });

  test('an interrupted run is an ApplyError with the completed changes, and a later run continues', async () => {
    await using gantry = await inMemory();
    const stack = await gantry.load(shop());
    const controller = new AbortController();
    const error: unknown = await gantry
      .apply(await gantry.plan(stack), {
        parallelism: 1,
        signal: controller.signal,
        on: ({ type }) => {
          if (type === 'done') controller.abort();
        },
      })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'apply.interrupted', applied: { outcome: 'interrupted' } });
    expect(error).toHaveProperty('applied.result.done.length', 1);
    const rest = await gantry.plan(stack);
    expect(rest.counts).toMatchObject({ create: 3, keep: 1 });
    expect((await gantry.apply(rest)).outcome).toBe('done');
  });

  test('an interrupted run creates no value that is shown once', async () => {
    await using gantry = await inMemory();
    const stack = await gantry.load([
      { kind: 'serviceaccount', name: 'robot' },
      { kind: 'group', name: 'later', lifecycle: { dependsOn: ['serviceaccount/robot'] } },
      { kind: 'output', name: 'token', value: `\${live.serviceaccount/robot:keys.ci.key}`, saveTo: { file: 'it.key' } },
    ]);
    const controller = new AbortController();
    const run = gantry.apply(await gantry.plan(stack), { signal: controller.signal, on: () => controller.abort() });
    expect(await codeOf(run)).toBe('apply.interrupted');
    expect((await gantry.read('serviceaccount/robot'))?.record['keys'] ?? []).toEqual([]);
    expect(existsSync(join(folder, 'it.key'))).toBe(false);
  });

  test('an aborted signal ends a plan, and a stack that never ends', async () => {
    await using gantry = await inMemory();
    const stack = await gantry.load(shop());
    expect(await codeOf(gantry.plan(stack, { signal: AbortSignal.abort() }))).toBe('automation.interrupted');
    writeFileSync(join(folder, 'endless.ts'), `setInterval(() => {}, 1_000); await new Promise(() => {});`);
    const load = gantry.load('endless.ts', { signal: AbortSignal.timeout(300) });
    expect(await codeOf(load)).toBe('automation.interrupted');
  });

  test('an aborted signal does not wait for a platform that never answers', async () => {
    const server = createServer(() => {});
    const endpoint = `http://127.0.0.1:${await listenOnLoopback(server)}`;
    try {
      const gantry = await Gantry.open({ project: false, endpoint, org: 'acme', token: 'x', environment: {} });
      const stack = await gantry.load(shop());
      expect(await codeOf(gantry.plan(stack, { signal: AbortSignal.timeout(200) }))).toBe('automation.interrupted');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('after close calls are refused, except another close', async () => {
    const gantry = await inMemory();
    const stack = await gantry.load(shop());
    await gantry.close();
    await gantry.close();
    expect(await codeOf(gantry.plan(stack))).toBe('automation.closed');
  });

  test('without a platform a stack can be loaded, and a plan names the missing setting', async () => {
    await using gantry = await Gantry.open({ project: folder, org: 'acme', environment: {} });
    const stack = await gantry.load(shop());
    expect(await codeOf(gantry.plan(stack))).toBe('settings.endpoint');
  });
});

describe('saved plans', () => {
  test('are applied as approved, and undone', async () => {
    await using gantry = await inMemory();
    await gantry.apply(await gantry.plan(await gantry.load(shop())));
    await gantry.save(await gantry.plan(await gantry.load(shop({ image: 'shop:2' }))), 'change.plan');
    const stored = await gantry.open('change.plan');
    expect(stored.counts.patch).toBe(1);
    await gantry.apply(stored);
    // The second apply has nothing to do.
    expect((await gantry.apply(stored)).result.requests).toBe(0);

    const undo = await gantry.undo(stored);
    expect(undo.counts.patch).toBe(1);
    await gantry.apply(undo);
    expect((await gantry.plan(await gantry.load(shop()))).isEmpty).toBe(true);
    expect(await codeOf(gantry.undo(stored))).toBe('undo.done');
  });

  test('a plan that was not saved can be undone too', async () => {
    await using gantry = await inMemory();
    await gantry.apply(await gantry.plan(await gantry.load(shop())));
    const plan = await gantry.plan(await gantry.load(shop({ image: 'shop:2' })));
    await gantry.apply(plan);
    await gantry.apply(await gantry.undo(plan));
    expect((await gantry.plan(await gantry.load(shop()))).isEmpty).toBe(true);
  });

  test('of a program belong to the environment that they were made for', async () => {
    await using gantry = await inMemory({ env: 'prod' });
    await gantry.save(await gantry.plan(await gantry.load(shop())), 'prod.plan');
    expect((await gantry.open('prod.plan')).counts.create).toBe(4);
  });

  test('are judged by the current policies when a program applies them', async () => {
    const project = join(folder, 'judged');
    mkdirSync(project);
    await using gantry = await inMemory({ project });
    await gantry.save(await gantry.plan(await gantry.load(shop())), 'it.plan');
    writeFileSync(join(project, 'gantry.yaml'), 'policies: { use: [probes-present] }\n');
    expect(await codeOf(gantry.apply(await gantry.open('it.plan')))).toBe('plan.refused');
    expect(await gantry.read('gvc/shop')).toBeUndefined();
  });

  test('are stale if the record has changed since', async () => {
    await using gantry = await inMemory();
    const first = await gantry.load(shop());
    await gantry.apply(await gantry.plan(first));
    await gantry.save(await gantry.plan(await gantry.load(shop({ image: 'shop:2' }))), 'stale.plan');
    await gantry.apply(await gantry.plan(await gantry.load(shop({ image: 'shop:3' }))));
    expect(await codeOf(gantry.apply(await gantry.open('stale.plan')))).toBe('plan.stale');
  });

  test('contain no secret: a program passes the stack that has it', async () => {
    await using gantry = await inMemory();
    await gantry.apply(await gantry.plan(await gantry.load(shop())));
    const changed = await gantry.load(shop({ password: 'second' }));
    await gantry.save(await gantry.plan(changed), 'secret.plan');
    const stored = await gantry.open('secret.plan');
    const hint = expect.stringContaining('apply(plan, { stack })');
    await expect(gantry.apply(stored)).rejects.toMatchObject({ code: 'saved.input-missing', hint });
    expect(await codeOf(gantry.apply(stored, { stack: await gantry.load(shop({ password: 'third' })) }))).toBe(
      'saved.secret-changed',
    );
    expect((await gantry.apply(stored, { stack: changed })).outcome).toBe('done');
    expect((await gantry.read('secret/password'))?.record).toMatchObject({ data: { payload: 'second' } });
  });
});

test('after an apply drift finds nothing, and every resource is ready', async () => {
  await using gantry = await inMemory();
  const stack = await gantry.load(shop());
  await gantry.apply(await gantry.plan(stack));
  expect((await gantry.drift(stack)).records.map(({ state }) => state)).toEqual(Array(4).fill('untouched'));
  expect((await gantry.status(stack)).resources.map(({ state }) => state)).toEqual(Array(4).fill('ready'));
});

test('an embedded platform in a folder keeps its data', async () => {
  const data = join(folder, 'data');
  {
    await using gantry = await Gantry.open({ project: folder, embedded: data, environment: {} });
    await gantry.apply(await gantry.plan(await gantry.load(shop())));
  }
  expect(existsSync(data)).toBe(true);
  await using gantry = await Gantry.open({ project: folder, embedded: data, environment: {} });
  expect((await gantry.plan(await gantry.load(shop()))).isEmpty).toBe(true);
});

test('concurrent instances are independent, and leave the process unchanged', async () => {
  const before = {
    files: readdirSync(folder).sort(),
    cwd: process.cwd(),
    environment: { ...process.env },
    listeners: process.eventNames().map((name) => [name, process.listenerCount(name)]),
  };
  const images = Array.from({ length: 12 }, (_, index) => `shop:${index}`);
  const found = await Promise.all(
    images.map(async (image) => {
      await using gantry = await inMemory();
      await gantry.apply(await gantry.plan(await gantry.load(shop({ image }))));
      return (await gantry.read('workload/shop/web'))?.record;
    }),
  );
  for (const [index, image] of images.entries()) {
    expect(found[index]).toMatchObject({ spec: { containers: [{ image }] } });
  }
  expect({
    files: readdirSync(folder).sort(),
    cwd: process.cwd(),
    environment: { ...process.env },
    listeners: process.eventNames().map((name) => [name, process.listenerCount(name)]),
  }).toEqual(before);
});
