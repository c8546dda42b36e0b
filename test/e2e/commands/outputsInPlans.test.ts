import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Gantry, type Stack as LoadedStack, type NewPlan } from '../../../src/automation.ts';
import { App, Gvc, Output, Stack, Workload } from '../../../src/index.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const folder = temporaryFolder('gantry-outputs-in-plans');

interface Given {
  readonly image?: string;
  readonly port?: number;
  readonly apart?: boolean;
}

/** The workload `web`, and `api`, which takes its address, in the same or in another stack. */
function appWith({ image = 'web:1', port = 8080, apart = false }: Given = {}): App {
  const app = new App();
  const network = new Stack(app, 'network');
  const gvc = new Gvc(network, 'shop', { locations: ['aws-eu-central-1'] });
  const web = new Workload(gvc, 'web', {
    type: 'serverless',
    containers: [{ name: 'main', image, ports: [{ number: port, protocol: 'http' }] }],
  });
  const url = new Output(network, 'url', web.url);
  new Workload(apart ? new Stack(app, 'shop') : network, 'api', {
    gvc,
    type: 'standard',
    containers: [{ name: 'main', image: 'api:1', env: { API: `${url.value}/v1`, NOT: '$${live.x}' } }],
  });
  return app;
}

const api = 'workload/shop/api';
const reference = '${live.workload/shop/web:status.canonicalEndpoint}';

function open(): Promise<Gantry> {
  return Gantry.open({ project: false, embedded: 'memory', environment: {} });
}

function nth<T>(all: readonly (T | undefined)[], index: number): T {
  const found = all[index];
  if (found === undefined) throw new Error('there are fewer stacks');
  return found;
}

async function envOf(gantry: Gantry) {
  const live = await gantry.read(api);
  const spec = JSON.parse(JSON.stringify(live?.record['spec'] ?? {}));
  return Object.fromEntries(
    (spec.containers?.[0]?.env ?? []).map(({ name, value }: { name: string; value: string }) => [name, value]),
  );
}

/** Plans all stacks before any is applied. */
async function planInOrder(gantry: Gantry, stacks: readonly LoadedStack[]): Promise<readonly NewPlan[]> {
  const plans: NewPlan[] = [];
  for (const stack of stacks) plans.push(await gantry.plan(stack, { after: plans }));
  return plans;
}

async function applyAll(gantry: Gantry, app: App) {
  for (const stack of await gantry.loadAll(app)) await gantry.apply(await gantry.plan(stack));
}

describe.each([false, true])('a value that is known after apply (in another stack: %s)', (apart) => {
  test('is planned as unknown, is written after the record that it depends on, and is correct', async () => {
    await using gantry = await open();
    const stacks = await gantry.loadAll(appWith({ apart }));
    const plans = await planInOrder(gantry, stacks);
    const change = plans.at(-1)?.plan.changes.find(({ id }) => id === api);
    expect(change?.awaits).toEqual([reference]);
    expect(change?.notes).toContain('known after apply: status.canonicalEndpoint of workload/shop/web');
    if (!apart) expect(change?.requires.map(({ on }) => on)).toContain('workload/shop/web');
    for (const plan of plans) {
      expect(plan.refused).toBeUndefined();
      await gantry.apply(plan); // without planning again
    }
    const outputs = await gantry.outputs(nth(stacks, 0));
    expect(outputs['url']).toMatch(/^https:\/\/web-/);
    expect(await envOf(gantry)).toEqual({ API: `${outputs['url']}/v1`, NOT: '${live.x}' });
    for (const stack of stacks) expect((await gantry.plan(stack)).isEmpty).toBe(true);
    for (const stack of stacks)
      expect((await gantry.drift(stack)).records.map(({ state }) => state)).not.toContain('touched');
  });

  test('is known if its record is unchanged or only other fields change', async () => {
    await using gantry = await open();
    await applyAll(gantry, appWith({ apart }));
    const [first, ...others] = await gantry.loadAll(appWith({ apart, image: 'web:2' }));
    const plan = await gantry.plan(nth([first], 0));
    expect(plan.counts).toMatchObject({ patch: 1, create: 0 });
    for (const stack of others) expect((await gantry.plan(stack)).isEmpty).toBe(true);
  });

  test('in a saved plan is written as planned, and applying it again does nothing', async () => {
    await using gantry = await open();
    const file = join(folder, `plan-${apart}.json`);
    const stacks = await gantry.loadAll(appWith({ apart }));
    await gantry.save(await planInOrder(gantry, stacks), file);
    for (const plan of await gantry.openAll(file)) await gantry.apply(plan);
    const { url } = await gantry.outputs(nth(stacks, 0));
    expect(await envOf(gantry)).toMatchObject({ API: `${url}/v1` });
    // A completed plan is recognised.
    for (const plan of await gantry.openAll(file)) expect((await gantry.apply(plan)).result.done).toEqual([]);
  });

  test('is known to the undo, which is rehearsed and applied', async () => {
    await using gantry = await open();
    const file = join(folder, `undo-${apart}.json`);
    const stacks = await gantry.loadAll(appWith({ apart }));
    await gantry.save(await planInOrder(gantry, stacks), file);
    for (const plan of await gantry.openAll(file)) await gantry.apply(plan);
    for (const plan of (await gantry.openAll(file)).toReversed()) {
      const undo = await gantry.undo(plan, { rehearse: 'crash' });
      expect([undo.refused, undo.rehearsal?.problem]).toEqual([undefined, undefined]);
      await gantry.apply(undo);
    }
    expect(await gantry.read('gvc/shop')).toBeUndefined();
  });
});

