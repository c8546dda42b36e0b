import { App, Group, Gvc, Secret, Stack, sensitive, Workload } from 'gantry';
import { rehearse, snapshotOf } from 'gantry/testing';
import 'gantry/testing/vitest';
import { describe, expect, test } from 'vitest';
import { toHaveResource } from '../../src/testing/matchers.ts';

interface Shop {
  readonly image?: string;
  readonly password?: string;
  readonly second?: boolean;
}

/** A GVC, a secret, and one or two workloads. */
function shop({ image = 'shop:1', password = 'hunter2', second = false }: Shop = {}): App {
  const app = new App();
  const stack = new Stack(app, 'shop');
  const gvc = new Gvc(stack, 'shop', { locations: ['aws-eu-central-1'] });
  new Secret(stack, 'password', { type: 'opaque', data: { payload: password } });
  const workload = (name: string, from: string) =>
    new Workload(gvc, name, {
      type: 'standard',
      containers: [
        { name: 'main', image: from, cpu: '50m', memory: '64Mi', ports: [{ number: 8080, protocol: 'http' }] },
      ],
    });
  workload('web', image);
  if (second) workload('api', 'api:7');
  return app;
}

/** The message of a failing matcher. */
async function messageOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error('it does not fail');
}

describe('toHaveResource', () => {
  test('finds a resource by a part of its manifest', () => {
    expect(shop()).toHaveResource('gvc');
    expect(shop()).toHaveResource('workload', { name: 'web', gvc: 'shop', spec: { type: 'standard' } });
    expect(shop()).toHaveResource('workload', { spec: { containers: [{ image: 'shop:1' }] } });
    expect(shop()).toHaveResource('workload', { spec: { containers: [{ image: expect.stringMatching(/^shop:/) }] } });
    expect(shop()).toHaveResource('secret', { data: { payload: 'hunter2' } });
    expect(shop()).toHaveResource('workload', { description: undefined });
    expect([{ kind: 'group', name: 'readers' }]).toHaveResource('group', { name: 'readers' });
  });

  test('refuses unknown fields at compile time, and accepts matchers of any runner', () => {
    // @ts-expect-error it is "image"
    expect(shop()).not.toHaveResource('workload', { spec: { containers: [{ imagee: 'shop:1' }] } });
    // @ts-expect-error a field of another kind
    expect(shop()).not.toHaveResource('gvc', { spec: { containers: [] } });
    // @ts-expect-error no such type of workload
    expect(shop()).not.toHaveResource('workload', { spec: { type: 'daemon' } });
    // @ts-expect-error it has no such value
    expect(shop()).not.toHaveResource('secret', { type: 'opaque', data: { payload: 7 } });
    const even = { asymmetricMatch: (value: unknown) => typeof value === 'number' && value % 2 === 0 };
    expect(shop()).toHaveResource('workload', { spec: { containers: [{ ports: [{ number: even }] }] } });
    expect(shop()).toHaveResource('workload', { spec: { containers: expect.any(Array), identityLink: undefined } });
    expect(shop()).toHaveResource('gvc', {
      spec: { staticPlacement: { locationLinks: ['//location/aws-eu-central-1'] } },
    });
  });

  test('compares lists as a whole, and ignores fields that are not named', () => {
    expect(shop()).not.toHaveResource('workload', { spec: { containers: [] } });
    expect(shop()).not.toHaveResource('workload', { spec: { containers: [{ image: 'shop:1' }, {}] } });
    expect(shop()).not.toHaveResource('workload', { name: undefined });
  });

  test('names the nearest resource, where it was created, and the differences', async () => {
    const message = await messageOf(() =>
      expect(shop({ second: true })).toHaveResource('workload', {
        name: 'api',
        spec: { type: 'stateful', containers: [{ image: 'api:8', args: ['-v'] }] },
      }),
    );
    expect(message.replace(/\(\S*matchers\.test\.ts:(\d+):\d+\)/, '(HERE)')).toBe(
      [
        'expected a workload that has all of this; of 2 the nearest is workload/shop/api (HERE), where',
        '  spec.type is "standard", expected "stateful"',
        '  spec.containers[0].image is "api:7", expected "api:8"',
        '  spec.containers[0].args is missing, expected ["-v"]',
      ].join('\n'),
    );
  });

  test('names the existing resources instead, and shows no secret', async () => {
    expect(await messageOf(() => expect(shop()).toHaveResource('identity'))).toBe(
      'expected an identity, but there is none: there are gvc/shop, secret/password, workload/shop/web',
    );
    const message = await messageOf(() => expect(shop()).toHaveResource('secret', { data: { payload: 'x' } }));
    expect(message).toMatch(/\n {2}data.payload is sensitive, and is not what is expected$/);
    expect(message).not.toContain('hunter2');
    expect(await messageOf(() => expect(shop()).not.toHaveResource('gvc'))).toMatch(
      /^expected no such gvc, but there is gvc\/shop/,
    );
  });
});

