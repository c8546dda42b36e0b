import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json/json.ts';
import { shapeOf } from '../../src/kinds/shapeOf.ts';
import { fieldChanges, maskSensitive } from '../../src/patch/fieldChanges.ts';
import { bySchema } from '../../src/patch/shouldMask.ts';
import type { Shape } from '../../src/schema/shape/shape.ts';
import { keyed, object, scalar, toy } from './toyShape.ts';

interface Case {
  readonly it: string;
  readonly live: JsonObject;
  readonly target: JsonObject;
  readonly changes: readonly object[];
}

const context = { org: 'acme', gvc: 'shop' };
const userpass = { name: 's', type: 'userpass', data: { username: 'u', password: 'hunter2' } };
const secret = shapeOf('secret', userpass);
const hidden = 'hunter2';

describe('masks (law 8)', () => {
  test.each([
    { it: 'a record', document: userpass },
    { it: 'a patch', document: { data: { password: hidden } } },
    { it: 'a replaced object', document: { '$replace/data': { password: hidden } } },
    { it: 'a replaced field', document: { data: { '$replace/password': hidden } } },
    { it: 'an unknown field beside sensitive ones', document: { data: { future: hidden } } },
    {
      it: 'an unknown field, replaced beside sensitive ones',
      document: { '$replace/future': hidden },
    },
    { it: 'an unknown directive', document: { $future: hidden } },
    { it: 'a dictionary', document: { type: 'dictionary', data: { key: hidden } } },
  ])('no part of a value remains in $it', ({ document }) => {
    const masked = JSON.stringify(maskSensitive(bySchema(secret), document));
    expect(masked).not.toContain(hidden);
    expect(masked).toContain('{"sensitive":true}');
  });

  test('values that are not sensitive are shown', () => {
    expect(maskSensitive(bySchema(secret), { ...userpass, tags: { a: '1' } })).toMatchObject({
      name: 's',
      type: 'userpass',
      tags: { a: '1' },
    });
  });

  test.each([
    { it: 'the names of removed fields', document: { $drop: ['description', 'tags'] } },
    { it: 'the removal of a sensitive field', document: { data: null } },
    { it: 'an unknown directive without sensitive fields', document: { tags: { $future: 'x' } } },
  ])('$it is shown', ({ document }) => {
    expect(maskSensitive(bySchema(secret), document)).toEqual(document);
  });

  test('names of items are hidden if the schema hides the items', () => {
    const { facts } = keyed(object({}), 'stated');
    const items: Shape = { type: 'list', facts, item: { ...object({ n: scalar }), facts: { sensitive: true } } };
    const patch = { '$drop/keys': ['x'], '$retain/others': ['x'] };
    expect(maskSensitive(bySchema(object({ keys: items, others: { ...items, facts: {} } })), patch)).toEqual({
      '$drop/keys': { sensitive: true },
      '$retain/others': { sensitive: true },
    });
  });

  test('a field change reports that a sensitive value differs, without the values', () => {
    const other = { ...userpass, data: { username: 'u', password: 'other' } };
    const shown = { sensitive: true, changed: true };
    expect(fieldChanges(bySchema(secret), userpass, other, context)).toEqual([
      { path: 'data', old: shown, new: shown },
    ]);
  });
});

