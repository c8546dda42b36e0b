import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { LiveResource, Snapshot } from '../../../src/manifest/live/snapshot.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import { gvcsToList } from '../../../src/plan/gvcsToList.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import { type GvcLoss, gvcLossesOf, type Inhabitant, isHit, nameOfLoss } from '../../../src/plan/record/gvcLosses.ts';
import { changeOf, closure, codes, declare, foreign, live, plan, snapshot, volumeset, workload } from '../world.ts';

const [eu, us] = ['aws-eu-central-1', 'gcp-us-east1'];
const locations = (...names: readonly string[]): JsonObject => ({
  staticPlacement: { locationLinks: names.map((name) => `/org/o/location/${name}`) },
});

describe('what an update of a GVC removes from its children', () => {
  test.each<[string, JsonObject, JsonObject, readonly string[]]>(
    // biome-ignore format: a row is a case
    [
      ['a location', locations('a', 'b'), locations('b'), ['location a']],
      ['nothing if a location is only spelled differently', locations('a'),
        { staticPlacement: { locationLinks: ['//location/a'] } }, []],
      ['nothing if a location is added', locations('a'), locations('a', 'b'), []],
      ['all locations', locations('b', 'a'), {}, ['location a', 'location b']],
      ['an unknown location if a query changes',
        { staticPlacement: { locationQuery: { kind: 'location', spec: { match: 'all' } } } },
        { staticPlacement: { locationQuery: { kind: 'location', spec: { match: 'any' } } } },
        ['location query location query']],
      ['a variable', { env: [{ name: 'A', value: '1' }, { name: 'B' }] }, { env: [{ name: 'B' }] }, ['variable A']],
      ['nothing if a variable gets another value', { env: [{ name: 'A', value: '1' }] },
        { env: [{ name: 'A', value: '2' }] }, []],
      ['nothing if a query is added', {}, { staticPlacement: { locationQuery: { kind: 'location' } } }, []],
      ['nothing for items without a name', { env: [{ value: '1' }, null], pullSecretLinks: [1] }, {}, []],
      ['a pull secret', { pullSecretLinks: ['//secret/p'] }, { pullSecretLinks: [] }, ['pull secret p']],
      ['a keda secret', { keda: { enabled: true, secrets: ['//secret/k'] } }, { keda: { enabled: true } },
        ['keda secret k']],
      ['keda and its secret', { keda: { enabled: true, secrets: ['//secret/k'] } }, {},
        ['keda secret k', 'keda keda']],
    ],
  )('%s', (_, before, after, taken) => {
    const found = gvcLossesOf({ spec: before }, { spec: after });
    expect(found.map(({ what, name }) => `${what} ${name}`)).toEqual(taken);
  });

  test('a record without a spec loses nothing', () => {
    expect(gvcLossesOf({ spec: locations('a') }, { tags: {} })).toEqual([]);
  });
});

