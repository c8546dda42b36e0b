import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { LiveResource, Snapshot } from '../../../src/manifest/live/snapshot.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import type { Plan } from '../../../src/plan/model/plan.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import { closure, declare, foreign, live, plan, snapshot } from '../world.ts';

const [eu, us] = ['aws-eu-central-1', 'gcp-us-east1'];
const where = [foreign(`location/${eu}`), foreign(`location/${us}`)];
const gvc = (...names: readonly string[]): JsonObject => ({
  spec: { staticPlacement: { locationLinks: names.map((name) => `/org/o/location/${name}`) } },
});

/** Two to three replicas that mount `rows`. */
function database(scale: JsonObject = { minScale: 2, maxScale: 3 }, more: JsonObject = {}): JsonObject {
  return mounting('rows', { defaultOptions: { autoscaling: scale, ...more } });
}

function mounting(name: string, more: JsonObject = {}): JsonObject {
  const volumes = [{ uri: `scheme://volumeset/${name}`, path: '/data' }];
  return {
    spec: {
      type: 'stateful',
      containers: [{ name: 'main', image: 'a:1', cpu: '50m', memory: '128Mi', volumes }],
      ...more,
    },
  };
}

const grows = { autoscaling: { maxCapacity: 100, minFreePercentage: 10, scalingFactor: 1.2 } };

function set(spec: JsonObject = grows): JsonObject {
  return { spec: { fileSystemType: 'ext4', initialCapacity: 10, performanceClass: 'general-purpose-ssd', ...spec } };
}

/** `held({ eu: [30, 10] })`: the GB of the volumes in each location, by index; a deleted volume is negative. */
function held(sizes: Readonly<Record<string, readonly number[]>>, spec: JsonObject = grows): JsonObject {
  const locations = Object.entries(sizes).map(([name, each]) => ({
    name,
    volumes: each.map((gb, index) => ({ index, currentSize: Math.abs(gb), lifecycle: gb < 0 ? 'deleted' : 'bound' })),
  }));
  return { ...set(spec), status: { locations } };
}

interface Parts {
  readonly gvc?: JsonObject;
  readonly db?: JsonObject;
  readonly rows?: JsonObject;
}

const desired = (parts: Parts = {}): readonly DesiredResource[] => [
  declare('gvc/g', parts.gvc ?? gvc(eu, us)),
  declare('workload/g/db', parts.db ?? database()),
  declare('volumeset/g/rows', parts.rows ?? set(), { replace: true }),
];

const lived = (rows: JsonObject, parts: Omit<Parts, 'rows'> = {}): readonly LiveResource[] => [
  ...where,
  live('gvc/g', parts.gvc ?? gvc(eu, us)),
  live('workload/g/db', parts.db ?? database()),
  live('volumeset/g/rows', rows),
];

/** GB before, after, and at most. */
function amounts({ storage }: Plan): readonly number[] | undefined {
  return storage === undefined ? undefined : [storage.before.gb, storage.after.gb, storage.ceiling.gb];
}

const running = held({ [eu]: [30, 10], [us]: [10, 10] });
const scaled = (count: number): JsonObject => database({ minScale: count, maxScale: count });
const unmounted = { spec: { type: 'stateful', containers: [{ name: 'main', image: 'a:1' }] } };
const shared = set({ fileSystemType: 'shared', performanceClass: 'shared', ...grows });
const faster = set({ initialCapacity: 200, performanceClass: 'high-throughput-ssd' });
const local = mounting('rows', {
  defaultOptions: { suspend: true, autoscaling: { minScale: 2, maxScale: 2 } },
  localOptions: [{ location: `//location/${eu}`, autoscaling: { minScale: 4, maxScale: 4 } }],
});
const grown = { minFreePercentage: 10, scalingFactor: 1.2 };
const ofOthers = [...where, live('gvc/g', gvc(eu, us)), foreign('workload/g/db', database())];

type Amounts = readonly [before: number, after: number, ceiling: number];
type Row = readonly [it: string, Parts | readonly DesiredResource[], on: readonly LiveResource[] | Snapshot, Amounts];