describe('field changes for people (paths)', () => {
  const shape = shapeOf('workload');
  const live = {
    name: 'w',
    spec: { containers: [{ name: 'main', image: 'a', env: [{ name: 'A', value: '1' }] }] },
    tags: { 'a.b': '1' },
  };
  const variables = (...names: readonly string[]) => names.map((name) => ({ name, value: '1' }));
  const withEnv = (env: JsonValue) => ({ spec: { containers: [{ name: 'main', env }] } });
  const withoutEnv = { spec: { containers: [{ name: 'main' }] } };
  const env = 'spec.containers.main.env';

  // biome-ignore format: one case a line
  const cases: readonly Case[] = [
    { it: 'a value of an item', live,
      target: { ...live, spec: { containers: [{ name: 'main', image: 'a', env: [{ name: 'A', value: '2' }] }] } },
      changes: [{ path: `${env}.A.value`, old: '1', new: '2' }] },
    { it: 'a key with a dot', live, target: { ...live, tags: { 'a.b': '2' } },
      changes: [{ path: 'tags."a.b"', old: '1', new: '2' }] },
    { it: 'a removed tag', live, target: { ...live, tags: {} }, changes: [{ path: 'tags."a.b"', old: '1' }] },
    { it: 'an added field', live, target: { ...live, description: 'x' }, changes: [{ path: 'description', new: 'x' }] },
    { it: 'nothing', live, target: { ...live }, changes: [] },
    { it: 'only read-only fields', live: { ...live, version: 1, status: { endpoint: 'a' } },
      target: { ...live, version: 2 }, changes: [] },
    { it: 'a list without keys, whole', live: withoutEnv,
      target: { spec: { containers: [{ name: 'main', args: ['x'] }] } },
      changes: [{ path: 'spec.containers.main.args', new: ['x'] }] },
    { it: 'an added empty object', live: {}, target: { tags: {} }, changes: [{ path: 'tags', new: {} }] },
    { it: 'a removed empty object', live: { tags: {} }, target: {}, changes: [{ path: 'tags', old: {} }] },
    { it: 'an added empty list', live: withoutEnv, target: withEnv([]), changes: [{ path: env, new: [] }] },
    { it: 'a removed empty list', live: withEnv([]), target: withoutEnv, changes: [{ path: env, old: [] }] },
    { it: 'an added list, by its items', live: withoutEnv, target: withEnv(variables('A')),
      changes: [{ path: `${env}.A.name`, new: 'A' }, { path: `${env}.A.value`, new: '1' }] },
    { it: 'a removed list, by its items', live: withEnv(variables('A')), target: withoutEnv,
      changes: [{ path: `${env}.A.name`, old: 'A' }, { path: `${env}.A.value`, old: '1' }] },
    { it: 'a removed item before another, and an added one before it', live: withEnv(variables('A', 'B')),
      target: withEnv(variables('C', 'B')),
      changes: [{ path: `${env}.A.name`, old: 'A' }, { path: `${env}.A.value`, old: '1' },
        { path: `${env}.C.name`, new: 'C' }, { path: `${env}.C.value`, new: '1' }] },
    { it: 'items in another order, whole', live: withEnv(variables('A', 'B', 'C')),
      target: withEnv(variables('A', 'C', 'B')),
      changes: [{ path: env, old: variables('A', 'B', 'C'), new: variables('A', 'C', 'B') }] },
    { it: 'a list that replaces an object', live: withEnv({}), target: withEnv([]),
      changes: [{ path: env, old: {}, new: [] }] },
    { it: 'an object that replaces a list', live: withEnv([]), target: withEnv({}),
      changes: [{ path: env, old: [], new: {} }] },
  ];

  test.each(cases)('$it', ({ live: before, target, changes }) => {
    expect(fieldChanges(bySchema(shape), before, target, context)).toStrictEqual(changes);
  });

  const mirrored = (...mirror: readonly JsonObject[]) => ({
    spec: { ports: [{ number: 443, routes: [{ prefix: '/', mirror }] }] },
  });
  const [short, full] = [
    { workloadLink: '//gvc/shop/workload/w', percent: 1 },
    { workloadLink: '/org/acme/gvc/shop/workload/w', percent: 2 },
  ];
  const again = { ...full, workloadLink: short?.workloadLink };
  test.each<Case>(
    // biome-ignore format: a row is a case
    [
      { it: 'live', live: mirrored(short, full), target: mirrored(short),
        changes: [{ old: [short, again], new: [short] }] },
      { it: 'wanted', live: mirrored(short), target: mirrored(short, full),
        changes: [{ old: [short], new: [short, again] }] },
    ],
  )('a list with the same item in two spellings is shown whole: $it', ({ live: before, target, changes }) => {
    const found = fieldChanges(bySchema(shapeOf('domain')), before, target, context);
    expect(found).toStrictEqual(changes.map((change) => ({ path: 'spec.ports.443.routes."/".mirror', ...change })));
  });

  test('links have one spelling, whatever their source', () => {
    const binding = (...principalLinks: string[]) => ({ bindings: [{ permissions: ['view'], principalLinks }] });
    const [before, after] = ['/org/acme/group/a', '//group/b'].map((link) =>
      binding(link, 'https://h/org/acme/user/c@d.e'),
    );
    expect(fieldChanges(bySchema(shapeOf('policy')), before ?? {}, after ?? {}, context)).toStrictEqual([
      {
        path: 'bindings',
        old: binding('//group/a', '//user/c@d.e').bindings,
        new: binding('//group/b', '//user/c@d.e').bindings,
      },
    ]);
  });

  test('free-form JSON is one value', () => {
    const found = fieldChanges(bySchema(toy), { free: { a: 1, b: 1 } }, { free: { a: 2, b: 1 } }, context);
    expect(found).toStrictEqual([{ path: 'free', old: { a: 1, b: 1 }, new: { a: 2, b: 1 } }]);
  });
});

describe('a stored record contains masks, which are no values (law 8)', () => {
  const shape = bySchema(shapeOf('workload'));
  const mask = { sensitive: true };
  const shown = { sensitive: true, changed: true };
  // biome-ignore format: one case a line
  const rows: readonly Case[] = [
    { it: 'removed', live: { tags: { a: mask } }, target: { tags: {} }, changes: [{ path: 'tags.a', old: shown }] },
    { it: 'added', live: { tags: {} }, target: { tags: { a: mask } }, changes: [{ path: 'tags.a', new: shown }] },
    { it: 'on the live side', live: { tags: mask }, target: { tags: { a: '1' } },
      changes: [{ path: 'tags', old: shown, new: shown }] },
    { it: 'on the desired side', live: { tags: { a: '1' } }, target: { tags: mask },
      changes: [{ path: 'tags', old: shown, new: shown }] },
    { it: 'one of several', live: { spec: { containers: [{ name: 'a', args: ['x', mask] }] } },
      target: { spec: { containers: [{ name: 'a', args: ['x'] }] } },
      changes: [{ path: 'spec.containers.a.args', old: shown, new: shown }] },
  ];

  test.each(rows)('a masked value: $it', ({ live, target, changes }) => {
    expect(fieldChanges(shape, live, target, context)).toStrictEqual(changes);
  });
});
