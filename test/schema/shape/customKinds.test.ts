import { describe, expect, test } from 'vitest';
import { At, sentenceOf, tryRead } from '../../../src/base/form/read.ts';
import type { JsonObject, JsonValue } from '../../../src/base/json/json.ts';
import { customKinds, readCustomKind } from '../../../src/kinds/readCustomKind.ts';
import { customShape, shapeOf } from '../../../src/kinds/shapeOf.ts';
import { type CustomKindFacts, onlyNamed } from '../../../src/schema/record/customKinds.ts';
import { kindNamed } from '../../../src/schema/record/kinds.ts';
import { shapeAt } from '../../../src/schema/shape/paths.ts';
import { withKinds } from '../../kinds/withKinds.ts';

const pool: CustomKindFacts = {
  scope: 'gvc',
  immutable: ['spec.size', 'zone'],
  listKeys: { 'spec.rules': 'name', $ref: 'a-b' },
  disposable: true,
};

/** The problems with their paths and hints, or nothing. */
function problemsOf(kinds: JsonObject): readonly string[] {
  const read = tryRead(() => customKinds.read(kinds, new At()));
  return 'problems' in read ? read.problems.map((problem) => `${sentenceOf(problem)} | ${problem.hint ?? ''}`) : [];
}

describe('the definition of a kind', () => {
  test.each<[string, unknown, CustomKindFacts]>([
    ['nothing', undefined, { scope: 'org', immutable: [], listKeys: {}, disposable: false }],
    ['null', null, { scope: 'org', immutable: [], listKeys: {}, disposable: false }],
    ['an empty object', {}, { scope: 'org', immutable: [], listKeys: {}, disposable: false }],
    ['its scope', { scope: 'org' }, onlyNamed],
    ['everything', pool, pool],
  ])('is read from %s', (_it, said, facts) => {
    expect(readCustomKind('widget', said, new At())).toEqual(facts);
  });

  test.each(['a', 'pool-2', 'a'.repeat(63)])('%s is a valid kind', (name) => {
    expect(problemsOf({ [name]: null })).toEqual([]);
  });

  test.each([
    { it: 'a kind of the schema', name: 'workload', says: 'Gantry knows the kind workload already' },
    { it: 'a read-only one', name: 'quota', says: 'Gantry knows the kind quota already' },
    { it: 'a name that is no path segment', name: 'a/b', says: '"a/b" cannot be a kind' },
    { it: 'capitals', name: 'Widget', says: 'use lower-case letters' },
    { it: 'the kind of lists', name: 'list', says: '"list" cannot be a kind' },
    { it: 'the kind of query results', name: 'queryresult', says: '"queryresult" cannot be a kind' },
    { it: 'a name that is too long', name: 'a'.repeat(99), says: `"${'a'.repeat(80)}" cannot be a kind` },
  ])('a name is refused: $it', ({ name, says }) => {
    expect(problemsOf({ [name]: null })).toEqual([expect.stringContaining(says)]);
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'a text', said: 'gvc', says: 'widget must be an object such as `{scope: gvc}` | ' },
      { it: 'a list', said: [], says: 'widget must be an object such as `{scope: gvc}` | ' },
      { it: 'a near option', said: { skope: 'gvc' },
        says: 'widget has no field "skope" | Did you mean "scope"? Available: scope, immutable, listKeys, disposable.' },
      { it: 'another option', said: { q: 1 },
        says: 'widget has no field "q" | Available: scope, immutable, listKeys, disposable.' },
      { it: 'a long option', said: { ['q'.repeat(99)]: 1 },
        says: 'widget has an unknown field | Available: scope, immutable, listKeys, disposable.' },
      { it: 'another scope', said: { scope: 'world' }, says: 'widget.scope must be org or gvc | ' },
      { it: 'disposable as a word', said: { disposable: 'yes' }, says: 'widget.disposable must be true or false | ' },
      { it: 'a path that is not in a list', said: { immutable: 'spec.size' },
        says: /^widget\.immutable must be a list of the paths of/ },
      { it: 'a list for listKeys', said: { listKeys: ['spec.rules'] }, says: /^widget\.listKeys must be an object/ },
      { it: 'a list key for a field of every record', said: { listKeys: { 'tags.a': 'n' } },
        says: /^widget\.listKeys: "tags\.a" cannot be one of the paths/ },
      { it: 'a long path of a list', said: { listKeys: { ['*'.repeat(99)]: 'name' } },
        says: /^widget\.listKeys: this name cannot be one of the paths/ },
      { it: 'a key that is not a string', said: { listKeys: { rules: 1 } },
        says: /^widget\.listKeys\.rules must be the name/ },
      { it: 'a key that is a path', said: { listKeys: { rules: 'a.b' } },
        says: /^widget\.listKeys\.rules must be the name/ },
    ],
  )('is refused: $it', ({ said, says }) => {
    const expected = typeof says === 'string' ? says : expect.stringMatching(says);
    expect(problemsOf({ widget: said })).toEqual([expected]);
  });

  test.each<[JsonValue, boolean]>([
    ['size', true],
    ['spec.size', true],
    ['spec.$ref.a-b_c', true],
    [`spec.${'a'.repeat(128)}`, true],
    [`spec.${'a'.repeat(129)}`, false],
    ['spec.*', false],
    ['*', false],
    ['spec."size"', false],
    ['spec.a b', false],
    ['spec..size', false],
    ['spec.', false],
    ['', false],
    ['spec.__proto__', false],
    ['spec.__proto__x', true],
    ['name', false],
    ['tags.team', false],
    ['status.size', false],
    ['spec.name', true],
    [5, false],
  ])('%j can be immutable: %s', (path, can) => {
    expect(problemsOf({ widget: { immutable: ['spec.a', path] } }).length === 0).toBe(can);
  });

  test('reports each kind and each option with a problem', () => {
    expect(problemsOf({ widget: [], pool: { scope: 'world', disposable: 1 } })).toEqual([
      'widget must be an object such as `{scope: gvc}` | ',
      'pool.scope must be org or gvc | ',
      'pool.disposable must be true or false | ',
    ]);
    expect(customKinds.read({ widget: null, pool: { ...pool } }, new At())).toEqual({ widget: onlyNamed, pool });
  });
});

