import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { judgeTags } from '../../../src/change/explainChange.ts';
import { judgeFields, resolveDerived, type Verdict } from '../../../src/change/verdicts.ts';
import { shapeOf } from '../../../src/kinds/shapeOf.ts';
import type { ReconcileOptions } from '../../../src/patch/reconcile.ts';
import { onlyNamed } from '../../../src/schema/record/customKinds.ts';
import type { Kind } from '../../../src/schema/record/kinds.ts';
import { kindNamed } from '../../../src/schema/record/kinds.ts';
import { withKinds } from '../../kinds/withKinds.ts';

function verdicts(kind: Kind, held: JsonObject, declared: JsonObject, given: Partial<ReconcileOptions> = {}) {
  return judgeFields(shapeOf(kind, declared), held, declared, { context: { org: 'o', gvc: 'g' }, ...given }).verdicts;
}

/** Paths with their verdicts. */
function said(found: readonly Verdict[]): Readonly<Record<string, string>> {
  return Object.fromEntries(found.map(({ path, why }) => [path, why]));
}

/** One container of a workload. */
const main = (of: JsonObject): JsonObject => ({ spec: { containers: [{ name: 'main', ...of }] } });
const opaque = (data: JsonObject): JsonObject => ({ type: 'opaque', data });
const env = (...names: readonly string[]) => main({ env: names.map((name) => ({ name, value: '1' })) });

interface Case {
  readonly it: string;
  readonly kind?: Kind;
  readonly held: JsonObject;
  readonly declared: JsonObject;
  readonly options?: Partial<ReconcileOptions>;
  readonly says: Readonly<Record<string, string>>;
}

const name = { 'spec.containers.main.name': 'same' };
const type = { type: 'same' };
const terms = (...tags: readonly string[]) => ({
  memberQuery: { spec: { terms: tags.map((tag) => ({ op: '=', tag, value: '1' })) } },
});
const regions = (of: JsonObject): JsonObject => ({ spec: { customEncryption: { regions: of } } });
const bindings = (...links: readonly string[]) => ({
  bindings: links.map((link) => ({ permissions: ['view'], principalLinks: [link] })),
});

