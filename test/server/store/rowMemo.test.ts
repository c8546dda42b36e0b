import { expect, test } from 'vitest';
import { RowMemo } from '../../../src/server/store/model/rowMemo.ts';
import type { Columns } from '../../../src/server/store/model/stored.ts';

function columns(seq: number, textLength: number): Columns {
  const record = JSON.stringify({ name: `s-${seq}`, text: 'x'.repeat(textLength) });
  const place = { kind: 'secret', gvc: '', name: `s-${seq}`, uid: `uid-${seq}` };
  return { seq, ...place, version: 1, created: 1, modified: 1, record, hidden: '{}', state: '{}' };
}

test.each([
  { textLength: 10, isKept: true },
  { textLength: 400_000, isKept: false },
])('a whole list of 100 records of $textLength characters is cached: $isKept', ({ textLength, isKept }) => {
  const memo = new RowMemo(() => 1);
  const rows = Array.from({ length: 100 }, (_, at) => memo.read(columns(at + 1, textLength)));
  memo.keepAll('secret', rows);

  // Otherwise a hundred large records of each kind would stay in memory outside the bounded cache.
  expect(memo.all('secret')).toEqual(isKept ? rows : undefined);
});
