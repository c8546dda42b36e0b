import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json/json.ts';
import { shapeOf } from '../../../src/kinds/shapeOf.ts';
import { mergePart } from '../../../src/plan/draft/mergePart.ts';
import { completeForOwner } from '../../../src/plan/draft/partsOfOthers.ts';
import type { Claim } from '../../../src/plan/record/claims.ts';
import { itemAt, itemsOf } from '../../../src/plan/record/items.ts';
import type { Kind } from '../../../src/schema/record/kinds.ts';
import { waysToCollections } from '../../../src/schema/shape/ownableCollections.ts';
import { org } from '../world.ts';

const context = { org };
const route = (prefix: string, to = 'web'): JsonObject => ({ prefix, workloadLink: `/org/o/gvc/g/workload/${to}` });
const port = (number: number, ...routes: readonly JsonObject[]): JsonObject => ({ number, protocol: 'http2', routes });
const ports = (...list: readonly JsonObject[]): JsonObject => ({ spec: { dnsMode: 'cname', ports: list } });
/** One port with these routes. */
const routed = (...prefixes: readonly string[]): JsonObject => ports(port(443, ...prefixes.map((each) => route(each))));
const declaring = (...prefixes: readonly string[]): JsonObject => ({
  spec: { ports: [{ number: 443, routes: prefixes.map((each) => route(each)) }] },
});
/** Places as text: `spec ports 443 routes /docs`. */
const place = (path: readonly string[]): string => path.join(' ');
const inPort = (prefix: string): string => `spec ports 443 routes ${prefix}`;

const claiming =
  (mine: readonly string[], others: Readonly<Record<string, string>> = {}) =>
  (path: readonly string[]): Claim => {
    const stack = others[place(path)];
    return {
      mine: mine.includes(place(path)) ? 'set' : undefined,
      others: stack === undefined ? [] : [{ stack, hold: 'set' }],
    };
  };

