import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isObject, type JsonObject, type JsonValue, listAt, objectAt } from '../../../src/base/json/json.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const platform = usePlatform();
const root = temporaryFolder('odd-keys');

/** Keys with a meaning in a path, in YAML, in JavaScript, in a URL or in a terminal, and keys in other scripts. */
// biome-ignore format: a row is a case
const keys = [
  ...['a.b', 'a/b', 'a"b', "a'b", 'a\\b', 'a*b', 'a~1b', 'a[0]', 'a:b', 'a#b', 'a b', ' a', 'a%2Fb', 'a?b=c', '-', '*',
    '.'],
  ...['yes', 'null', '~', '1', '01', '1.5', '0x10', '<<', '@a', '`a', '{a}', '&a', '!a', '|', '>', '%a'],
  ...['constructor', 'toString', 'length', 'spec', 'tags', 'name', '店-ü', '🚢', 'x'.repeat(120)],
];

type Entries = readonly (readonly [string, string])[];

/** A place where users choose the keys. */
interface Place {
  readonly it: string;
  readonly kind: 'group' | 'secret' | 'gvc' | 'widget';
  readonly bodyOf: (entries: Entries) => JsonObject;
  readonly entriesIn: (record: JsonObject) => Entries;
  /** The keys that the platform accepts there. */
  readonly form?: RegExp;
  /** Whether another client creates the record. */
  readonly isPart?: true;
}

const textsOf = (map: JsonObject): Entries => Object.entries(map).map(([key, value]) => [key, String(value)]);
const namedIn = (list: readonly JsonValue[]): Entries =>
  list.filter(isObject).map(({ name = '', value = '' }) => [String(name), String(value)]);
const named = (entries: Entries) => entries.map(([name, value]) => ({ name, value }));
const tags: Pick<Place, 'kind' | 'bodyOf' | 'entriesIn'> = {
  kind: 'group',
  bodyOf: (entries) => ({ tags: Object.fromEntries(entries) }),
  entriesIn: (record) => textsOf(objectAt(record, 'tags')).filter(([key]) => !key.startsWith('gantry/')),
};

// biome-ignore format: a row is a case
test.each<Place>([
  { it: 'tags', ...tags },
  { it: 'tags of a part', ...tags, isPart: true },
  {
    it: 'dictionary secrets',
    kind: 'secret',
    bodyOf: (entries) => ({ type: 'dictionary', data: Object.fromEntries(entries) }),
    entriesIn: (record) => textsOf(objectAt(record, 'data')),
    form: /^[-._a-zA-Z0-9]+$/, // platform/secret.data
  },
  { it: 'variables', kind: 'gvc', bodyOf: (entries) => ({ spec: { env: named(entries) } }),
    entriesIn: (record) => namedIn(listAt(objectAt(record, 'spec'), 'env')), form: /^[-._a-zA-Z][-._a-zA-Z0-9]*$/ },
  { it: 'fields of a custom kind', kind: 'widget', bodyOf: (entries) => ({ spec: Object.fromEntries(entries) }),
    entriesIn: (record) => textsOf(objectAt(record, 'spec')) },
  { it: 'items of a part of a custom kind', kind: 'widget', isPart: true,
    bodyOf: (entries) => ({ spec: { rules: named(entries) } }),
    entriesIn: (record) => namedIn(listAt(objectAt(record, 'spec'), 'rules')) },
])('odd keys of $it are written, changed and removed one by one', async ({ it, kind, form, isPart, ...place }) => {
  const name = it.replaceAll(' ', '-');
  const cwd = join(root, name);
  mkdirSync(cwd);
  const kinds = 'kinds: {widget: {listKeys: {spec.rules: name}, disposable: true}}\n';
  writeFileSync(join(cwd, 'gantry.yaml'), `stack: odd-${name}\nproject: oddkeys1\n${kinds}`);
  const run = (...args: readonly string[]) => inProcess(platform, args, { cwd });
  const path = `/org/local/${kind}/${name}${kind === 'secret' ? '/-reveal' : ''}`;
  await run('status'); // loads the kinds of gantry.yaml
  if (isPart) await platform.call('POST', `/org/local/${kind}`, { name });
  const lifecycle = isPart ? { lifecycle: { part: true } } : {};
  const apply = async (entries: Entries) => {
    writeFileSync(join(cwd, 'it.json'), JSON.stringify({ kind, name, ...lifecycle, ...place.bodyOf(entries) }));
    await succeeded(run('apply', '.', '--yes'));
    expect((await run('plan', '.', '--detailed-exitcode')).code).toBe(0);
    const { body } = await platform.call('GET', path);
    expect(new Map(place.entriesIn(body))).toEqual(new Map(entries));
  };

  const odd = keys.filter((key) => form?.test(key) !== false);
  expect(odd.length).toBeGreaterThan(8);
  await apply(odd.map((key) => [key, 'first']));
  await apply(odd.map((key, index) => [key, index % 2 === 0 ? 'first' : 'second']));
  await apply(odd.filter((_key, index) => index % 3 !== 0).map((key) => [key, 'second']));
  await apply(odd.map((key) => [key, 'first']));
});
