import { describe, expect, test } from 'vitest';
import { checkManifests } from '../../../src/manifest/checkManifests.ts';
import { renderProblem } from '../../../src/manifest/model/locatedProblem.ts';
import { parseManifestText } from '../../../src/manifest/parseManifestText.ts';
import { brokenJson, brokenYaml, canary } from './brokenTexts.ts';

test('the tables have enough cases', () => {
  expect(new Set(brokenYaml).size).toBeGreaterThan(80);
  expect(new Set(brokenJson).size).toBeGreaterThan(30);
});

test.each([
  ...brokenYaml.map((text) => ({ format: 'yaml', text }) as const),
  ...brokenJson.map((text) => ({ format: 'json', text }) as const),
])('a text that cannot be read is refused without quoting it: $format $text', ({ format, text }) => {
  const { problems, documents } = parseManifestText({ text, file: 'a.yaml', format });
  // Some of these are valid YAML, but no manifest.
  const noValidators = { org: 'local', validators: new Map() };
  const found = problems.length > 0 ? problems : checkManifests(documents, noValidators).problems;
  expect(found.length).toBeGreaterThan(0);
  expect(found.map(renderProblem).join('\n')).not.toContain(canary);
  expect(problems.every(({ hint }) => hint !== undefined)).toBe(true);
});

/** `line:column message` of the only problem. */
function fault(text: string, format: 'yaml' | 'json'): string {
  const { problems, documents } = parseManifestText({ text, file: 'f', format });
  expect(documents).toEqual([]);
  expect(problems.map(({ rule }) => rule)).toEqual(['manifest.syntax']);
  return problems.map(({ position, message }) => `${position.line}:${position.column} ${message}`).join();
}