test('an escaped reference stays text next to a reference to the same value', async () => {
  await using gantry = await open();
  const app = new App();
  const stack = new Stack(app, 'network');
  const gvc = new Gvc(stack, 'shop', { locations: ['aws-eu-central-1'] });
  new Workload(gvc, 'web', {
    type: 'serverless',
    containers: [{ name: 'main', image: 'w:1', ports: [{ number: 8080, protocol: 'http' }] }],
  });
  const env = { API: reference, NOT: `$${reference}` };
  new Workload(gvc, 'api', { type: 'standard', containers: [{ name: 'main', image: 'a:1', env }] });
  const loaded = await gantry.load(app);
  const plan = await gantry.plan(loaded, { rehearse: true });
  expect(plan.rehearsal?.problem).toBeUndefined();
  await gantry.apply(plan);
  expect(await envOf(gantry)).toEqual({ API: expect.stringMatching(/^https:\/\/web-/), NOT: reference });
  expect((await gantry.plan(loaded)).isEmpty).toBe(true);
});

test('a value that may change is unknown in the plan; if it does not change, nothing is written', async () => {
  await using gantry = await open();
  await applyAll(gantry, appWith());
  const before = await gantry.read(api);
  const [stack] = await gantry.loadAll(appWith({ port: 8081 }));
  const plan = await gantry.plan(nth([stack], 0), { rehearse: true });
  expect(plan.plan.changes.find(({ id }) => id === api)?.awaits).toEqual([reference]);
  expect([plan.refused, plan.rehearsal?.problem]).toEqual([undefined, undefined]);
  const { result } = await gantry.apply(plan);
  expect(result.changes?.find(({ id }) => id === api)).toMatchObject({ outcome: 'done', unchanged: true });
  expect((await gantry.read(api))?.version).toBe(before?.version);
});

describe('the cause of a change', () => {
  const read = [{ id: 'gvc/shop', path: 'description' }];
  const takes = (text: string, description = 'one', apart = true) => {
    const app = new App();
    const network = new Stack(app, 'network');
    const gvc = new Gvc(network, 'shop', { locations: ['aws-eu-central-1'], description });
    const env = { TEXT: text.replace('VALUE', gvc.live('description')) };
    const containers = [{ name: 'main', image: 'api:1', env }] as const;
    new Workload(apart ? new Stack(app, 'shop') : network, 'api', { gvc, type: 'standard', containers });
    return app;
  };

  async function changeAfter(gantry: Gantry, app: App) {
    const stacks = await gantry.loadAll(app);
    for (const stack of stacks.slice(0, -1)) await gantry.apply(await gantry.plan(stack));
    const plan = await gantry.plan(nth(stacks, stacks.length - 1));
    return plan.plan.changes.find(({ id }) => id === api);
  }

  test.each([
    ['the other record', 'to VALUE', 'to VALUE', 'two', { reads: read }],
    ['the text around it', 'to VALUE', 'TO VALUE', 'one', { code: true }],
    ['both', 'to VALUE', 'TO VALUE', 'two', { code: true }],
    ['a text that consists of the value only', 'VALUE', 'VALUE', 'two', { code: true, reads: read, unsure: true }],
    ['a literal text that became a reference', 'to one', 'VALUE', 'one', { code: true, reads: read, unsure: true }],
  ])('is reported if it changed in %s', async (_, before, after, description, cause) => {
    await using gantry = await open();
    await applyAll(gantry, takes(before));
    const change = await changeAfter(gantry, takes(after, description));
    expect(change?.cause).toEqual(cause);
    const parts = [
      ...('code' in cause ? ['in the code'] : []),
      ...('reads' in cause ? ['in what it takes (description of gvc/shop)'] : []),
    ];
    expect(change?.reason).toBe(`changed ${parts.join(', or ')}`);
  });

  test('is shown by explain', async () => {
    await using gantry = await open();
    await applyAll(gantry, takes('to VALUE', 'one', false));
    const [stack] = await gantry.loadAll(takes('to VALUE', 'two', false));
    const explanation = await gantry.explain(await gantry.plan(nth([stack], 0)), api);
    expect(explanation.fields.map(({ because }) => because)).toEqual(['it takes description of gvc/shop']);
  });
});

