import { expect, test } from 'vitest';
import { lineDiff } from '../../src/report/lineDiff.ts';

const text = (lines: number, word: string) =>
  Array.from({ length: lines }, (_, index) => `${word} ${index}`).join('\n');

test('equal lines near a change are shown, others are left out', () => {
  const before = text(9, 'line');
  expect(lineDiff(before, before.replace('line 4', 'changed'))).toEqual([
    { sign: '@', text: '@ -3,5 +3,5 @@' },
    { sign: ' ', text: 'line 2' },
    { sign: ' ', text: 'line 3' },
    { sign: '-', text: 'line 4' },
    { sign: '+', text: 'changed' },
    { sign: ' ', text: 'line 5' },
    { sign: ' ', text: 'line 6' },
  ]);
});

test('texts with thousands of different lines are counted instead of compared', () => {
  expect(lineDiff(text(50_000, 'a'), text(49_999, 'b'))).toEqual([
    { sign: '@', text: '@ 50000 lines become 49999 lines @@' },
  ]);
});
