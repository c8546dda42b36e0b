import { expect, test } from 'vitest';
import { changeItem } from '../../src/report/tree/change.ts';
import { changeOf } from './makeReports.ts';

test('what stands below a change is made when a printer asks for it', () => {
  const change = changeOf({});
  let reads = 0;
  const get = (): readonly string[] => {
    reads += 1;
    return ['seen'];
  };
  Object.defineProperty(change, 'notes', { get });
  const item = changeItem(change);
  expect(reads).toBe(0);
  expect(item.children()).toContainEqual({ node: 'line', line: ['note: ', { name: 'seen' }], tone: 'faint' });
});