describe('an error in YAML has our own message', () => {
  const [unsupported, noFit, noTag] = [
    'this YAML tag is not supported',
    'the value does not fit its YAML tag',
    'this is not a YAML tag',
  ];
  const [indentation, comma, directive, line] = [
    'the indentation does not fit what is above',
    'a comma is missing between two entries',
    'this directive (%) is not legal here',
    'there is a line without a colon between key and value',
  ];
  test.each([
    ['a: b\nc: !secret', `2:4 ${unsupported}`],
    ['a: !!binary eA==', `1:4 ${unsupported}`],
    ['a: !x [b]', `1:4 ${unsupported}`],
    ['a: !x {b: c}', `1:4 ${unsupported}`],
    ['a: !!int x', `1:4 ${noFit}`],
    ['a: !!map x', `1:4 ${noFit}`],
    ['a: !<x', `1:7 ${noTag}`],
    ['a: !x!y z', `1:8 ${noTag}`],
    ['a: !x !y z', `1:7 ${noTag}`],
    ['a: !!x!y z', `1:7 ${noTag}`],
    ['a: !x{} z', `1:8 ${noTag}`],
    ['a: !% z', `1:6 ${noTag}`],
    ['a: *b', '1:4 there is no anchor for this alias'],
    ['a: *directive', '1:4 there is no anchor for this alias'],
    ['a: &a b\n---\nc: *a', '3:4 there is no anchor for this alias'],
    ['a: &a b\nc: &b *a', '2:7 this is not an alias'],
    ['a: * b', '1:4 this is not an alias'],
    ['a: & b', '1:5 this is not an anchor'],
    ['a: &a &b c', '1:7 this is not an anchor'],
    ['a: b\na: c', '2:1 this key is used twice in one mapping'],
    ['? [a]\n: b', '1:1 a key must be a single value'],
    ['<<: b', '1:1 << takes an object, or a list of objects'],
    ['<<: [b]', '1:1 << takes an object, or a list of objects'],
    [`a: &a {b: c}\nd:\n  <<: [${'*a, '.repeat(101)}]`, '3:3 << takes too many objects'],
    [
      `a: &a {${Array.from({ length: 200 }, (_, n) => `k${n}: v`).join()}}\nd:\n  - <<: [${'*a, '.repeat(60)}]`,
      '3:5 << takes too many objects',
    ],
    [`a: ${'['.repeat(101)}`, '1:103 lists and objects are nested too deep'],
    ['a:\n\tb: c', '2:1 a tab is used as indentation'],
    ['a: |0\n  b', '1:5 this is not the head of a block of text (| or >)'],
    ['a: |++\n  b', '1:6 this is not the head of a block of text (| or >)'],
    ['a: |22\n  b', '1:6 this is not the head of a block of text (| or >)'],
    ['a: [b,\nc]', '2:1 the [ on line 1 is not closed before this line'],
    ['a: "b\nc"', '2:1 the " on line 1 is not closed before this line'],
    ['a: "]{"\nb: {c: [d], e: don\'t # [\nf: g', '3:1 the { on line 2 is not closed before this line'],
    ['a:\n  b: c\n d: e', `3:2 ${indentation}`],
    ['a:\n  - b\n - c', `3:2 ${indentation}`],
    ['a: [b c: d: e]', `1:11 ${comma}`],
    ["a: ['b' 'c']", `1:9 ${comma}`],
    ['a: [b}', `1:6 ${comma}`],
    ['a: [,b]', '1:5 a value is missing before this comma'],
    ['a: {b: c', '1:9 a list or object is not closed'],
    ['a: "b', '1:6 a quoted text is not closed'],
    ["a: 'b", '1:6 a quoted text is not closed'],
    ['a: "\\q"', '1:6 this escape sequence is not known'],
    ['a: "\\x1z"', '1:8 this escape sequence is not known'],
    ['a: "b\u0001"', '1:6 there is a control character in the text'],
    ['a: b\u0007', '1:5 there is a control character in the text'],
    ['a: b\u0000', '1:5 there is a control character in the text'],
    ['a: | b\n  c', '1:6 there is text where a line must end'],
    ['"a":b\nc: d', '1:5 a space is missing after the colon'],
    ['a: b\n"c"\nd: e', `2:3 ${line}`],
    ['a: b\nc\nd: e', `3:2 ${line}`],
    ['%YAML 1.2 x\n---\na: b', `2:1 ${directive}`],
    ['%YAML x\n---\na: b', `2:1 ${directive}`],
    ['%YAML 9.9\n---\na: b', `2:1 ${directive}`],
    ['%TAG x y\n---\na: b', `2:1 ${directive}`],
    ['%TAG !a!\n---\na: b', `2:1 ${directive}`],
    ['%TAG !a! b\n%TAG !a! b\n---\na: b', `3:1 ${directive}`],
    ['%TAG !a! <b>\n---\na: b', `2:1 ${directive}`],
    ['% x\n---\na: b', `1:2 ${directive}`],
    ['%x\na: b', `2:1 ${directive}`],
    ['a: @b', '1:4 text without quotes cannot begin with @'],
    ['a: `b', '1:4 text without quotes cannot begin with `'],
    ['a: %b', '1:4 text without quotes cannot begin with %'],
    ['a: ? b', '1:4 text without quotes cannot begin with ?'],
    ['a:\n  - @b', '2:5 text without quotes cannot begin with @'],
    ['a: [`b]', '1:5 text without quotes cannot begin with `'],
    ['a: {b: %c}', '1:8 text without quotes cannot begin with %'],
    ['`a: b', '1:1 text without quotes cannot begin with `'],
    ['a: b\n@c: d', '2:1 text without quotes cannot begin with @'],
    ['  a: b\nc', '2:1 there is more text where the document ends'],
  ])('%j', (text, says) => {
    expect(fault(text, 'yaml')).toBe(says);
  });

  test.each([
    ['a: b\npassword: !secret', 'Put text that begins with "!" in quotes; write a value without its tag.'],
    ['a: *b', 'Put text that begins with "*" in quotes, or define the anchor before it in the same document.'],
    ['a: "b', 'Close it with the quote that it begins with.'],
    ['? [a]\n: b', 'Correct the YAML at this place.'],
  ])('%j is reported with a fix', (text, hint) => {
    expect(parseManifestText({ text, file: 'f', format: 'yaml' }).problems.map((each) => each.hint)).toEqual([hint]);
  });
});

describe('YAML that would be read differently than it was written', () => {
  const problems = (text: string) =>
    parseManifestText({ text, file: 'f', format: 'yaml' }).problems.map(
      ({ position, rule, message }) => `${position.line}:${position.column} ${rule} ${message}`,
    );

  test('a word of YAML 1.1 is refused, in any document, and one of YAML 1.2 is not', () => {
    const older =
      'manifest.yaml-version this file is of another version of YAML than 1.2, in which words such as yes and no have another meaning';
    expect(problems('%YAML 1.1\n---\na: yes')).toEqual([`1:1 ${older}`]);
    expect(problems('a: b\n...\n%YAML 1.1\n---\na: yes')).toEqual([`3:1 ${older}`]);
    expect(problems('%YAML 1.1\n---\na: b\n...\n%YAML 1.1\n---\na: yes')).toEqual([`1:1 ${older}`, `5:1 ${older}`]);
    expect(problems('%YAML 1.2\n---\na: yes')).toEqual([]);
  });

  test('a second << in one mapping is refused, and one in each of several is not', () => {
    const anchors = 'a: &a {b: c}\nd: &d {e: f}\n';
    const twice = 'manifest.syntax << is used twice in one mapping';
    expect(problems(`${anchors}g:\n  <<: *a\n  <<: *d\n`)).toEqual([`5:3 ${twice}`]);
    expect(problems(`${anchors}g:\n  <<: *a\n  h: {<<: *d}\n  i: {<<: *d}\n`)).toEqual([]);
    expect(problems(`${anchors}g:\n  <<: [*a, *d]\n  "<<": h\n`)).toEqual([]);
  });

  test('files with a byte order mark can be concatenated', () => {
    const { documents, problems: found } = parseManifestText({
      text: '\uFEFFa: b\n---\n\uFEFFc: d\n\uFEFF---\ne: f\n',
      file: 'f',
      format: 'yaml',
    });
    expect(found).toEqual([]);
    expect(documents.map(({ value }) => value)).toEqual([{ a: 'b' }, { c: 'd' }, { e: 'f' }]);
  });
});

