import { describe, expect, it, onTestFinished } from 'vitest';
import { isObject, objectAt } from '../../../src/base/json/json.ts';
import type { ObjectValue } from '../../../src/hcl/value.ts';
import { makeDeletionReads } from '../../../src/provider/platform/looks.ts';
import type { Surroundings } from '../../../src/provider/platform/settings.ts';
import type { ServerOptions } from '../../../src/server/options.ts';
import { startServer } from '../../../src/server/start.ts';
import { type Passing, startProxy, type Verdict } from '../../e2e/harness/proxy.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { type Calls, errorsOf, startCalls } from '../harness/calls.ts';

const folder = temporaryFolder('deletion');

interface World {
  readonly calls: Calls;
  /** As another client: `call('PATCH', 'gvc/shop', {…})`. */
  call(method: string, path: string, body?: object): Promise<Response>;
  /** The GVC `shop` of the state, with these instructions. */
  gvc(instructions?: ObjectValue): Promise<ObjectValue>;
}

type Judge = (passing: Passing, world: World) => Verdict | Promise<Verdict>;

async function start(
  judge: Judge = () => 'pass',
  options: ServerOptions = {},
  more: Partial<Surroundings> = {},
): Promise<World> {
  const platform = await startServer({ port: 0, noAuth: true, readyAfterMs: 0, ...options });
  const world: World = {
    calls: await startCalls(folder, more),
    call(method, path, body) {
      const headers = { 'content-type': 'application/json' };
      const sent = body === undefined ? {} : { body: JSON.stringify(body), headers };
      return fetch(`${platform.url}/org/local/${path}`, { method, ...sent });
    },
    async gvc(instructions = {}) {
      const spec = { static_placement: { location_links: ['//location/aws-eu-central-1'] } };
      const state = await world.calls.run('gantry_gvc', { name: 'shop', spec, ...instructions });
      if (state === undefined) throw new Error('it was not created');
      return state;
    },
  };
  const proxy = await startProxy(platform.url, (passing) => judge(passing, world));
  onTestFinished(async () => {
    await proxy.close();
    await platform.close();
  });
  await world.calls.configure({ endpoint: proxy.url, org: 'local' });
  return world;
}

/** The errors of the apply of a deletion; none: it is gone. */
async function deletion(
  { calls, call }: World,
  type: string,
  state: ObjectValue,
  path: string,
): Promise<readonly string[]> {
  const applied = await calls.apply(type, undefined, state, await calls.plan(type, undefined, state));
  const errors = errorsOf(applied.told);
  const { status } = await call('GET', path);
  expect(status, errors.join()).toBe(errors.length === 0 ? 404 : 200);
  expect(applied.state).toEqual(errors.length === 0 ? undefined : state);
  return errors;
}

const identity = (name: string) => ['POST', 'gvc/shop/identity', { name }] as const;

describe('a GVC with resources of others', () => {
  it.each([
    ['none is allowed and one is there', undefined, 1],
    ['two are allowed and one is there', 2, 1],
    ['one is allowed and two are there', 1, 2],
  ])('is not deleted where %s', async (_, allowed, count) => {
    const world = await start();
    const state = await world.gvc(allowed === undefined ? {} : { allow_collateral: allowed });
    for (const name of ['one', 'two'].slice(0, count)) await world.call(...identity(name));
    const [error] = await deletion(world, 'gantry_gvc', state, 'gvc/shop');
    expect(error).toContain(`contains ${count} resource`);
  });

  it('is deleted with exactly as many as are allowed, and where all of them have gone', async () => {
    for (const names of [['one', 'two'], []]) {
      const world = await start();
      const state = await world.gvc({ allow_collateral: 2 });
      for (const name of names) await world.call(...identity(name));
      expect(await deletion(world, 'gantry_gvc', state, 'gvc/shop')).toEqual([]);
    }
  });

  it('is not deleted where one came between a DELETE that failed and its repetition', async () => {
    let failed = 0;
    const world = await start(async ({ method }, { call }) => {
      if (method !== 'DELETE') return 'pass';
      failed += 1;
      if (failed > 1) return 'pass';
      await call(...identity('late'));
      return { status: 503 };
    });
    const state = await world.gvc();
    expect(await deletion(world, 'gantry_gvc', state, 'gvc/shop')).toEqual([
      expect.stringContaining('contains 1 resource that this apply does not delete: identity/shop/late'),
    ]);
  });
});