test('a saved plan is refused if a value that it writes has changed', async () => {
  await using gantry = await open();
  const app = appWith({ apart: true });
  const [network, shop] = await gantry.loadAll(app);
  await gantry.apply(await gantry.plan(nth([network], 0)));
  const file = join(folder, 'pinned.json');
  await gantry.save(await gantry.plan(nth([shop], 0)), file);
  expect(readFileSync(file, 'utf8')).toMatch(/"fact":\s*"value"/);
  const stored = await gantry.open(file);
  const facts = stored.saved.facts.map((fact) =>
    fact.fact === 'value' ? { ...fact, value: 'https://elsewhere' } : fact,
  );
  await expect(gantry.apply({ ...stored, saved: { ...stored.saved, facts } })).rejects.toMatchObject({
    code: 'plan.fact',
    message: expect.stringContaining(
      'status.canonicalEndpoint of workload/shop/web, which it takes, is another one now',
    ),
  });
});

test('a rehearsal with interruptions resolves values that are known after apply', async () => {
  await using gantry = await open();
  const plan = await gantry.plan(await gantry.load(appWith()), { rehearse: 'crash' });
  expect(plan.rehearsal?.problem).toBeUndefined();
});

test('plans of several stacks can be made and rehearsed in turn before any is applied', async () => {
  await using gantry = await open();
  const plansOf = async (given: Given) => {
    const [network, shop] = await gantry.loadAll(appWith({ apart: true, ...given }));
    const before = await gantry.plan(nth([network], 0), { rehearse: true });
    const after = await gantry.plan(nth([shop], 0), { rehearse: true, after: [before] });
    const alone = await gantry.plan(nth([shop], 0), { rehearse: true });
    for (const { refused, rehearsal } of [before, after])
      expect([refused, rehearsal?.problem]).toEqual([undefined, undefined]);
    return { before, after, alone };
  };
  const awaits = ({ plan }: NewPlan) => plan.changes.flatMap((change) => change.awaits ?? []);

  const first = await plansOf({});
  // Without the first plan, its GVC does not exist.
  expect(first.alone.refused).toMatchObject({ code: 'plan.refused' });
  for (const plan of [first.before, first.after]) await gantry.apply(plan);

  const moved = await plansOf({ port: 8081 });
  expect([awaits(moved.after), awaits(moved.alone)]).toEqual([[reference], []]);
  await gantry.apply(moved.before);
  // After the apply the platform may still return the old address.
  const [, shop] = await gantry.loadAll(appWith({ apart: true, port: 8081 }));
  expect(awaits(await gantry.plan(nth([shop], 0), { after: [moved.before] }))).toEqual([reference]);
  await gantry.apply(moved.after);
  expect((await plansOf({ port: 8081 })).after.isEmpty).toBe(true);
});

test('a rehearsal uses the reference itself for a value of a record that another stack will create', async () => {
  await using gantry = await open();
  const app = appWith();
  const shop = new Stack(app, 'shop');
  const gvc = new Gvc(shop, 'far', { locations: ['aws-eu-central-1'] });
  const api = { name: 'main', image: 'a:1', env: { URL: '${live.workload/shop/web:status.endpoint}' } };
  new Workload(gvc, 'api', { type: 'standard', containers: [api] });
  const [first, second] = await gantry.loadAll(app);
  const after = [await gantry.plan(nth([first], 0))];
  const plan = await gantry.plan(nth([second], 0), { rehearse: true, after });
  expect([plan.refused, plan.rehearsal?.problem]).toEqual([undefined, undefined]);
});

