import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { LiveResource, Snapshot } from '../../../src/manifest/live/snapshot.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import type { Plan } from '../../../src/plan/model/plan.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import { changeOf, closure, declare, foreign, live, plan, snapshot } from '../world.ts';

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

/** `held({ eu: [30, 10] })`: the GB of the volumes in each location, by index; negative: it is deleted. */
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

/** GB before, after, at most. */
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

describe('the GB that are reserved (platform/volumeset.volumes, platform/volumeset.shared, platform/volumeset.classes, platform/volumeset.status)', () => {
  // biome-ignore format: a row is a case
  test.each<Row>([
    ['of new volumes: for each replica in each location, at most as far as they and the replicas may grow', {}, where,
      [0, 2 * 2 * 10, 2 * 3 * 100]],
    ['of a shared set: one for each location, however many mount it',
      [...desired({ rows: shared }), declare('workload/g/other', mounting('rows'))], where, [0, 2 * 10, 2 * 100]],
    ['of what is there: as large as its status shows it', {}, lived(running), [60, 60, 2 * 3 * 100]],
    ['one more replica is one more volume in each location', { db: scaled(3) }, lived(running), [60, 60 + 2 * 10, 600]],
    ['one more location has new volumes', {}, lived(held({ [eu]: [30, 10] }), { gvc: gvc(eu) }), [40, 40 + 2 * 10, 600]],
    ['with a replica no volume goes', { db: scaled(1) }, lived(running), [60, 60, 4 * 100]],
    ['with a replica no volume goes that the status does not show', { db: scaled(1) }, lived(set()), [40, 40, 4 * 100]],
    ['with a mount no volume goes', { db: unmounted }, lived(running), [60, 60, 4 * 100]],
    // The two in the location that is left out can grow to their bound, too, but no third one comes there.
    ['with a location no volume goes', { gvc: gvc(eu) }, snapshot(lived(running), { closures: closure('g', []) }),
      [60, 60, (3 + 2) * 100]],
    ['another initial capacity is one of new volumes only', { rows: set({ ...grows, initialCapacity: 50 }), db: scaled(3) },
      lived(running), [60, 60 + 2 * 50, 600]],
    ['a deleted volume is made anew when its replica needs it', {}, lived(held({ [eu]: [30, -10], [us]: [10, 10] })),
      [50, 60, 600]],
    ['nothing is left of a set that is deleted', [declare('gvc/g', gvc(eu, us))], lived(running), [60, 0, 0]],
    ['a replaced set begins again, and its workload with it', { rows: faster }, lived(running), [60, 4 * 200, 6 * 200]],
    ['where the status does not show them, volumes are counted by what is declared', { db: scaled(3) }, lived(set()),
      [40, 60, 600]],
    ['a set does not grow without bound and policy', { rows: set({}) }, where, [0, 40, 6 * 10]],
    ['a set grows to its bound', { rows: set({ autoscaling: { maxCapacity: 40 } }) }, where, [0, 40, 6 * 40]],
    ['a set grows to the bound of every class, with a policy and no bound', { rows: set({ autoscaling: grown }) }, where,
      [0, 40, 6 * 65_536]],
    ['the options of a location stand in place of the default ones, and nothing runs where it is suspended',
      { db: local, rows: set({}) }, where, [0, 4 * 10, (4 + 2) * 10]],
    ['where nothing is said, one to five replicas run (platform/workload.autoscaling)',
      { db: mounting('rows'), rows: set({}) }, where, [0, 2 * 10, 2 * 5 * 10]],
    ['a workload of others that mounts it counts too',
      [declare('gvc/g', gvc(eu, us)), declare('volumeset/g/rows', set(), { replace: true })],
      [...ofOthers, live('volumeset/g/rows', set({}))], [40, 40, 600]],
  ])('%s', (_, wanted, on, expected) => {
    expect(amounts(plan('length' in wanted ? wanted : desired(wanted), on, { allowDataLoss: 1 }))).toEqual(expected);
  });

  test('another initial capacity is for new volumes: those that are there keep their size, which is said', () => {
    const note = 'spec.initialCapacity applies to new volumes only: existing volumes keep their size';
    const larger = { ...grows, initialCapacity: 20 };
    const made = plan(desired({ rows: set(larger) }), lived(running));
    expect(changeOf(made, 'volumeset/g/rows').notes).toEqual([note]);
    expect(amounts(made)?.slice(0, 2)).toEqual([60, 60]);
    // Nobody says which volumes there are.
    expect(changeOf(plan(desired({ rows: set(larger) }), lived(set())), 'volumeset/g/rows').notes).toEqual([note]);

    const none = plan(desired({ rows: set(larger) }), lived(held({ [eu]: [] })));
    expect(changeOf(none, 'volumeset/g/rows').notes).toEqual([]);
    expect(changeOf(plan(desired({ rows: set(larger) }), where), 'volumeset/g/rows').notes).toEqual([]);
    const other = { autoscaling: { ...grows.autoscaling, maxCapacity: 90 } };
    expect(changeOf(plan(desired({ rows: set(other) }), lived(running)), 'volumeset/g/rows').notes).toEqual([]);
  });

  test('nothing is said of a set that nobody mounts, nor of a plan without one', () => {
    expect(plan([declare('gvc/g', gvc(eu)), declare('volumeset/g/rows', set())], where).storage).toBeUndefined();
    expect(plan([declare('gvc/g', gvc(eu))], where).storage).toBeUndefined();
  });

  test('where a query chooses locations, it says that there may be more', () => {
    const queried = {
      spec: { staticPlacement: { locationLinks: [`/org/o/location/${eu}`], locationQuery: { kind: 'location' } } },
    };
    const made = plan(desired({ gvc: queried }), lived(running, { gvc: queried }));
    expect(made.storage?.atLeast).toBe(true);
    expect(amounts(made)).toEqual([60, 60, 600]);
    expect(plan(desired(), where).storage).not.toHaveProperty('atLeast');
  });
});

