import { expect, test } from 'vitest';
import { failureLines } from './failedTests.ts';

const failure = (number: number) => ({ name: `test/a.test.ts > test ${number}`, messages: ['it is 1\n\n- 1\n+ 2'] });

test('nothing is printed without a failure', () => {
  expect(failureLines([], { GANTRY_SEED: '7' })).toEqual([]);
});

test('a failure is printed as its name and the first line of its message, after the settings of the run', () => {
  const environment = { GANTRY_SEED: '7', GANTRY_TOKEN: 'hidden', GANTRY_TEST_DELAYS: '3' };
  expect(failureLines([failure(1)], environment)).toEqual([
    'Failures: 1, with GANTRY_SEED=7 GANTRY_TEST_DELAYS=3',
    'FAILED test/a.test.ts > test 1',
    '       it is 1',
  ]);
});

test('long texts are cut, and only the first of many failures are printed', () => {
  const [, name] = failureLines([{ name: 'x'.repeat(1_000), messages: [] }], {});
  expect(name).toBe(`FAILED ${'x'.repeat(192)}…`);
  const many = failureLines(
    Array.from({ length: 100 }, (_, index) => failure(index)),
    {},
  );
  expect(many).toHaveLength(40);
  expect(many.at(-1)).toBe('… and 81 more');
  expect(failureLines([...Array(19).keys()].map(failure), {})).toHaveLength(39);
});