// biome-ignore format: one case a line
const cases: readonly Case[] = [
  { it: 'a secret is one value, and differs if any part differs', kind: 'secret',
    held: opaque({ payload: 'a', encoding: 'plain' }), declared: opaque({ payload: 'b', encoding: 'plain' }),
    says: { ...type, data: 'differs' } },
  { it: 'a secret whose parts are equal for different reasons is the same', kind: 'secret',
    held: opaque({ payload: 'a', encoding: 'plain' }), declared: opaque({ payload: 'a' }),
    says: { ...type, data: 'same' } },
  { it: 'a secret whose parts are all ignored is ignored', kind: 'secret',
    held: opaque({ payload: 'a', encoding: 'plain' }), declared: opaque({ payload: 'b', encoding: 'base64' }),
    options: { ignore: ['data.payload', 'data.encoding'] }, says: { ...type, data: 'ignored' } },
  { it: 'a secret with one ignored part is the same', kind: 'secret',
    held: opaque({ payload: 'a', encoding: 'plain' }), declared: opaque({ payload: 'b', encoding: 'plain' }),
    options: { ignore: ['data.payload'] }, says: { ...type, data: 'same' } },
  { it: 'the spelling of JSON in a secret is not reported', kind: 'secret',
    held: { type: 'docker', data: '{"auths":{}}' }, declared: { type: 'docker', data: '{ "auths": {} }' },
    says: { ...type, data: 'same' } },
  { it: 'a short form is equal to another field', held: main({ ports: [{ protocol: 'http', number: 8080 }] }),
    declared: main({ port: 8080 }),
    says: { 'spec.containers.main.ports': 'short-form', 'spec.containers.main.port': 'short-form', ...name } },
  { it: 'null is absent, which means the default', held: main({ inheritEnv: false }),
    declared: main({ inheritEnv: null }), says: { ...name, 'spec.containers.main.inheritEnv': 'default' } },
  { it: 'a field absent on both sides is not listed, even if it is ignored', held: {}, declared: { description: null },
    options: { ignore: ['description'] }, says: {} },
  { it: 'an unknown ignored field is ignored, and a declared one is compared',
    held: { spec: { newer: 1, newest: 2 } }, declared: { spec: { newest: 3 } }, options: { ignore: ['spec.newer'] },
    says: { 'spec.newer': 'ignored', 'spec.newest': 'differs' } },
  { it: 'an omitted derived field follows or differs', held: { name: 'web', description: 'theirs' },
    declared: { name: 'web' }, says: { name: 'same', description: 'differs' } },
  { it: 'an omitted derived field has the form that the platform gives it',
    held: { name: 'web', description: 'theirs' }, declared: { name: 'web' },
    options: { stored: { isFilled: () => true, isForm: () => false } }, says: { name: 'same', description: 'own-form' } },
  { it: 'a key of a map that is null and not live is not listed', kind: 'volumeset', held: regions({}),
    declared: regions({ a: null }), says: {} },
  { it: 'an object without members is the same', held: { spec: {} }, declared: { spec: {} }, says: { spec: 'same' } },
  { it: 'an omitted empty list means the same', held: env(), declared: main({}),
    says: { ...name, 'spec.containers.main.env': 'empty' } },
  { it: 'an empty list that is not live means the same', held: main({}), declared: env(),
    says: { ...name, 'spec.containers.main.env': 'empty' } },
  { it: 'a list that is empty on one side is compared whole', held: env('A'),
    declared: { spec: { containers: [] } }, says: { 'spec.containers': 'differs' } },
  { it: 'a list that is empty live is compared whole too', held: { spec: { containers: [] } }, declared: env('A'),
    says: { 'spec.containers': 'differs' } },
  { it: 'items with keys: one added, one removed, one equal', held: env('A', 'B'), declared: env('B', 'C'),
    says: { ...name, 'spec.containers.main.env.A': 'differs', 'spec.containers.main.env.B.name': 'same',
      'spec.containers.main.env.B.value': 'same', 'spec.containers.main.env.C': 'differs' } },
  { it: 'items with keys that all moved differ only in order', held: env('A', 'B'), declared: env('B', 'A'),
    says: { ...name, 'spec.containers.main.env': 'order', 'spec.containers.main.env.A.name': 'same',
      'spec.containers.main.env.A.value': 'same', 'spec.containers.main.env.B.name': 'same',
      'spec.containers.main.env.B.value': 'same' } },
  { it: 'items by position: each differing position, and the additional ones', held: main({ args: ['a', 'b', 'c'] }),
    declared: main({ args: ['a', 'x'] }),
    says: { ...name, 'spec.containers.main.args.0': 'same', 'spec.containers.main.args.1': 'differs',
      'spec.containers.main.args.2': 'differs' } },
  { it: 'items by position: a missing one', held: main({ args: ['a'] }), declared: main({ args: ['a', 'b'] }),
    says: { ...name, 'spec.containers.main.args.0': 'same', 'spec.containers.main.args.1': 'differs' } },
  { it: 'items without keys that moved are one value', kind: 'group', held: terms('a', 'b'), declared: terms('b', 'a'),
    says: { 'memberQuery.spec.terms': 'differs' } },
  { it: 'fewer items without keys are one value', kind: 'group', held: terms('a', 'b'), declared: terms('a'),
    says: { 'memberQuery.spec.terms': 'differs' } },
  { it: 'other items without keys are one value', kind: 'group', held: terms('a', 'b'), declared: terms('a', 'c'),
    says: { 'memberQuery.spec.terms': 'differs' } },
  { it: 'items without keys that only moved are the same if their order has no meaning', kind: 'policy',
    held: bindings('//user/a', '//user/b'), declared: bindings('//user/b', '//user/a'), says: { bindings: 'set' } },
  { it: 'items without keys at their positions are compared member by member', kind: 'group', held: terms('a'),
    declared: terms('a'), says: { 'memberQuery.spec.terms.0.op': 'same', 'memberQuery.spec.terms.0.tag': 'same',
      'memberQuery.spec.terms.0.value': 'same' } },
  { it: 'a set is the same in equal order, a set in another order, and differs with another member', kind: 'gvc',
    held: { spec: { pullSecretLinks: ['//secret/a', '//secret/b'] } },
    declared: { spec: { pullSecretLinks: ['//secret/a', '//secret/b'] } }, says: { 'spec.pullSecretLinks': 'same' } },
  { it: 'the first container with a port serves traffic: its position counts',
    held: { spec: { containers: [{ name: 'a', ports: [{ number: 80 }] }, { name: 'b', ports: [{ number: 81 }] }] } },
    declared: {
      spec: { containers: [{ name: 'b', ports: [{ number: 81 }] }, { name: 'a', ports: [{ number: 80 }] }] } },
    says: { 'spec.containers': 'differs', 'spec.containers.a.name': 'same', 'spec.containers.a.ports.80.number': 'same',
      'spec.containers.b.name': 'same', 'spec.containers.b.ports.81.number': 'same' } },
  { it: 'if the first container with a port is the same, the order of the others does not count',
    held: { spec: { containers: [{ name: 'a' }, { name: 'b', ports: [{ number: 81 }] }] } },
    declared: { spec: { containers: [{ name: 'b', ports: [{ number: 81 }] }, { name: 'a' }] } },
    says: { 'spec.containers': 'order', 'spec.containers.a.name': 'same', 'spec.containers.b.name': 'same',
      'spec.containers.b.ports.81.number': 'same' } },
  { it: 'in a map an absent member is absent, on either side', kind: 'volumeset',
    held: regions({ a: { keyId: '1' }, b: { keyId: '2' } }), declared: regions({ b: { keyId: '2' }, c: { keyId: '3' } }),
    says: { 'spec.customEncryption.regions.a': 'differs', 'spec.customEncryption.regions.b.keyId': 'same',
      'spec.customEncryption.regions.c': 'differs' } },
  { it: 'a field that the platform restores, with its value', kind: 'domain',
    held: { spec: { ports: [{ number: 443, protocol: 'http2' }] } }, declared: { spec: {} },
    says: { 'spec.ports': 'refill' } },
  { it: 'a field that the platform restores, with another current value', kind: 'domain',
    held: { spec: { ports: [{ number: 443, protocol: 'tcp' }] } }, declared: { spec: {} },
    says: { 'spec.ports': 'differs' } },
  { it: 'an object whose presence has a meaning, declared empty', held: main({}),
    declared: main({ readinessProbe: {} }), says: { ...name, 'spec.containers.main.readinessProbe': 'differs' } },
  { it: 'an object whose presence has a meaning, declared with its default', held: main({}),
    declared: main({ readinessProbe: { periodSeconds: 10 } }),
    says: { ...name, 'spec.containers.main.readinessProbe': 'differs' } },
  { it: 'such an object with another value: that differs, and its default does not', held: main({}),
    declared: main({ readinessProbe: { periodSeconds: 7, timeoutSeconds: 1 } }),
    says: { ...name, 'spec.containers.main.readinessProbe.periodSeconds': 'differs',
      'spec.containers.main.readinessProbe.timeoutSeconds': 'default' } },
  { it: 'a new value is derived from the declared ones beside it', kind: 'domain', held: {},
    declared: { spec: { gvcLink: '//gvc/g', dnsMode: 'ns' } },
    says: { 'spec.gvcLink': 'differs', 'spec.dnsMode': 'derived' } },
  { it: 'an existing value is derived from the live ones beside it', kind: 'domain',
    held: { spec: { gvcLink: '//gvc/g', dnsMode: 'ns' } }, declared: { spec: { acceptAllHosts: false } },
    says: { 'spec.gvcLink': 'differs', 'spec.dnsMode': 'derived', 'spec.acceptAllHosts': 'default' } },
  { it: 'some items with keys that moved',
    held: { spec: { containers: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] } },
    declared: { spec: { containers: [{ name: 'a' }, { name: 'c' }, { name: 'b' }] } },
    says: { 'spec.containers': 'order', 'spec.containers.a.name': 'same', 'spec.containers.b.name': 'same',
      'spec.containers.c.name': 'same' } },
  { it: 'an empty object whose presence has no meaning', held: { spec: {} },
    declared: { spec: { defaultOptions: {} } }, says: { 'spec.defaultOptions': 'empty' } },
  { it: 'an omitted object whose members mean nothing is listed by member',
    held: { spec: { defaultOptions: { debug: false } } }, declared: { spec: {} },
    says: { 'spec.defaultOptions.debug': 'default' } },
  { it: 'an omitted object depends on its members, an empty one is compared whole',
    held: { spec: { defaultOptions: { debug: false, timeoutSeconds: 6 }, firewallConfig: {} } }, declared: { spec: {} },
    says: { 'spec.defaultOptions.debug': 'default', 'spec.defaultOptions.timeoutSeconds': 'differs',
      'spec.firewallConfig': 'empty' } },
  { it: "for a part, undeclared items and fields belong to others, except the platform's own",
    kind: 'gvc',
    held: { id: 'u', description: 'theirs', spec: { env: [{ name: 'A', value: '1' }, { name: 'B', value: '1' }] } },
    declared: { spec: { env: [{ name: 'B', value: '2' }, { name: 'C', value: '1' }] } }, options: { part: true },
    says: { id: 'platform', description: 'foreign', 'spec.env.A': 'foreign', 'spec.env.B.name': 'same',
      'spec.env.B.value': 'differs', 'spec.env.C': 'differs' } },
  { it: 'for a part of a set, each member must exist', kind: 'gvc',
    held: { spec: { pullSecretLinks: ['//secret/a', '//secret/b'] } },
    declared: { spec: { pullSecretLinks: ['//secret/b'] } }, options: { part: true },
    says: { 'spec.pullSecretLinks': 'set' } },
  { it: 'for a part of a set, one member is missing', kind: 'gvc',
    held: { spec: { pullSecretLinks: ['//secret/a', '//secret/b'] } },
    declared: { spec: { pullSecretLinks: ['//secret/b', '//secret/c'] } }, options: { part: true },
    says: { 'spec.pullSecretLinks': 'differs' } },
  { it: 'for a part of a list with an order, each value must exist', held: main({ args: ['a', 'b'] }),
    declared: main({ args: ['b'] }), options: { part: true }, says: { ...name, 'spec.containers.main.args': 'set' } },
  { it: 'an empty part of a keyed list requires nothing', kind: 'gvc',
    held: { spec: { env: [{ name: 'A', value: '1' }] } }, declared: { spec: { env: [] } }, options: { part: true },
    says: { 'spec.env': 'set' } },
  { it: 'an ignored item is not added if it is not live', held: env('A'), declared: env('A', 'B'),
    options: { ignore: ['spec.containers.main.env.B'] },
    says: { ...name, 'spec.containers.main.env.A.name': 'same', 'spec.containers.main.env.A.value': 'same',
      'spec.containers.main.env.B': 'ignored' } },
  { it: 'a list that is not live and of which all items are ignored', held: main({}), declared: env('B'),
    options: { ignore: ['spec.containers.main.env.B'] }, says: { ...name, 'spec.containers.main.env': 'ignored' } },
];

