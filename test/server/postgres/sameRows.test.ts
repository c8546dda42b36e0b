import { beforeAll, expect, test } from 'vitest';
import { addressOf } from '../../../src/server/store/postgres/connections.ts';
import { openPostgres } from '../../../src/server/store/postgres/open.ts';
import { rowOf } from '../store/storeContract.ts';
import { type SharedPostgres, sharedPostgres } from './startPostgres.ts';

let postgres: SharedPostgres;
beforeAll(async () => {
  postgres = await sharedPostgres();
});

test('a row is the same object when it is read again, unless another server changed it', async () => {
  const address = addressOf(postgres.freshUrl());
  const [one, other] = [await openPostgres({ address, now: () => 0 }), await openPostgres({ address, now: () => 0 })];
  const shop = { kind: 'gvc', name: 'shop' } as const;
  const rows = () => one.of('org').read((tx) => [tx.get(shop), tx.get({ ...shop, name: 'lab' })]);
  const change = (text: string) =>
    other.of('org').write((tx) => {
      const row = tx.get(shop);
      if (row !== undefined) tx.update({ ...row, version: row.version + 1, record: { name: 'shop', text } }, []);
    });
  await other.of('org').write((tx) => {
    tx.insert(rowOf('gvc', 'shop', 1), []);
    tx.insert(rowOf('gvc', 'lab', 1), []);
  });

  const before = await rows();
  await change('red');
  const after = await rows();
  expect(after[0]?.record).toEqual({ name: 'shop', text: 'red' });
  expect(after[1]).toBe(before[1]);
  await change('blue');
  expect((await rows())[0]?.record).toEqual({ name: 'shop', text: 'blue' });

  await Promise.all([one.close(), other.close()]);
});
