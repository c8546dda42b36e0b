import { describe, expect, test } from 'vitest';
import { loadValidators } from '../../src/kinds/validators.ts';
import { checkManifests } from '../../src/manifest/checkManifests.ts';
import { renderProblem } from '../../src/manifest/model/locatedProblem.ts';
import type { ManifestDocument } from '../../src/manifest/model/manifest.ts';
import { parseManifestText } from '../../src/manifest/parseManifestText.ts';
import { creatableKinds } from '../../src/schema/record/kinds.ts';

const validators = await loadValidators(creatableKinds);

function check(documents: readonly ManifestDocument[]): readonly string[] {
  return checkManifests(documents, { org: 'local', validators }).problems.map(renderProblem);
}

function lines(text: string, format: 'yaml' | 'json' = 'yaml'): readonly string[] {
  const { documents, problems } = parseManifestText({ text, file: 'f', format });
  return [...problems.map(renderProblem), ...check(documents)];
}

const gvc = (more: string) => `kind: gvc\nname: shop\n${more}\n`;
const variable = (value: string) => gvc(`spec:\n  env:\n    - name: A\n      value: ${value}`);

describe('the hint for a value that must be a string shows the written form', () => {
  test.each(['1.10', '0755', '1e3', '0x1F', '0o17', '+1', '-0', '1.0', '.5', 'true', 'False', '~', 'null'])(
    '%s',
    (written) => {
      const found = lines(variable(written)).filter((line) => line.includes('shape.type'));
      if (written === '1_0.0')
        expect(found).toEqual([]); // A string.
      else expect(found).toEqual([expect.stringContaining(`f:6:14  shape.type`)]);
      if (found.length > 0) expect(found[0]?.endsWith(`Put it in quotes: "${written}".`)).toBe(true);
    },
  );

  test.each(['yes', 'on', '1_000', '2024-01-01', '12:30', '0b1', '"1.10"'])('%s is a string', (written) => {
    expect(lines(variable(written))).toEqual([]);
  });

  test('no value was written', () => {
    expect(lines(variable(''))[0]).toContain('must be text, not null  Write a text, or leave the field out.');
  });

  test('also in the second document, in a list, behind an alias, and in JSON', () => {
    expect(lines(`${gvc('')}---\n${variable('1.10').replace('shop', 'two')}`)[0]).toContain('f:10:14');
    expect(lines(`kind: list\nitems:\n  - {kind: gvc, name: shop, description: 1.10}`)[0]).toContain('"1.10"');
    expect(lines(gvc('tags: {x: &a 1.10}\ndescription: *a')).join('\n')).toContain('Put it in quotes: "1.10".');
    expect(lines('{"kind": "gvc", "name": "shop", "description": 1.10}', 'json')[0]).toContain('"1.10"');
  });

  test('also for a name and a kind', () => {
    expect(lines('kind: gvc\nname: 1.10\n')).toEqual([
      'f:2:7  shape.type  name  name must be text  Put it in quotes: "1.10".',
    ]);
    expect(lines('kind: 1.10\nname: shop\n')[0]).toContain('there is no kind "1.10"');
  });

  test('the hint shows no value if the written form is unknown', () => {
    const locate = () => ({ file: 'stack.ts', line: 1, column: 1 });
    expect(check([{ value: { kind: 'gvc', name: 'shop', description: 1.1 }, locate }])).toEqual([
      'stack.ts:1:1  shape.type  description  must be text, not a number  Put it in quotes.',
    ]);
  });

  test('never for a secret, or a value marked as sensitive', () => {
    const secret = lines('kind: secret\nname: one\ntype: opaque\ndata: {payload: 4711.10, encoding: 4711.10}\n');
    expect(secret.length).toBeGreaterThan(0);
    const marked = lines(variable('4711.10').concat('lifecycle: {sensitive: [spec.env.A.value]}\n'));
    expect(marked).toEqual([expect.stringContaining('Put it in quotes.')]);
    expect([...secret, ...marked].join('\n')).not.toContain('4711');
  });
});

