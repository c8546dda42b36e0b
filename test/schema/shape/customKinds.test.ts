import { describe, expect, test } from 'vitest';
import { type CustomKindFacts, onlyNamed } from '../../../src/schema/record/customKinds.ts';
import { kindNamed } from '../../../src/schema/record/kinds.ts';
import { customShape } from '../../../src/schema/shape/customShape.ts';
import { shapeAt } from '../../../src/schema/shape/paths.ts';
import { readCustomKind, readCustomKinds } from '../../../src/schema/shape/readCustomKind.ts';
import { shapeOf } from '../../../src/schema/shape/shapeOf.ts';
import { withKinds } from '../../kinds/withKinds.ts';

const pool: CustomKindFacts = {
  scope: 'gvc',
  immutable: ['spec.size', 'zone'],
  listKeys: { 'spec.rules': 'name', $ref: 'a-b' },
  disposable: true,
};

describe('what is said of a kind', () => {
  test.each<[string, unknown, CustomKindFacts]>([
    ['nothing', undefined, { scope: 'org', immutable: [], listKeys: {}, disposable: false }],
    ['null', null, { scope: 'org', immutable: [], listKeys: {}, disposable: false }],
    ['an empty object', {}, { scope: 'org', immutable: [], listKeys: {}, disposable: false }],
    ['its scope', { scope: 'org' }, onlyNamed],
    ['everything', pool, pool],
  ])('is read from %s', (_it, said, facts) => {
    expect(readCustomKind('widget', said)).toEqual({ ok: true, facts });
  });

  test.each(['a', 'pool-2', 'a'.repeat(63)])('%s can be a kind', (name) => {
    expect(readCustomKind(name, null).ok).toBe(true);
  });

  test.each([
    { it: 'a kind of the schema', name: 'workload', says: 'Gantry knows the kind workload already' },
    { it: 'a read-only one', name: 'quota', says: 'Gantry knows the kind quota already' },
    { it: 'a name that is no segment of a path', name: 'a/b', says: '"a/b" cannot be a kind' },
    { it: 'capitals', name: 'Widget', says: 'use lower-case letters' },
    { it: 'what holds records', name: 'list', says: '"list" cannot be a kind' },
    { it: 'what holds records of a query', name: 'queryresult', says: '"queryresult" cannot be a kind' },
    { it: 'a name that is too long', name: 'a'.repeat(99), says: `"${'a'.repeat(80)}" cannot be a kind` },
  ])('a name is refused: $it', ({ name, says }) => {
    expect(readCustomKind(name, null)).toEqual({ ok: false, at: '', message: expect.stringContaining(says) });
  });

  test.each([
    { it: 'a text', said: 'gvc', at: '', says: 'it must be an object such as' },
    { it: 'a list', said: [], at: '', says: 'it must be an object such as' },
    { it: 'a near option', said: { skope: 'gvc' }, at: '', says: 'there is no option "skope". Did you mean "scope"?' },
    {
      it: 'another option',
      said: { q: 1 },
      at: '',
      says: 'there is no option "q". Available: scope, immutable, listKeys, disposable.',
    },
    { it: 'a long option', said: { ['q'.repeat(99)]: 1 }, at: '', says: `no option "${'q'.repeat(80)}".` },
    { it: 'another scope', said: { scope: 'world' }, at: 'scope', says: 'org or gvc' },
    { it: 'disposable in words', said: { disposable: 'yes' }, at: 'disposable', says: 'true or false' },
    { it: 'one path alone', said: { immutable: 'spec.size' }, at: 'immutable', says: 'it must be a list of' },
    { it: 'a list for list keys', said: { listKeys: ['spec.rules'] }, at: 'listKeys', says: 'it must be an object' },
    {
      it: 'a list key of every record',
      said: { listKeys: { 'tags.a': 'n' } },
      at: 'listKeys',
      says: '"tags.a" is not one of',
    },
    {
      it: 'a long path of a list',
      said: { listKeys: { ['*'.repeat(99)]: 'name' } },
      at: 'listKeys',
      says: `"${'*'.repeat(80)}" is not one of`,
    },
    { it: 'a key that is no text', said: { listKeys: { rules: 1 } }, at: 'listKeys', says: 'rules needs the name of' },
    {
      it: 'a key that is a path',
      said: { listKeys: { rules: 'a.b' } },
      at: 'listKeys',
      says: 'rules needs the name of',
    },
  ])('is refused: $it', ({ said, at, says }) => {
    expect(readCustomKind('widget', said)).toEqual({ ok: false, at, message: expect.stringContaining(says) });
  });

  test.each<[unknown, boolean]>([
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
    expect(readCustomKind('widget', { immutable: ['spec.a', path] }).ok).toBe(can);
  });

  test('names the kind and the option that is wrong', () => {
    expect(readCustomKinds({ widget: null, pool: { scope: 'world' } })).toEqual({
      ok: false,
      message: 'pool.scope: it must be org or gvc',
    });
    expect(readCustomKinds({ widget: [] })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^widget: it must be an object/),
    });
    expect(readCustomKinds({ ['W'.repeat(99)]: {} })).toMatchObject({ message: expect.stringMatching(/^W{80}: /) });
    expect(readCustomKinds({ widget: null, pool: { ...pool } })).toEqual({
      ok: true,
      kinds: { widget: onlyNamed, pool },
    });
  });
});

describe('the shape of a custom kind', () => {
  withKinds({ pool });
  /** The platform may have chosen it, and a change of it may interrupt something. */
  const facts = { merged: true, fill: 'service', presence: true, risk: 'downtime' };
  const any = { type: 'free', facts };

  test('has what every record has, and anything else', () => {
    const shape = customShape({ ...onlyNamed });
    expect(shape).toMatchObject({ open: true, rest: any });
    expect(shapeAt(shape, ['spec', 'anything'])).toEqual(any);
    expect(shapeAt(shape, ['tags', 'a'])?.facts.asText).toBe(true);
    expect([...shape.fields.keys()]).toEqual(expect.arrayContaining(['name', 'description', 'tags', 'gvc', 'version']));
  });

  test('knows what cannot be changed, and merges the rest', () => {
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

  test('knows what tells the items of a list apart; an item is there because somebody declared it', () => {
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
