import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { ClientFacts, OptionLinks, OptionValues } from '../../../src/kinds/common/client.ts';
import { clientFacts } from '../../../src/kinds/kindFacts.ts';
import type { Kind } from '../../../src/schema/record/kinds.ts';

/** The values of command-line options: a string, several, a number, or a boolean. */
type Values = Readonly<Record<string, string | readonly string[] | number | true>>;

function optionsOf(values: Values): OptionValues {
  const of = (name: string, type: string) => (typeof values[name] === type ? values[name] : undefined);
  return {
    text: (name) => of(name, 'string')?.toString(),
    list: (name) => [of(name, 'object') ?? []].flat().map(String),
    count: (name) => (of(name, 'number') === undefined ? undefined : Number(values[name])),
    flag: (name) => values[name] === true,
    isWritten: (name) => Object.hasOwn(values, name),
  };
}

/** Each value is already a link. */
function linksOf(values: Values): OptionLinks {
  const each = (option: string) => [values[option] ?? []].flat().map((value) => String(value).replace(/,.*/, ''));
  return { each, of: (option) => [...new Set(each(option))], query: () => undefined };
}

function verbOf({ verbs = [] }: ClientFacts, name: string) {
  const found = verbs.find(({ verb }) => verb === name);
  if (found === undefined || !('change' in found)) throw new Error(`${name} changes no record`);
  return found.change;
}

// biome-ignore format: one row a line
const rows: readonly (readonly [Kind, string, JsonObject, Values, JsonObject | string])[] = [
  ['gvc', 'add-location', placed('a', 'b'), { location: [at('b'), at('c')] }, placed('a', 'b', 'c')],
  ['gvc', 'remove-location', placed('a', 'b'), { location: [at('a')] }, placed('b')],
  ['gvc', 'remove-location', placed('a'), { location: [at('z')] }, 'the location z is not in the list'],
  ['ipset', 'add-location', kept('a'), { location: [at('b')] }, kept('a', 'b')],
  ['ipset', 'update-location', kept('a', 'b'), { location: [`${at('a')},keep`] }, kept('b', 'a')],
  ['ipset', 'update-location', kept('a'), { location: [at('z')] }, 'the location z is not in the list'],
  ['ipset', 'add-location', kept(), { location: [at('a'), at('a')] }, '--location names a twice'],
  ['ipset', 'add-location', kept(), { location: [`${at('a')},often`] }, '"often" is not a retention policy'],
  ['ipset', 'remove-location', kept('a', 'b'), { location: [at('a')] }, kept('b')],
  ['policy', 'add-binding', granted('view', 'a'), { permission: ['view'], principal: ['b'] },
    granted('view', 'a', 'b')],
  ['policy', 'remove-binding', granted('view', 'a', 'b'), { permission: ['edit', 'view'], principal: ['a'] },
    granted('view', 'b')],
  ['policy', 'remove-binding', granted('view', 'a'), { permission: ['view'], principal: ['a'] }, { bindings: [] }],
  ['policy', 'remove-binding', granted('view', 'a'), { permission: ['edit'], principal: ['a'] },
    'no binding gives these permissions'],
  ['serviceaccount', 'remove-key', { keys: [{ name: 'k' }] }, { key: ['k'] }, { '$drop/keys': ['k'] }],
  ['serviceaccount', 'remove-key', { keys: [] }, { key: ['k'] }, 'there is no key k'],
  ['workload', 'start', {}, {}, { spec: { defaultOptions: { suspend: false } } }],
  ['workload', 'stop', { spec: { localOptions: [{ location: at('a') }] } }, {},
    { spec: { defaultOptions: { suspend: true }, '$patch/localOptions': [{ location: at('a'), suspend: true }] } }],
];

/** platform/clients.kinds */
test.each(rows)('gantry %s %s of %j with %j', async (kind, verb, record, values, expected) => {
  const change = verbOf(await clientFacts(kind), verb);
  const changed = () => change(record, optionsOf(values), linksOf(values));
  if (typeof expected === 'string') expect(changed).toThrow(expected);
  else expect(changed()).toEqual(expected);
});

function at(name: string): string {
  return `/org/x/location/${name}`;
}

function placed(...names: readonly string[]): JsonObject {
  return { spec: { staticPlacement: { locationLinks: names.map(at) } } };
}

function kept(...names: readonly string[]): JsonObject {
  return { spec: { locations: names.map((name) => ({ name: at(name), retentionPolicy: 'keep' })) } };
}

function granted(permission: string, ...principalLinks: readonly string[]): JsonObject {
  return { bindings: [{ permissions: [permission], principalLinks }] };
}
