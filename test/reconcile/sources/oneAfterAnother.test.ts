import { expect, test } from 'vitest';
import { SharedByKey } from '../../../src/reconcile/sources/oneAfterAnother.ts';

test('who asks for the same key while it runs shares the next run; nothing is kept of it afterwards', async () => {
  const shared = new SharedByKey<number>();
  let runs = 0;
  const ask = (key: string) => shared.run(key, async () => (runs += 1));
  const asked = await Promise.all([ask('a'), ask('a'), ask('a'), ask('b')]);
  expect(asked).toEqual([1, 3, 3, 2]);
  expect(shared.size).toBe(0);
  expect(await ask('a')).toBe(4);
  expect(shared.size).toBe(0);
});

test('nothing is kept of a run that fails', async () => {
  const shared = new SharedByKey<number>();
  await expect(shared.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(shared.size).toBe(0);
});