test('a matcher on a rehearsal shows no value that a stack has marked, also one before it', async () => {
  const marked = (name: string, value: string) => {
    const stack = new Stack(new App(), name);
    new Group(stack, name, { description: sensitive(value) });
    return stack;
  };
  const before = await rehearse(marked('first', 'hidden-before'));
  const after = await rehearse(marked('third', 'hidden-last'), { from: before });
  for (const subject of [
    before,
    after,
    await rehearse(marked('second', 'hidden'), { from: marked('first', 'hidden-before') }),
  ]) {
    const verdict = toHaveResource(subject, 'group', { description: 'other' });
    expect(verdict.message()).toContain('description is sensitive, and is not what is expected');
    expect(verdict.message() + JSON.stringify(verdict.actual)).not.toContain('hidden');
  }
});

describe('toBeValid', () => {
  test('holds if `gantry validate` finds no mistake', async () => {
    expect(shop()).toBeValid();
    const wrong = [{ kind: 'group', name: 'Readers!' }];
    expect(wrong).not.toBeValid();
    expect(await messageOf(() => expect(wrong).toBeValid())).toMatch(
      /^expected no mistake, but there is 1:\n {2}manifests\[0\]:1:1 {2}/,
    );
    const thrown: unknown = await Promise.resolve()
      .then(() => expect(wrong).toBeValid())
      .catch((error: unknown) => error);
    expect(thrown).toHaveProperty('actual', undefined); // A difference would repeat the message.
    expect(await messageOf(() => expect(shop()).not.toBeValid())).toBe(
      'expected a mistake, but what is declared is valid',
    );
  });

  test('reports the validations of the tree', async () => {
    const app = shop();
    app.node.addValidation({ validate: () => ['every team has a name'] });
    expect(await messageOf(() => expect(app).toBeValid())).toContain('every team has a name');
  });
});

describe('toPlan', () => {
  test('counts the changes on an empty platform, or after an earlier stack', async () => {
    await expect(shop()).toPlan({ create: 3 });
    await expect(shop({ image: 'shop:2' })).toPlan({ patch: 1 }, { from: shop() });
    await expect(shop()).toPlan({}, { from: shop() });
    await expect(shop()).toPlan({ keep: 3 }, { from: shop() });
    await expect(shop()).toPlan({ delete: 1 }, { from: shop({ second: true }) });
    await expect(shop()).not.toPlan({ create: 2 });
  });

  test('reports the actual counts', async () => {
    expect(
      await messageOf(() => expect(shop({ image: 'shop:2', second: true })).toPlan({ patch: 1 }, { from: shop() })),
    ).toBe(
      [
        'expected the plan of 1 to change, but it is of 1 to create, 1 to change, 2 unchanged',
        '  create workload/shop/api',
        '  patch workload/shop/web: spec.containers.main.image',
      ].join('\n'),
    );
    expect(await messageOf(() => expect(shop()).toPlan({ create: 3 }, { maxChanges: 2 }))).toContain('refused: ');
  });
});