it('is sent again where it is answered with 404 and the record is still there', async () => {
  let denied = 0;
  const world = await start(({ method }) => (method === 'DELETE' && ++denied <= 2 ? { status: 404 } : 'pass'));
  expect(await deletion(world, 'gantry_gvc', await world.gvc(), 'gvc/shop')).toEqual([]);
  expect(denied).toBe(3);
});

describe('a GVC with the data of others', () => {
  const volumes = { initialCapacity: 10, performanceClass: 'general-purpose-ssd', fileSystemType: 'ext4' };
  const mounter = {
    name: 'store',
    spec: {
      type: 'stateful',
      containers: [{ name: 'main', image: 'db:1', volumes: [{ uri: 'scheme://volumeset/rows', path: '/rows' }] }],
    },
  };

  it.each([
    [false, ['The data of volumeset/shop/rows would be lost, which was not shown: 1 volume']],
    [true, []],
  ])('is not deleted, although as many resources are allowed, unless its loss is: %s', async (allowed, expected) => {
    const world = await start();
    const state = await world.gvc({ allow_collateral: 2, allow_data_loss: allowed });
    await world.call('POST', 'gvc/shop/volumeset', { name: 'rows', spec: volumes });
    const made = await world.call('POST', 'gvc/shop/workload', mounter);
    expect(made.status, await made.text()).toBe(201);
    expect(await deletion(world, 'gantry_gvc', state, 'gvc/shop')).toEqual(expected);
  });
});

describe('a secret that a workload of others reads', () => {
  const env = [{ name: 'DB', value: 'scheme://secret/shop-db.payload' }];
  const reader = {
    name: 'web',
    spec: { type: 'standard', containers: [{ name: 'main', image: 'web:1', cpu: '50m', memory: '128Mi', env }] },
  };
  const type = 'gantry_secret';
  const secret = { name: 'shop-db', type: 'opaque', data: { opaque: { payload: 'x' } } };

  async function readByOthers(instructions: ObjectValue) {
    const world = await start();
    await world.gvc();
    const state = (await world.calls.run(type, { ...secret, ...instructions })) ?? {};
    const made = await world.call('POST', 'gvc/shop/workload', reader);
    expect(made.status, await made.text()).toBe(201);
    return { world, state };
  }

  it.each([[{}], [{ allow_dangling: 2 }]])(
    'is not deleted with %j; the plan warns and names the field',
    async (instructions) => {
      const { world, state } = await readByOthers(instructions);
      const { told } = await world.calls.plan(type, undefined, state);
      expect(told).toMatchObject([
        {
          severity: 'warning',
          summary: 'secret/shop-db is needed by 1 resource that this configuration has not created',
          detail: expect.stringMatching(
            /^workload\/shop\/web needs it at spec\.containers\.main\.env\.DB\.value\. .*allow_dangling/,
          ),
        },
      ]);
      expect(await deletion(world, type, state, 'secret/shop-db')).toEqual([
        expect.stringContaining(
          'secret/shop-db is needed by others: workload/shop/web needs it at spec.containers.main.env.DB.value',
        ),
      ]);
    },
  );

  it('is deleted with exactly their number, and where only this configuration read it', async () => {
    const { world, state } = await readByOthers({ allow_dangling: 1 });
    expect(await deletion(world, type, state, 'secret/shop-db')).toEqual([]);

    const own = await start();
    await own.gvc();
    const read = (await own.calls.run(type, secret)) ?? {};
    await own.calls.run('gantry_workload', {
      name: 'web',
      gvc: 'shop',
      spec: {
        type: 'standard',
        containers: [{ name: 'main', image: 'web:1', args: ['scheme://secret/shop-db.payload'] }],
      },
    });
    expect(await deletion(own, type, read, 'secret/shop-db')).toEqual([]);
  });

  it('costs no request where nothing could be needed without the platform knowing', async () => {
    const asked: string[] = [];
    const world = await start(({ method, path }) => {
      asked.push(`${method} ${path.replace(/[?].*/, '')}`);
      return 'pass';
    });
    const state = (await world.calls.run('gantry_group', { name: 'quiet' })) ?? {};
    asked.length = 0;
    expect(await deletion(world, 'gantry_group', state, 'group/quiet')).toEqual([]);
    expect(asked.filter((each) => /\/(workload|domain|gvc|cloudaccount)$/.test(each))).toEqual([]);
  });
});

