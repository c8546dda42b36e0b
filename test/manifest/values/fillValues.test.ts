// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to values are what it is about
import fc from 'fast-check';
import { dump } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { escapeValues } from '../../../src/manifest/escapeValues.ts';
import { fillValues } from '../../../src/manifest/fillValues.ts';
import { parseManifestText } from '../../../src/manifest/parseManifestText.ts';
import { fill } from './filling.ts';

function valuesIn(manifests: string, values: JsonObject | string): unknown {
  const { documents, problems } = fill(manifests, values);
  expect(problems).toEqual([]);
  return documents[0]?.value;
}

describe('a reference to a value', () => {
  test.each([
    { it: 'a number', values: { x: 3 }, is: 3 },
    { it: 'true', values: { x: true }, is: true },
    { it: 'null', values: { x: null }, is: null },
    { it: 'a string', values: { x: '3' }, is: '3' },
    { it: 'a list', values: { x: [1, { a: 'b' }] }, is: [1, { a: 'b' }] },
    { it: 'an object', values: { x: { a: { b: 1 } } }, is: { a: { b: 1 } } },
  ])('that is the whole value becomes $it', ({ values, is }) => {
    expect(valuesIn('a: ${values.x}', values)).toEqual({ a: is });
    expect(valuesIn('a: "${values.x}"', values)).toEqual({ a: is });
    expect(valuesIn('- [${values.x}, b]'.replace('[${values.x}', '["${values.x}"'), values)).toEqual([[is, 'b']]);
  });

  test('follows nested names', () => {
    expect(valuesIn('a: ${values.web.image-tag.now_2}', { web: { 'image-tag': { now_2: 'v1' } } })).toEqual({
      a: 'v1',
    });
  });

  test('within a string becomes a string, with numbers as written', () => {
    const values = 'tag: 1.10\nport: 0x1F90\non: true\nname: web';
    expect(valuesIn('a: r/${values.name}:${values.tag}-${values.on}:${values.port}', values)).toEqual({
      a: 'r/web:1.10-true:0x1F90',
    });
    expect(valuesIn('a: |\n  ${values.name}\n  ${values.tag}\n', values)).toEqual({ a: 'web\n1.10\n' });
  });

  test('is literal in a key, and so are other references', () => {
    expect(valuesIn('${values.x}: 1\nb: ${HOME} ${value.x} $values.x {values.x}', { x: 1 })).toEqual({
      '${values.x}': 1,
      b: '${HOME} ${value.x} $values.x {values.x}',
    });
  });

  test('is literal after a second $', () => {
    expect(valuesIn('a: $${values.x}\nb: $${values.x}${values.x}\nc: $$${values.x}\nd: $${values.', { x: 1 })).toEqual({
      a: '${values.x}',
      b: '${values.x}1',
      c: '$${values.x}',
      d: '${values.',
    });
  });

  test('is literal in a value: inserted values are not searched again', () => {
    expect(valuesIn('a: ${values.x}\nb: "<${values.x}>"', { x: '${values.y}', y: 1 })).toEqual({
      a: '${values.y}',
      b: '<${values.y}>',
    });
  });

  test('keeps places: of the manifest, and the written form of a value in gantry.yaml', () => {
    const { documents } = fill(
      'tags:\n  version: ${values.tag}\nspec: {a: ["${values.list}"]}',
      'tag: 1.10\nlist: [0755]',
    );
    const [document] = documents;
    expect(document?.written?.(['tags', 'version'])).toBe('1.10');
    expect(document?.written?.(['spec', 'a', 0, 0])).toBe('0755');
    expect(document?.locate(['tags', 'version'], 'value')).toEqual({ file: 'app.yaml', line: 2, column: 12 });
    expect(document?.locate(['spec', 'a', 0, 0], 'value')).toMatchObject({ line: 3, column: 12 });
  });

  test('a document without one is returned unchanged', () => {
    const { documents } = parseManifestText({ text: 'a: {b: [c]}', file: 'a.yaml', format: 'yaml' });
    expect(fillValues(documents, undefined).documents[0]).toBe(documents[0]);
  });
});

