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
  /** Creates the GVC `shop` in the state, with these instructions. */
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

/** The errors of the apply of a deletion; empty if it succeeded. */
async function deletion(
  { calls, call }: World,
  type: string,
  state: ObjectValue,
  path: string,
): Promise<readonly string[]> {
  const applied = await calls.apply(type, undefined, state, await calls.plan(type, undefined, state));
  const errors = errorsOf(applied.diagnostics);
  const { status } = await call('GET', path);
  expect(status, errors.join()).toBe(errors.length === 0 ? 404 : 200);
  expect(applied.state).toEqual(errors.length === 0 ? undefined : state);
  return errors;
}

const identity = (name: string) => ['POST', 'gvc/shop/identity', { name }] as const;

describe('a GVC with resources of others', () => {
  it.each([
    ['none is allowed and there is one', undefined, 1],
    ['two are allowed and there is one', 2, 1],
    ['one is allowed and there are two', 1, 2],
  ])('is not deleted if %s', async (_, allowed, count) => {
    const world = await start();
    const state = await world.gvc(allowed === undefined ? {} : { allow_collateral: allowed });
    for (const name of ['one', 'two'].slice(0, count)) await world.call(...identity(name));
    const [error] = await deletion(world, 'gantry_gvc', state, 'gvc/shop');
    expect(error).toContain(`contains ${count} resource`);
  });

  it('is deleted if there are exactly as many as allowed, or none any more', async () => {
    for (const names of [['one', 'two'], []]) {
      const world = await start();
      const state = await world.gvc({ allow_collateral: 2 });
      for (const name of names) await world.call(...identity(name));
      expect(await deletion(world, 'gantry_gvc', state, 'gvc/shop')).toEqual([]);
    }
  });

  it('is not deleted if a resource is created between a failed DELETE and its retry', async () => {
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

it('a DELETE is sent again if the answer is 404 and the record still exists', async () => {
  let denied = 0;
  const world = await start(({ method }) => (method === 'DELETE' && ++denied <= 2 ? { status: 404 } : 'pass'));
  expect(await deletion(world, 'gantry_gvc', await world.gvc(), 'gvc/shop')).toEqual([]);
  expect(denied).toBe(3);
});

it('a GVC whose content cannot be listed is not deleted', async () => {
  const world = await start(({ path }) => (/\/identity(?:[?]|$)/.test(path) ? { status: 403 } : 'pass'));
  const state = await world.gvc();
  expect(await deletion(world, 'gantry_gvc', state, 'gvc/shop')).toEqual([
    expect.stringContaining('The content of gvc/shop cannot be listed, so it is not known what would be lost'),
  ]);
});

it('a deletion of a busy record is tried again until its timeout is over', async () => {
  let conflicts = 0;
  const world = await start(({ method }) => {
    if (method !== 'DELETE') return 'pass';
    conflicts += 1;
    return conflicts === 2 ? 'pass' : { status: 409 };
  });
  const state = (await world.calls.run('gantry_group', { name: 'one', timeouts: { delete: '0s' } })) ?? {};
  expect(await deletion(world, 'gantry_group', state, 'group/one')).toEqual([
    'group/one was not free to be deleted after 0 s',
  ]);
  expect(await deletion(world, 'gantry_group', { ...state, timeouts: { delete: '1m' } }, 'group/one')).toEqual([]);
});

const volumes = { initialCapacity: 10, performanceClass: 'general-purpose-ssd', fileSystemType: 'ext4' };
/** A workload that mounts the volume set `rows`, which then has volumes. */
const mounter = {
  name: 'store',
  spec: {
    type: 'stateful',
    containers: [{ name: 'main', image: 'db:1', volumes: [{ uri: 'scheme://volumeset/rows', path: '/rows' }] }],
  },
};

describe('a GVC with volume sets of others', () => {
  it.each([
    [false, ['The data of volumeset/shop/rows would be lost, which was not shown: 1 volume']],
    [true, []],
  ])('is not deleted with enough collateral allowed unless its data loss is: %s', async (allowed, expected) => {
    const world = await start();
    const state = await world.gvc({ allow_collateral: 2, allow_data_loss: allowed });
    await world.call('POST', 'gvc/shop/volumeset', { name: 'rows', spec: volumes });
    const made = await world.call('POST', 'gvc/shop/workload', mounter);
    expect(made.status, await made.text()).toBe(201);
    expect(await deletion(world, 'gantry_gvc', state, 'gvc/shop')).toEqual(expected);
  });
});

describe('the plan of a volume set with data', () => {
  const config = (more: ObjectValue = {}, spec: ObjectValue = {}): ObjectValue => {
    const usual = { initial_capacity: 10, performance_class: 'general-purpose-ssd', file_system_type: 'ext4' };
    return { name: 'rows', gvc: 'shop', spec: { ...usual, ...spec }, ...more };
  };
  const lost = ['The data of volumeset/shop/rows would be lost'];

  it.each<[string, ObjectValue | undefined, readonly string[]]>([
    ['is refused for a deletion', undefined, lost],
    ['is refused for a replacement', config({}, { file_system_type: 'xfs' }), lost],
    ['is allowed with allow_data_loss', config({ allow_data_loss: true }, { file_system_type: 'xfs' }), []],
    ['is allowed for an update', config({}, { initial_capacity: 20 }), []],
  ])('%s', async (_, next, expected) => {
    const world = await start();
    await world.gvc();
    await world.call('POST', 'gvc/shop/volumeset', { name: 'rows', spec: volumes });
    expect((await world.call('POST', 'gvc/shop/workload', mounter)).status).toBe(201);
    const { state } = await world.calls.read('gantry_volumeset', { name: 'rows', gvc: 'shop' });
    expect(errorsOf((await world.calls.plan('gantry_volumeset', next, state)).diagnostics)).toEqual(expected);
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
      const { diagnostics } = await world.calls.plan(type, undefined, state);
      expect(diagnostics).toMatchObject([
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

  it('is deleted with exactly the allowed number, or if only this configuration read it', async () => {
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

  it('is not searched for when a resource is deleted that only the platform can reference', async () => {
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

  it("sets the platform's tag from the creation on, and removes it if false", async () => {
    const world = await start();
    const config = { name: 'one', protected: true };
    const state = await world.calls.run(type, config);
    expect(await tagsOf(world)).toHaveProperty([guard]);
    const free = await world.calls.run(type, { ...config, protected: false }, state);
    expect(free).toMatchObject({ protected: false });
    expect(await tagsOf(world)).not.toHaveProperty([guard]);
    const guarded = await world.calls.run(type, config, free);
    expect(await tagsOf(world)).toHaveProperty([guard]);
    expect((await world.calls.plan(type, config, guarded)).planned).toEqual(guarded);
  });

  it('refuses to plan a deletion or a replacement', async () => {
    const world = await start();
    const state = await world.calls.run(type, { name: 'one', protected: true });
    for (const config of [undefined, { name: 'two', protected: true }]) {
      expect(errorsOf((await world.calls.plan(type, config, state)).diagnostics)).toEqual(['group/one is protected']);
    }
  });

  it('refuses the apply of a deletion if another client sets it after the plan', async () => {
    const world = await start();
    const state = await world.calls.run(type, { name: 'one' });
    if (state === undefined) throw new Error('it was not created');
    const plan = await world.calls.plan(type, undefined, state);
    await world.call('PATCH', 'group/one', { tags: { [guard]: 'true' } });
    const applied = await world.calls.apply(type, undefined, state, plan);
    expect(errorsOf(applied.diagnostics)).toEqual(['group/one has changed since it was planned: protected changed']);
    expect(applied.state).toEqual(state);
    expect((await world.call('GET', 'group/one')).status).toBe(200);
  });
});

/** Reads whose time passes only while all unfinished deletions wait for one, so that none is late on a busy machine. */
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

  // biome-ignore format: a row is a case
  it.each([
    ['gantry_group', 'group', {}, { description: 'of somebody else' }, 'description changed'],
    ['gantry_secret', 'secret', { type: 'opaque', data: { opaque: { payload: 'x' } } }, { data: { payload: 'y' } },
      'data changed'],
  ])(
    'are read together, and a %s that another client changed meanwhile is kept',
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
          calls.apply(type, undefined, state, plans[at] ?? { planned: undefined, own: undefined, diagnostics: [] }),
        ),
      );
      expect(results.flatMap(({ diagnostics }) => errorsOf(diagnostics))).toEqual([
        `${path}/three has changed since it was planned: ${why}`,
      ]);
      const states = await Promise.all(names.map(async (name) => (await call('GET', `${path}/${name}`)).status));
      expect(states).toEqual(names.map((name) => (name === 'three' ? 200 : 404)));
      const reads = asked.filter((each) => each.startsWith('GET'));
      // Two lists, and a read by name of the one that differs from the plan.
      expect(reads.length).toBeLessThanOrEqual(path === 'secret' ? 8 : 3);
    },
  );
});