test.each(cases)('$it', ({ kind = 'workload', held, declared, options, says }) => {
  expect(said(verdicts(kind, held, declared, options))).toEqual(says);
});

describe('a kind of which only the name is known', () => {
  withKinds({ queue: { ...onlyNamed, listKeys: { 'spec.rules': 'n' } } });

  const judged = (
    held: JsonObject,
    declared: JsonObject,
    wasSet: (path: string) => boolean = () => false,
    ignore: readonly string[] = [],
  ) => {
    const kind = kindNamed('queue');
    if (kind === undefined) throw new Error('it is not defined');
    return said(verdicts(kind, { spec: held }, { spec: declared }, { wasSet, ignore }));
  };

  test('keeps fields that the manifest omits, unless this stack set them', () => {
    const held = { size: 1, owner: { name: 'ana', team: 'x' }, gone: {} };
    expect(judged(held, { size: 2, owner: { name: 'ana' } })).toEqual({
      'spec.size': 'differs',
      'spec.owner.name': 'same',
      'spec.owner.team': 'unmentioned',
      'spec.gone': 'unmentioned',
    });
    expect(judged(held, {}, (path) => path === 'spec.size')).toEqual({
      'spec.size': 'differs',
      'spec.owner.name': 'unmentioned',
      'spec.owner.team': 'unmentioned',
      'spec.gone': 'unmentioned',
    });
  });

  test('keeps items that the manifest omits, unless this stack set them', () => {
    const rules = ['a', 'theirs', 'ignored', 'set'].map((n) => ({ n }));
    const wasSet = (path: string): boolean => path === 'spec.rules.set.n';
    expect(judged({ rules }, { rules: [{ n: 'a' }] }, wasSet, ['spec.rules.ignored'])).toEqual({
      'spec.rules.a.n': 'same',
      'spec.rules.theirs': 'unmentioned',
      'spec.rules.ignored': 'ignored',
      'spec.rules.set': 'differs',
    });
  });
});

