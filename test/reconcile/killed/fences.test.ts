import { expect, test } from 'vitest';
import { type AuditedWrite, disorderOf, unapprovedOf } from './fences.ts';

const runs = [
  { stack: 's', worker: 'w-1', fence: 1, startMs: 10 },
  { stack: 's', worker: 'w-2', fence: 2, startMs: 20 },
];
const write = (worker: string, atMs: number, text = 'v1'): AuditedWrite => ({
  stack: 's',
  record: 's-a',
  worker,
  atMs,
  text,
});

test('writes in the order of their leases are accepted', () => {
  expect(disorderOf([write('w-1', 11), write('w-1', 12), write('w-2', 21)], runs)).toEqual([]);
});

test('a write under an older lease after one under a newer lease is found', () => {
  expect(disorderOf([write('w-1', 11), write('w-2', 21), write('w-1', 22)], runs)).toHaveLength(1);
});

test('a write without a run, and two runs with one number, are found', () => {
  expect(disorderOf([write('w-3', 11)], runs)).toHaveLength(1);
  expect(disorderOf([write('w-2', 11)], runs)).toHaveLength(1);
  expect(disorderOf([], [...runs, { stack: 's', worker: 'w-3', fence: 2, startMs: 30 }])).toHaveLength(1);
});

test('a write whose text was approved later, or never, is found', () => {
  const approved = [{ stack: 's', text: 'v1', atMs: 15 }];
  expect(unapprovedOf([write('w-2', 21)], approved)).toEqual([]);
  expect(unapprovedOf([write('w-2', 21)], [...approved, { stack: 's', text: 'v1', atMs: 25 }])).toEqual([]);
  expect(unapprovedOf([write('w-1', 11), write('w-2', 21, 'v2')], approved)).toHaveLength(2);
});