describe('protected', () => {
  const type = 'gantry_group';
  const guard = 'scheme/protected';

  async function tagsOf({ call }: World): Promise<object> {
    const record: unknown = await (await call('GET', 'group/one')).json();
    return isObject(record) ? objectAt(record, 'tags') : {};
  }

  it('is the tag of the platform from the creation on, and taken off where it is false', async () => {
    const world = await start();
    const config = { name: 'one', protected: true };
    const state = await world.calls.run(type, config);
    expect(await tagsOf(world)).toHaveProperty([guard]);
    const free = await world.calls.run(type, { ...config, protected: false }, state);
    expect(free).toMatchObject({ protected: false });
    expect(await tagsOf(world)).not.toHaveProperty([guard]);
    await world.calls.run(type, config, free);
    expect(await tagsOf(world)).toHaveProperty([guard]);
  });

  it('refuses the plan of a deletion, and of a replacement', async () => {
    const world = await start();
    const state = await world.calls.run(type, { name: 'one', protected: true });
    for (const config of [undefined, { name: 'two', protected: true }]) {
      expect(errorsOf((await world.calls.plan(type, config, state)).told)).toEqual(['group/one is protected']);
    }
  });

  it('by another client after the plan refuses its apply', async () => {
    const world = await start();
    const state = await world.calls.run(type, { name: 'one' });
    if (state === undefined) throw new Error('it was not created');
    const plan = await world.calls.plan(type, undefined, state);
    await world.call('PATCH', 'group/one', { tags: { [guard]: 'true' } });
    const applied = await world.calls.apply(type, undefined, state, plan);
    expect(errorsOf(applied.told)).toEqual(['group/one has changed since it was planned: protected changed']);
    expect(applied.state).toEqual(state);
    expect((await world.call('GET', 'group/one')).status).toBe(200);
  });
});

/**
 * Looks whose time passes only while all deletions that are not done wait for one, so that none is late on a busy machine.
 */
function gatheringAll(count: number): typeof makeDeletionReads {
  let [begun, ended, looking, time] = [0, 0, 0, 0];
  async function counted<T>(look: Promise<T>): Promise<T> {
    looking += 1;
    return look.finally(() => {
      looking -= 1;
    });
  }
  async function sleep(ms: number): Promise<void> {
    time += ms;
    while (begun < count || looking < begun - ended) await new Promise((resolve) => setImmediate(resolve));
  }
  return (client) => {
    const looks = makeDeletionReads(client, { now: () => time, sleep });
    return {
      before: (ref) => counted(looks.before(ref)),
      now: (ref) => counted(looks.now(ref)),
      afterDelete: (ref) => counted(looks.afterDelete(ref)),
      async during(deletion) {
        begun += 1;
        return looks.during(deletion).finally(() => {
          ended += 1;
        });
      },
    };
  };
}

describe('several resources that are deleted at the same time', () => {
  const names = ['one', 'two', 'three', 'four', 'five', 'six'];

  it.each([
    ['gantry_group', 'group', {}, { description: 'of somebody else' }, 'description changed'],
    [
      'gantry_secret',
      'secret',
      { type: 'opaque', data: { opaque: { payload: 'x' } } },
      { data: { payload: 'y' } },
      'data changed',
    ],
  ])(
    'are looked at together, and a %s that somebody has changed meanwhile stays',
    async (type, path, rest, patch, why) => {
      const asked: string[] = [];
      const world = await start(
        ({ method, path: url }) => {
          asked.push(`${method} ${url}`);
          return 'pass';
        },
        {},
        { makeDeletionReads: gatheringAll(names.length) },
      );
      const { calls, call } = world;
      const made: { readonly state: ObjectValue; readonly own: Uint8Array | undefined }[] = [];
      for (const name of names) {
        const config = { name, ...rest };
        const created = await calls.apply(type, config, undefined, await calls.plan(type, config));
        made.push({ state: created.state ?? {}, own: created.own });
      }
      const plans = await Promise.all(made.map(({ state, own }) => calls.plan(type, undefined, state, own)));
      await call('PATCH', `${path}/three`, patch);
      asked.splice(0);
      const results = await Promise.all(
        made.map(({ state }, at) =>
          calls.apply(type, undefined, state, plans[at] ?? { planned: undefined, own: undefined, told: [] }),
        ),
      );
      expect(results.flatMap(({ told }) => errorsOf(told))).toEqual([
        `${path}/three has changed since it was planned: ${why}`,
      ]);
      const states = await Promise.all(names.map(async (name) => (await call('GET', `${path}/${name}`)).status));
      expect(states).toEqual(names.map((name) => (name === 'three' ? 200 : 404)));
      const reads = asked.filter((each) => each.startsWith('GET'));
      // Two lists, and the one that is not as it was planned by its name.
      expect(reads.length).toBeLessThanOrEqual(path === 'secret' ? 8 : 3);
    },
  );
});
