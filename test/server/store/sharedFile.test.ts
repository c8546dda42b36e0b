import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { collectDump, withView } from '../../../src/server/inProcess.ts';
import { dumpParts } from '../../../src/server/store/model/opening.ts';
import { type Database, noLimit, type Row, type Transaction } from '../../../src/server/store/model/row.ts';
import { openSqlite } from '../../../src/server/store/sqlite/open.ts';
import { rowOf } from './storeContract.ts';

let folder = '';
let one: Database;
let other: Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-shared-'));
  [one, other] = [openSqlite(join(folder, 'platform.db'), () => 0), openSqlite(join(folder, 'platform.db'), () => 0)];
});
afterEach(async () => {
  await one.close();
  await other.close();
  rmSync(folder, { recursive: true, force: true });
});

const shop = { kind: 'gvc', name: 'shop' } as const;

/** A fact, and a row read in every way. */
function seen(tx: Transaction): readonly unknown[] {
  const rows = [
    tx.get(shop),
    ...tx.select({ kind: 'gvc', limit: noLimit }),
    ...tx.select({ kind: 'gvc', limit: 10 }),
    ...tx.select({ kind: 'gvc', names: ['shop'], limit: noLimit }),
  ];
  return [tx.fact('colour'), ...rows.map((row) => row?.recordText)];
}

function change(tx: Transaction, description: string): void {
  const row = tx.get(shop);
  if (row === undefined) throw new Error('it is not there');
  tx.update({ ...row, version: row.version + 1, record: { name: 'shop', description } }, []);
  tx.setFact('colour', description);
}

async function bothSee(...expected: readonly unknown[]): Promise<void> {
  expect(await one.of('org').read(seen)).toEqual(expected);
  expect(await other.of('org').read(seen)).toEqual(expected);
}

function all(text: string): readonly string[] {
  return [text, text, text, text];
}

test("a process reads another process's write next, although it had cached an older row", async () => {
  await bothSee(undefined, undefined);
  await one.of('org').write((tx) => tx.insert(rowOf('gvc', 'shop', 1), []));
  await bothSee(undefined, ...all('{"name":"shop","tags":{}}'));
  await other.of('org').write((tx) => change(tx, 'red'));
  await bothSee('red', ...all('{"name":"shop","description":"red"}'));
  await one.of('org').write((tx) => change(tx, 'blue'));
  await bothSee('blue', ...all('{"name":"shop","description":"blue"}'));
  await other.of('org').write((tx) => {
    const row = tx.get(shop);
    if (row !== undefined) tx.remove(row, undefined);
  });
  await bothSee('blue', undefined);
});

test("a write continues from another process's last write", async () => {
  await one.of('org').write((tx) => tx.insert(rowOf('gvc', 'shop', 1), []));
  for (const database of [one, other, other, one]) await database.of('org').write((tx) => change(tx, 'x'));
  expect(await one.of('org').read((tx) => tx.get(shop)?.version)).toBe(5);
});

test.each([{ together: 1 }, { together: 3 }])(
  'failed writes leave no change behind, with $together simultaneously',
  async ({ together }) => {
    await one.of('org').write((tx) => tx.insert(rowOf('gvc', 'shop', 1), []));
    await one.of('org').read(seen);
    const failing = Array.from({ length: together }, () =>
      one.of('org').write((tx) => {
        change(tx, 'never');
        tx.insert(rowOf('gvc', 'more', 2), []);
        seen(tx);
        throw new Error('no');
      }),
    );
    const outcomes = await Promise.allSettled([...failing, one.of('org').write((tx) => tx.setFact('colour', 'red'))]);
    expect(outcomes.map(({ status }) => status)).toEqual([...failing.map(() => 'rejected'), 'fulfilled']);
    await bothSee('red', ...all('{"name":"shop","tags":{}}'));
  },
);

test('a read after a load returns the loaded state', async () => {
  await one.of('org').write((tx) => {
    tx.setFact('created', '1');
    tx.insert(rowOf('gvc', 'shop', 1), []);
  });
  const dump = await withView(one.view(), collectDump);
  await one.of('org').write((tx) => change(tx, 'red'));
  await bothSee('red', ...all('{"name":"shop","description":"red"}'));
  await one.load(dumpParts(dump));
  await bothSee(undefined, ...all('{"name":"shop","tags":{}}'));
});

test('a row is the same object as long as it is unchanged, whatever other processes write', async () => {
  const found = () => one.of('org').read((tx): Row | undefined => tx.get(shop));
  await one.of('org').write((tx) => tx.insert(rowOf('gvc', 'shop', 1), []));
  const before = await found();
  await other.of('org').write((tx) => tx.insert(rowOf('gvc', 'more', 2), []));
  expect(await found()).toBe(before);
  await other.of('org').write((tx) => change(tx, 'red'));
  expect(await found()).not.toBe(before);
});

test('an update stores changed tags and references, and keeps the others, whichever process wrote them', async () => {
  const target = { kind: 'secret', name: 'key' } as const;
  const tagged = (value: string) => ({ name: 'shop', tags: { colour: value } });
  async function update(database: Database, value: string, targets: readonly (typeof target)[]): Promise<void> {
    await database.of('org').write((tx) => {
      const row = tx.get(shop);
      if (row !== undefined) tx.update({ ...row, version: row.version + 1, record: tagged(value) }, targets);
    });
  }
  const found = (database: Database, value: string) =>
    database
      .of('org')
      .read((tx) => [
        tx.select({ kind: 'gvc', tag: { key: 'colour', value }, limit: 10 }).length,
        tx.referrers(target, 'gvc').length,
      ]);
  await one.of('org').write((tx) => tx.insert(rowOf('gvc', 'shop', 1, { record: tagged('red') }), [target]));
  await update(one, 'red', [target]);
  expect(await found(other, 'red')).toEqual([1, 1]);
  await update(other, 'blue', []);
  await update(one, 'blue', [target]);
  expect(await found(other, 'blue')).toEqual([1, 1]);
  await update(one, 'green', []);
  expect([await found(other, 'blue'), await found(other, 'green')]).toEqual([
    [0, 0],
    [1, 0],
  ]);
});