test('each verdict contains the pointers in both records, and the meaning of absence', () => {
  const found = verdicts(
    'workload',
    { name: 'web', description: 'web', ...env('A', 'B') },
    { name: 'web', spec: { containers: [{ name: 'main', env: [{ name: 'B', value: '2' }] }] } },
  );
  const inEnv = (index: number) => ['spec', 'containers', 0, 'env', index];
  const path = 'spec.containers.main.env';
  expect(found).toStrictEqual([
    { path: 'name', why: 'same', heldAt: ['name'], declaredAt: ['name'] },
    { path: 'description', why: 'derived', heldAt: ['description'], means: 'web' },
    {
      ...{ path: 'spec.containers.main.name', why: 'same' },
      ...{ heldAt: ['spec', 'containers', 0, 'name'], declaredAt: ['spec', 'containers', 0, 'name'] },
    },
    { path: `${path}.A`, why: 'differs', heldAt: inEnv(0) },
    { path: `${path}.B.name`, why: 'same', heldAt: [...inEnv(1), 'name'], declaredAt: [...inEnv(0), 'name'] },
    { path: `${path}.B.value`, why: 'differs', heldAt: [...inEnv(1), 'value'], declaredAt: [...inEnv(0), 'value'] },
  ]);
});

test.each<[string, readonly Verdict[], Verdict]>(
  // biome-ignore format: a row is a case
  [
    ['a missing item has that of its declaration', verdicts('workload', env('A'), env('A', 'B')),
      { path: 'spec.containers.main.env.B', why: 'differs', declaredAt: ['spec', 'containers', 0, 'env', 1] }],
    ['so has a missing value that equals its absence', verdicts('workload', main({}), main({ inheritEnv: false })),
      { path: 'spec.containers.main.inheritEnv', why: 'default', means: false,
        declaredAt: ['spec', 'containers', 0, 'inheritEnv'] }],
    ['a list that is one value has both', verdicts('group', terms('a'), terms('b')),
      { path: 'memberQuery.spec.terms', why: 'differs',
        heldAt: ['memberQuery', 'spec', 'terms'], declaredAt: ['memberQuery', 'spec', 'terms'] }],
    ['an undeclared key of a map has that of the live value',
      verdicts('volumeset', regions({ a: { keyId: '1' } }), regions({})),
      { path: 'spec.customEncryption.regions.a', why: 'differs', heldAt: ['spec', 'customEncryption', 'regions', 'a'] }],
  ],
)('pointers: %s', (_, found, verdict) => {
  expect(found.at(-1)).toStrictEqual(verdict);
});

