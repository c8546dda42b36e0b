import { describe, expect, test } from 'vitest';
import { jsonSyntax, nativeSyntax } from '../../../src/hcl/configurationText.ts';
import { keyText, labelOf, quoted } from '../../../src/hcl/names.ts';
import { everything, everythingJson, everythingText } from './configurations.ts';

test('blocks as text: adjacent one-line attributes are aligned, a value of several lines ends the group', () => {
  expect(nativeSyntax(everything)).toBe(everythingText);
});

test('blocks as JSON: by type and label, repeated ones as a list, addresses without templates', () => {
  expect(jsonSyntax(everything)).toEqual(everythingJson);
});

test('an empty configuration is an empty text', () => {
  expect(nativeSyntax([])).toBe('');
  expect(jsonSyntax([])).toEqual({});
});

describe('strings are literal', () => {
  test.each([
    ['plain', '"plain"'],
    ['', '""'],
    ['say "hi"', '"say \\"hi\\""'],
    ['a\\b', '"a\\\\b"'],
    ['two\nlines\r\n\t', '"two\\nlines\\r\\n\\t"'],
    [`\${var.x}`, `"$\${var.x}"`],
    ['%{ if true }', '"%%{ if true }"'],
    ['$$' + '{x', '"$$$' + '{x"'],
    ['100 % $5 {a}', '"100 % $5 {a}"'],
    ['\u0000\u001b\u2028', '"\\u0000\\u001b\\u2028"'],
    ['\u202e\u2066', '"\\u202e\\u2066"'],
    ['naïve 日本 😀', '"naïve 日本 😀"'],
    ['\ud800', '"\\ud800"'],
  ])('%j', (text, hcl) => {
    expect(quoted(text)).toBe(hcl);
  });
});

test.each([
  ['web', 'web'],
  ['www.example.com', 'www_example_com'],
  ['ann+x@example.com', 'ann_x_example_com'],
  ['aws-us-east-1', 'aws_us_east_1'],
  ['1st', '_1st'],
])('the record %s has the label %s', (name, label) => {
  expect(labelOf(name)).toBe(label);
});

test.each([
  ['web', 'web'],
  ['a-b_c', 'a-b_c'],
  ['1st', '"1st"'],
  ['a.b', '"a.b"'],
  ['null', '"null"'],
  ['__proto__', '__proto__'],
])('the key %s is written as %s', (key, text) => {
  expect(keyText(key)).toBe(text);
});

test('a key named __proto__ is an ordinary key', () => {
  const tags: unknown = JSON.parse('{"__proto__":"x"}');
  const value = Object(tags);
  expect(nativeSyntax([{ type: 'locals', attributes: [['tags', value]] }])).toContain('__proto__ = "x"');
  expect(JSON.stringify(jsonSyntax([{ type: 'locals', attributes: [['tags', value]] }]))).toContain('"__proto__":"x"');
});
