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
const term = (value: JsonObject) => ({
  spec: { staticPlacement: { locationQuery: { spec: { terms: [{ tag: 'a', ...value }] } } } },
});
const saidTerm = (value: ObjectValue): ObjectValue => ({
  spec: { static_placement: { location_query: { spec: { terms: [{ tag: 'a', ...value }] } } } },
});
const bound = (...of: readonly string[]): JsonObject => ({
  bindings: of.map((each) => ({ permissions: [each.slice(1)], principalLinks: [`//group/${each[0]}`] })),
});
const saidBound = (...of: readonly string[]): ObjectValue => ({
  bindings: of.map((each) => ({ permissions: [each.slice(1)], principal_links: [`//group/${each[0]}`] })),
});
const filter = (settings: JsonObject): JsonObject => ({
  spec: { sidecar: { proxy: { http: [{ name: 'f', typed_config: { '@type': 't', ...settings } }] } } },
});
const saidFilter = (other_settings: Value): ObjectValue => ({
  spec: { sidecar: { proxy: { http: [{ name: 'f', typed_config: { type: 't', other_settings } }] } } },
});
const spread = (affinity: JsonObject): JsonObject => ({ spec: { type: 'standard', extras: { affinity } } });
const saidSpread = (affinity: Value): ObjectValue => ({ spec: { type: 'standard', extras: { affinity } } });
const opaque = (payload: Value, encoding: Value = null): ObjectValue => ({
  type: 'opaque',
  data: { opaque: { payload, encoding } },
});

/**
 * Values that are kept as written, and values that are shown as live: another order, or a value more or less, would be a
 * difference in the next plan. `hint` is the last state, or the plan with its unknown values.
 */