test('an unwritten field is judged by its value after the change; a written or equal one, as before', () => {
  const [written, follows, gone, equal] = ['a', 'b', 'c', 'd'].map(
    (path): Verdict => ({ path, why: path === 'd' ? 'same' : 'differs' }),
  );
  const before = [written, follows, gone, equal].flatMap((each) => each ?? []);
  const after: readonly Verdict[] = ['a', 'b', 'd'].map((path) => ({ path, why: 'derived' }));
  expect(said(resolveDerived(before, after, ['a']))).toEqual({ a: 'differs', b: 'derived', c: 'differs', d: 'same' });
});

describe('tags', () => {
  const judged = (held: JsonObject, declared: JsonObject, ignore: readonly string[] = [], protect?: boolean) =>
    judgeTags(shapeOf('gvc'), held, declared, { ...(protect === undefined ? {} : { protect }), ignore });

  test.each<{ it: string; held: JsonObject; declared: JsonObject; ignore?: readonly string[]; why: string }>([
    { it: 'the same on both sides', held: { a: '1' }, declared: { a: '1' }, why: 'same' },
    { it: 'equal as strings', held: { a: '1' }, declared: { a: 1 }, why: 'as-text' },
    { it: 'another value', held: { a: '1' }, declared: { a: '2' }, why: 'differs' },
    { it: 'a missing one', held: {}, declared: { a: '1' }, why: 'differs' },
    { it: 'the string undefined for a missing one', held: {}, declared: { a: 'undefined' }, why: 'differs' },
    { it: 'one of others', held: { a: '1' }, declared: {}, why: 'foreign-tag' },
    { it: 'all ignored', held: { a: '1' }, declared: { a: '2' }, ignore: ['tags'], why: 'ignored' },
    { it: 'itself ignored', held: { a: '1' }, declared: { a: '2' }, ignore: ['spec', 'tags.a'], why: 'ignored' },
    { it: 'another ignored', held: { a: '1' }, declared: { a: '2' }, ignore: ['tags.b', 'spec.a'], why: 'differs' },
  ])('$it: $why', ({ held, declared, ignore, why }) => {
    expect(said(judged(held, declared, ignore))).toEqual({ 'tags.a': why });
  });

  test('of Gantry are its own, and requested protection is declared; all by name, with their pointers', () => {
    const own = ['gantry/stack', 'gantry/replacing', 'gantry/applied.part', 'gantry/applied'];
    const held = Object.fromEntries(['z', ...own].map((key) => [key, '1']));
    expect(judged(held, { z: '1' }, [], true)).toStrictEqual([
      ...[...own].sort().map((key) => ({ path: `tags."${key}"`, why: 'own-tag', heldAt: ['tags', key] })),
      { path: 'tags."scheme/protected"', why: 'differs', declaredAt: ['tags', 'scheme/protected'] },
      { path: 'tags.z', why: 'same', heldAt: ['tags', 'z'], declaredAt: ['tags', 'z'] },
    ]);
  });
});