describe('children that the loss affects', () => {
  const container = (more: JsonObject): JsonObject => ({
    spec: { containers: [{ name: 'main', image: 'r.example.com/a:1', ...more }] },
  });
  const both = (...mores: readonly JsonObject[]): JsonObject => ({
    spec: { containers: [null, ...mores.map((more) => ({ name: 'main', image: 'r.example.com/a:1', ...more }))] },
  });
  const options = (autoscaling: JsonObject): JsonObject => ({
    spec: { containers: [], defaultOptions: { autoscaling } },
  });
  const secretOf = (name: string): JsonObject => ({ keda: { triggers: [{ type: 'x', authenticationRef: { name } }] } });
  const at = (name: string, lifecycle = 'bound'): JsonObject => ({
    status: { locations: [{ name, volumes: [{ lifecycle }] }] },
  });
  const hit = (what: GvcLoss['what'], kind: Inhabitant['kind'], record: JsonObject): boolean =>
    isHit({ kind, record }, [{ what, name: 'X' }], { org: 'o', gvc: 'g' });

  test.each<[GvcLoss['what'], Inhabitant['kind'], string, JsonObject, boolean]>(
    // biome-ignore format: a row is a case
    [
      ['location', 'workload', 'any: it runs in all of them', container({}), true],
      ['location', 'volumeset', 'with a volume there', at('X'), true],
      ['location', 'volumeset', 'with volumes elsewhere', at('Y'), false],
      ['location', 'volumeset', 'whose volume there is deleted', at('X', 'deleted'), false],
      ['location', 'volumeset', 'that does not say where its volumes are', {}, true],
      ['location', 'volumeset', 'that does not say so either', { status: {} }, true],
      ['location', 'volumeset', 'with volumes elsewhere too, and one of two there deleted',
        { status: { locations: [{ name: 'Y', volumes: [{}] },
              { name: 'X', volumes: [{ lifecycle: 'deleted' }, { lifecycle: 'bound' }] }] } }, true],
      ['location', 'identity', 'any: it is nowhere', {}, false],
      ['location query', 'workload', 'any', container({}), true],
      ['variable', 'workload', 'that inherits', container({ inheritEnv: true }), true],
      ['variable', 'workload', 'that does not inherit', container({ inheritEnv: false }), false],
      ['variable', 'workload', 'that has its own value',
        container({ inheritEnv: true, env: [{ name: 'X', value: '1' }] }), false],
      ['variable', 'workload', 'that has another of its own', container({ inheritEnv: true, env: [{ name: 'Y' }] }),
        true],
      ['variable', 'workload', 'of which one container inherits', both({}, { inheritEnv: true }), true],
      ['variable', 'volumeset', 'any', at('X'), false],
      ['pull secret', 'workload', 'with one image from elsewhere', both({ image: '//image/a:1' }, {}), true],
      ['pull secret', 'workload', 'with an image from elsewhere', container({}), true],
      ['pull secret', 'workload', 'with an image of its own registry', container({ image: '/org/o/image/a:1' }), false],
      ['pull secret', 'workload', 'with the short form of that', container({ image: '//image/a:1' }), false],
      ['pull secret', 'workload', 'with an image of another org', container({ image: '/org/other/image/a:1' }), true],
      ['keda secret', 'workload', 'whose trigger names it', options(secretOf('//secret/X')), true],
      ['keda secret', 'workload', 'whose trigger names it by its bare name', options(secretOf('X')), true],
      ['keda secret', 'workload', 'whose trigger names another', options(secretOf('Y')), false],
      ['keda secret', 'workload', 'that scales otherwise', options({ metric: 'cpu' }), false],
      ['keda', 'workload', 'that scales by keda', options({ metric: 'keda' }), true],
      ['keda', 'workload', 'that does so in one location only',
        { spec: { localOptions: [{ location: 'a', autoscaling: { keda: {} } }] } }, true],
      ['keda', 'workload', 'that scales otherwise', options({ metric: 'cpu' }), false],
    ],
  )('taking a %s: a %s %s', (what, kind, _, record, expected) => {
    expect(hit(what, kind, record)).toBe(expected);
  });

  test('one of several losses is enough', () => {
    const losses = [
      { what: 'keda', name: 'keda' },
      { what: 'location', name: 'X' },
    ] as const;
    expect(isHit({ kind: 'volumeset', record: at('X') }, losses, { org: 'o', gvc: 'g' })).toBe(true);
    expect(losses.map(nameOfLoss)).toEqual(['keda', 'location X']);
  });
});