describe('the shape of a custom kind', () => {
  withKinds({ pool });
  /** The platform may have chosen it, and a change may interrupt something. */
  const facts = { merged: true, fill: 'service', presence: true, risk: 'downtime' };
  const any = { type: 'free', facts };

  test('has the fields of every record, and any others', () => {
    const shape = customShape({ ...onlyNamed });
    expect(shape).toMatchObject({ open: true, rest: any });
    expect(shapeAt(shape, ['spec', 'anything'])).toEqual(any);
    expect(shapeAt(shape, ['tags', 'a'])?.facts.asText).toBe(true);
    expect([...shape.fields.keys()]).toEqual(expect.arrayContaining(['name', 'description', 'tags', 'gvc', 'version']));
  });

  test('contains immutable fields, and merges the rest', () => {
    const shape = customShape({ ...onlyNamed, immutable: ['spec.size', 'spec'] });
    expect(shapeAt(shape, ['spec'])).toEqual({
      type: 'object',
      fields: new Map([['size', { type: 'free', facts: { ...facts, immutable: true } }]]),
      open: true,
      rest: any,
      facts: { ...facts, immutable: true },
    });
    expect(shapeAt(customShape({ ...onlyNamed, immutable: ['spec.size'] }), ['spec'])?.facts).toEqual(facts);
  });

  test('contains list keys; an item exists because it was declared', () => {
    const shape = customShape({ ...onlyNamed, listKeys: { 'spec.rules': 'name' }, immutable: ['spec.rules.port'] });
    expect(shapeAt(shape, ['spec', 'rules'])).toEqual({
      type: 'list',
      facts: { ...facts, list: { class: 'keyed', key: { parts: [{ fields: ['name'] }], evidence: 'proposed' } } },
      item: {
        type: 'object',
        fields: new Map([['port', { type: 'free', facts: { ...facts, immutable: true } }]]),
        open: true,
        rest: any,
        facts: { presence: true, risk: 'downtime' },
      },
    });
  });

  test('is made once for each definition', () => {
    expect(shapeOf('image')).not.toBe(customShape());
    expect(customShape()).toBe(customShape(onlyNamed));
    expect(customShape({ ...pool })).not.toBe(customShape(pool));
    expect(shapeOf(kindNamed('pool') ?? 'task')).toBe(customShape(pool));
  });
});