describe('keys that are not strings', () => {
  test.each([
    { key: '1', is: 'a number' },
    { key: '1.10', is: 'a number' },
    { key: '0755', is: 'a number' },
    { key: '-1', is: 'a number' },
    { key: '1e3', is: 'a number' },
    { key: '+12', is: 'a number' },
    { key: '1.', is: 'a number' },
    { key: '1.5e-3', is: 'a number' },
    { key: '1E+10', is: 'a number' },
    { key: '.5', is: 'a number' },
    { key: '-.5e10', is: 'a number' },
    { key: '+.25E-1', is: 'a number' },
    { key: '0o17', is: 'a number' },
    { key: '0x1aF', is: 'a number' },
    { key: '.inf', is: 'a number' },
    { key: '-.Inf', is: 'a number' },
    { key: '+.INF', is: 'a number' },
    { key: '.nan', is: 'a number' },
    { key: '.NaN', is: 'a number' },
    { key: '.NAN', is: 'a number' },
    { key: 'true', is: 'true or false' },
    { key: 'True', is: 'true or false' },
    { key: 'TRUE', is: 'true or false' },
    { key: 'false', is: 'true or false' },
    { key: 'False', is: 'true or false' },
    { key: 'FALSE', is: 'true or false' },
    { key: 'null', is: 'null' },
    { key: 'Null', is: 'null' },
    { key: 'NULL', is: 'null' },
    { key: '~', is: 'null' },
  ])('$key is reported at its place, and not converted', ({ key, is }) => {
    for (const text of [gvc(`tags:\n  a: b\n  ${key}: x`), gvc(`tags: {a: b,\n\n  ${key}: x}`)]) {
      expect(lines(text)).toContain(
        `f:5:3  manifest.key-type  -  the key ${key} is ${is}, and keys are text  Put it in quotes: "${key}".`,
      );
    }
  });

  test('are reported at any depth, once each', () => {
    const text = 'kind: secret\nname: one\ntype: dictionary\ndata:\n  1: a\n  "2": b\n  3: c\n';
    expect(lines(text).map((line) => line.split('  ')[0])).toEqual(['f:5:3', 'f:7:3']);
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      ...['"1"', "'1'", '"true"', 'yes', 'on', '1_000', '2024-01-01', 'v1', '1.2.3', '1a', 'x1', '<<', '~~', 'nulls'],
      ...['0o8', '0o', '0x', '0xg', 'a0x1', '0b1', '1e', '1e+', '1ex', 'e1', '.e3', '.', '-', '-.', '+', '--1', '1-',
        '.5e'],
      ...['.info', 'x.inf', '.iNF', '+.nan', '.nanx', 'x.nan', '1.5.', '12:30', '0o17x', '0x1Fg', '.5x', 'tRue',
        'nULL'],
    ],
  )('%s is a string', (key) => {
    expect(lines(gvc(`tags:\n  ${key}: ${key === '<<' ? '{a: b}' : 'x'}`))).toEqual([]);
  });

  test('an empty one is reported at the place of its value', () => {
    expect(lines('kind: gvc\nname: shop\ntags: {a: b, : c}\n')).toContain(
      'f:3:16  manifest.key-type  -  this key is empty, and keys are text  Put it in quotes.',
    );
  });

  test('one behind a list, an object, an alias or another key is reported; values are not', () => {
    const text = '- {1: [2, 3], 4: {5: 6}, 7: &a 8, 9: *a}\n- [10, {a: 11, b: [12], c: {d: 13}}, 14]\n- 15';
    const { problems } = parseManifestText({ text, file: 'f', format: 'yaml' });
    expect(problems.map(({ hint }) => hint)).toEqual(
      ['1', '4', '5', '7', '9'].map((key) => `Put it in quotes: "${key}".`),
    );
  });

  test('a secret that lost its quotes is not shown', () => {
    const found = lines('kind: secret\nname: one\ntype: userpass\ndata: {username: a, password: {47114711}}\n');
    expect(found).toContainEqual(expect.stringContaining('manifest.key-type  -  this key is a number'));
    expect(found.join('\n')).not.toContain('4711');
  });
});

describe('tags', () => {
  test.each(['1.10', '0755', '1e3', '1.0'])('a value %s that becomes another string is reported', (written) => {
    expect(lines(gvc(`tags:\n  version: ${written}`))).toEqual([
      expect.stringMatching(/^f:4:12 {2}manifest\.tag-number {2}tags\.version {2}warning: /),
    ]);
  });

  test.each(['1', '1.5', 'true', '"1.10"', 'v1.10', '~'])('a value %s is not changed', (written) => {
    expect(lines(gvc(`tags:\n  version: ${written}`))).toEqual([]);
  });
});
