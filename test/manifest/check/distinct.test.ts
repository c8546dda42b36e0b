import { expect, test } from 'vitest';
import { distinctProblems } from '../../../src/manifest/checkManifests.ts';
import type { LocatedProblem } from '../../../src/manifest/model/locatedProblem.ts';

interface Told {
  readonly severity?: 'error' | 'warning';
  readonly resource?: string;
  readonly line?: number;
  readonly message?: string;
}

function problem(
  rule: string,
  path: string,
  { severity = 'error', resource = 'gvc/a', line = 1, message = rule }: Told = {},
): LocatedProblem {
  const pointer = path === '' ? [] : path.split('.');
  const position = { file: 'a.yaml', line, column: 1 };
  return { rule, path, pointer, message, severity, position, ...(resource === '' ? {} : { resource }) };
}

test.each<{ it: string; all: readonly LocatedProblem[]; left: readonly number[] }>(
  // biome-ignore format: a row is a case
  [
    { it: 'a duplicate', all: [problem('W1', 'a'), problem('W1', 'a')], left: [0] },
    { it: 'one rule with two messages', all: [problem('W1', 'a'), problem('W1', 'a', { message: 'other' })],
      left: [0, 1] },
    { it: 'one message of two rules', all: [problem('W1', 'a', { message: 'x' }), problem('W2', 'a', { message: 'x' })],
      left: [0, 1] },
    { it: 'one mistake at two paths', all: [problem('W1', 'a'), problem('W1', 'b')], left: [0, 1] },
    { it: 'one mistake in two resources', all: [problem('W1', 'a'), problem('W1', 'a', { resource: 'gvc/b' })],
      left: [0, 1] },
    { it: 'one problem at two places of a file, without a resource',
      all: [problem('W1', 'a', { resource: '' }), problem('W1', 'a', { resource: '', line: 2 })], left: [0, 1] },
    { it: 'one problem at two lines of a resource', all: [problem('W1', 'a'), problem('W1', 'a', { line: 2 })],
      left: [0] },
    { it: 'a bound in the schema, and a rule with a better message',
      all: [problem('shape.range', 'a'), problem('W1', 'a')], left: [1] },
    { it: 'a bound in the schema, and a rule that is a warning',
      all: [problem('shape.range', 'a'), problem('W1', 'a', { severity: 'warning' })], left: [0, 1] },
    { it: 'two bounds of the schema', all: [problem('shape.range', 'a'), problem('shape.pattern', 'a')], left: [0, 1] },
    { it: 'a wrong type, and rules about it',
      all: [problem('W1', 'a'), problem('shape.type', 'a'), problem('W2', 'a')], left: [1] },
    { it: 'a missing field, and rules about it', all: [problem('W1', 'a'), problem('shape.required', 'a')],
      left: [1] },
    { it: 'an unknown field, and rules about it', all: [problem('W1', 'a'), problem('shape.unknown-field', 'a')],
      left: [1] },
    { it: 'a value that cannot be written, before its form',
      all: [problem('shape.type', 'a'), problem('manifest.not-json', 'a')], left: [1] },
    { it: 'a warning of the manifest, and a wrong type',
      all: [problem('manifest.tag-number', 'a', { severity: 'warning' }), problem('shape.type', 'a')], left: [1] },
    { it: 'a warning alone', all: [problem('manifest.tag-number', 'a', { severity: 'warning' })], left: [0] },
    { it: 'rules below a wrong type',
      all: [problem('shape.type', 'a'), problem('W1', 'a.b'), problem('W1', 'a.b.c')], left: [0] },
    { it: 'rules beside and above it',
      all: [problem('shape.type', 'a.b'), problem('W1', 'a'), problem('W1', 'a.c'), problem('W2', 'ab')],
      left: [0, 1, 2, 3] },
    { it: 'rules below it in another resource',
      all: [problem('shape.type', 'a'), problem('W1', 'a.b', { resource: 'gvc/b' })], left: [0, 1] },
    { it: 'problems of the schema and the manifest below it',
      all: [problem('shape.type', 'a'), problem('shape.range', 'a.b'), problem('manifest.path', 'a.c')],
      left: [0, 1, 2] },
    { it: 'rules below a missing field', all: [problem('shape.required', 'a'), problem('W1', 'a.b')],
      left: [0, 1] },
    { it: 'rules below a record of the wrong type', all: [problem('shape.type', ''), problem('W1', 'a')],
      left: [0] },
  ],
)('of several problems the significant ones remain: $it', ({ all, left }) => {
  expect(distinctProblems(all)).toEqual(left.map((index) => all[index]));
});
