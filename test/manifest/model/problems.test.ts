import { describe, expect, test } from 'vitest';
import { inCanonicalOrder } from '../../../src/manifest/checkManifests.ts';
import {
  codeOf,
  fileProblem,
  type LocatedProblem,
  renderProblem,
  sortProblems,
} from '../../../src/manifest/model/locatedProblem.ts';
import type { Ref } from '../../../src/schema/record/ref.ts';

const position = { file: 'a.yaml', line: 2, column: 3 };

function problem(place: string, rule = 'r', path = 'p', message = 'm'): LocatedProblem {
  const [file = '', line, column] = place.split(':');
  return { ...fileProblem({ file, line: Number(line), column: Number(column) }, rule, message), path };
}

describe('problems', () => {
  test.each([
    { by: 'file, before line', sorted: [problem('a:9:9'), problem('b:1:1')] },
    { by: 'line as a number, before column', sorted: [problem('a:2:9'), problem('a:10:1')] },
    { by: 'column as a number, before rule', sorted: [problem('a:1:2', 'z'), problem('a:1:10', 'a')] },
    { by: 'rule, before path', sorted: [problem('a:1:1', 'a', 'z'), problem('a:1:1', 'b', 'a')] },
    { by: 'path, before message', sorted: [problem('a:1:1', 'r', 'a', 'z'), problem('a:1:1', 'r', 'b', 'a')] },
    { by: 'message', sorted: [problem('a:1:1', 'r', 'p', 'a'), problem('a:1:1', 'r', 'p', 'b')] },
  ])('are sorted by $by, for any order of input', ({ sorted }) => {
    expect(sortProblems(sorted)).toEqual(sorted);
    expect(sortProblems(sorted.toReversed())).toEqual(sorted);
  });

  test('of code have its construct and the lines that led there', () => {
    expect(codeOf(undefined)).toEqual({});
    expect(codeOf({ construct: '', callers: [] })).toEqual({});
    expect(codeOf({ construct: 'shop/web', stack: 's', callers: [position] })).toEqual({
      construct: 'shop/web',
      callers: [position],
    });
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'of a file', of: fileProblem(position, 'x.y', 'wrong'), line: 'a.yaml:2:3  x.y  -  wrong' },
      { it: 'with a hint', of: fileProblem(position, 'x.y', 'wrong', 'Do so.'),
        line: 'a.yaml:2:3  x.y  -  wrong  Do so.' },
      { it: 'at a path', of: problem('a:1:1', 'x.y', 'spec.a', 'wrong'), line: 'a:1:1  x.y  spec.a  wrong' },
      { it: 'with a warning', of: { ...problem('a:1:1'), severity: 'warning' as const },
        line: 'a:1:1  r  p  warning: m' },
      { it: 'from code',
        of: { ...problem('s.ts:1:1'), construct: 'shop/web', callers: [position, { ...position, line: 7 }] },
        line: 's.ts:1:1  r  p  m  at shop/web  from a.yaml:2:3  from a.yaml:7:3' },
      { it: 'of several lines', of: problem('a:1:1', 'r', 'p', 'one \n\n  two\nthree'),
        line: 'a:1:1  r  p  one two three' },
    ],
  )('are one line: $it', ({ of, line }) => {
    expect(renderProblem(of)).toBe(line);
  });

  test('are truncated after 600 characters of a text', () => {
    expect(renderProblem(problem('a:1:1', 'r', 'p', 'x'.repeat(600)))).toBe(`a:1:1  r  p  ${'x'.repeat(600)}`);
    expect(renderProblem(problem('a:1:1', 'r', 'p', 'x'.repeat(601)))).toBe(`a:1:1  r  p  ${'x'.repeat(600)}...`);
  });
});

test('resources are sorted by kind, GVC and name, those without a GVC first', () => {
  const refs: readonly Ref[] = [
    { kind: 'gvc', name: 'z' },
    { kind: 'identity', gvc: 'a', name: 'z' },
    { kind: 'identity', gvc: 'b', name: 'a' },
    { kind: 'identity', gvc: 'b', name: 'b' },
    { kind: 'secret', name: 'a' },
    { kind: 'secret', gvc: 'a', name: 'a' },
  ];
  const items = refs.map((ref) => ({ ref }));
  expect(inCanonicalOrder(items.toReversed())).toEqual(items);
});
