import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { Kind } from '../../../src/schema/record/kinds.ts';
import { collectDump, withView } from '../../../src/server/inProcess.ts';
import { sealForStorage } from '../../../src/server/service.ts';
import {
  accessGeneration,
  countedStore,
  dynamicGroups,
  reservedGb,
} from '../../../src/server/store/model/countedStore.ts';
import { dumpParts } from '../../../src/server/store/model/opening.ts';
import type { Database, Dump, Row, Store, Transaction } from '../../../src/server/store/model/row.ts';
import { randomKey, sealWith } from '../../../src/server/store/model/seal.ts';
import { openSqlite } from '../../../src/server/store/sqlite/open.ts';

let database: Database;
let store: Store;
beforeEach(() => {
  database = openSqlite(':memory:', () => 0);
  store = countedStore(database.of('acme'), randomUUID);
});
afterEach(() => database.close());

function insert(tx: Transaction, kind: Kind, name: string, record: JsonObject = {}): void {
  const times = { createdMs: 0, modifiedMs: 0 };
  tx.insert({ kind, gvc: '', name, uid: randomUUID(), version: 1, ...times, record, hidden: {}, state: {} }, []);
}

/** Loads a state as the server does. */
async function load(dump: Dump): Promise<void> {
  const content = sealForStorage([dumpParts(dump)], sealWith(randomKey()), 'other', () => 'fresh');
  await database.load((await Array.fromAsync(content)).flat());
}

function volumes(...sizes: readonly number[]): JsonObject {
  return { volumes: sizes.map((sizeGb, index) => ({ location: 'here', index, fromMs: 0, sizeGb })) };
}

function generation(): Promise<string> {
  return store.read(accessGeneration);
}

test.each(['group', 'policy', 'serviceaccount', 'user'] as const)(
  'each creation, change and removal of a %s starts a new generation',
  async (kind) => {
    const seen = [await generation()];
    await store.write((tx) => insert(tx, kind, 'one'));
    seen.push(await generation());
    await store.write((tx) => {
      const row = tx.get({ kind, name: 'one' });
      if (row !== undefined) tx.update({ ...row, version: 2 }, []);
    });
    seen.push(await generation());
    await store.write((tx) => {
      const row = tx.get({ kind, name: 'one' });
      if (row !== undefined) tx.updateState(row, { shown: { origin: 'x' } });
    });
    seen.push(await generation());
    await store.write((tx) => {
      const row = tx.get({ kind, name: 'one' });
      if (row !== undefined) tx.remove(row, undefined);
    });
    seen.push(await generation());
    expect(new Set(seen).size).toBe(5);
  },
);

test('writes of other kinds start no new generation', async () => {
  const before = await generation();
  await store.write((tx) => {
    for (const kind of ['gvc', 'secret', 'workload', 'identity'] as const) insert(tx, kind, 'one');
  });
  expect(await generation()).toBe(before);
});

test('a write that is rolled back starts no new generation', async () => {
  const before = await generation();
  const failing = store.write((tx) => {
    insert(tx, 'policy', 'one');
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await generation()).toBe(before);
});

test('the store lists the groups that have a member query or a matcher', async () => {
  const known = () => store.read((tx) => [...dynamicGroups(tx)].sort());
  await store.write((tx) => {
    insert(tx, 'group', 'links', { memberLinks: [] });
    insert(tx, 'group', 'query', { memberQuery: {} });
    insert(tx, 'group', 'matcher', { identityMatcher: { expression: 'name' } });
  });
  expect(await known()).toEqual(['matcher', 'query']);
  await store.write((tx) => {
    const row = tx.get({ kind: 'group', name: 'query' });
    if (row !== undefined) tx.update({ ...row, record: { memberLinks: [] } }, []);
  });
  expect(await known()).toEqual(['matcher']);
  await store.write((tx) => {
    const row = tx.get({ kind: 'group', name: 'matcher' });
    if (row !== undefined) tx.remove(row, undefined);
  });
  expect(await known()).toEqual([]);
});

test('groups with a query or a matcher are found in a database without such a list, and after a state was loaded', async () => {
  await database.of('acme').write((tx) => {
    tx.setFact('created', '2026-01-01T00:00:00Z');
    insert(tx, 'group', 'old', { memberQuery: {} });
  });
  expect(await store.read(dynamicGroups)).toEqual(['old']);
  await store.write((tx) => insert(tx, 'group', 'young', { memberQuery: {} }));
  expect(await store.read(dynamicGroups)).toEqual(['old', 'young']);

  const before = await generation();
  const dump = await withView(database.view(), collectDump);
  const { acme } = dump;
  if (acme === undefined) throw new Error('no org');
  const without = { ...dump, acme: { ...acme, records: acme.records.filter(({ name }) => name !== 'old') } };
  await load(without);
  expect(await generation()).toBe('fresh');
  expect(before).not.toBe('fresh');
  expect(await store.read(dynamicGroups)).toEqual(['young']);
});

const ofSet = (name: string) => ({ kind: 'volumeset', gvc: 'shop', name }) as const;

async function change(name: string, work: (tx: Transaction, row: Row) => void): Promise<number> {
  await store.write((tx) => {
    const row = tx.get(ofSet(name));
    if (row !== undefined) work(tx, row);
  });
  return store.read(reservedGb);
}

test('the storage that volumes reserve is counted with each write, and summed once if the sum is missing', async () => {
  const row = { gvc: 'shop', version: 1, createdMs: 0, modifiedMs: 0, record: {}, hidden: {} };
  const inserted = (tx: Transaction, name: string, state: JsonObject) =>
    tx.insert({ ...row, ...ofSet(name), uid: name, state }, []);
  await database.of('acme').write((tx) => {
    tx.setFact('created', '2026-01-01T00:00:00Z');
    inserted(tx, 'old', volumes(10));
  });
  expect(await store.read(reservedGb)).toBe(10);
  await store.write((tx) => inserted(tx, 'new', volumes(20, 30)));
  expect(await store.read(reservedGb)).toBe(60);
  expect(await store.read((tx) => tx.fact('quota.storageGb'))).toBe('60');
  expect(await change('new', (tx, known) => tx.updateState(known, volumes(20, 35)))).toBe(65);
  expect(await change('new', (tx, known) => tx.update({ ...known, state: volumes(5) }, []))).toBe(15);
  expect(await change('old', (tx, known) => tx.remove(known, 1_000))).toBe(5);
  const dump = await withView(database.view(), collectDump);
  const { acme } = dump;
  if (acme === undefined) throw new Error('no org');
  const twice = acme.records.flatMap((known) => [known, { ...known, name: `${known.name}-2`, uid: `${known.uid}-2` }]);
  await load({ ...dump, acme: { ...acme, records: twice } });
  expect(await store.read((tx) => tx.fact('quota.storageGb'))).toBe('10');
});
