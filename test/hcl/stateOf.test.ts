import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { type ObjectValue, unknown, type Value } from '../../src/hcl/value.ts';
import { stateOf } from '../../src/hcl/values/stateOf.ts';
import type { KnownKind } from '../../src/schema/record/kinds.ts';

const user = (name: string): string => `/org/acme/user/${name}@x.io`;
const members = (...links: readonly string[]): JsonObject => ({ memberLinks: [...links] });
const said = (...links: readonly Value[]): ObjectValue => ({ member_links: links });
const [ann, bob] = ['//user/ann@x.io', '//user/bob@x.io'];
const container = (fields: JsonObject): JsonObject => ({
  spec: { type: 'standard', containers: [{ name: 'main', image: 'shop:1', ...fields }] },
});
const saidOf = (fields: ObjectValue): ObjectValue => ({
  spec: { type: 'standard', containers: [{ name: 'main', image: 'shop:1', ...fields }] },
});
const names = (...of: readonly string[]): JsonObject => ({
  spec: { type: 'standard', containers: of.map((name) => ({ name, image: 'shop:1' })) },
});
const tagged = (customTags: JsonObject): JsonObject => ({
  spec: { tracing: { sampling: 1, provider: { otel: { endpoint: 'o:4317' } }, customTags } },
});
const saidTags = (custom_tags: Value): ObjectValue => ({
  spec: { tracing: { sampling: 1, provider: { otel: { endpoint: 'o:4317' } }, custom_tags } },
});
const literal = (value: string) => ({ literal: { value } });
const opaque = (payload: Value, encoding: Value = null): ObjectValue => ({
  type: 'opaque',
  data: { opaque: { payload, encoding } },
});

/**
 * What stays as it was written, and what is shown as it is live: another order, or a value more or less, would be a
 * difference in the next plan. `hint`: the last state, or the plan, with what is not known in it.
 */
// biome-ignore format: a row is a case
const rows: readonly (readonly [string, KnownKind, JsonObject, ObjectValue | undefined, ObjectValue])[] = [
  ['a set in another order', 'group', members(user('bob'), user('ann')), said(ann, bob), said(ann, bob)],
  ['a set with one more', 'group', members(user('cy'), user('bob'), user('ann')), said(ann, bob),
    said(ann, bob, user('cy'))],
  ['a set with one less', 'group', members(user('bob')), said(ann, bob), said(bob)],
  ['a set, the last of it unknown', 'group', members(user('bob'), user('ann')), said(ann, unknown),
    said(ann, user('bob'))],
  ['a set, the first of it unknown', 'group', members(user('bob'), user('ann')), said(unknown, ann),
    said(user('bob'), ann)],
  ['a set that is gone', 'group', {}, said(ann), { member_links: null }],
  ['a set that is unknown', 'group', members(user('ann')), { member_links: unknown }, said(user('ann'))],
  ['a set that nobody wrote', 'group', members(user('ann')), {}, said(user('ann'))],
  ['an import of a set', 'group', members(user('ann')), undefined, said(ann)],
  ['an import of an empty set', 'group', members(), undefined, { member_links: null }],
  ['a list with another item', 'workload', container({ args: ['a', 'c'] }), saidOf({ args: ['a', 'b'] }),
    saidOf({ args: ['a', 'c'] })],
  ['a list that is longer', 'workload', container({ args: ['a', 'b'] }), saidOf({ args: ['a'] }),
    saidOf({ args: ['a', 'b'] })],
  ['a list that was written empty', 'workload', container({}), saidOf({ args: [] }), saidOf({ args: [] })],
  ['variables with one more', 'workload', container({ env: [{ name: 'A', value: 'x' }, { name: 'B', value: 'y' }] }),
    saidOf({ env: { A: 'x' } }), saidOf({ env: { A: 'x', B: 'y' } })],
  ['variables with another value', 'workload', container({ env: [{ name: 'A', value: 'z' }] }),
    saidOf({ env: { A: 'x' } }), saidOf({ env: { A: 'z' } })],
  ['variables, one of them gone', 'workload', container({ env: [{ name: 'A', value: 'x' }] }),
    saidOf({ env: { A: 'x', B: 'y' } }), saidOf({ env: { A: 'x' } })],
  ['variables, all gone', 'workload', container({}), saidOf({ env: { A: 'x' } }), saidOf({ env: null })],
  ['variables, one not known before', 'workload', container({ env: [{ name: 'A', value: 'z' }] }),
    saidOf({ env: { A: unknown } }), saidOf({ env: { A: 'z' } })],
  ['an import of no variables', 'workload', container({ env: [] }), undefined, saidOf({ env: null })],
  ['containers in another order', 'workload', names('side', 'main'),
    { spec: { containers: [{ name: 'main' }, { name: 'side' }] } },
    { spec: { containers: [{ name: 'main' }, { name: 'side' }] } }],
  ['containers, one more before', 'workload', names('new', 'main'), { spec: { containers: [{ name: 'main' }] } },
    { spec: { containers: [{ name: 'main' }, { name: 'new' }] } }],
  ['containers, the first gone', 'workload', names('side'),
    { spec: { containers: [{ name: 'main' }, { name: 'side' }] } }, { spec: { containers: [{ name: 'side' }] } }],
  ['a map with one more', 'gvc', tagged({ a: literal('x'), b: literal('y') }), saidTags({ a: literal('x') }),
    saidTags({ a: literal('x'), b: literal('y') })],
  ['a map with another value', 'gvc', tagged({ a: literal('z') }), saidTags({ a: literal('x') }),
    saidTags({ a: literal('z') })],
  ['a map, one of it gone', 'gvc', tagged({ a: literal('x') }), saidTags({ a: literal('x'), b: literal('y') }),
    saidTags({ a: literal('x') })],
  ['tags of others beside those that were written', 'group', { tags: { a: '2', b: '3' } }, { tags: { a: '1' } },
    { tags: { a: '2' } }],
  ['tags that were not known', 'group', { tags: { a: '2', 'gantry/stack': 's' } }, { tags: unknown },
    { tags: { a: '2' } }],
  ['an import of tags', 'group', { tags: { a: '2', 'gantry/stack': 's' } }, undefined, { tags: { a: '2' } }],
  ['the value of a secret that the answer hides', 'secret', { type: 'opaque' }, opaque('x', unknown), opaque('x')],
  ['the value of a secret that somebody changed', 'secret', { type: 'opaque', data: { payload: 'y' } }, opaque('x'),
    opaque('y', 'plain')],
  ['the value of a secret that the configuration leaves alone', 'secret', { type: 'opaque', data: { payload: 'y' } },
    { type: 'opaque' }, { data: null }],
];
test.each(rows)('%s', (_, kind, record, hint, expected) => {
  const live = { name: 'it', ...record };
  expect(stateOf(kind, live, { org: 'acme', gvc: 'shop', ...(hint === undefined ? {} : { hint }) })).toMatchObject(
    expected,
  );
});