describe('an invalid reference', () => {
  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'no such value', text: 'a: ${values.nothing}', rule: 'values.missing',
        message: 'the environment prod has no value nothing',
        hint: 'Write environments.prod.values.nothing into gantry.yaml.' },
      { it: 'a misspelled value', text: 'a: ${values.web.tga}', rule: 'values.missing',
        message: 'the environment prod has no value web.tga',
        hint: 'Did you mean values.web.tag? Else write environments.prod.values.web.tga into gantry.yaml.' },
      { it: 'a misspelled value at the top level', text: 'a: ${values.wbe.tag}', rule: 'values.missing',
        message: 'the environment prod has no value wbe.tag',
        hint: 'Did you mean values.web? Else write environments.prod.values.wbe.tag into gantry.yaml.' },
      { it: 'a name similar to one that no reference can contain', text: 'a: ${values.odd-name}',
        rule: 'values.missing', message: 'the environment prod has no value odd-name',
        hint: 'Write environments.prod.values.odd-name into gantry.yaml.' },
      { it: 'an item of a list', text: 'a: ${values.list.0}', rule: 'values.missing',
        message: 'the environment prod has no value list.0',
        hint: 'Write environments.prod.values.list.0 into gantry.yaml.' },
      { it: 'a list within a string', text: 'a: x${values.list}', rule: 'values.type',
        message: 'values.list is a list, an object or null, so it cannot be inserted into a text',
        hint: 'Let the reference be the whole value.' },
      { it: 'null within a string', text: 'a: x${values.web.none}', rule: 'values.type',
        message: 'values.web.none is a list, an object or null, so it cannot be inserted into a text',
        hint: 'Let the reference be the whole value.' },
      { it: 'a value below a string', text: 'a: ${values.web.tag.major}', rule: 'values.missing',
        message: 'the environment prod has no value web.tag.major',
        hint: 'Write environments.prod.values.web.tag.major into gantry.yaml.' },
      { it: 'a member of every object in JavaScript', text: 'a: ${values.constructor}', rule: 'values.missing',
        message: 'the environment prod has no value constructor',
        hint: 'Write environments.prod.values.constructor into gantry.yaml.' },
      { it: 'an object within a string', text: 'a: x${values.web}', rule: 'values.type',
        message: 'values.web is a list, an object or null, so it cannot be inserted into a text',
        hint: 'Let the reference be the whole value.' },
      ...['${values.}', '${values.web', '${values.web.}', '${values..web}', '${values.web..tag}', '${values.ü}', '${values.a b}', '${values.web:-x}', '${values.a[0]}'].map(
        (text) => ({
          it: text,
          text: `a: "${text}"`,
          rule: 'values.reference',
          message: 'a reference is ${values. followed by names separated by dots, and }',
          hint: 'Write it as ${values.web.tag}, or as $${values. where the text itself is meant.',
        })),
    ],
  )('$it', ({ text, rule, message, hint }) => {
    const { problems } = fill(`b: 1\n${text}`, { web: { tag: 'v1', none: null }, list: ['x'], 'odd name': 1 });
    expect(problems).toEqual([
      expect.objectContaining({
        rule,
        message,
        hint,
        position: { file: 'app.yaml', line: 2, column: 4 },
        severity: 'error',
      }),
    ]);
  });

  test('no environment', () => {
    const { documents } = parseManifestText({ text: 'a: ${values.x}', file: 'a.yaml', format: 'yaml' });
    expect(fillValues(documents, undefined).problems).toEqual([
      expect.objectContaining({
        rule: 'values.environment',
        message: 'values.x is a value of an environment, and gantry.yaml has no environments',
      }),
    ]);
  });

  test('no message contains the text around it, which may be a secret', () => {
    const { problems } = fill('a: hunter2${values.x}hunter2\nb: ${values.hunter2!}', { y: 1 });
    expect(problems.length).toBe(2);
    expect(JSON.stringify(problems.map(({ message, hint }) => [message, hint]))).not.toContain('hunter2');
  });
});

