import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from '../../src/base/json/json.ts';
import { loadValidators } from '../../src/kinds/validators.ts';
import { checkManifests } from '../../src/manifest/checkManifests.ts';
import { renderProblem } from '../../src/manifest/model/locatedProblem.ts';
import { parseManifestText } from '../../src/manifest/parseManifestText.ts';
import { jsonProblems } from '../../src/manifest/readManifest.ts';
import { creatableKinds } from '../../src/schema/record/kinds.ts';
import { runs } from '../harness/sampled.ts';

const validators = await loadValidators(creatableKinds);

const nasty = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '$drop',
  '$replace/spec',
  '',
  'a.b',
  'ü\u0000',
  '*',
];
const key = fc.constantFrom(
  ...nasty,
  'name',
  'spec',
  'data',
  'type',
  'containers',
  'env',
  'ports',
  'tags',
  'lifecycle',
  'dependsOn',
  'items',
  'links',
);
const value = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...nasty, null, true, 0, -1, Number.POSITIVE_INFINITY, 'scheme://secret/x', '//identity/', '/org'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
})).value;

test('no value in a manifest makes the checks throw, and every problem is one line', () => {
  const manifest = fc
    .tuple(fc.constantFrom<string>(...creatableKinds), fc.dictionary(key, value))
    .map(([kind, fields]) => ({ name: 'abc', gvc: 'shop', ...fields, kind }));
  fc.assert(
    fc.property(fc.array(fc.oneof(manifest, value), { maxLength: 4 }), (values) => {
      const locate = () => ({ file: 'a.yaml', line: 1, column: 1 });
      const { problems } = checkManifests(
        values.map((one) => ({ value: one, locate })),
        { org: 'local', validators },
      );
      for (const problem of problems) expect(renderProblem(problem)).toMatch(/^a\.yaml:1:1 {2}\S+ {2}\S/);
    }),
    { numRuns: runs(1000) },
  );
});

test('no text makes the readers throw; accepted data has places', () => {
  const word = fc.constantFrom(
    'a',
    'kind: gvc',
    '- ',
    '\n',
    '  ',
    '\t',
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    ':',
    ',',
    '&a ',
    '*a',
    '<<: ',
    '---\n',
    '|',
    '>',
    '#',
    '!!str ',
    '? ',
    '\u0000',
    '\uFEFF',
    '%YAML 1.2\n',
    '1',
    'null',
  );
  const text = fc.oneof(
    fc.array(word, { maxLength: 30 }).map((words) => words.join('')),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(text, fc.constantFrom<'yaml' | 'json'>('yaml', 'json'), (content, format) => {
      const { documents, problems } = parseManifestText({ text: content, file: 'f', format });
      const fatal = problems.filter(({ rule }) => rule !== 'manifest.key-type');
      expect(documents.length === 0 || fatal.length === 0).toBe(true);
      for (const { locate } of documents) {
        const { line, column } = locate(['a', 0, 'b']);
        expect(line > 0 && column > 0).toBe(true);
      }
    }),
    { numRuns: runs(3000) },
  );
});

test.each([
  { it: '100 levels', levels: 100, rules: [] },
  { it: '101 levels', levels: 101, rules: ['manifest.too-deep'] },
])('objects and lists of $it are accepted or refused', ({ levels, rules }) => {
  let nested: JsonValue = 'x';
  for (let level = 0; level < levels; level += 1) nested = level % 2 === 0 ? [nested] : { a: nested };
  expect(jsonProblems(nested).map(({ rule }) => rule)).toEqual(rules);
});

test('text that reverses or hides text in a terminal is escaped in problems', () => {
  const position = { file: 'a\u202eb.yaml', line: 1, column: 2 };
  const problem = {
    position,
    rule: 'input.form',
    path: '',
    pointer: [],
    message: 'x\u200ey\u001b[2Jz',
    severity: 'error',
  } as const;
  expect(renderProblem(problem)).toBe('a\\u202eb.yaml:1:2  input.form  -  x\\u200ey\\u001b[2Jz');
});
