import { describe, expect, test } from 'vitest';
import { check } from '../checking.ts';

const template = (name: string) => `\${${name}}`;
const secret = (type: string, data: string) => `kind: secret\nname: key\ntype: ${type}\ndata: ${data}`;
const problems = (text: string) => check(text).problems.map(({ rule, path }) => `${rule} ${path}`);

describe('the mask that synth prints instead of a value is refused', () => {
  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'of a secret', text: secret('opaque', '{sensitive: true}'), told: ['value.masked data'] },
      { it: 'of a secret that is a string', text: secret('docker', '{sensitive: true}'), told: ['value.masked data'] },
      { it: 'at a marked path',
        text: 'kind: gvc\nname: shop\ndescription: {sensitive: true}\nlifecycle: {sensitive: [description]}',
        told: ['value.masked description'] },
      { it: 'elsewhere it is an object', text: 'kind: gvc\nname: shop\ndescription: {sensitive: true}',
        told: ['shape.type description'] },
      { it: 'another object', text: secret('opaque', '{sensitive: false, payload: x}'),
        told: ['shape.unknown-field data.sensitive'] },
    ],
  )('$it', ({ text, told }) => {
    expect(problems(text)).toEqual(told);
  });
});

describe('a source of a value at an invalid place', () => {
  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'instead of a string', text: 'kind: gvc\nname: shop\ndescription: {fromEnv: A}',
        says: [
          'value.place description: a value from outside is allowed only in the data of a secret and at paths of lifecycle.sensitive Add lifecycle: {sensitive: [description]}, ' +
            'or write the value.'] },
      { it: 'instead of a list', text: 'kind: gvc\nname: shop\nspec: {env: {fromEnv: A}}',
        says: ['value.place spec.env: a value from outside is a single text, ' +
            'but a list is needed here Use values from outside for the single texts inside.'] },
      { it: 'instead of an object, once', text: secret('opaque', '{fromFile: a, base64: true}'),
        says: ['value.place data: a value from outside is a single text, ' +
            'but an object is needed here Use values from outside for the single texts inside.'] },
      { it: 'instead of the whole record it is a field', text: 'kind: gvc\nname: shop\nfromEnv: A',
        says: [
          'shape.unknown-field fromEnv: "fromEnv" is not allowed here Known fields: description, name, spec, tags.'] },
    ],
  )('$it', ({ text, says }) => {
    const told = check(text).problems.map(({ rule, path, message, hint }) => `${rule} ${path}: ${message} ${hint}`);
    expect(told).toEqual(says);
  });
});

describe('a string of a secret that looks like a template is a warning', () => {
  test.each([
    { data: `{payload: 'a ${template('A_1')} b'}`, told: ['value.literal data.payload'] },
    { data: `{payload: '${template('')}'}`, told: ['value.literal data.payload'] },
    { data: `{payload: '$A {A} $ {A} ${'$'}{A'}`, told: [] },
  ])('$data', ({ data, told }) => {
    expect(problems(secret('opaque', data))).toEqual(told);
  });

  test.each([
    {
      it: 'in every entry',
      text: secret('dictionary', `{a: x, b: '${template('B')}', c: '${template('C')}'}`),
      told: ['value.literal data.b', 'value.literal data.c'],
    },
    { it: 'not in other kinds', text: `kind: gvc\nname: shop\ndescription: '${template('A')}'`, told: [] },
    { it: 'not without data', text: 'kind: secret\nname: key\ntype: opaque', told: ['shape.required data'] },
  ])('$it', ({ text, told }) => {
    expect(problems(text)).toEqual(told);
  });
});