// biome-ignore format: a row is a case
const rows: readonly (readonly [string, KnownKind, JsonObject, ObjectValue | undefined, ObjectValue])[] = [
  ['a set in another order', 'group', members(user('bob'), user('ann')), said(ann, bob), said(ann, bob)],
  ['a set with one more member', 'group', members(user('cy'), user('bob'), user('ann')), said(ann, bob),
    said(ann, bob, user('cy'))],
  ['a set with one member less', 'group', members(user('bob')), said(ann, bob), said(bob)],
  ['a set with an unknown last member', 'group', members(user('bob'), user('ann')), said(ann, unknown),
    said(ann, user('bob'))],
  ['a set with an unknown first member', 'group', members(user('bob'), user('ann')), said(unknown, ann),
    said(user('bob'), ann)],
  ['a removed set', 'group', {}, said(ann), { member_links: null }],
  ['an unknown set', 'group', members(user('ann')), { member_links: unknown }, said(user('ann'))],
  ['an unwritten set', 'group', members(user('ann')), {}, said(user('ann'))],
  ['an import of a set', 'group', members(user('ann')), undefined, said(ann)],
  ['an import of an empty set', 'group', members(), undefined, { member_links: null }],
  ['a list with another item', 'workload', container({ args: ['a', 'c'] }), saidOf({ args: ['a', 'b'] }),
    saidOf({ args: ['a', 'c'] })],
  ['a longer list', 'workload', container({ args: ['a', 'b'] }), saidOf({ args: ['a'] }),
    saidOf({ args: ['a', 'b'] })],
  ['a list written as empty', 'workload', container({}), saidOf({ args: [] }), saidOf({ args: [] })],
  ['variables with one more', 'workload', container({ env: [{ name: 'A', value: 'x' }, { name: 'B', value: 'y' }] }),
    saidOf({ env: { A: 'x' } }), saidOf({ env: { A: 'x', B: 'y' } })],
  ['variables with another value', 'workload', container({ env: [{ name: 'A', value: 'z' }] }),
    saidOf({ env: { A: 'x' } }), saidOf({ env: { A: 'z' } })],
  ['variables with one removed', 'workload', container({ env: [{ name: 'A', value: 'x' }] }),
    saidOf({ env: { A: 'x', B: 'y' } }), saidOf({ env: { A: 'x' } })],
  ['variables, all removed', 'workload', container({}), saidOf({ env: { A: 'x' } }), saidOf({ env: null })],
  ['variables with one unknown before', 'workload', container({ env: [{ name: 'A', value: 'z' }] }),
    saidOf({ env: { A: unknown } }), saidOf({ env: { A: 'z' } })],
  ['an import of no variables', 'workload', container({ env: [] }), undefined, saidOf({ env: null })],
  ['containers in another order', 'workload', names('side', 'main'),
    { spec: { containers: [{ name: 'main' }, { name: 'side' }] } },
    { spec: { containers: [{ name: 'main' }, { name: 'side' }] } }],
  ['containers with one added before', 'workload', names('new', 'main'), { spec: { containers: [{ name: 'main' }] } },
    { spec: { containers: [{ name: 'main' }, { name: 'new' }] } }],
  ['containers with the first removed', 'workload', names('side'),
    { spec: { containers: [{ name: 'main' }, { name: 'side' }] } }, { spec: { containers: [{ name: 'side' }] } }],
  ['a map with one more member', 'gvc', tagged({ a: literal('x'), b: literal('y') }), saidTags({ a: literal('x') }),
    saidTags({ a: literal('x'), b: literal('y') })],
  ['a map with another value', 'gvc', tagged({ a: literal('z') }), saidTags({ a: literal('x') }),
    saidTags({ a: literal('z') })],
  ['a map with one member removed', 'gvc', tagged({ a: literal('x') }), saidTags({ a: literal('x'), b: literal('y') }),
    saidTags({ a: literal('x') })],
  ['tags of others beside the written ones', 'group', { tags: { a: '2', b: '3' } }, { tags: { a: '1' } },
    { tags: { a: '2' } }],
  ['unknown tags', 'group', { tags: { a: '2', 'gantry/stack': 's' } }, { tags: unknown },
    { tags: { a: '2' } }],
  ['an import of tags', 'group', { tags: { a: '2', 'gantry/stack': 's' } }, undefined, { tags: { a: '2' } }],
  ['an unwritten map', 'gvc', tagged({ a: literal('x') }), saidTags(null), saidTags({ a: literal('x') })],
  ['a removed map', 'gvc', { spec: { tracing: { sampling: 1, provider: { otel: { endpoint: 'o:4317' } } } } },
    saidTags({ a: literal('x') }), saidTags(null)],
  ['an import of an empty map', 'gvc', tagged({}), undefined, saidTags(null)],
  ['an unwritten list', 'workload', container({ args: ['a'] }), saidOf({ args: null }), saidOf({ args: ['a'] })],
  ['a removed list', 'workload', container({}), saidOf({ args: ['a'] }), saidOf({ args: null })],
  ['an import of an empty list', 'workload', container({ args: [] }), undefined, saidOf({ args: null })],
  ['unwritten variables', 'workload', container({ env: [{ name: 'A', value: 'x' }] }), saidOf({ env: null }),
    saidOf({ env: { A: 'x' } })],
  ['unwritten ports', 'workload', container({ ports: [{ number: 80 }] }), saidOf({ ports: null }),
    saidOf({ ports: [{ number: 80 }] })],
  ['removed ports', 'workload', container({}), saidOf({ ports: [{ number: 80 }] }), saidOf({ ports: null })],
  ['an unwritten block', 'workload', container({ metrics: { port: 80 } }), saidOf({ metrics: null }),
    saidOf({ metrics: { port: 80 } })],
  ['a removed block', 'workload', container({}), saidOf({ metrics: { port: 80 } }), saidOf({ metrics: null })],
  ['a value of the written type', 'gvc', term({ value: 'x' }), saidTerm({ value: 'x' }),
    saidTerm({ value: 'x', value_bool: null, value_number: null })],
  ['a value with another type now', 'gvc', term({ value: true }), saidTerm({ value: 'x' }),
    saidTerm({ value: null, value_bool: true, value_number: null })],
  ['a removed value of several types', 'gvc', term({}), saidTerm({ value_number: 1 }),
    saidTerm({ value: null, value_bool: null, value_number: null })],
  ['an import of a number among several types', 'gvc', term({ value: 5 }), undefined,
    saidTerm({ value: null, value_bool: null, value_number: 5 })],
  ['an import of a string beside JSON', 'workload', container({ gpu: { nvidia: { model: 't4', quantity: 1 } } }),
    undefined, saidOf({ gpu: { nvidia: { model: 't4', model_json: null } } })],
  ['an import of JSON beside a string', 'workload', container({ gpu: { nvidia: { model: { a: 1 }, quantity: 1 } } }),
    undefined, saidOf({ gpu: { nvidia: { model: null, model_json: '{"a":1}' } } })],
  ['bindings in another order', 'policy', bound('bedit', 'aview'), saidBound('aview', 'bedit'),
    saidBound('aview', 'bedit')],
  ['bindings with one changed', 'policy', bound('bedit', 'ause'), saidBound('aview', 'bedit'),
    saidBound('ause', 'bedit')],
  ['bindings with the first removed', 'policy', bound('bedit'), saidBound('aview', 'bedit'), saidBound('bedit')],
  ['bindings with one added before', 'policy', bound('cuse', 'aview'), saidBound('aview'), saidBound('aview', 'cuse')],
  ['JSON text in another spelling', 'workload', spread({ a: 1 }), saidSpread('{ "a": 1 }'), saidSpread('{ "a": 1 }')],
  ['JSON text with another value', 'workload', spread({ a: 2 }), saidSpread('{ "a": 1 }'), saidSpread('{"a":2}')],
  ['other settings in another spelling', 'gvc', filter({ newer: [1] }), saidFilter('{ "newer": [1] }'),
    saidFilter('{ "newer": [1] }')],
  ['other settings with another value', 'gvc', filter({ newer: [2] }), saidFilter('{ "newer": [1] }'),
    saidFilter('{"newer":[2]}')],
  ['removed other settings', 'gvc', filter({}), saidFilter('{"newer":[1]}'), saidFilter(null)],
  ['other settings of others beside the written ones', 'gvc', filter({ newer: [1], theirs: 2 }),
    saidFilter('{"newer":[1]}'), saidFilter('{"newer":[1]}')],
  ['unwritten other settings', 'gvc', filter({ theirs: 2 }), saidFilter(null), saidFilter(null)],
  ['a status that is missing in the response', 'workload', container({}), {}, { status: null }],
  ['a secret value that the response hides', 'secret', { type: 'opaque' }, opaque('x', unknown), opaque('x')],
  ['a secret value that others changed', 'secret', { type: 'opaque', data: { payload: 'y' } }, opaque('x'),
    opaque('y', 'plain')],
  ['a secret value that the configuration does not contain', 'secret', { type: 'opaque', data: { payload: 'y' } },
    { type: 'opaque' }, { data: null }],
];
test.each(rows)('%s', (_, kind, record, hint, expected) => {
  const live = { name: 'it', ...record };
  expect(stateOf(kind, live, { org: 'acme', gvc: 'shop', ...(hint === undefined ? {} : { hint }) })).toMatchObject(
    expected,
  );
});
