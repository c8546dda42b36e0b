import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { references } from '../../src/kinds/references.ts';
import { diff } from '../../src/patch/diff.ts';
import { customKind, onlyNamed } from '../../src/schema/record/customKinds.ts';
import type { Kind } from '../../src/schema/record/kinds.ts';
import { formatRef } from '../../src/schema/record/ref.ts';
import { withKinds } from './withKinds.ts';

withKinds({ plain: onlyNamed, keyed: { ...onlyNamed, scope: 'gvc', listKeys: { 'spec.rules': 'name' } } });

function kindOf(name: string): Kind {
  const kind = customKind(name);
  if (kind === undefined) throw new Error(`${name} is not defined`);
  return kind;
}

interface Case {
  readonly it: string;
  readonly kind?: string;
  readonly live: JsonObject;
  readonly declared: JsonObject;
  readonly set?: readonly string[];
  readonly patch: JsonObject | undefined;
}

// biome-ignore format: a row is a case
const cases: readonly Case[] = [
  { it: 'nothing differs', live: { a: { b: 1 } }, declared: { a: { b: 1 } }, patch: undefined },
  { it: 'undeclared fields are kept', live: { a: 1, b: { c: 2, d: 3 } }, declared: { b: { c: 2 } }, patch: undefined },
  { it: 'objects are merged key by key, at any depth', live: { a: { b: { c: 1, d: 2 } } },
    declared: { a: { b: { c: 5 }, e: 6 } }, patch: { a: { b: { c: 5 }, e: 6 } } },
  { it: 'a list is one value, and its order has a meaning', live: { a: [{ n: 1 }, { n: 2 }] },
    declared: { a: [{ n: 2 }, { n: 1 }] }, patch: { a: [{ n: 2 }, { n: 1 }] } },
  { it: 'an empty list is not an absent one', live: {}, declared: { a: [] }, patch: { a: [] } },
  { it: 'a value of another type is replaced', live: { a: { b: 1 } }, declared: { a: 5 }, patch: { a: 5 } },
  { it: 'text is not a number', live: { a: '5' }, declared: { a: 5 }, patch: { a: 5 } },
  { it: 'null equals absence', live: { a: { b: 1 } }, declared: { a: { b: null } }, patch: undefined },
  { it: 'a field that this stack set before and no longer declares is removed', live: { a: { b: 1, c: 2 }, d: 3 },
    declared: { a: { b: 1 } }, set: ['a.c'], patch: { a: { $drop: ['c'] } } },
  { it: 'an object is removed with its last value, unless others wrote into it',
    live: { a: { b: 1 }, c: { d: 1, e: 2 } }, declared: {}, set: ['a.b', 'c.d'],
    patch: { $drop: ['a'], c: { $drop: ['d'] } } },
  { it: 'items of a list with a key are merged one by one', kind: 'keyed',
    live: { spec: { rules: [{ name: 'a', v: 1, by: 'others' }, { name: 'b' }] } },
    declared: { spec: { rules: [{ name: 'b' }, { name: 'a', v: 2 }] } },
    patch: { spec: { '$patch/rules': [{ name: 'a', v: 2 }] } } },
];

describe('a change of a record of a custom kind', () => {
  test.each(cases)('$it', ({ kind = 'plain', live, declared, set = [], patch }) => {
    const common = { name: 'one', description: 'one', tags: {} };
    const found = diff(
      kindOf(kind),
      { ...common, ...live },
      { ...common, ...declared },
      { context: { org: 'acme' }, directives: 'all', wasSet: (path) => set.includes(path) },
    );
    expect(found?.patch).toEqual(patch);
  });

  test('without list directives on the platform, a list with keys is written whole', () => {
    const live = { name: 'one', spec: { rules: [{ name: 'a', v: 1 }] } };
    const declared = { name: 'one', spec: { rules: [{ name: 'a', v: 2 }] } };
    const found = diff(kindOf('keyed'), live, declared, { context: { org: 'acme' }, directives: 'stated' });
    expect(found?.patch).toEqual({ spec: { rules: [{ name: 'a', v: 2 }] } });
  });
});

test('every string that is a link is a reference, without effect on the order', () => {
  const record = {
    name: 'one',
    description: '//secret/not-this',
    owner: '//identity/backend',
    deep: [{ at: '//gvc/other/workload/web', of: '//plain/two' }],
    password: 'scheme://secret/db.password',
    foreign: '//cdn.example.com/x',
    text: 'see //secret/no',
  };
  const found = references(kindOf('keyed'), record, { org: 'acme', gvc: 'shop' });
  expect(found.map(({ path, target, strength }) => [path, formatRef(target), strength])).toEqual([
    ['owner', 'identity/shop/backend', 'soft'],
    ['deep.0.at', 'workload/other/web', 'soft'],
    ['deep.0.of', 'plain/two', 'soft'],
    ['password', 'secret/db', 'soft'],
  ]);
});