describe('an item of a part in the live record', () => {
  interface Case {
    readonly it: string;
    readonly kind: Kind;
    readonly live: JsonObject;
    readonly declared: JsonObject;
    readonly mine?: readonly string[];
    readonly taking?: true;
    readonly record: JsonObject;
    readonly claimed: readonly string[];
    readonly fixed: readonly string[];
  }

  test.each<Case>(
    // biome-ignore format: a row is a case
    [
      { it: 'is added after the existing ones, in a port of others', kind: 'domain', live: routed('/'),
        declared: declaring('/docs'), record: routed('/', '/docs'), claimed: [inPort('/docs')],
        fixed: ['spec ports 443 [routes] place'] },
      { it: 'is added if there is no list yet', kind: 'domain', live: { spec: { dnsMode: 'cname' } },
        declared: { spec: { ports: [port(443, route('/'))] } }, record: routed('/'),
        claimed: ['spec ports 443', 'spec ports 443 routes /'], fixed: [] },
      { it: 'is changed if it is its own', kind: 'domain', live: routed('/', '/docs'),
        declared: { spec: { ports: [{ number: 443, routes: [route('/docs', 'other')] }] } }, mine: [inPort('/docs')],
        record: ports(port(443, route('/'), route('/docs', 'other'))), claimed: [inPort('/docs')],
        fixed: ['spec ports 443 [routes] place'] },
      { it: 'is removed if it is its own and no longer declared; items of others stay', kind: 'domain',
        live: routed('/a', '/docs', '/b'), declared: {}, mine: [inPort('/docs')], record: routed('/a', '/b'),
        claimed: [], fixed: [] },
      { it: 'is declared without ownership if it existed before', kind: 'domain', live: routed('/', '/docs'),
        declared: declaring('/docs'), record: routed('/', '/docs'), claimed: [`${inPort('/docs')} (found)`],
        fixed: ['spec ports 443 [routes] place', inPort('/docs')] },
      { it: 'becomes its own when it is claimed', kind: 'domain', live: routed('/', '/docs'),
        declared: declaring('/docs'), taking: true, record: routed('/', '/docs'), claimed: [inPort('/docs')],
        fixed: ['spec ports 443 [routes] place'] },
      { it: 'is removed with its port, if that contains nothing of others', kind: 'domain',
        live: ports(port(443, route('/')), port(8443, route('/docs'))), declared: {},
        mine: ['spec ports 8443', 'spec ports 8443 routes /docs'], record: routed('/'), claimed: [], fixed: [] },
      { it: 'is removed without its port, if that contains items of others', kind: 'domain',
        live: ports(port(8443, route('/docs'), route('/help'))), declared: {},
        mine: ['spec ports 8443', 'spec ports 8443 routes /docs'], record: ports(port(8443, route('/help'))),
        claimed: [], fixed: [] },
      { it: 'that differs from a port of others is in the result', kind: 'domain', live: routed('/'),
        declared: { spec: { ports: [{ number: 443, protocol: 'http', routes: [] }] } },
        record: ports({ ...port(443, route('/')), protocol: 'http' }), claimed: [],
        fixed: ['spec ports 443 [routes] place'] },
      { it: 'is not owned without a key, and existing ones without a key are kept', kind: 'gvc',
        live: { spec: { env: [{ value: 'x' }, { name: 'A', value: '1' }] } },
        declared: { spec: { env: [{ name: 'B', value: '2' }, { value: 'y' }] } },
        record: { spec: { env: [{ value: 'x' }, { name: 'A', value: '1' }, { name: 'B', value: '2' }] } },
        claimed: ['spec env B'], fixed: [] },
      { it: 'is not owned without a key, beside others with one', kind: 'gvc',
        live: { spec: { env: [{ name: 'A', value: '1' }] } }, declared: { spec: { env: [{ value: 'y' }] } },
        record: { spec: { env: [{ name: 'A', value: '1' }] } }, claimed: [], fixed: [] },
      { it: 'that has fewer fields than an existing one is in the result', kind: 'domain',
        live: ports(port(443, { ...route('/docs'), replacePrefix: '/x' })), declared: declaring('/docs'),
        record: routed('/docs'), claimed: [`${inPort('/docs')} (found)`],
        fixed: ['spec ports 443 [routes] place', inPort('/docs')] },
      { it: 'adds no empty list', kind: 'domain',
        live: { spec: { ports: [{ number: 443, protocol: 'http2' }] } },
        declared: { spec: { ports: [{ number: 443 }] } },
        record: { spec: { ports: [{ number: 443, protocol: 'http2' }] } }, claimed: [],
        fixed: ['spec ports 443 [routes] place'] },
      { it: 'is a member of a set, in any form of link', kind: 'group', live: { memberLinks: ['/org/o/user/a'] },
        declared: { memberLinks: ['//user/a', '//user/b'] }, mine: ['memberLinks /org/o/user/a'],
        record: { memberLinks: ['//user/a', '//user/b'] },
        claimed: ['memberLinks /org/o/user/a', 'memberLinks /org/o/user/b'], fixed: [] },
      { it: 'is a tag', kind: 'group', live: { tags: { theirs: '1', gone: '2' } }, declared: { tags: { mine: '3' } },
        mine: ['tags gone'], record: { tags: { theirs: '1', mine: '3' } }, claimed: ['tags mine'], fixed: [] },
      { it: 'repeats an identifying field', kind: 'policy', live: { targetKind: 'gvc' },
        declared: { targetKind: 'gvc' }, record: { targetKind: 'gvc' }, claimed: [], fixed: ['targetKind identity'] },
      { it: 'that differs from an identifying field is in the result', kind: 'policy',
        live: { targetKind: 'gvc' }, declared: { targetKind: 'secret' }, record: { targetKind: 'secret' }, claimed: [],
        fixed: ['targetKind identity'] },
    ],
  )('$it', ({ kind, live, declared, mine = [], taking = false, record, claimed, fixed }) => {
    const before = structuredClone(live);
    const claimAt = claiming(mine);
    const merged = mergePart({ shape: shapeOf(kind), context, claimAt, taking }, live, declared);
    expect(merged.record).toEqual(record);
    const holds = merged.claimed.map(({ path, hold }) => (hold === 'set' ? place(path) : `${place(path)} (${hold})`));
    expect(holds.sort()).toEqual(claimed);
    const shown = merged.fixed.map(({ path, open, as }) =>
      [place(path), ...(open.length === 0 ? [] : [`[${open.join(' ')}]`]), ...(as === 'item' ? [] : [as])].join(' '),
    );
    expect(shown).toEqual(fixed);
    expect(live).toEqual(before);
  });

  test.each<[string, Kind, JsonObject, JsonObject]>([
    ['without a declaration', 'domain', routed('/', '/docs'), {}],
    ['with an empty object declared', 'domain', routed('/'), { spec: {} }],
    ['without a record', 'domain', {}, {}],
    ['with an empty object declared and no record', 'domain', {}, { spec: {} }],
    ['with a repeated identity', 'policy', { targetKind: 'gvc' }, { targetKind: 'gvc' }],
  ])('%s: the result is the live record', (_, kind, live, declared) => {
    const of = { shape: shapeOf(kind), context, claimAt: claiming([]), taking: false };
    expect(mergePart(of, live, declared).record).toBe(live);
  });
});