describe('an update that affects children of others needs their exact number', () => {
  const gvc = (...names: readonly string[]): JsonObject => ({ spec: locations(...names) });
  const theirs = foreign('workload/g/theirs', workload('x'));
  const another = live('workload/g/another', workload('x'), { owner: 'billing' });
  const rows = foreign('volumeset/g/rows', volumeset(1));
  const ours = live('workload/g/ours', workload('x'));
  const where = [foreign(`location/${eu}`), foreign(`location/${us}`)];
  const desired: readonly DesiredResource[] = [declare('gvc/g', gvc(us)), declare('workload/g/ours', workload('x'))];
  const state = (children: readonly LiveResource[], known = true): Snapshot =>
    snapshot([live('gvc/g', gvc(eu, us)), ours, ...where], { closures: closure('g', [ours, ...children], known) });
  const made = (children: readonly LiveResource[], options: Partial<PlanOptions> = {}) =>
    plan(desired, state(children), options);

  test('affected children of others are listed, with what they lose', () => {
    const change = changeOf(made([theirs, another, rows]), 'gvc/g');
    expect(change).toMatchObject({
      action: 'refuse',
      intended: 'patch',
      takes: [{ what: 'location', name: eu }],
      victims: ['volumeset/g/rows', 'workload/g/another', 'workload/g/theirs'],
      refusals: [
        {
          code: 'update.victims',
          message: `it takes away location ${eu} from 3 resources of other owners: volumeset/g/rows, workload/g/another, workload/g/theirs`,
          allow: '--allow-collateral=3',
        },
      ],
    });
  });

  test('the exact number permits it, another number does not', () => {
    expect(codes(made([theirs, another], { allowCollateral: 2 }))).toEqual([]);
    expect(changeOf(made([theirs, another], { allowCollateral: 2 }), 'gvc/g')).toMatchObject({
      action: 'patch',
      victims: ['workload/g/another', 'workload/g/theirs'],
    });
    for (const allowCollateral of [1, 3]) {
      expect(codes(made([theirs, another], { allowCollateral }))).toEqual(['update.victims']);
    }
  });

  test('the number includes the records of others that deletions remove', () => {
    const gone = snapshot([live('gvc/g', gvc(eu, us)), live('gvc/h'), ours, ...where], {
      closures: new Map([...closure('g', [ours, theirs]), ...closure('h', [foreign('identity/h/stranger')])]),
    });
    const both = plan(desired, gone);
    expect(codes(both)).toEqual(['delete.bystander', 'update.victims']);
    expect(both.changes.flatMap(({ refusals }) => refusals.map(({ allow }) => allow))).toEqual([
      '--allow-collateral=2',
      '--allow-collateral=2',
    ]);
    expect(codes(plan(desired, gone, { allowCollateral: 2 }))).toEqual([]);
  });

  test('without affected children of others no permit is needed', () => {
    expect(codes(made([]))).toEqual([]);
    expect(changeOf(made([]), 'gvc/g').victims).toBeUndefined();
  });

  test('if not everything could be listed, it is refused with any permit', () => {
    const unknown = plan(desired, state([], false), { allowCollateral: 1 });
    expect(changeOf(unknown, 'gvc/g').refusals).toEqual([
      {
        code: 'update.victims-unknown',
        message: `it takes away location ${eu}, and the content of the GVC g could not be listed completely, so it is not known what is affected`,
      },
    ]);
  });

  test('the GVCs to list are known from a first plan, and are listed once', () => {
    const unread = snapshot([live('gvc/g', gvc(eu, us)), ours, ...where]);
    const first = plan(desired, unread);
    expect(codes(first)).toEqual(['update.victims-unknown']);
    expect(gvcsToList(first, unread)).toEqual(['g']);
    expect(gvcsToList(made([]), state([]))).toEqual([]);
    const nothing = plan(
      [declare('gvc/g', gvc(eu, us, 'other')), ...desired.slice(1)],
      [...unread.resources.values(), foreign('location/other')],
    );
    expect(gvcsToList(nothing, { closures: new Map() })).toEqual([]);
  });

  test('the three lists before the PATCH are counted (design, law 7)', () => {
    // A PATCH, three lists, two queries to verify: of GVCs, and of the unchanged workload.
    expect(made([]).requests.apply).toBe(6);
  });

  test.each<[string, DesiredResource, Partial<PlanOptions>]>([
    ['only a part of it is ours', declare('workload/g/another', { tags: { a: 'b' } }, { part: true }), {}],
    ['its part is adopted', declare('workload/g/another', { tags: { a: 'b' } }, { part: true, adopt: true }), {}],
    ['it was handed over', declare('workload/g/another', workload('x'), { handOver: 'billing' }), {}],
    ['it is excluded', declare('workload/g/another', workload('x')), { excludes: ['workload/g/another'] }],
  ])('a declared record that belongs to others counts as one of others: %s', (_, declared, options) => {
    const tagged = live('workload/g/another', { ...workload('x'), tags: { a: 'b' } }, { owner: 'billing' });
    const both = snapshot([...state([]).resources.values(), tagged], { closures: closure('g', [ours, tagged]) });
    const hit = plan([...desired, declared], both, options);
    expect(codes(hit)).toEqual(['update.victims']);
    expect(changeOf(hit, 'gvc/g').victims).toEqual(['workload/g/another']);
  });

  test.each([
    { it: 'one that the update does not affect', child: foreign('identity/g/nowhere') },
    {
      it: 'one of this stack that lost its record',
      child: live('workload/g/odd', workload('x'), { applied: null }),
    },
  ])('$it is not affected', ({ child }) => {
    expect(codes(made([child]))).toEqual([]);
  });

  test('a record that is adopted by the same plan is not affected', () => {
    const both = snapshot([...state([]).resources.values(), theirs], { closures: closure('g', [ours, theirs]) });
    const adopted = plan([...desired, declare('workload/g/theirs', workload('x'))], both, { adopt: true });
    expect(changeOf(adopted, 'gvc/g').victims).toBeUndefined();
  });

  test('an adoption that removes something from a GVC counts too', () => {
    const unowned = snapshot([foreign('gvc/g', gvc(eu, us)), ...where], { closures: closure('g', [theirs]) });
    expect(codes(plan([declare('gvc/g', gvc(us))], unowned, { adopt: true }))).toEqual(['update.victims']);
  });
});