describe('hostile values', () => {
  const many = (times: number, reference: string) => Array.from({ length: times }, () => `- ${reference}`).join('\n');
  const numbers = Array.from({ length: 1000 }, (_, index) => index);
  const mebibyte = 'x'.repeat(1_048_576);

  // biome-ignore format: a row is a case
  test.each([
    { it: '100,000 values', text: many(100, '${values.x}'), x: numbers, rules: [] },
    { it: 'one more value', text: `${many(100, '${values.x}')}\n- \${values.y}`, x: numbers,
      rules: ['values.too-many'] },
    { it: 'values in lists', text: many(51, '${values.x}'), x: [numbers, numbers], rules: ['values.too-many'] },
    { it: 'values in objects', text: many(101, '${values.x}'), x: { ...numbers }, rules: ['values.too-many'] },
    { it: 'long texts in a list', text: many(98, '${values.x}'), x: [mebibyte], rules: ['values.too-many'] },
    { it: '64 MiB of text', text: many(64, '${values.x}'), x: mebibyte, rules: [] },
    { it: 'one more character', text: `${many(64, '${values.x}')}\n- \${values.z}`, x: mebibyte,
      rules: ['values.too-many'] },
    { it: 'any number of small values', text: many(200, '${values.z}'), x: 1, rules: [] },
    { it: 'a string of 1 MiB within another', text: 'a: <${values.x}>', x: mebibyte.slice(2), rules: [] },
    { it: 'a longer string', text: 'a: <${values.x}>', x: mebibyte.slice(1), rules: ['manifest.too-long'] },
  ])('$it', ({ text, x, rules }) => {
    const { problems } = fill(text, { x, y: [1], z: 'z' });
    expect([...new Set(problems.map(({ rule }) => rule))]).toEqual(rules);
  });

  test('values beyond the limit are reported at their place, in every later manifest', () => {
    const { problems, documents } = fill(`${many(51, '${values.x}')}\n---\na: \${values.x}\nb: 1`, {
      x: [numbers, numbers],
    });
    expect(problems.map(({ position }) => `${position.line}:${position.column}`)).toEqual(['50:3', '51:3', '53:4']);
    expect(documents[1]?.value).toEqual({ a: null, b: 1 });
  });

  test('a string beyond the limit is a problem', () => {
    const { problems } = fill(`a: "${'${values.x}'.repeat(11)}"`, { x: 'x'.repeat(100_000) });
    expect(problems).toEqual([expect.objectContaining({ rule: 'manifest.too-long' })]);
  });

  test('even beyond the limit of the engine', () => {
    const { problems } = fill(`a: "${'${values.x}'.repeat(20_000)}"`, { x: 'x'.repeat(200_000) });
    expect(problems).toEqual([expect.objectContaining({ rule: 'manifest.too-long' })]);
  });
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    'a: b',
    '\n- x',
    '"',
    "'",
    '}, evil: {',
    '# no',
    '&a',
    '*a',
    '!!js',
    '${values.x}',
    '$&',
    '$1',
    '---\n',
    '\u202e',
  ),
);

describe('laws', () => {
  test('no text becomes structure: it remains the same text, whole or within another', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(valuesIn('a: ${values.x}\nb: "<${values.x}>"\nc: {d: ["${values.x}"]}', { x: text })).toEqual({
          a: text,
          b: `<${text}>`,
          c: { d: [text] },
        });
      }),
    );
  });

  test('any value is inserted unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const given = JSON.parse(JSON.stringify({ x: value }));
        expect(valuesIn('a: ${values.x}', given)).toEqual({ a: given.x });
      }),
    );
  });

  test('an escaped text is read as the original', () => {
    const parts = fc.array(fc.constantFrom('$', '$$', '${values.', '${values.x}', '}', 'a', '{', 'values.'));
    fc.assert(
      fc.property(parts, fc.boolean(), (texts, isInside) => {
        const text = texts.join('');
        const manifest = { a: isInside ? { b: [text] } : text };
        expect(valuesIn(dump(escapeValues(manifest)), {})).toEqual(manifest);
      }),
    );
  });
});