describe('an error in JSON has our own message', () => {
  const [value, item, firstKey, key, colon] = [
    'a value is missing or is not in quotes',
    'a value is missing or is not in quotes, or the list is not closed',
    'a key in double quotes or } is missing',
    'a key in double quotes is missing after the comma',
    'a colon is missing after the key',
  ];
  const [inList, inObject, end, early, open, control, badEscape] = [
    'a comma or ] is missing',
    'a comma or } is missing',
    'there is more text after the end of the document',
    'the text ends too early',
    'a quoted text is not closed',
    'a quoted text contains a line break or control character',
    'this escape sequence is not known',
  ];
  test.each([
    ['', `1:1 ${early}`],
    [' \n', `2:1 ${early}`],
    ['b', `1:1 ${value}`],
    ["'b'", `1:1 ${value}`],
    ['{"a": b}', `1:7 ${value}`],
    ['{"a": }', `1:7 ${value}`],
    ['[1, ]', `1:5 ${value}`],
    ['[1,, 2]', `1:4 ${value}`],
    ['{"a": ]', `1:7 ${value}`],
    ['[,1]', `1:2 ${item}`],
    ['[}', `1:2 ${item}`],
    ['{a: 1}', `1:2 ${firstKey}`],
    ['{,}', `1:2 ${firstKey}`],
    ['{]', `1:2 ${firstKey}`],
    ['{1: 1}', `1:2 ${firstKey}`],
    ['{"a": 1,\n}', `2:1 ${key}`],
    ['{"a": 1, b}', `1:10 ${key}`],
    ['{"a"}', `1:5 ${colon}`],
    ['{"a", "b"}', `1:5 ${colon}`],
    ['{"a" "b"}', `1:6 ${colon}`],
    ['{"a": 1 "b": 2}', `1:9 ${inObject}`],
    ['{"a": 1]', `1:8 ${inObject}`],
    ['{"a": {"b": []} 1}', `1:17 ${inObject}`],
    ['{"a":: 1}', `1:6 ${value}`],
    ['[1 2]', `1:4 ${inList}`],
    ['[1}', `1:3 ${inList}`],
    ['["a": 1]', `1:5 ${inList}`],
    ['[{"a": [1]} 2]', `1:13 ${inList}`],
    ['{} {}', `1:4 ${end}`],
    ['1, 2', `1:2 ${end}`],
    ['"a"b', `1:4 ${end}`],
    ['[]]', `1:3 ${end}`],
    ['[1', `1:3 ${early}`],
    ['{"a": 1', `1:8 ${early}`],
    ['{"a":\n', `2:1 ${early}`],
    ['["abc', `1:2 ${open}`],
    ['{"abc', `1:2 ${open}`],
    ['["\\', `1:3 ${badEscape}`],
    ['[1,\n "x\n"]', `2:4 ${control}`],
    ['["x\u001f"]', `1:4 ${control}`],
    ['["x\u0000"]', `1:4 ${control}`],
    ['["x\\y"]', `1:4 ${badEscape}`],
    ['["\\u12g4"]', `1:3 ${badEscape}`],
    ['["\\"\\\\\\/\\b\\f\\n\\r\\t\\u00fF\\a"]', `1:25 ${badEscape}`],
    ['[01]', `1:2 ${item}`],
    ['[1, 01]', `1:5 ${value}`],
    ['[1, 1.]', `1:5 ${value}`],
    ['[1, .5]', `1:5 ${value}`],
    ['[1, -]', `1:5 ${value}`],
    ['[1, +1]', `1:5 ${value}`],
    ['[1, 1e]', `1:5 ${value}`],
    ['[1, truer]', `1:5 ${value}`],
    ['[1, true-]', `1:5 ${value}`],
    ['[1, True]', `1:5 ${value}`],
    ['[0, -0, 10, 10.25, 1e5, 1E+05, 1.5e-3, true, false, null, x]', `1:59 ${value}`],
    ['[\t1\r\n, x]', `2:3 ${value}`],
    ['[\u00a01]', `1:2 ${item}`],
  ])('%j', (text, says) => {
    const place = says.indexOf(' ');
    expect(fault(text, 'json')).toBe(`${says.slice(0, place)} this is not JSON:${says.slice(place)}`);
  });
});