test.each([
  ['the form', { cpu: '${live.gvc/shop:description}' }, ['W24']],
  ['a rule', { image: '${live.gvc/shop:tags.image}' }, ['workload.image']],
])('a known value that violates %s of its field is refused before anything is written', async (_, fields, rules) => {
  await using gantry = await open();
  const app = (more: object) => {
    const stack = new Stack(new App(), 'shop');
    const tags = { image: 'not an image' };
    const gvc = new Gvc(stack, 'shop', { locations: ['aws-eu-central-1'], description: 'www', tags });
    new Workload(gvc, 'api', { type: 'standard', containers: [{ name: 'main', image: 'api:1', ...more }] });
    return stack;
  };
  await gantry.apply(await gantry.plan(await gantry.load(app({}))));
  const planned = gantry.load(app(fields)).then((stack) => gantry.plan(stack));
  await expect(planned).rejects.toMatchObject({
    code: 'input.invalid',
    causes: rules.map((code) => expect.objectContaining({ code, resource: 'workload/shop/api' })),
  });
});

test('a reference to a field that is absent and that nothing sets is refused', async () => {
  await using gantry = await open();
  const app = (taken: object) => {
    const stack = new Stack(new App(), 'taker');
    const far = Gvc.fromName(stack, 'far', 'shop');
    const gvc = new Gvc(stack, 'taker', { locations: ['aws-eu-central-1'] });
    const env = 'unset' in taken ? { TEXT: far.live('tags.team') } : {};
    new Workload(gvc, 'api', { type: 'standard', containers: [{ name: 'main', image: 'a:1', env }] });
    return stack;
  };
  await applyAll(gantry, appWith());
  const plan = await gantry.plan(await gantry.load(app({ unset: true })));
  expect(plan.plan.changes.find(({ id }) => id === 'workload/taker/api')?.refusals).toEqual([
    expect.objectContaining({
      code: 'live.absent',
      message: 'it takes tags.team of gvc/shop, which has none, and nothing in this plan sets it',
    }),
  ]);
  expect((await gantry.plan(await gantry.load(app({})))).refused).toBeUndefined();
});

test('an undo resolves two values in one text', async () => {
  await using gantry = await open();
  const stack = new Stack(new App(), 'joined');
  const gvc = new Gvc(stack, 'joined', { locations: ['aws-eu-central-1'] });
  const [a, b] = ['one', 'two'].map((name) => {
    const ports = [{ number: 8080, protocol: 'http' }] as const;
    return new Workload(gvc, name, { type: 'serverless', containers: [{ name: 'main', image: 'a:1', ports }] });
  });
  const env = { A: `${a?.url}`, AB: `${a?.url}/${b?.url}` };
  new Workload(gvc, 'api', { type: 'standard', containers: [{ name: 'main', image: 'a:1', env }] });
  const file = join(folder, 'joined.json');
  await gantry.save([await gantry.plan(await gantry.load(stack))], file);
  const [plan] = await gantry.openAll(file);
  await gantry.apply(nth([plan], 0));
  const undo = await gantry.undo(nth([plan], 0));
  expect([undo.refused, undo.counts.delete]).toEqual([undefined, 4]);
});

test('a reference to a record that does not exist and that nothing creates is refused', async () => {
  await using gantry = await open();
  const app = new App();
  const stack = new Stack(app, 'alone');
  const gvc = new Gvc(stack, 'alone');
  const far = Workload.fromName(stack, 'far', 'web', { gvc: 'far' });
  new Workload(gvc, 'api', { type: 'standard', containers: [{ name: 'main', image: 'a:1', env: { URL: far.url } }] });
  const plan = await gantry.plan(await gantry.load(app));
  expect(plan.plan.changes.find(({ id }) => id === 'workload/alone/api')?.refusals).toEqual([
    expect.objectContaining({
      code: 'live.absent',
      message: 'it takes status.canonicalEndpoint of workload/far/web, which does not exist',
    }),
  ]);
});