describe('of several sets', () => {
  const gvcs = (name: string, spec: JsonObject): readonly DesiredResource[] => [
    declare(`gvc/${name}`, spec),
    declare(`workload/${name}/db`, database({ minScale: 2, maxScale: 2 })),
    declare(`volumeset/${name}/rows`, set({})),
  ];

  test('one that nobody mounts hides no other, even where nothing can grow', () => {
    const made = plan([...gvcs('g', gvc(eu)), declare('volumeset/g/idle', set())], where);
    expect(amounts(made)).toEqual([0, 20, 20]);
    expect(made.storage?.sets).toEqual([
      { id: 'volumeset/g/idle', before: 0, after: 0, ceiling: 0, concerned: true },
      { id: 'volumeset/g/rows', before: 0, after: 20, ceiling: 20, concerned: true },
    ]);
  });

  test('one query is enough that there may be more', () => {
    const queried = {
      spec: { staticPlacement: { locationLinks: [`/org/o/location/${eu}`], locationQuery: { kind: 'location' } } },
    };
    expect(plan([...gvcs('a', gvc(eu)), ...gvcs('b', queried)], where).storage?.atLeast).toBe(true);
  });

  test('of one that is deleted nothing is uncertain', () => {
    const made = plan([...gvcs('a', gvc(eu)), declare('gvc/g', gvc(eu, us))], lived(running), { allowDataLoss: 1 });
    expect(made.storage).not.toHaveProperty('atLeast');
  });
});

describe('which sets a plan concerns', () => {
  const concerned = (made: Plan) => made.storage?.sets.map((each) => [each.id, each.concerned]);
  const both = (): readonly DesiredResource[] => [...desired(), declare('volumeset/g/files', set())];
  const state = [...lived(running), live('volumeset/g/files', held({ [eu]: [10] }))];

  test('none of a plan that does nothing', () => {
    expect(concerned(plan(both(), state))).toEqual([
      ['volumeset/g/files', false],
      ['volumeset/g/rows', false],
    ]);
  });

  test('not one that a workload of others mounts', () => {
    const state = [...where, live('gvc/g', gvc(eu, us)), foreign('workload/g/db', database()), lived(running).at(-1)];
    const rows = declare('volumeset/g/rows', set());
    const made = plan(
      [declare('gvc/g', gvc(eu, us)), rows],
      state.filter((each) => each !== undefined),
    );
    expect(concerned(made)).toEqual([['volumeset/g/rows', false]]);
  });

  test('those whose workload changes', () => {
    const changed = both().map((each) =>
      each.id === 'workload/g/db' ? declare(each.id, database({ minScale: 1, maxScale: 2 })) : each,
    );
    expect(concerned(plan(changed, state))).toEqual([
      ['volumeset/g/files', false],
      ['volumeset/g/rows', true],
    ]);
  });

  test('all of a GVC that changes', () => {
    const changed = both().map((each) =>
      each.id === 'gvc/g' ? declare(each.id, { ...gvc(eu, us), description: 'x' }) : each,
    );
    expect(concerned(plan(changed, state))?.map(([, is]) => is)).toEqual([true, true]);
  });
});

describe('in money', () => {
  const priced = (storagePrice: NonNullable<PlanOptions['storagePrice']>) =>
    plan(desired(), lived(running), { storagePrice }).storage;

  test('by one price for all classes, rounded to hundredths', () => {
    expect(priced({ storageGbMonth: 0.125, currency: 'EUR' })).toMatchObject({
      before: { gb: 60, cost: 7.5 },
      after: { gb: 60, cost: 7.5 },
      ceiling: { gb: 600, cost: 75 },
      currency: 'EUR',
    });
    expect(priced({ storageGbMonth: 0.0333, currency: 'EUR' })?.before.cost).toBe(2);
  });

  test('by the price of its class; without one the GB only', () => {
    const one = { 'general-purpose-ssd': 0.1 };
    expect(priced({ storageGbMonth: one, currency: 'USD' })?.before).toEqual({ gb: 60, cost: 6 });
    expect(priced({ storageGbMonth: { shared: 0.3 }, currency: 'USD' })?.before).toEqual({ gb: 60 });
  });

  test('of a new one by the price of its class, and of one that goes by the class that it had', () => {
    const storagePrice = { storageGbMonth: { 'general-purpose-ssd': 0.1 }, currency: 'USD' };
    expect(plan(desired(), where, { storagePrice }).storage?.after).toEqual({ gb: 40, cost: 4 });
    const gone = plan([declare('gvc/g', gvc(eu, us))], lived(running), { storagePrice, allowDataLoss: 1 });
    expect(gone.storage?.before).toEqual({ gb: 60, cost: 6 });
    expect(gone.storage?.after).toEqual({ gb: 0, cost: 0 });
  });

  test('without a price nothing is said of money', () => {
    const { storage } = plan(desired(), lived(running));
    expect(storage?.before).toEqual({ gb: 60 });
    expect(storage).not.toHaveProperty('currency');
  });
});
