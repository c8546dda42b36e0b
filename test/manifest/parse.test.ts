import { describe, expect, test } from 'vitest';
import { flatten } from '../../src/manifest/flatten.ts';
import { limits } from '../../src/manifest/limits.ts';
import { parseManifestText } from '../../src/manifest/parseManifestText.ts';

const yaml = (text: string) => parseManifestText({ text, file: 'a.yaml', format: 'yaml' });
const json = (text: string) => parseManifestText({ text, file: 'a.json', format: 'json' });
const places = (parsed: ReturnType<typeof yaml>) =>
  parsed.problems.map(({ position, rule }) => `${position.line}:${position.column} ${rule}`);

describe('YAML', () => {
  // biome-ignore format: a row is a case
  const bad: readonly { readonly it: string; readonly text: string; readonly at: readonly string[] }[] = [
    { it: 'invalid syntax', text: 'kind: gvc\nname: [a, b', at: ['3:1 manifest.syntax'] },
    { it: 'tabs for indentation', text: 'spec:\n\tenv: []\n', at: ['2:1 manifest.syntax'] },
    { it: 'duplicate keys', text: 'kind: gvc\nname: a\nname: b\n', at: ['3:1 manifest.syntax'] },
    { it: 'an unknown alias', text: 'kind: *x\n', at: ['1:7 manifest.syntax'] },
    { it: 'a custom tag', text: 'kind: !!binary aGk=\n', at: ['1:7 manifest.syntax'] },
    { it: 'a key that is a list', text: '? [a]\n: 1\n', at: ['1:1 manifest.syntax'] },
    { it: 'an alias to its own parent', text: 'a: &x\n  - *x\n', at: ['2:5 manifest.aliases'] },
    { it: 'an alias to its own parent, below another one', text: 'a: &x 1\nb: &x\n  - *x\n',
      at: ['3:5 manifest.aliases'] },
    { it: 'a NUL character', text: 'kind: a\u0000b', at: ['1:8 manifest.syntax'] },
    { it: 'too much nesting', text: `a: ${'['.repeat(limits.depth + 1)}${']'.repeat(limits.depth + 1)}`,
      at: [`1:${limits.depth + 3} manifest.syntax`] },
  ];
  test.each(bad)('$it is a problem with its place, not an exception', ({ text, at }) => {
    const parsed = yaml(text);
    expect(parsed.documents).toEqual([]);
    expect(places(parsed).map((place) => place.split(' ')[1])).toEqual(at.map((place) => place.split(' ')[1]));
    expect(parsed.problems[0]?.message).not.toMatch(/\n| at .*\(/);
  });

  test.each(bad.filter(({ it }) => /tabs|duplicate|unknown|own parent/.test(it)))(
    '$it is reported at its place',
    ({ text, at }) => {
      expect(places(yaml(text))).toEqual(at);
    },
  );

  test.each([
    { it: 'an object', text: 'kind: gvc\ntags: {a: b\nname: a\n', mark: '{' },
    { it: 'a list', text: 'kind: gvc\nlinks: [a, b\n', mark: '[' },
    { it: 'a quoted text', text: 'kind: gvc\ndescription: "a\nname: a\n', mark: '"' },
  ])('$it that is not closed is reported with the line of its start', ({ text, mark }) => {
    expect(yaml(text).problems.map(({ message }) => message)).toEqual([
      `the ${mark} on line 2 is not closed before this line`,
    ]);
  });

  test.each([
    { it: 'a second colon', text: 'kind: gvc\ndescription: a: b: c\n', says: 'there is a second colon in this line' },
    {
      it: 'a second colon after a word',
      text: 'description: one: two\n',
      says: 'there is a second colon in this line',
    },
    { it: 'a second colon in a list', text: 'a:\n  - b: c: d\n', says: 'there is a second colon in this line' },
    { it: 'a key below a value', text: 'kind: gvc\n  name: a\n', says: 'the indentation does not fit what is above' },
    { it: 'a key left of the others', text: 'a:\n    b: 1\n  c: 2\n', says: 'the indentation does not fit' },
  ])('$it is reported as such', ({ text, says }) => {
    const { problems } = yaml(text);
    expect(problems.map(({ rule }) => rule)).toEqual(['manifest.syntax']);
    expect(problems[0]?.message).toContain(says);
  });

  test.each(['name: a\nname: b', '"name": a\n"name": b', '{name: a, name: b}'])(
    '%j: the second of two keys is located but not quoted: a key may be a secret that lost its quotes',
    (text) => {
      const [problem] = yaml(text).problems;
      expect(problem?.message).toBe('this key is used twice in one mapping');
      expect(problem?.position).toMatchObject(text.startsWith('{') ? { line: 1, column: 11 } : { line: 2, column: 1 });
      expect(problem?.hint).toBe('Remove one of the two.');
    },
  );

  test('exponential anchors are refused before they are expanded', () => {
    const levels = Array.from({ length: 40 }, (_, level) => {
      const item = level === 0 ? 'x' : `*a${level - 1}`;
      return `a${level}: &a${level} [${Array.from({ length: 9 }, () => item).join(',')}]`;
    });
    expect(places(yaml(levels.join('\n')))).toEqual([expect.stringMatching(/manifest\.aliases$/)]);
  });

  const list = (item: string, length: number) => `[${Array.from({ length }, () => item).join()}]`;
  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'aliases with 100,000 values', text: `a: &a ${list('x', 999)}\nb: ${list('*a', 100)}`, at: [] },
      { it: 'aliases with more values', text: `a: &a ${list('x', 999)}\nb: ${list('*a', 100)}\nc: &c y\nd: *c`,
        at: ['4:4 manifest.aliases'] },
      { it: 'aliases of a list of aliases',
        text: `a: &a ${list('x', 999)}\nb: &b ${list('*a', 10)}\nc: ${list('*b', 8)}`, at: [] },
      { it: 'aliases of a list of aliases with more values',
        text: `a: &a ${list('x', 999)}\nb: &b ${list('*a', 10)}\nc:\n  - ${list('*b', 8)}\n  - *b\n  - *b`,
        at: ['5:5 manifest.aliases'] },
      { it: 'aliases of a short list in a long document',
        text: `a: ${list('x', 9999)}\nb: &b [y]\nc: ${list('*b', 100)}`, at: [] },
      { it: 'a scalar of 1 MiB', text: `kind: gvc\nname: ${'a'.repeat(limits.scalarLength)}`, at: [] },
      { it: 'a scalar of more than 1 MiB', text: `kind: gvc\nname: ${'a'.repeat(limits.scalarLength + 1)}`,
        at: ['2:7 manifest.too-long'] },
      { it: 'short scalars in a long text', text: `# ${'x'.repeat(limits.scalarLength)}\nkind: gvc`, at: [] },
    ],
  )('the limits of a text: $it', ({ text, at }) => {
    expect(places(yaml(text))).toEqual(at);
  });

  test('empty text, comments and empty documents are no documents', () => {
    expect(flatten(yaml('').documents)).toEqual([]);
    expect(flatten(yaml('# nothing\n').documents)).toEqual([]);
    expect(flatten(yaml('---\n---\n# nothing\n').documents)).toEqual([]);
  });

  test('a byte order mark and Windows line ends are accepted', () => {
    const parsed = yaml('\uFEFFkind: gvc\r\nname: a\r\n');
    expect(parsed.documents.map(({ value }) => value)).toEqual([{ kind: 'gvc', name: 'a' }]);
    expect(parsed.documents[0]?.locate(['name'])).toEqual({ file: 'a.yaml', line: 2, column: 1 });
  });

  test('__proto__ is read as an ordinary key', () => {
    const value = yaml('__proto__: {polluted: true}\n').documents[0]?.value;
    expect(Object.keys(Object(value))).toEqual(['__proto__']);
    expect(Object(value).polluted).toBeUndefined();
    expect(Object(Object.create(null)).polluted).toBeUndefined();
  });

  test('anchors, aliases and merge keys work', () => {
    const [document] = yaml('base: &b {cpu: 50m}\nmain:\n  <<: *b\n  memory: 1Gi\nsame: *b\n').documents;
    expect(document?.value).toEqual({
      base: { cpu: '50m' },
      main: { cpu: '50m', memory: '1Gi' },
      same: { cpu: '50m' },
    });
    expect(document?.locate(['main', 'memory'])).toMatchObject({ line: 4, column: 3 });
    expect(document?.locate(['main', 'cpu'])).toMatchObject({ line: 2 });
    expect(document?.locate(['same', 'cpu'])).toMatchObject({ line: 1, column: 11 });
  });

  test('a value behind an alias has the place of its last anchor', () => {
    const [document] = yaml('- &x {p: 1}\n- &y {p: 2}\n- *x\n- &x {p: 3}\n- *x\n').documents;
    const place = (...pointer: readonly (string | number)[]) => {
      const { line, column } = document?.locate(pointer) ?? {};
      return `${line}:${column}`;
    };
    expect([place(2), place(2, 'p'), place(4, 'p')]).toEqual(['3:3', '1:7', '4:7']);
  });
});