describe('the declaration of the owner, completed with items of others', () => {
  interface Case {
    readonly it: string;
    readonly live: JsonObject;
    readonly declared: JsonObject;
    readonly others: Readonly<Record<string, string>>;
    readonly record: JsonObject;
    readonly kept?: Readonly<Record<string, number>>;
    readonly contested?: readonly string[];
  }
  const docs = { [inPort('/docs')]: 'docs' };

  test.each<Case>(
    // biome-ignore format: a row is a case
    [
      { it: 'first', live: routed('/docs', '/'), declared: routed('/'), others: docs,
        record: routed('/docs', '/'), kept: { docs: 1 } },
      { it: 'last', live: routed('/', '/docs'), declared: routed('/'), others: docs,
        record: routed('/', '/docs'), kept: { docs: 1 } },
      { it: 'after the last kept item before it', live: routed('/', '/gone', '/docs'),
        declared: routed('/'), others: docs, record: routed('/', '/docs'), kept: { docs: 1 } },
      { it: 'after its predecessor, at its new position', live: routed('/a', '/docs', '/b'),
        declared: routed('/b', '/a', '/c'), others: docs, record: routed('/b', '/a', '/docs', '/c'),
        kept: { docs: 1 } },
      { it: 'several of several stacks, counted', live: routed('/', '/docs', '/help', '/more'), declared: routed('/'),
        others: { ...docs, [inPort('/help')]: 'help', [inPort('/more')]: 'docs' },
        record: routed('/', '/docs', '/help', '/more'), kept: { docs: 2, help: 1 } },
      { it: "without undeclared items that no stack owns",
        live: routed('/', '/docs', '/nobody'), declared: routed('/'), others: docs,
        record: routed('/', '/docs'), kept: { docs: 1 } },
      { it: 'in an undeclared port, which contains only those',
        live: ports(port(443, route('/')), port(8443, route('/own'), route('/docs'))), declared: routed('/'),
        others: { 'spec ports 8443 routes /docs': 'docs' },
        record: ports(port(443, route('/')), port(8443, route('/docs'))), kept: { docs: 1 } },
      { it: 'with a whole port', live: ports(port(443, route('/')), port(8443, route('/docs'))),
        declared: routed('/'), others: { 'spec ports 8443': 'docs', 'spec ports 8443 routes /docs': 'docs' },
        record: ports(port(443, route('/')), port(8443, route('/docs'))), kept: { docs: 1 } },
      { it: 'if it declares no such list', live: routed('/', '/docs'), declared: { description: 'd' },
        others: docs, record: { description: 'd', spec: { ports: [port(443, route('/docs'))] } }, kept: { docs: 1 } },
      { it: 'with a conflict if it declares an item that another stack declared first', live: routed('/', '/docs'),
        declared: routed('/', '/docs'), others: { ...docs, 'spec ports 443': 'help' }, record: routed('/', '/docs'),
        contested: ['spec ports 443 [routes] help', 'spec ports 443 routes /docs docs'] },
    ],
  )('$it', ({ live, declared, others, record, kept = {}, contested = [] }) => {
    const of = { shape: shapeOf('domain'), context, claimAt: claiming([], others), missing: () => [] };
    const completed = completeForOwner(of, live, declared);
    expect(completed.record).toEqual(record);
    const stacks = Map.groupBy(completed.kept, ({ claim }) => claim.others[0]?.stack ?? '');
    expect(Object.fromEntries([...stacks].map(([stack, items]) => [stack, items.length]))).toEqual(kept);
    const shown = completed.shared.map(({ path, open, whose }) =>
      [place(path), ...(open.length === 0 ? [] : [`[${open.join(' ')}]`]), ...whose.map(({ stack }) => stack)].join(
        ' ',
      ),
    );
    expect(shown).toEqual(contested);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['without a live record', {}, routed('/')],
    ['without items of others', routed('/', '/x'), routed('/')],
    ['with tags of others only, which are kept anyway', { tags: { cost: '1' } }, { tags: { team: '2' } }],
  ])('%s: the result is the declaration', (_, live, declared) => {
    const of = {
      shape: shapeOf('domain'),
      context,
      claimAt: claiming([], { 'tags cost': 'docs', 'tags team': 'docs' }),
      missing: () => [],
    };
    expect(completeForOwner(of, live, declared).record).toBe(declared);
  });
});

