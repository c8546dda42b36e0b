import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json/json.ts';
import { descriptionsOf } from '../../../src/kinds/describedFields.ts';
import { shapeOf } from '../../../src/kinds/shapeOf.ts';
import { type SchemaError, shapeProblem, unknownSource } from '../../../src/kinds/shapeProblem.ts';
import { fields, map, openFields, optional, responseOnly, sequence, text } from '../../../src/schema/facts/define.ts';
import type { FieldFacts } from '../../../src/schema/facts/fieldFacts.ts';
import { objectShapeOf } from '../../../src/schema/shape/shapeOfNode.ts';

interface Case {
  readonly error: Omit<SchemaError, 'instancePath'>;
  readonly value: JsonValue;
  /** As in the source file. */
  readonly written?: string;
  readonly isHidden?: true;
  readonly facts?: FieldFacts;
  readonly says: string;
  readonly hint?: string;
}

function problemOf({ error, value, written, isHidden, facts }: Omit<Case, 'says' | 'hint'>) {
  const shape = objectShapeOf(fields({ field: text(facts) }));
  const source = { written: () => written, isHidden: () => isHidden === true };
  return shapeProblem({ instancePath: '/field', ...error }, shape, { field: value }, source)?.problem;
}

function typed(type: string | readonly string[]): Case['error'] {
  return { keyword: 'type', params: { type } };
}

function limited(keyword: string, limit: number): Case['error'] {
  return { keyword, params: { limit } };
}

const words: Case['error'] = { keyword: 'enum', params: { allowedValues: ['Forbid', 'Replace'] } };
const one: Case['error'] = { keyword: 'enum', params: { allowedValues: ['all'] } };

test('a message with allowed types marks those that are not in the specification', () => {
  const record = { name: 'web', spec: { type: 'batch' } };
  const error = { instancePath: '/spec/type', keyword: 'enum', params: { allowedValues: ['cron', 'vm'] } };
  expect(shapeProblem(error, shapeOf('workload', record), record, unknownSource)?.problem.message).toBe(
    'must be one of cron, vm (an extension), not "batch"',
  );
  expect(descriptionsOf('workload').get('spec.vm')).toMatch(/Only for vm, an extension\.$/);
  expect(descriptionsOf('workload').get('spec.type')).toContain('`vm` runs virtual machines (an extension');
});

// biome-ignore format: one case a line
const cases: readonly Case[] = [
  { error: typed('string'), value: 5, written: '5', says: 'must be text, not a number',
    hint: 'Put it in quotes: "5".' },
  { error: typed('string'), value: 1.1, written: '1.10', says: 'must be text, not a number',
    hint: 'Put it in quotes: "1.10".' },
  { error: typed('string'), value: 5, says: 'must be text, not a number', hint: 'Put it in quotes.' },
  { error: typed('string'), value: 5, written: '5', isHidden: true, says: 'must be text, not a number',
    hint: 'Put it in quotes.' },
  { error: typed('string'), value: 5, written: '5', facts: { sensitive: true }, says: 'must be text, not a number',
    hint: 'Put it in quotes.' },
  { error: typed('string'), value: true, written: 'true', says: 'must be text, not true or false',
    hint: 'Put it in quotes: "true".' },
  { error: typed('string'), value: null, written: 'null', says: 'must be text, not null',
    hint: 'Put it in quotes: "null".' },
  { error: typed('string'), value: null, written: '', says: 'must be text, not null',
    hint: 'Write a text, or leave the field out.' },
  { error: typed('string'), value: null, says: 'must be text, not null' },
  { error: typed('string'), value: [], written: '[]', says: 'must be text, not a list' },
  { error: typed('string'), value: {}, says: 'must be text, not an object' },
  { error: typed(['string', 'number']), value: [], says: 'must be text or a number, not a list' },
  { error: typed('array'), value: {}, says: 'must be a list, not an object' },
  { error: typed('object'), value: '5', says: 'must be an object, not text' },
  { error: typed('later'), value: '5', says: 'must be later, not text' },
  { error: typed('integer'), value: true, says: 'must be a whole number, not true or false' },
  { error: typed('integer'), value: 1.5, written: '1.50', says: 'must be a whole number, not 1.50' },
  { error: typed('integer'), value: 1.5, says: 'must be a whole number, not 1.5' },
  { error: typed('integer'), value: 1.5, isHidden: true, says: 'must be a whole number, not a number' },
  { error: typed('integer'), value: '80', says: 'must be a whole number, not text',
    hint: 'Write it without quotes: 80.' },
  { error: typed('integer'), value: '80', isHidden: true, says: 'must be a whole number, not text',
    hint: 'Write it without quotes.' },
  { error: typed('number'), value: '-55.55', says: 'must be a number, not text',
    hint: 'Write it without quotes: -55.55.' },
  { error: typed('number'), value: 'x5', says: 'must be a number, not text' },
  { error: typed('number'), value: '5x', says: 'must be a number, not text' },
  { error: typed('number'), value: '5.x', says: 'must be a number, not text' },
  { error: typed('boolean'), value: 1, says: 'must be true or false, not a number' },
  { error: typed('boolean'), value: 'True', says: 'must be true or false, not text',
    hint: 'Write true, without quotes.' },
  { error: typed('boolean'), value: 'on', says: 'must be true or false, not text',
    hint: 'Write true, without quotes.' },
  { error: typed('boolean'), value: 'no', says: 'must be true or false, not text',
    hint: 'Write false, without quotes.' },
  { error: typed('boolean'), value: 'yes please', says: 'must be true or false, not text' },
  { error: typed('boolean'), value: 'oh yes', says: 'must be true or false, not text' },
  { error: typed('boolean'), value: 'nothing', says: 'must be true or false, not text' },
  { error: typed('boolean'), value: 'oh no', says: 'must be true or false, not text' },
  { error: words, value: 'forbid', says: 'must be one of Forbid, Replace, not "forbid"',
    hint: 'Did you mean "Forbid"?' },
  { error: words, value: 'somewhere', says: 'must be one of Forbid, Replace, not "somewhere"' },
  { error: words, value: 'forbid', isHidden: true, says: 'must be one of Forbid, Replace' },
  { error: words, value: 1.5, written: '1.50', says: 'must be one of Forbid, Replace, not 1.50' },
  { error: words, value: true, says: 'must be one of Forbid, Replace, not true' },
  { error: words, value: {}, says: 'must be one of Forbid, Replace' },
  { error: one, value: 'nothing', says: 'must be all, not "nothing"' },
  { error: limited('minimum', 1), value: 0, says: 'must be at least 1', hint: 'Use 1 or more.' },
  { error: limited('maximum', 2), value: 3, says: 'must be at most 2', hint: 'Use 2 or less.' },
  { error: limited('minLength', 1), value: '', says: 'must not be empty' },
  { error: limited('minLength', 6), value: '', says: 'needs 6 characters or more' },
  { error: limited('maxLength', 2), value: 'abc', says: 'must have at most 2 characters', hint: 'Make it shorter.' },
  { error: limited('minItems', 1), value: [], says: 'needs at least 1 item' },
  { error: limited('minItems', 2), value: [], says: 'needs at least 2 items' },
  { error: limited('maxItems', 2), value: [], says: 'must have at most 2 items', hint: 'Remove some.' },
  { error: limited('minProperties', 1), value: {}, says: 'needs at least 1 entry' },
  { error: limited('minProperties', 2), value: {}, says: 'needs at least 2 entries' },
  { error: { keyword: 'pattern', params: { pattern: '^/' } }, value: 'x', says: 'must begin with "/"' },
];

