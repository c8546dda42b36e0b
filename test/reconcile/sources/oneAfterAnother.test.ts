import { expect, test } from 'vitest';
import { SharedByKey } from '../../../src/reconcile/sources/oneAfterAnother.ts';

test('callers with the same key during a run share the next run; afterwards the key is forgotten', async () => {
  const shared = new SharedByKey<number>();
  let runs = 0;
  const ask = (key: string) => shared.run(key, async () => (runs += 1));
  const asked = await Promise.all([ask('a'), ask('a'), ask('a'), ask('b')]);
  expect(asked).toEqual([1, 3, 3, 2]);
  expect(shared.size).toBe(0);
  expect(await ask('a')).toBe(4);
  expect(shared.size).toBe(0);
});

test('a failed run is forgotten too', async () => {
  const shared = new SharedByKey<number>();
  await expect(shared.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(shared.size).toBe(0);
});