describe('the reserved GB (platform/volumeset.volumes, platform/volumeset.shared, platform/volumeset.classes, platform/volumeset.status)', () => {
  // biome-ignore format: a row is a case
  test.each<Row>([
    ['new volumes: one for each replica in each location, with the bounds of size and replicas', {}, where,
      [0, 2 * 2 * 10, 2 * 3 * 100]],
    ['a shared set: one for each location, with any number of mounts',
      [...desired({ rows: shared }), declare('workload/g/other', mounting('rows'))], where, [0, 2 * 10, 2 * 100]],
    ['existing volumes: their size in the status', {}, lived(running), [60, 60, 2 * 3 * 100]],
    ['one more replica adds one volume in each location', { db: scaled(3) }, lived(running), [60, 60 + 2 * 10, 600]],
    ['one more location has new volumes',
      {}, lived(held({ [eu]: [30, 10] }), { gvc: gvc(eu) }), [40, 40 + 2 * 10, 600]],
    ['a removed replica removes no volume', { db: scaled(1) }, lived(running), [60, 60, 4 * 100]],
    ['a removed replica removes no volume that the status omits', { db: scaled(1) }, lived(set()), [40, 40, 4 * 100]],
    ['a removed mount removes no volume', { db: unmounted }, lived(running), [60, 60, 4 * 100]],
    // Both volumes in the removed location can still grow to their bound, but no third one is created there.
    ['a removed location removes no volume', { gvc: gvc(eu) }, snapshot(lived(running), { closures: closure('g', []) }),
      [60, 60, (3 + 2) * 100]],
    ['a changed initial capacity applies to new volumes only',
      { rows: set({ ...grows, initialCapacity: 50 }), db: scaled(3) },
      lived(running), [60, 60 + 2 * 50, 600]],
    ['a deleted volume is created again when its replica needs it',
      {}, lived(held({ [eu]: [30, -10], [us]: [10, 10] })),
      [50, 60, 600]],
    ['a deleted set reserves nothing', [declare('gvc/g', gvc(eu, us))], lived(running), [60, 0, 0]],
    ['a replaced set and its workload start with new volumes',
      { rows: faster }, lived(running), [60, 4 * 200, 6 * 200]],
    ['without volumes in the status, they are counted from the declaration', { db: scaled(3) }, lived(set()),
      [40, 60, 600]],
    ['a set without bound and policy does not grow', { rows: set({}) }, where, [0, 40, 6 * 10]],
    ['a set grows to its bound', { rows: set({ autoscaling: { maxCapacity: 40 } }) }, where, [0, 40, 6 * 40]],
    ['a set with a policy and no bound grows to the bound of every class', { rows: set({ autoscaling: grown }) }, where,
      [0, 40, 6 * 65_536]],
    ['options of a location replace the default ones, and nothing runs if it is suspended there',
      { db: local, rows: set({}) }, where, [0, 4 * 10, (4 + 2) * 10]],
    ['without scaling options, one to five replicas run (platform/workload.autoscaling)',
      { db: mounting('rows'), rows: set({}) }, where, [0, 2 * 10, 2 * 5 * 10]],
    ['a workload of others that mounts it counts too',
      [declare('gvc/g', gvc(eu, us)), declare('volumeset/g/rows', set(), { replace: true })],
      [...ofOthers, live('volumeset/g/rows', set({}))], [40, 40, 600]],
  ])('%s', (_, wanted, on, expected) => {
    expect(amounts(plan('length' in wanted ? wanted : desired(wanted), on, { allowDataLoss: 1 }))).toEqual(expected);
  });

  test('a set that no workload mounts, or a plan without one, has no note', () => {
    expect(plan([declare('gvc/g', gvc(eu)), declare('volumeset/g/rows', set())], where).storage).toBeUndefined();
    expect(plan([declare('gvc/g', gvc(eu))], where).storage).toBeUndefined();
  });

  test('a query for locations is noted, as there may be more of them', () => {
    const queried = {
      spec: { staticPlacement: { locationLinks: [`/org/o/location/${eu}`], locationQuery: { kind: 'location' } } },
    };
    const made = plan(desired({ gvc: queried }), lived(running, { gvc: queried }));
    expect(made.storage?.atLeast).toBe(true);
    expect(amounts(made)).toEqual([60, 60, 600]);
    expect(plan(desired(), where).storage).not.toHaveProperty('atLeast');
  });
});

