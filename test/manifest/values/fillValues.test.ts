// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to values are what it is about
import fc from 'fast-check';
import { dump } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { parseManifestText } from '../../../src/manifest/text/parseManifestText.ts';
import { escapeValues } from '../../../src/manifest/values/escapeValues.ts';
import { type FilledDocuments, fillValues } from '../../../src/manifest/values/fillValues.ts';
import { isObject, type JsonObject } from '../../../src/schema/json/json.ts';

/** Manifests, filled with the values of the environment `prod`. */
function fill(manifests: string, values: JsonObject | string, format: 'yaml' | 'json' = 'yaml'): FilledDocuments {
  const { documents, problems } = parseManifestText({ text: manifests, file: 'app.yaml', format });
  expect(problems).toEqual([]);
  const text = typeof values === 'string' ? values : JSON.stringify(values);
  const [given] = parseManifestText({ text, file: 'gantry.yaml', format: 'yaml' }).documents;
  const { value, written = () => undefined, locate } = given ?? { value: {}, locate: undefined };
  if (!isObject(value)) throw new Error('no values');
  return fillValues(documents, { environment: 'prod', values: value, written, locate });
}

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
    { it: 'a text', values: { x: '3' }, is: '3' },
    { it: 'a list', values: { x: [1, { a: 'b' }] }, is: [1, { a: 'b' }] },
    { it: 'an object', values: { x: { a: { b: 1 } } }, is: { a: { b: 1 } } },
  ])('that is a whole value becomes $it', ({ values, is }) => {
    expect(valuesIn('a: ${values.x}', values)).toEqual({ a: is });
    expect(valuesIn('a: "${values.x}"', values)).toEqual({ a: is });
    expect(valuesIn('- [${values.x}, b]'.replace('[${values.x}', '["${values.x}"'), values)).toEqual([[is, 'b']]);
  });

  test('goes down by names', () => {
    expect(valuesIn('a: ${values.web.image-tag.now_2}', { web: { 'image-tag': { now_2: 'v1' } } })).toEqual({
      a: 'v1',
    });
  });

  test('within a text becomes text, numbers as they are written', () => {
    const values = 'tag: 1.10\nport: 0x1F90\non: true\nname: web';
    expect(valuesIn('a: r/${values.name}:${values.tag}-${values.on}:${values.port}', values)).toEqual({
      a: 'r/web:1.10-true:0x1F90',
    });
    expect(valuesIn('a: |\n  ${values.name}\n  ${values.tag}\n', values)).toEqual({ a: 'web\n1.10\n' });
  });

  test('in a key is text, and so are other references', () => {
    expect(valuesIn('${values.x}: 1\nb: ${HOME} ${value.x} $values.x {values.x}', { x: 1 })).toEqual({
      '${values.x}': 1,
      b: '${HOME} ${value.x} $values.x {values.x}',
    });
  });

  test('is text with a second $ before it', () => {
    expect(valuesIn('a: $${values.x}\nb: $${values.x}${values.x}\nc: $$${values.x}\nd: $${values.', { x: 1 })).toEqual({
      a: '${values.x}',
      b: '${values.x}1',
      c: '$${values.x}',
      d: '${values.',
    });
  });

  test('in a value is text: what is put in is not looked at again', () => {
    expect(valuesIn('a: ${values.x}\nb: "<${values.x}>"', { x: '${values.y}', y: 1 })).toEqual({
      a: '${values.y}',
      b: '<${values.y}>',
    });
  });

  test('keeps places: of what is written in the manifest, and the text of a value as gantry.yaml has it', () => {
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

  test('a document without one is the same document', () => {
    const { documents } = parseManifestText({ text: 'a: {b: [c]}', file: 'a.yaml', format: 'yaml' });
    expect(fillValues(documents, undefined).documents[0]).toBe(documents[0]);
  });
});

describe('what is wrong with a reference', () => {
  test.each([
    {
      it: 'no such value',
      text: 'a: ${values.nothing}',
      rule: 'values.missing',
      message: 'the environment prod has no value nothing',
      hint: 'Write environments.prod.values.nothing into gantry.yaml.',
    },
    {
      it: 'a misspelt one',
      text: 'a: ${values.web.tga}',
      rule: 'values.missing',
      message: 'the environment prod has no value web.tga',
      hint: 'Did you mean values.web.tag? Else write environments.prod.values.web.tga into gantry.yaml.',
    },
    {
      it: 'one below a text',
      text: 'a: ${values.web.tag.major}',
      rule: 'values.missing',
      message: 'the environment prod has no value web.tag.major',
      hint: 'Write environments.prod.values.web.tag.major into gantry.yaml.',
    },
    {
      it: 'a member of every object in JavaScript',
      text: 'a: ${values.constructor}',
      rule: 'values.missing',
      message: 'the environment prod has no value constructor',
      hint: 'Write environments.prod.values.constructor into gantry.yaml.',
    },
    {
      it: 'an object within a text',
      text: 'a: x${values.web}',
      rule: 'values.type',
      message: 'values.web is no text, number, true or false, so it cannot stand within a text',
      hint: 'Let the reference be the whole value.',
    },
    ...['${values.}', '${values.web', '${values.web.}', '${values.a b}', '${values.web:-x}', '${values.a[0]}'].map(
      (text) => ({
        it: text,
        text: `a: "${text}"`,
        rule: 'values.reference',
        message: 'this is not a reference to a value: between ${values. and } stand names with dots between them',
        hint: 'Write it as ${values.web.tag}, or as $${values. where the text itself is meant.',
      }),
    ),
  ])('$it', ({ text, rule, message, hint }) => {
    const { problems } = fill(`b: 1\n${text}`, { web: { tag: 'v1' }, list: [] });
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

  test('no message repeats the text around it, which may be a secret', () => {
    const { problems } = fill('a: hunter2${values.x}hunter2\nb: ${values.hunter2!}', { y: 1 });
    expect(problems.length).toBe(2);
    expect(JSON.stringify(problems.map(({ message, hint }) => [message, hint]))).not.toContain('hunter2');
  });
});

describe('hostile values', () => {
  test('a large value that is put in many times ends with a problem', () => {
    const list = Array.from({ length: 1000 }, (_, index) => index);
    const { problems } = fill(Array.from({ length: 200 }, () => '- ${values.list}').join('\n'), { list });
    expect(problems[0]).toMatchObject({ rule: 'values.too-many' });
  });

  test('and so does a text that grows beyond what a value may be', () => {
    const { problems } = fill(`a: "${'${values.x}'.repeat(11)}"`, { x: 'x'.repeat(100_000) });
    expect(problems).toEqual([expect.objectContaining({ rule: 'manifest.too-long' })]);
  });

  test('also beyond what the engine can hold', () => {
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
  test('no text can become structure: it stays the text that it is, whole or within another', () => {
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

  test('any value is put in as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const given = JSON.parse(JSON.stringify({ x: value }));
        expect(valuesIn('a: ${values.x}', given)).toEqual({ a: given.x });
      }),
    );
  });

  test('what is escaped is read as what it was', () => {
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
