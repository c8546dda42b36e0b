import { expect, test } from 'vitest';
import { pathOf } from '../../src/base/form/read.ts';

test('the path of a member contains at most one line of its name, and no control of the cursor', () => {
  expect(pathOf(['environments', 'prod', 'limits', 0])).toBe('environments.prod.limits[0]');
  expect(pathOf(['kinds', 'x'.repeat(300), 'scope'])).toBe(`kinds."${'x'.repeat(64)}"….scope`);
  expect(pathOf(['kinds', '\u001b[31mred'])).toBe('kinds."\\u001b[31mred"');
});
