import { expect, test } from 'vitest';
import { policy } from '../../src/policies/rules/policy.ts';
import { mostProblems, readProblems } from '../../src/policies/rules/runPolicy.ts';

test('lists, sets and generators of problems are accepted', () => {
  const problem = { message: 'a', path: 'spec', fix: 'b', resource: 'gvc/shop', severity: 'warning' };
  for (const returned of [[problem], new Set([problem]), [problem].values()]) {
    expect(readProblems(returned)).toEqual({ ok: true, problems: [problem] });
  }
  expect(readProblems([])).toEqual({ ok: true, problems: [] });
});

test('long texts are cut', () => {
  const long = 'x'.repeat(3_000);
  const cut = `${'x'.repeat(2_000)}…`;
  expect(readProblems([{ message: long, fix: long }])).toEqual({ ok: true, problems: [{ message: cut, fix: cut }] });
});

test.each(
  // biome-ignore format: a row is a case
  [
    { returned: undefined, message: 'it returned nothing in place of a list of problems' },
    { returned: null, message: 'it returned null in place of a list of problems' },
    { returned: { message: 'a' }, message: 'it returned an object in place of a list of problems' },
    { returned: ['a'], message: 'problem 1 that it returned is a string in place of an object such as {message: "…"}' },
    { returned: [{ message: ' ' }], message: 'problem 1 that it returned has no message' },
    { returned: [{ message: 'a', path: 1 }],
      message: 'problem 1 that it returned has a path that is a number, not a text' },
    { returned: [{ message: 'a', severity: 'fatal' }],
      message: 'problem 1 that it returned has a severity that is neither error nor warning' },
    { returned: [{ message: 'a' }, { message: 'b', hint: 'c' }],
      message: 'problem 2 that it returned has "hint". Available: message, severity, fix, path, resource.' },
    { returned: Array(mostProblems + 1).fill({ message: 'a' }), message: 'it returned more than 10000 problems' },
  ],
)('$message', ({ returned, message }) => {
  expect(readProblems(returned)).toEqual({ ok: false, message });
});

const none = () => [];
test.each([
  { it: 'no id', given: { id: '', resource: none } },
  { it: 'words', given: { id: 'Two Words', resource: none } },
  { it: 'an id of 65 characters', given: { id: 'a'.repeat(65), resource: none } },
  { it: 'no function', given: { id: 'a' } },
  { it: 'two functions', given: { id: 'a', resource: none, plan: none } },
])('$it is not a policy', ({ given }) => {
  expect(() => Reflect.apply(policy, undefined, [given])).toThrow(
    expect.objectContaining({ code: 'policies.definition' }),
  );
});

test('an id of 64 characters and one function are a policy', () => {
  expect(policy({ id: 'a'.repeat(64), resource: none }).kinds).toBeUndefined();
});