describe('items of a collection', () => {
  const bindingKey = (binding: JsonValue): string | undefined => {
    const bindings = waysToCollections(shapeOf('policy')).get('bindings');
    if (bindings === undefined || bindings.type === 'object') throw new Error('the bindings of a policy are a list');
    return itemsOf(bindings, [binding], context)[0]?.key;
  };
  const binding = { permissions: ['view', 'edit'], principalLinks: ['//group/a', '//group/b'] };

  test.each<[string, JsonObject, boolean]>(
    // biome-ignore format: a row is a case
    [
      ['its fields are in another order', { principalLinks: ['//group/a', '//group/b'], permissions: ['view', 'edit'] },
        true],
      ['its sets are in another order', { permissions: ['edit', 'view'], principalLinks: ['//group/b', '//group/a'] },
        true],
      ['a link has another form', { ...binding, principalLinks: ['/org/o/group/a', '//group/b'] }, true],
      ['a field is null', { ...binding, principalLinks: null }, false],
      ['a permission is missing', { ...binding, permissions: ['view'] }, false],
      ['there is another permission', { ...binding, permissions: ['view', 'manage'] }, false],
      ['a principal is missing', { ...binding, principalLinks: ['//group/a'] }, false],
      ['the values are in other fields', { permissions: binding.principalLinks, principalLinks: binding.permissions },
        false],
    ],
  )('a binding, if %s: equal %s', (_, other, same) => {
    expect(bindingKey(other) === bindingKey(binding)).toBe(same);
  });

  test('an unknown field does not affect equality', () => {
    expect(bindingKey({ ...binding, odd: 1 })).toBe(bindingKey(binding));
  });

  test('a null field equals an absent one', () => {
    expect(bindingKey({ permissions: ['view'], principalLinks: null })).toBe(bindingKey({ permissions: ['view'] }));
  });

  test.each<[string, Kind, JsonObject, readonly string[], JsonValue | undefined]>([
    ['an item of a list', 'domain', routed('/', '/docs'), ['spec', 'ports', '443', 'routes', '/docs'], route('/docs')],
    ['a field of an item', 'domain', routed('/'), ['spec', 'ports', '443', 'protocol'], 'http2'],
    ['a member of a map', 'group', { tags: { a: '1' } }, ['tags', 'a'], '1'],
    ['a member of a set', 'group', { memberLinks: ['//user/a'] }, ['memberLinks', '/org/o/user/a'], '//user/a'],
    ['nothing if no item has the key', 'domain', routed('/'), ['spec', 'ports', '80'], undefined],
    ['nothing if the list is missing', 'domain', { spec: {} }, ['spec', 'ports', '443', 'protocol'], undefined],
    ['nothing if an object is missing', 'domain', {}, ['spec', 'dnsMode'], undefined],
    ['nothing inside a string', 'domain', { description: 'd' }, ['description', 'length'], undefined],
    ['nothing in an unknown field', 'domain', { odd: { a: 1 } }, ['odd', 'a'], undefined],
    ['nothing in a map of another type', 'group', { tags: 'a' }, ['tags', '0'], undefined],
    ['nothing in a list of another type', 'group', { memberLinks: { a: 1 } }, ['memberLinks', 'a'], undefined],
  ])('the value at a path: %s', (_, kind, record, path, expected) => {
    expect(itemAt(shapeOf(kind), record, path, context)).toEqual(expected);
  });
});