describe('places', () => {
  const text = [
    'kind: workload',
    'spec:',
    '  containers:',
    '    - name: main',
    '      "image": nginx',
    '    - {name: side, image: busybox}',
    '---',
    'kind: gvc',
    'items: [1, {a: 2}, [3]]',
    '---',
    '# a comment',
    'kind: org',
    "description: ''",
    'tags:',
  ].join('\n');
  const { documents } = yaml(text);

  test.each([
    { document: 0, pointer: [], line: 1, column: 1 },
    { document: 0, pointer: ['spec'], line: 2, column: 1 },
    { document: 0, pointer: ['spec', 'containers', 0], line: 4, column: 7 },
    { document: 0, pointer: ['spec', 'containers', 0, 'image'], line: 5, column: 7 },
    { document: 0, pointer: ['spec', 'containers', 1, 'image'], line: 6, column: 20 },
    { document: 0, pointer: ['spec', 'containers', 1, 'cpu'], line: 6, column: 7 },
    { document: 1, pointer: ['kind'], line: 8, column: 1 },
    { document: 1, pointer: ['items', 1, 'a'], line: 9, column: 13 },
    { document: 1, pointer: ['items', 7], line: 9, column: 1 },
    { document: 1, pointer: ['items', 2], line: 9, column: 20 },
    { document: 1, pointer: ['kind', 'items'], line: 8, column: 1 },
    { document: 2, pointer: [], line: 12, column: 1 },
  ])('document $document, $pointer is at $line:$column', ({ document, pointer, line, column }) => {
    expect(documents[document]?.locate(pointer)).toEqual({ file: 'a.yaml', line, column });
  });

  test.each([
    { document: 0, pointer: ['kind'], as: 'workload' },
    { document: 2, pointer: ['kind'], as: 'org' },
    { document: 2, pointer: ['tags'], as: '' },
    { document: 2, pointer: ['description'], as: undefined },
    { document: 0, pointer: ['spec'], as: undefined },
    { document: 0, pointer: ['spec', 'other', 'name'], as: undefined },
  ])('document $document, $pointer is written as $as', ({ document, pointer, as }) => {
    expect(documents[document]?.written?.(pointer)).toBe(as);
  });

  test('a document of one plain value has its written form', () => {
    expect(yaml('abc').documents[0]?.written?.([])).toBe('abc');
  });
});