test.each(cases)('$error of $value: $says', ({ says, hint, ...rest }) => {
  const problem = problemOf(rest);
  expect([problem?.message, problem?.hint]).toEqual([says, hint]);
  expect(problem).toMatchObject({ path: 'field', pointer: ['field'], severity: 'error' });
});

test('an error that only refers to another one is not a problem', () => {
  expect(problemOf({ error: { keyword: 'if', params: {} }, value: 1 })).toBeUndefined();
  expect(problemOf({ error: { ...typed('string'), propertyName: 'a b' }, value: 1 })).toBeUndefined();
});

describe('an unknown field', () => {
  const shape = objectShapeOf(
    fields({ inside: fields({ image: text(), port: optional(text()), status: responseOnly() }), none: openFields({}) }),
  );
  const unknown = (instancePath: string, additionalProperty: string) =>
    shapeProblem(
      { instancePath, keyword: 'additionalProperties', params: { additionalProperty } },
      shape,
      {},
      unknownSource,
    );

  test.each([
    ['imag', 'Did you mean "image"?', ['inside', 'image']],
    ['zzzzzzz', 'Known fields: image, port.', undefined],
    ['statu', 'Known fields: image, port.', undefined],
  ])('%s: %s', (name, hint, explains) => {
    const found = unknown('/inside', name);
    expect(found?.problem).toMatchObject({ hint, path: `inside.${name}`, message: `"${name}" is not allowed here` });
    expect(found?.explains).toEqual(explains);
  });

  test.each(['/none', '/nowhere/deep'])('without known fields it can only be removed: %s', (place) => {
    expect(unknown(place, 'x')?.problem.hint).toBe('Remove it.');
  });
});

test.each<[string, readonly (string | number)[], string]>([
  ['', [], ''],
  ['/list/0/a~1b', ['list', 0, 'a/b'], 'list.0."a/b"'],
  ['/map/c~0d', ['map', 'c~d'], 'map."c~d"'],
  ['/map/~01', ['map', '~1'], 'map."~1"'],
  ['/list/5/deeper', ['list', 5, 'deeper'], 'list.5.deeper'],
  ['/map/toString/x', ['map', 'toString', 'x'], 'map.toString.x'],
])('the path of an error at %j is %j', (instancePath, pointer, path) => {
  const shape = objectShapeOf(fields({ list: sequence(map(text())), map: map(text()) }));
  const record: JsonObject = { list: [{ 'a/b': 1 }], map: { 'c~d': 2, '~1': 3 } };
  const found = shapeProblem({ instancePath, ...typed('string') }, shape, record, unknownSource);
  expect([found?.problem.pointer, found?.problem.path]).toEqual([pointer, path]);
});

test('a missing field has the path where it should be', () => {
  const error = { instancePath: '', keyword: 'required', params: { missingProperty: 'name' } };
  expect(shapeProblem(error, objectShapeOf(fields({ name: text() })), {}, unknownSource)).toStrictEqual({
    problem: {
      rule: 'shape.required',
      message: '"name" is missing',
      hint: 'Add name.',
      path: 'name',
      pointer: ['name'],
      severity: 'error',
    },
  });
});