describe('with several sets', () => {
  const gvcs = (name: string, spec: JsonObject): readonly DesiredResource[] => [
    declare(`gvc/${name}`, spec),
    declare(`workload/${name}/db`, database({ minScale: 2, maxScale: 2 })),
    declare(`volumeset/${name}/rows`, set({})),
  ];

  test('an unmounted one hides no other, even if nothing can grow', () => {
    const made = plan([...gvcs('g', gvc(eu)), declare('volumeset/g/idle', set())], where);
    expect(amounts(made)).toEqual([0, 20, 20]);
    expect(made.storage?.sets).toEqual([
      { id: 'volumeset/g/idle', before: 0, after: 0, ceiling: 0, concerned: true },
      { id: 'volumeset/g/rows', before: 0, after: 20, ceiling: 20, concerned: true },
    ]);
  });

  test('one query is enough for the note', () => {
    const queried = {
      spec: { staticPlacement: { locationLinks: [`/org/o/location/${eu}`], locationQuery: { kind: 'location' } } },
    };
    expect(plan([...gvcs('a', gvc(eu)), ...gvcs('b', queried)], where).storage?.atLeast).toBe(true);
  });

  test('a deleted one is certain', () => {
    const made = plan([...gvcs('a', gvc(eu)), declare('gvc/g', gvc(eu, us))], lived(running), { allowDataLoss: 1 });
    expect(made.storage).not.toHaveProperty('atLeast');
  });
});

describe('the sets that a plan affects', () => {
  const concerned = (made: Plan) => made.storage?.sets.map((each) => [each.id, each.concerned]);
  const both = (): readonly DesiredResource[] => [...desired(), declare('volumeset/g/files', set())];
  const state = [...lived(running), live('volumeset/g/files', held({ [eu]: [10] }))];

  test('are none for a plan without changes', () => {
    expect(concerned(plan(both(), state))).toEqual([
      ['volumeset/g/files', false],
      ['volumeset/g/rows', false],
    ]);
  });

  test('exclude those that only a workload of others mounts', () => {
    const state = [...where, live('gvc/g', gvc(eu, us)), foreign('workload/g/db', database()), lived(running).at(-1)];
    const rows = declare('volumeset/g/rows', set());
    const made = plan(
      [declare('gvc/g', gvc(eu, us)), rows],
      state.filter((each) => each !== undefined),
    );
    expect(concerned(made)).toEqual([['volumeset/g/rows', false]]);
  });

  test('include those of a changed workload', () => {
    const changed = both().map((each) =>
      each.id === 'workload/g/db' ? declare(each.id, database({ minScale: 1, maxScale: 2 })) : each,
    );
    expect(concerned(plan(changed, state))).toEqual([
      ['volumeset/g/files', false],
      ['volumeset/g/rows', true],
    ]);
  });

  test('include all of a changed GVC', () => {
    const changed = both().map((each) =>
      each.id === 'gvc/g' ? declare(each.id, { ...gvc(eu, us), description: 'x' }) : each,
    );
    expect(concerned(plan(changed, state))?.map(([, is]) => is)).toEqual([true, true]);
  });
});

describe('as costs', () => {
  const priced = (storagePrice: NonNullable<PlanOptions['storagePrice']>) =>
    plan(desired(), lived(running), { storagePrice }).storage;

  test('by one price for all classes, rounded to cents', () => {
    expect(priced({ storageGbMonth: 0.125, currency: 'EUR' })).toMatchObject({
      before: { gb: 60, cost: 7.5 },
      after: { gb: 60, cost: 7.5 },
      ceiling: { gb: 600, cost: 75 },
      currency: 'EUR',
    });
    expect(priced({ storageGbMonth: 0.0333, currency: 'EUR' })?.before.cost).toBe(2);
  });

  test('by the price of its class; without a price only the GB', () => {
    const one = { 'general-purpose-ssd': 0.1 };
    expect(priced({ storageGbMonth: one, currency: 'USD' })?.before).toEqual({ gb: 60, cost: 6 });
    expect(priced({ storageGbMonth: { shared: 0.3 }, currency: 'USD' })?.before).toEqual({ gb: 60 });
  });

  test('a new set by the price of its class, and a deleted one by its former class', () => {
    const storagePrice = { storageGbMonth: { 'general-purpose-ssd': 0.1 }, currency: 'USD' };
    expect(plan(desired(), where, { storagePrice }).storage?.after).toEqual({ gb: 40, cost: 4 });
    const gone = plan([declare('gvc/g', gvc(eu, us))], lived(running), { storagePrice, allowDataLoss: 1 });
    expect(gone.storage?.before).toEqual({ gb: 60, cost: 6 });
    expect(gone.storage?.after).toEqual({ gb: 0, cost: 0 });
  });

  test('without a price no costs are given', () => {
    const { storage } = plan(desired(), lived(running));
    expect(storage?.before).toEqual({ gb: 60 });
    expect(storage).not.toHaveProperty('currency');
  });
});