describe('JSON', () => {
  test('a document has places', () => {
    const [document] = json('{\n  "kind": "gvc",\n  "tags": {"a": "b"}\n}').documents;
    expect(document?.value).toEqual({ kind: 'gvc', tags: { a: 'b' } });
    expect(document?.locate(['tags', 'a'])).toEqual({ file: 'a.json', line: 3, column: 12 });
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'a missing brace', text: '{"kind": "gvc"', at: '1:15 manifest.syntax' },
      { it: 'a trailing comma', text: '{\n "kind": "gvc",\n}', at: '3:1 manifest.syntax' },
      { it: 'no text', text: '', at: '1:1 manifest.syntax' },
      { it: 'a duplicate key', text: '{"kind": "gvc",\n "kind": "gvc"}', at: '2:2 manifest.syntax' },
      { it: 'a scalar of more than 1 MiB', text: `{"kind": "${'a'.repeat(limits.scalarLength + 1)}"}`,
        at: '1:10 manifest.too-long' },
      { it: 'one before a short scalar', text: `{"kind": "${'a'.repeat(limits.scalarLength + 1)}", "name": "a"}`,
        at: '1:10 manifest.too-long' },
    ],
  )('$it is a problem with its place', ({ text, at }) => {
    expect(places(json(text))).toEqual([at]);
  });

  test.each([
    { it: 'lists', text: `${'['.repeat(5000)}${']'.repeat(5000)}` },
    { it: 'objects', text: `${'{"a":'.repeat(101)}1${'}'.repeat(101)}` },
    { it: 'a list beside shallow ones', text: `[${'['.repeat(100)}${']'.repeat(100)}, [1], 2]` },
  ])('too much nesting is a problem: of $it', ({ text }) => {
    expect(json(text).problems).toHaveLength(1);
  });

  test('a line indented less than YAML requires is valid; its places are in the first line', () => {
    const { documents, problems } = json('\n {\n"a": [{"x" : "y"}, null], "b" :{}, "c":1}');
    expect(problems).toEqual([]);
    expect(documents.map(({ value }) => value)).toEqual([{ a: [{ x: 'y' }, null], b: {}, c: 1 }]);
    expect(documents[0]?.locate(['b'])).toEqual({ file: 'a.json', line: 1, column: 1 });
  });

  test('a byte order mark is accepted', () => {
    expect(json('\uFEFF{"a": 1}').documents.map(({ value }) => value)).toEqual([{ a: 1 }]);
  });

  test('no part of an invalid file is in the message, because it may be a secret', () => {
    const [problem] = json('{"payload": "hunter2" "x"}').problems;
    expect(JSON.stringify(problem)).not.toContain('hunter2');
  });

  test('a text that looks like a key is no duplicate', () => {
    expect(json('{"a": ":", "b": "\\": 1", "c": ":x"}').problems).toEqual([]);
  });
});

describe('flattening', () => {
  test('arrays, kind: list and kind: queryresult become one document each, with their places', () => {
    const text = [
      '- {kind: gvc, name: a}',
      '- kind: list',
      '  items:',
      '    - {kind: gvc, name: b}',
      '    - null',
      '- kind: queryresult',
      '  items: [{kind: gvc, name: c}]',
    ].join('\n');
    const flat = flatten(yaml(text).documents);
    expect(flat.map(({ value }) => Object(value).name)).toEqual(['a', 'b', 'c']);
    expect(flat.map(({ locate }) => locate(['name']).line)).toEqual([1, 4, 7]);
  });
});
