import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { documentIn, editValues } from '../../../src/gantry/promote.ts';

/** Carries the value at `path` from dev to prod. */
function carry(text: string, ...path: readonly string[]): string | undefined {
  const from = ['environments', 'dev', 'values', ...path];
  const to = ['environments', 'prod', 'values', ...path];
  return editValues(text, [{ from, to }]);
}

const file = `# settings
environments: # of all
  dev:
    values:

      # the tag of the web
      tag: 1.10   # built at night
      name: 'web'
      images: { web: "a:1", api: a:2 } # both
      list: [1, 2]
      text: |
        two
        lines
      deep:
        er: yes
  prod:
    org: acme
    values:
      # keep this
      tag: 1.9 # and this
      name: "shop"   # a name
      images: {web: "b:1", api: b:2}
      list:
        # first
        - 3
        # second
        - 4
      text: one
      # the end
# behind
stack: shop # last
`;

describe('an edit of values changes nothing else', () => {
  test.each([
    { path: ['tag'], from: '      tag: 1.9 # and this', to: '      tag: 1.10 # and this' },
    { path: ['name'], from: `      name: "shop"   # a name`, to: `      name: 'web'   # a name` },
    { path: ['images', 'web'], from: '{web: "b:1", api', to: '{web: "a:1", api' },
    { path: ['images'], from: '{web: "b:1", api: b:2}', to: '{web: "a:1", api: a:2}' },
    { path: ['text'], from: '      text: one', to: '      text: "two\\nlines\\n"' },
    { path: ['deep'], from: '      text: one\n', to: '      text: one\n      deep: { er: yes }\n' },
    { path: ['deep', 'er'], from: '      text: one\n', to: '      text: one\n      deep: {er: yes}\n' },
  ])('$path', ({ path, from, to }) => {
    const edited = carry(file, ...path);
    const at = file.lastIndexOf(from);
    expect(at).toBeGreaterThan(0);
    const wanted = `${file.slice(0, at)}${to}${file.slice(at + from.length)}`;
    if (path.join('.') === 'deep') expect(edited).toBe(wanted.replace('{ er: yes }', '{"er":"yes"}'));
    else expect(edited).toBe(wanted);
  });

  test('a list of the same length is changed item by item, another one as a whole', () => {
    expect(carry(file, 'list')).toBe(file.replace('- 3', '- 1').replace('- 4', '- 2'));
    const longer = file.replace('[1, 2]', '[1, 2, 3]');
    const plain = longer.replace(/ +# (?:first|second)\n/g, '');
    expect(carry(plain, 'list')).toBe(plain.replace('- 3\n        - 4', '[1, 2, 3]'));
    // An edit would lose the comments in the list.
    expect(carry(longer, 'list')).toBeUndefined();
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'Windows line ends', text: file.replaceAll('\n', '\r\n') },
      { it: 'no line end at the end',
        text: 'environments:\n  dev: {values: {tag: 2}}\n  prod:\n    values:\n      tag: 1' },
      { it: 'a file in one line', text: 'environments: {dev: {values: {tag: 2}}, prod: {values: {tag: 1}}}' },
      { it: 'JSON', text: '{"environments": {"dev": {"values": {"tag": "a"}}, "prod": {"values": {"tag": "b"}}}}' },
      { it: 'a byte order mark', text: `\uFEFF${file}` },
      { it: 'quoted keys', text: `environments:\n  "dev": {values: {tag: 2}}\n  'prod': {values: {"tag": 1}}\n` },
      { it: 'a missing value',
        text: 'environments:\n  dev: {values: {tag: 2}}\n  prod:\n    values:\n      a: 1 # x\n' },
      { it: 'a missing value in one line',
        text: 'environments:\n  dev: {values: {tag: 2}}\n  prod: {values: {a: 1}}\n' },
      { it: 'an empty object', text: 'environments:\n  dev: {values: {tag: 2}}\n  prod: {values: {}}\n' },
      { it: 'no value after the key',
        text: 'environments:\n  dev: {values: {tag: 2}}\n  prod:\n    values:\n      tag:\n' },
      { it: 'merged values',
        text: 'environments:\n  dev: {values: &a {tag: 2, b: 1}}\n  prod:\n    values:\n      <<: *a\n      tag: 3\n' },
    ],
  )('with $it', ({ text }) => {
    const edited = carry(text, 'tag') ?? '';
    const read: unknown = documentIn(edited.replace('\uFEFF', ''));
    const tag = JSON.stringify(read).match(/"dev":\{"values":\{"tag":("?\w+(?:\.\d+)?"?)/)?.[1];
    expect(JSON.stringify(read)).toMatch(new RegExp(`"prod":.*"tag":${tag ?? 'none'}`));
    for (const comment of text.match(/#.*$/gm) ?? []) expect(edited).toContain(comment);
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'a value that is an alias',
        text: 'environments:\n  dev: {values: {tag: &t 2, x: *t}}\n  prod: {values: {tag: *t}}\n', path: ['tag'] },
      { it: 'values shared with another environment',
        text: 'environments:\n  dev: {values: &a {tag: 2, x: 3}}\n  prod: {values: *a}\n', path: ['x', 'y'] },
      { it: 'no values in the target', text: 'environments:\n  dev: {values: {tag: 2}}\n  prod:\n', path: ['tag'] },
      { it: 'several documents', text: 'environments: {dev: {values: {tag: 2}}, prod: {values: {tag: 1}}}\n---\na: 1\n',
        path: ['tag'] },
      { it: 'no YAML', text: 'environments: {', path: ['tag'] },
    ],
  )('is refused with $it', ({ text, path }) => {
    expect(carry(text, ...path)).toBeUndefined();
  });
});

const scalar = fc.oneof(
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '1.10',
    '# no',
    'a: b',
    "it's",
    '"',
    '{}',
    '- x',
    '&a',
    '*a',
    '!t',
    '@',
    '%',
    '|',
    '>',
    '\n',
    '\t',
    ' a ',
  ),
);

test('law: for any values, only the given one is carried, and every comment stays', () => {
  fc.assert(
    fc.property(scalar, scalar, fc.boolean(), (from, to, isBlock) => {
      const values = (value: unknown) =>
        isBlock
          ? `\n      # above\n      a: 1 # beside a\n      x: ${JSON.stringify(value)} # beside x\n      # below`
          : ` {a: 1, x: ${JSON.stringify(value)}, b: [2]} # beside all`;
      const text = `environments:\n  dev:\n    values:${values(from)}\n  prod:\n    values:${values(to)}\n# end\n`;
      const before = documentIn(text);
      const edited = carry(text, 'x');
      const comments = (of: string) => of.match(/# (?:above|beside \w+|below|end)$/gm);
      expect(edited).toBeDefined();
      expect(comments(edited ?? '')).toEqual(comments(text));
      const place = JSON.stringify(before).lastIndexOf(`"x":${JSON.stringify(to)}`);
      const wanted = JSON.stringify(before);
      expect(JSON.stringify(documentIn(edited ?? ''))).toBe(
        `${wanted.slice(0, place)}"x":${JSON.stringify(from)}${wanted.slice(place + `"x":${JSON.stringify(to)}`.length)}`,
      );
      expect((edited ?? '').split('\n').length).toBe(text.split('\n').length);
    }),
  );
});