describe('rehearse', () => {
  test('applies, and returns the result, with which the next rehearsal can begin', async () => {
    const first = await rehearse(shop());
    expect([first.outcome, first.counts.create, first.records.map(({ id }) => id)]).toEqual([
      'done',
      3,
      ['gvc/shop', 'secret/password', 'workload/shop/web'],
    ]);
    expect(first.record('workload/shop/web')).toMatchObject({ tags: { 'gantry/stack': 'shop' }, version: 1 });
    expect(first).toHaveResource('secret', { data: { payload: 'hunter2' } });

    const second = await rehearse(shop({ image: 'shop:2' }), { from: first });
    expect(second).toHaveResource('workload', { version: 2, spec: { containers: [{ image: 'shop:2' }] } });
    await expect(second).toPlan({ patch: 1 });
  });

  test('can begin with records of others, which are refused or adopted', async () => {
    const from = { records: [{ kind: 'group', name: 'readers', description: 'by hand' }] };
    const stack = [{ kind: 'group', name: 'readers', description: 'ours' }];
    await expect(rehearse(stack, { from })).rejects.toMatchObject({ code: 'plan.refused' });
    await expect(stack).toPlan({ adopt: 1 }, { from, adopt: true });
    const after = await rehearse(stack, { from, adopt: true });
    expect(after.record('group/readers')).toMatchObject({ description: 'ours' });
  });
});

describe('snapshotOf', () => {
  test('contains manifests by id, keys in order, without secrets', () => {
    expect(snapshotOf(shop())).toEqual([
      { kind: 'gvc', name: 'shop', spec: { staticPlacement: { locationLinks: expect.any(Array) } } },
      { data: { sensitive: true }, kind: 'secret', name: 'password', type: 'opaque' },
      expect.objectContaining({ kind: 'workload', name: 'web', gvc: 'shop' }),
    ]);
    expect(Object.keys(Object(snapshotOf(shop()))[1])).toEqual(['data', 'kind', 'name', 'type']);
    expect(JSON.stringify(snapshotOf(shop()))).not.toContain('hunter2');
  });

  test('contains plans without values that differ in the next run', async () => {
    const change = () => rehearse(shop({ image: 'shop:2', password: 'other' }), { from: shop() });
    const [first, second] = [snapshotOf(await change()), snapshotOf(await change())];
    expect(first).toEqual(second);
    expect(first).toMatchObject({
      changes: [
        { id: 'gvc/shop', action: 'keep' },
        { id: 'secret/password', action: 'patch' },
        {
          id: 'workload/shop/web',
          action: 'patch',
          fields: [{ path: 'spec.containers.main.image', old: 'shop:1', new: 'shop:2' }],
        },
      ],
      summary: { patch: 2, keep: 1 },
    });
    expect(JSON.stringify(first)).not.toMatch(/hunter2|"other"|matchers\.test/);
  });
});

describe('several stacks', () => {
  function company() {
    const app = new App();
    const network = new Stack(app, 'network');
    const gvc = new Gvc(network, 'shop', { locations: ['aws-eu-central-1'] });
    const people = new Stack(app, 'people');
    new Group(people, 'readers');
    return { app, network, people, gvc };
  }

  test('are rehearsed each under its own name; of an app with several, all or the named one', async () => {
    const { app, network, people } = company();
    const { records } = await rehearse(people, { from: network });
    expect(records.map(({ id, record }) => [id, Object(record['tags'])['gantry/stack']])).toEqual([
      ['group/readers', 'people'],
      ['gvc/shop', 'network'],
    ]);
    expect((await rehearse(app)).counts.create).toBe(2);
    expect((await rehearse(app, { stack: 'people' })).records.map(({ id }) => id)).toEqual(['group/readers']);
    await expect(people).toPlan({}, { from: app });
  });

  test('can begin with an earlier form of an empty stack, whose resources are deleted', async () => {
    const empty = new Stack(new App(), 'people');
    await expect(empty).toPlan({ delete: 1 }, { from: company().people, allowEmpty: true });
  });
});
