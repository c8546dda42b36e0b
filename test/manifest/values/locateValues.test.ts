// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to values are what it is about
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { Pointer } from '../../../src/base/json/pointer.ts';
import { escapeValues } from '../../../src/manifest/escapeValues.ts';
import { fillValues } from '../../../src/manifest/fillValues.ts';
import { parseManifestText } from '../../../src/manifest/parseManifestText.ts';
import { fill } from './filling.ts';

const manifest = [
  'kind: gvc',
  'name: ${values.name}',
  'spec:',
  '  env: ${values.env}',
  '  image: r/${values.name}:${values.web.tag}',
  '  "${values.name}": 1',
].join('\n');
const values = ['name: shop', 'web:', '  tag: 1.10', 'env: [{name: A}, {name: 1.10}]'].join('\n');

describe('the place of an inserted value, and where it is written', () => {
  const [document] = fill(manifest, values, { locateValues: true }).documents;
  test.each<{ it: string; pointer: Pointer; at: string; values: readonly (readonly string[])[] }>(
    // biome-ignore format: a row is a case
    [
      { it: 'a whole value', pointer: ['name'], at: 'gantry.yaml:1:7', values: [['name']] },
      { it: 'a nested value of one', pointer: ['spec', 'env', 1, 'name'], at: 'gantry.yaml:4:25',
        values: [['env', '1', 'name']] },
      { it: 'a text with several: the first of them', pointer: ['spec', 'image'], at: 'gantry.yaml:1:7',
        values: [['name'], ['web', 'tag']] },
      { it: 'no inserted value', pointer: ['kind'], at: 'app.yaml:1:7', values: [] },
      { it: 'not in a key', pointer: ['spec', '${values.name}'], at: 'app.yaml:6:21', values: [] },
      { it: 'an object: all below it', pointer: ['spec'], at: 'app.yaml:3:1',
        values: [['env'], ['name'], ['web', 'tag']] },
      { it: 'the whole document', pointer: [], at: 'app.yaml:1:1',
        values: [['name'], ['env'], ['name'], ['web', 'tag']] },
    ],
  )('$it', ({ pointer, at, values: put }) => {
    const [file, line, column] = at.split(':');
    expect(document?.locate(pointer, 'value')).toEqual({
      file,
      line: Number(line),
      column: Number(column),
      values: put,
    });
  });

  test('a field whose name is a prefix of another is not its parent', () => {
    const [other] = fill('a: {b: x, bc: "${values.x}"}', { x: 1 }, { locateValues: true }).documents;
    expect(other?.locate(['a', 'b'])).toMatchObject({ values: [] });
    expect(other?.locate(['a'])).toMatchObject({ values: [['x']] });
  });

  test('a document that is one reference has the place of its value', () => {
    const [whole] = fill('${values.web}', values, { locateValues: true }).documents;
    const at = (pointer: Pointer) => whole?.locate(pointer, 'value');
    expect(at([])).toMatchObject({ file: 'gantry.yaml', values: [['web']] });
    expect(at(['tag'])).toEqual({ file: 'gantry.yaml', line: 3, column: 8, values: [['web', 'tag']] });
    expect(whole?.written?.(['tag'])).toBe('1.10');
  });

  test('without a file of values, the place is in the manifest', () => {
    const { documents } = parseManifestText({ text: 'a: ${values.x}', file: 'app.yaml', format: 'yaml' });
    const given = { environment: 'prod', values: { x: 1 }, written: () => undefined, locate: undefined };
    expect(fillValues(documents, given, { locateValues: true }).documents[0]?.locate(['a'], 'value')).toEqual({
      file: 'app.yaml',
      line: 1,
      column: 4,
      values: [['x']],
    });
  });

  test('a document without references reports that too', () => {
    const [other] = fill('a: b', {}, { locateValues: true }).documents;
    expect(other?.locate(['a'])).toEqual({ file: 'app.yaml', line: 1, column: 1, values: [] });
  });
});

describe('without that option', () => {
  const [document] = fill(manifest, values).documents;

  test('places are those of the manifest', () => {
    expect(document?.locate(['name'], 'value')).toEqual({ file: 'app.yaml', line: 2, column: 7 });
    expect(document?.locate(['spec', 'env', 1])).toEqual({ file: 'app.yaml', line: 4, column: 3 });
  });

  test.each<{ it: string; pointer: Pointer; text: string | undefined }>([
    { it: 'of a whole value, in the file of the values', pointer: ['spec', 'env', 1, 'name'], text: '1.10' },
    { it: 'of a value in the manifest', pointer: ['kind'], text: 'gvc' },
    { it: 'not of a list', pointer: ['spec', 'env'], text: undefined },
    { it: 'not of a composed text', pointer: ['spec', 'image'], text: undefined },
  ])('the written form is known: $it', ({ pointer, text }) => {
    expect(document?.written?.(pointer)).toBe(text);
  });
});

test.each<{ it: string; value: JsonObject; text: JsonObject }>(
  // biome-ignore format: a row is a case
  [
    { it: 'references in strings at any depth', value: { a: [{ b: '${values.x}${values.' }] },
      text: { a: [{ b: '$${values.x}$${values.' }] } },
    { it: 'no others', value: { '${values.x}': '${x} $values. {values.', n: [1, null, true] },
      text: { '${values.x}': '${x} $values. {values.', n: [1, null, true] } },
  ],
)('escaped are $it', ({ value, text }) => {
  expect(escapeValues(value)).toEqual(text);
});
