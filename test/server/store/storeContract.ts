import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { Kind } from '../../../src/schema/record/kinds.ts';
import type { Ref } from '../../../src/schema/record/ref.ts';
import { collectDump, withView } from '../../../src/server/inProcess.ts';
import { dumpParts } from '../../../src/server/store/model/opening.ts';
import { replayedText, replayedTime } from '../../../src/server/store/model/replayedInputs.ts';
import {
  type Database,
  type Due,
  type Entry,
  type EntrySelection,
  type Loaded,
  type NewEntry,
  type NewRow,
  noLimit,
  type Row,
  type Transaction,
} from '../../../src/server/store/model/row.ts';

/** A row as the cases write it, created at the given second. */
export function rowOf(kind: Kind, name: string, second: number, more: Partial<NewRow> = {}): NewRow {
  const times = { createdMs: second * 1000, modifiedMs: second * 1000 };
  const record: JsonObject = { name, tags: {} };
  const uid = `${kind}-${more.gvc ?? ''}-${name}-${second}`;
  return { kind, gvc: '', name, uid, version: 1, ...times, record, hidden: {}, state: {}, ...more };
}

export function entryOf(id: string, atMs: number, more: Partial<NewEntry> = {}): NewEntry {
  const columns = { owner: 'one', kind: 'workload', name: 'web', subject: 'me', context: 'scheme' };
  return { journal: 'audit', id, ...columns, atMs, body: { id }, ...more };
}

function due(key: string, atMs: number, about: JsonObject = {}): Due {
  return { key, atMs, job: 'cron', about };
}

const named = (rows: readonly Row[]) => rows.map(({ name }) => name);
const ids = (entries: readonly Entry[]) => entries.map(({ id }) => id);
const keys = (all: readonly Due[]) => all.map(({ key }) => key);
const whole = (tx: Transaction, kind: Kind) => tx.select({ kind, limit: noLimit });

function existing(tx: Transaction, kind: Kind, name: string, gvc?: string): Row {
  const row = tx.get(gvc === undefined ? { kind, name } : { kind, name, gvc });
  if (row === undefined) throw new Error(`${name} is not there`);
  return row;
}

export interface StoreCase {
  readonly it: string;
  /** `setTime` sets the store's time, in milliseconds since 1970. It starts at 0. */
  readonly check: (database: Database, setTime: (ms: number) => void) => Promise<void>;
}

function stores(it: string, check: StoreCase['check']): StoreCase {
  return { it, check };
}

/** The behaviour of every store. */
export const storeCases: readonly StoreCase[] = [
  stores('a record is found by address and by id, in its org only', async (database) => {
    const [one, two] = [database.of('one'), database.of('two')];
    await one.write((tx) =>
      tx.insert(rowOf('gvc', 'shop', 1, { uid: 'u1', hidden: { data: 1 }, state: { a: [1] } }), []),
    );
    const row = await one.read((tx) => tx.get({ kind: 'gvc', name: 'shop' }));
    expect(row).toMatchObject({ kind: 'gvc', gvc: '', name: 'shop', uid: 'u1', version: 1, createdMs: 1000 });
    expect([row?.record, row?.recordText]).toEqual([{ name: 'shop', tags: {} }, '{"name":"shop","tags":{}}']);
    expect([row?.hidden, row?.state]).toEqual([{ data: 1 }, { a: [1] }]);
    expect(await one.read((tx) => tx.byUid('gvc', 'u1')?.name)).toBe('shop');
    expect(await one.read((tx) => tx.byUid('workload', 'u1'))).toBeUndefined();
    expect(await two.read((tx) => [tx.get({ kind: 'gvc', name: 'shop' }), tx.byUid('gvc', 'u1')])).toEqual([
      undefined,
      undefined,
    ]);
    expect(await two.read((tx) => tx.elsewhere({ kind: 'gvc', name: 'shop' }))).toBe('one');
    expect(await one.read((tx) => tx.elsewhere({ kind: 'gvc', name: 'shop' }))).toBeUndefined();
  }),
  stores('a transaction sees its own writes before they are stored', async (database) => {
    const store = database.of('one');
    await store.write((tx) => {
      tx.insert(rowOf('gvc', 'shop', 1, { uid: 'u1' }), [{ kind: 'domain', name: 'a.example' }]);
      const row = existing(tx, 'gvc', 'shop');
      expect(tx.byUid('gvc', 'u1')?.name).toBe('shop');
      expect(named(tx.referrers({ kind: 'domain', name: 'a.example' }, 'gvc'))).toEqual(['shop']);
      tx.update({ ...row, version: 2, record: { name: 'shop', tags: { a: 'b' } } }, []);
      expect(tx.referrers({ kind: 'domain', name: 'a.example' }, 'gvc')).toEqual([]);
      expect(named(tx.select({ kind: 'gvc', tag: { key: 'a', value: 'b' }, limit: 9 }))).toEqual(['shop']);
      tx.updateState(existing(tx, 'gvc', 'shop'), { kept: true });
      expect(existing(tx, 'gvc', 'shop')).toMatchObject({ version: 2, state: { kept: true } });
      tx.remove(existing(tx, 'gvc', 'shop'), undefined);
      expect([tx.get({ kind: 'gvc', name: 'shop' }), tx.byUid('gvc', 'u1'), ...whole(tx, 'gvc')]).toEqual([
        undefined,
        undefined,
      ]);
      tx.insert(rowOf('gvc', 'shop', 3, { uid: 'u2' }), []);
    });
    expect(await store.read((tx) => whole(tx, 'gvc').map(({ uid }) => uid))).toEqual(['u2']);
  }),
  stores('a throw rolls back its own write, and not simultaneous ones', async (database) => {
    const store = database.of('one');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, number) =>
        store.write((tx) => {
          tx.insert(rowOf('gvc', `g${number}`, number), []);
          tx.setFact('last', String(number));
          tx.addEntry(entryOf(`e${number}`, number));
          tx.schedule(due(`d${number}`, number));
          if (number % 2 === 1) throw new Error(`no ${number}`);
          return tx.nextNumber();
        }),
      ),
    );
    expect(outcomes.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))).toEqual(
      Array.from({ length: 20 }, (_, number) => (number % 2 === 1 ? `Error: no ${number}` : number / 2 + 1)),
    );
    await store.read((tx) => {
      expect(named(whole(tx, 'gvc'))).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18].map((number) => `g${number}`));
      expect(tx.fact('last')).toBe('18');
      expect(tx.entries({ journal: 'audit', limit: noLimit })).toHaveLength(10);
      expect(tx.due(1e9, noLimit)).toHaveLength(10);
    });
  }),
  stores('audit events are found by subject, kind, name and context, newest first', async (database) => {
    const store = database.of('one');
    const ann = '/org/one/user/ann@example.com';
    await store.write((tx) => {
      tx.addEntry(entryOf('a1', 1, { subject: ann }));
      tx.addEntry(entryOf('b1', 2, { subject: '/org/one/serviceaccount/bob', kind: 'gvc', name: 'shop' }));
      tx.addEntry(entryOf('a2', 3, { subject: ann, kind: 'gvc', owner: 'two' }));
      tx.addEntry(entryOf('c1', 4, { subject: ann, context: 'mine' }));
      tx.addEntry(entryOf('n1', 5, { subject: '' }));
    });
    await database.of('two').write((tx) => tx.addEntry(entryOf('other', 3, { subject: ann })));
    await store.write((tx) => {
      tx.addEntry(entryOf('a3', 6, { subject: ann }));
      const found = (selection: Partial<EntrySelection>) =>
        ids(tx.entries({ journal: 'audit', limit: noLimit, ...selection }));
      const context = 'scheme';
      expect(found({ context, subjectName: 'ann@example.com' })).toEqual(['a3', 'a2', 'a1']);
      expect(found({ context, subjectName: 'ann@example.com', limit: 2 })).toEqual(['a3', 'a2']);
      expect(found({ context, subjectName: 'ann@example.com', before: { atMs: 3, seq: 0 } })).toEqual(['a1']);
      expect(found({ context, subjectName: 'bob', kind: 'gvc' })).toEqual(['b1']);
      expect(found({ context, subjectName: '' })).toEqual(['n1']);
      expect(found({ context, kind: 'gvc' })).toEqual(['a2', 'b1']);
      expect(found({ context, kind: 'gvc', fromMs: 3 })).toEqual(['a2']);
      expect(found({ context, name: 'shop' })).toEqual(['b1']);
      expect(found({ context, owner: 'two' })).toEqual(['a2']);
      expect(found({ context })).toEqual(['a3', 'n1', 'a2', 'b1', 'a1']);
      expect(found({ context: 'mine' })).toEqual(['c1']);
      expect(found({ context: 'mine', subjectName: 'ann@example.com' })).toEqual(['c1']);
      expect(found({ subjectName: 'ann@example.com' })).toEqual(['a3', 'c1', 'a2', 'a1']);
    });
  }),
  stores(
    'the count of records of a kind includes the writes and deletions of the same transaction',
    async (database) => {
      const store = database.of('one');
      await store.write((tx) => {
        for (const [at, name] of ['a', 'b', 'c'].entries()) tx.insert(rowOf('gvc', name, at), []);
        tx.insert(rowOf('group', 'g', 9), []);
        expect([tx.count('gvc'), tx.count('group'), tx.count('user')]).toEqual([3, 1, 0]);
      });
      await database.of('two').write((tx) => tx.insert(rowOf('gvc', 'x', 1), []));
      await store.write((tx) => {
        expect(tx.count('gvc')).toBe(3);
        tx.remove(existing(tx, 'gvc', 'a'), 5);
        tx.remove(existing(tx, 'gvc', 'b'), undefined);
        tx.insert(rowOf('gvc', 'd', 7), []);
        tx.update({ ...existing(tx, 'gvc', 'c'), version: 2 }, []);
        expect(tx.count('gvc')).toBe(2);
      });
      expect(await store.read((tx) => [tx.count('gvc'), tx.count('group')])).toEqual([2, 1]);
    },
  ),
  stores('records are read by their numbers, in the order of every list', async (database) => {
    const store = database.of('one');
    await store.write((tx) => {
      for (const [name, second] of Object.entries({ d: 4, b: 2, a: 1, c: 3 }))
        tx.insert(rowOf('gvc', name, second), []);
    });
    const seqs = await store.read((tx) => new Map(whole(tx, 'gvc').map(({ name, seq }) => [name, seq])));
    const wanted = ['c', 'a', 'd'].map((name) => seqs.get(name) ?? 0);
    await store.write((tx) => {
      tx.remove(existing(tx, 'gvc', 'd'), undefined);
      expect(named(tx.select({ kind: 'gvc', seqs: wanted, limit: noLimit }))).toEqual(['a', 'c']);
      expect(named(tx.select({ kind: 'gvc', seqs: [], limit: noLimit }))).toEqual([]);
      expect(named(tx.select({ kind: 'group', seqs: wanted, limit: noLimit }))).toEqual([]);
    });
  }),
  stores(
    'lists are in the order of creation, name and number, and a cursor continues them without a gap',
    async (database) => {
      const store = database.of('one');
      await store.write((tx) => {
        for (const [name, second] of [
          ['d', 2],
          ['b', 1],
          ['a', 2],
          ['c', 1],
        ] as const) {
          tx.insert(rowOf('workload', name, second, { gvc: 'shop' }), []);
        }
        tx.insert(rowOf('workload', 'b', 1, { gvc: 'mall' }), []);
        tx.insert(rowOf('identity', 'b', 1, { gvc: 'shop' }), []);
      });
      await store.read((tx) => {
        expect(whole(tx, 'workload').map(({ gvc, name }) => `${gvc}/${name}`)).toEqual([
          'shop/b',
          'mall/b',
          'shop/c',
          'shop/a',
          'shop/d',
        ]);
        expect(named(tx.select({ kind: 'workload', gvc: 'shop', limit: noLimit }))).toEqual(['b', 'c', 'a', 'd']);
        expect(named(tx.select({ kind: 'workload', names: ['a', 'b', 'x'], limit: noLimit }))).toEqual(['b', 'b', 'a']);
        expect(named(tx.select({ kind: 'workload', below: 'com', limit: noLimit }))).toEqual([]);
        const first = tx.select({ kind: 'workload', limit: 2 });
        const [, last] = first;
        expect(first.map(({ gvc }) => gvc)).toEqual(['shop', 'mall']);
        if (last !== undefined) {
          expect(named(tx.select({ kind: 'workload', after: last, limit: 2 }))).toEqual(['c', 'a']);
        }
      });
    },
  ),
  stores('names below a domain are found by their end, even before they are stored', async (database) => {
    const store = database.of('one');
    const domains = ['example.com', 'a.example.com', 'an-example.com', 'b.a.example.com', 'a.example.com.org'];
    const below = (tx: Transaction) => named(tx.select({ kind: 'domain', below: 'example.com', limit: 9 }));
    await store.write((tx) => {
      for (const [second, name] of domains.entries()) tx.insert(rowOf('domain', name, second), []);
      expect(below(tx)).toEqual(['a.example.com', 'b.a.example.com']);
    });
    await store.read((tx) => {
      expect(below(tx)).toEqual(['a.example.com', 'b.a.example.com']);
      expect(named(tx.select({ kind: 'domain', below: 'a.example.com', limit: 9 }))).toEqual(['b.a.example.com']);
    });
  }),
  stores('a page has its full length even after writes of the same transaction', async (database) => {
    const store = database.of('one');
    await store.write((tx) => {
      for (let number = 0; number < 10; number += 1) tx.insert(rowOf('gvc', `g${number}`, number), []);
    });
    await store.write((tx) => {
      for (const name of ['g0', 'g1', 'g2']) tx.remove(existing(tx, 'gvc', name), undefined);
      tx.updateState(existing(tx, 'gvc', 'g3'), { seen: 1 });
      tx.insert(rowOf('gvc', 'g35', 3), []);
      expect(named(tx.select({ kind: 'gvc', limit: 4 }))).toEqual(['g3', 'g35', 'g4', 'g5']);
      expect(tx.select({ kind: 'gvc', limit: 1 })[0]?.state).toEqual({ seen: 1 });
    });
    expect(await store.read((tx) => named(tx.select({ kind: 'gvc', limit: 4 })))).toEqual(['g3', 'g35', 'g4', 'g5']);
  }),
  stores('tags are found by key and value, with any content and length', async (database) => {
    const store = database.of('one');
    const long = 'ü'.repeat(4096);
    await store.write((tx) => {
      tx.insert(rowOf('gvc', 'a', 1, { record: { name: 'a', tags: { long, n: 5, 'k\0ey': 'x' } } }), []);
      tx.insert(rowOf('gvc', 'b', 2, { record: { name: 'b', tags: { long: `${long}.`, n: '5' } } }), []);
    });
    await store.read((tx) => {
      expect(named(tx.select({ kind: 'gvc', tag: { key: 'long', value: long }, limit: 9 }))).toEqual(['a']);
      expect(named(tx.select({ kind: 'gvc', tag: { key: 'n', value: '5' }, limit: 9 }))).toEqual(['a', 'b']);
      expect(tx.select({ kind: 'gvc', tag: { key: 'n', value: '6' }, limit: 9 })).toEqual([]);
      const any = (...anyTag: readonly { readonly key: string; readonly value?: string }[]) =>
        named(tx.select({ kind: 'gvc', anyTag, limit: 9 }));
      expect(any({ key: 'k\0ey' }, { key: 'n', value: '5' })).toEqual(['a', 'b']);
      expect(any({ key: 'k\0ey' }, { key: 'n', value: '6' })).toEqual(['a']);
      expect(any({ key: 'absent' })).toEqual([]);
      const both = { tag: { key: 'n', value: '5' }, anyTag: [{ key: 'long', value: long }] } as const;
      expect(named(tx.select({ kind: 'gvc', ...both, limit: 9 }))).toEqual(['a']);
      expect(existing(tx, 'gvc', 'a').record).toEqual({ name: 'a', tags: { long, n: 5, 'k\0ey': 'x' } });
      expect(tx.get({ kind: 'gvc', name: 'a\0' })).toBeUndefined();
    });
  }),
  stores('referrers of a kind are found by their target, and only the first of them with a limit', async (database) => {
    const store = database.of('one');
    const target = { kind: 'secret', name: 's'.repeat(4000) } as const;
    await store.write((tx) => {
      tx.insert(rowOf('workload', 'w', 2, { gvc: 'shop' }), [target, target, { kind: 'gvc', name: 'shop' }]);
      tx.insert(rowOf('policy', 'p', 1), [target, { kind: 'identity', gvc: 'shop', name: 'i' }]);
      for (const name of ['v', 'u']) tx.insert(rowOf('workload', name, 1, { gvc: 'shop' }), [target]);
    });
    await store.read((tx) => {
      expect(named(tx.referrers(target, 'workload', 2))).toEqual(['w', 'v']);
      expect(named(tx.referrers(target, 'workload', 3))).toEqual(['w', 'v', 'u']);
      expect(named(tx.referrers(target, 'workload'))).toEqual(['w', 'v', 'u']);
      expect(named(tx.referrers(target, 'workload', 1))).toEqual(['w']);
      expect(named(tx.referrers(target, 'policy'))).toEqual(['p']);
      expect(tx.referrerRefs(target, 'policy')).toEqual([{ kind: 'policy', name: 'p' }]);
      expect(tx.referrerRefs(target, 'secret')).toEqual([]);
      expect(named(tx.referrers({ kind: 'identity', gvc: 'shop', name: 'i' }, 'policy'))).toEqual(['p']);
      expect(tx.referrers({ kind: 'identity', gvc: 'mall', name: 'i' }, 'policy')).toEqual([]);
    });
    await store.write((tx) => {
      tx.updateState(existing(tx, 'policy', 'p'), { seen: 1 });
      tx.update({ ...existing(tx, 'workload', 'w', 'shop'), version: 2 }, []);
      expect(tx.referrers(target, 'policy').map(({ name, state }) => [name, state])).toEqual([['p', { seen: 1 }]]);
      expect(named(tx.referrers(target, 'workload', 1))).toEqual(['v']);
      tx.insert(rowOf('workload', 't', 1, { gvc: 'shop' }), [target]);
      expect(named(tx.referrers(target, 'workload', 2))).toEqual(['v', 'u']);
      expect(named(tx.referrers(target, 'workload', 4))).toEqual(['v', 'u', 't']);
    });
    expect(await store.read((tx) => named(tx.referrers(target, 'workload', 2)))).toEqual(['v', 'u']);
    expect(await store.read((tx) => named(tx.referrers(target, 'workload')))).toEqual(['v', 'u', 't']);
  }),
  stores(
    'a deleted record is still shown until its time, or until its name is used again',
    async (database, setTime) => {
      const store = database.of('one');
      await store.write((tx) => {
        tx.insert(rowOf('workload', 'w', 1, { gvc: 'shop', hidden: { data: 'x' } }), []);
        tx.insert(rowOf('workload', 'v', 1, { gvc: 'shop' }), []);
      });
      await store.write((tx) => {
        tx.remove(existing(tx, 'workload', 'w', 'shop'), 5000);
        expect([tx.leaving({ kind: 'workload', gvc: 'shop', name: 'w' })?.name, tx.leavingIn('shop')]).toEqual([
          'w',
          true,
        ]);
      });
      await store.read((tx) => {
        expect(tx.leaving({ kind: 'workload', gvc: 'shop', name: 'w' })).toMatchObject({ name: 'w', hidden: {} });
        expect([tx.leavingIn('shop'), tx.leavingIn('mall')]).toEqual([true, false]);
      });
      setTime(5000);
      await store.read((tx) => {
        expect([tx.leaving({ kind: 'workload', gvc: 'shop', name: 'w' }), tx.leavingIn('shop')]).toEqual([
          undefined,
          false,
        ]);
      });
      await store.write((tx) => tx.remove(existing(tx, 'workload', 'v', 'shop'), 9000));
      await store.write((tx) => {
        tx.insert(rowOf('workload', 'v', 6, { gvc: 'shop' }), []);
        expect(tx.leaving({ kind: 'workload', gvc: 'shop', name: 'v' })).toBeUndefined();
      });
      expect(await store.read((tx) => tx.leavingIn('shop'))).toBe(false);
    },
  ),
  stores('facts and numbers are separate for each org, and numbers have no gap', async (database) => {
    const [one, two] = [database.of('one'), database.of('two')];
    await one.write((tx) => {
      tx.setFact('a', '1');
      expect([tx.fact('a'), tx.nextNumber(), tx.nextNumber()]).toEqual(['1', 1, 2]);
    });
    await expect(
      one.write((tx) => {
        tx.nextNumber();
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await one.write((tx) => [tx.nextNumber(), tx.fact('a')])).toEqual([3, '1']);
    expect(await two.write((tx) => [tx.nextNumber(), tx.fact('a')])).toEqual([1, undefined]);
  }),
  stores('journals are read newest first, by every column, by time, and from an entry on', async (database) => {
    const store = database.of('one');
    await store.write((tx) => {
      tx.addEntry(entryOf('a', 1));
      tx.addEntry(entryOf('b', 3, { owner: 'two', subject: 'you' }));
      tx.addEntry(entryOf('c', 3, { kind: 'gvc', context: 'other' }));
      tx.addEntry(entryOf('d', 2, { name: 'api' }));
      tx.addEntry(entryOf('e', 9, { journal: 'event' }));
    });
    await store.read((tx) => {
      const audit = (more: object) => ids(tx.entries({ journal: 'audit', limit: noLimit, ...more }));
      expect(audit({})).toEqual(['c', 'b', 'd', 'a']);
      expect(audit({ limit: 2 })).toEqual(['c', 'b']);
      expect([audit({ id: 'd' }), audit({ owner: 'two' }), audit({ kind: 'gvc' })]).toEqual([['d'], ['b'], ['c']]);
      expect([audit({ name: 'api' }), audit({ subject: 'you' }), audit({ context: 'other' })]).toEqual([
        ['d'],
        ['b'],
        ['c'],
      ]);
      expect([audit({ fromMs: 2, toMs: 3 }), audit({ fromMs: 3 })]).toEqual([['d'], ['c', 'b']]);
      expect([audit({ fromMs: 1.5, toMs: 2.5 }), audit({ fromMs: 1e300 }), audit({ toMs: 1e300, limit: 1 })]).toEqual([
        ['d'],
        [],
        ['c'],
      ]);
      const [, second] = tx.entries({ journal: 'audit', limit: 2 });
      expect(second === undefined ? [] : audit({ before: second })).toEqual(['d', 'a']);
    });
  }),
  stores(
    'entries are changed and dropped, singly and by owner, even in the transaction that added them',
    async (database) => {
      const store = database.of('one');
      await store.write((tx) => {
        for (let at = 0; at < 6; at += 1)
          tx.addEntry(entryOf(`c${at}`, at, { journal: 'command', owner: `o${at % 2}` }));
        tx.addEntry(entryOf('a', 1, { owner: 'o1' }));
      });
      await store.write((tx) => {
        const all = () => ids(tx.entries({ journal: 'command', limit: noLimit }));
        const [newest] = tx.entries({ journal: 'command', limit: 1 });
        if (newest !== undefined) tx.changeEntry({ ...newest, name: 'done', atMs: 2, body: { changed: true } });
        expect(all()).toEqual(['c4', 'c3', 'c5', 'c2', 'c1', 'c0']);
        expect(ids(tx.entries({ journal: 'command', limit: 3 }))).toEqual(['c4', 'c3', 'c5']);
        expect(ids(tx.entries({ journal: 'command', name: 'done', limit: 9 }))).toEqual(['c5']);
        const [third] = tx.entries({ journal: 'command', id: 'c3', limit: 1 });
        if (third !== undefined) tx.dropEntry(third);
        expect(all()).toEqual(['c4', 'c5', 'c2', 'c1', 'c0']);
        tx.addEntry(entryOf('late', 7, { journal: 'command', owner: 'o1' }));
        tx.dropEntries('o1', ['command', 'event']);
        expect(ids(tx.entries({ journal: 'command', limit: 2 }))).toEqual(['c4', 'c2']);
        expect(tx.entries({ journal: 'command', owner: 'o1', limit: 9 })).toEqual([]);
        tx.addEntry(entryOf('again', 8, { journal: 'command', owner: 'o1' }));
        expect(all()).toEqual(['again', 'c4', 'c2', 'c0']);
      });
      await store.read((tx) => {
        expect(ids(tx.entries({ journal: 'command', limit: noLimit }))).toEqual(['again', 'c4', 'c2', 'c0']);
        expect(ids(tx.entries({ journal: 'audit', limit: noLimit }))).toEqual(['a']);
      });
    },
  ),
  stores(
    'due jobs are read earliest first, scheduling again replaces a job, and the earliest of all orgs is known',
    async (database) => {
      const heard: number[] = [];
      database.onScheduled((atMs) => heard.push(atMs));
      const [one, two] = [database.of('one'), database.of('two')];
      await one.write((tx) => {
        for (const [key, atMs] of [
          ['c', 5],
          ['a', 3],
          ['b', 3],
        ] as const)
          tx.schedule(due(key, atMs, { n: atMs }));
        expect(keys(tx.due(4, 9))).toEqual(['a', 'b']);
        tx.schedule(due('a', 4));
        expect(keys(tx.due(9, 2))).toEqual(['b', 'a']);
      });
      await two.write((tx) => tx.schedule(due('z', 2)));
      expect(heard).toEqual([3, 2]);
      expect(await database.nextDue()).toEqual({ org: 'two', due: due('z', 2) });
      await two.write((tx) => tx.unschedule('z'));
      expect(await database.nextDue()).toEqual({ org: 'one', due: due('b', 3, { n: 3 }) });
      await one.write((tx) => {
        tx.unschedule('b');
        expect(tx.due(9, 1)).toEqual([due('a', 4)]);
      });
      expect(await one.read((tx) => tx.due(4, 9))).toEqual([due('a', 4)]);
    },
  ),
  stores(
    'a transaction that reads by a generated id or time ends, and stores the same values that it returns',
    async (database) => {
      const newId = replayedText(() => randomUUID());
      const now = replayedTime(() => performance.now());
      const made = await database.of('one').write((tx) => {
        const uid = newId();
        if (tx.byUid('gvc', uid) !== undefined || tx.get({ kind: 'gvc', name: newId() }) !== undefined) return '';
        tx.entries({ journal: 'audit', fromMs: now(), owner: uid, limit: 1 });
        tx.entries({ journal: 'audit', fromMs: now(), limit: 1 });
        tx.insert(rowOf('gvc', 'shop', 1, { uid }), []);
        return uid;
      });
      expect(await database.of('one').read((tx) => tx.byUid('gvc', made)?.name)).toBe('shop');
    },
  ),
  stores('a hundred concurrent writers of one record lose nothing', async (database) => {
    const store = database.of('one');
    await store.write((tx) => tx.insert(rowOf('gvc', 'shop', 1), []));
    const versions = await Promise.all(
      Array.from({ length: 100 }, () =>
        store.write((tx) => {
          const row = existing(tx, 'gvc', 'shop');
          tx.update({ ...row, version: row.version + 1 }, []);
          return row.version + 1;
        }),
      ),
    );
    expect(new Set(versions).size).toBe(100);
    expect(await store.read((tx) => existing(tx, 'gvc', 'shop').version)).toBe(101);
  }),
  stores('a dumped state, as JSON, can replace another state', async (database) => {
    const [one, two] = [database.of('one'), database.of('two')];
    await one.write((tx) => {
      tx.setFact('created', '1');
      tx.insert(rowOf('gvc', 'shop', 1, { hidden: { data: 1 } }), [{ kind: 'domain', name: 'd' }]);
      tx.insert(rowOf('gvc', 'gone', 1), []);
      tx.addEntry(entryOf('a', 1));
      tx.schedule(due('k', 1));
    });
    await one.write((tx) => tx.remove(existing(tx, 'gvc', 'gone'), 9000));
    const dump = await withView(database.view(), collectDump);
    expect(Object.keys(dump)).toEqual(['one']);
    await two.write((tx) => tx.setFact('created', '2'));
    await one.write((tx) => tx.remove(existing(tx, 'gvc', 'shop'), undefined));
    expect(await database.orgs()).toEqual(['one', 'two']);
    await database.load(dumpParts(JSON.parse(JSON.stringify(dump))));
    expect(await database.orgs()).toEqual(['one']);
    expect(await withView(database.view(), collectDump)).toEqual(dump);
    await one.read((tx) => {
      expect(existing(tx, 'gvc', 'shop').hidden).toEqual({ data: 1 });
      expect(named(tx.referrers({ kind: 'domain', name: 'd' }, 'gvc'))).toEqual(['shop']);
      expect([tx.leaving({ kind: 'gvc', name: 'gone' })?.name, ...keys(tx.due(9, 9))]).toEqual(['gone', 'k']);
    });
  }),
  stores('a view shows the state of one moment, whatever is written while it is read', async (database) => {
    const [one, two] = [database.of('one'), database.of('two')];
    const at = { journal: 'audit', limit: 1 } as const;
    for (const store of [one, two]) {
      await store.write((tx) => {
        tx.setFact('created', store === one ? '1' : '2');
        for (const name of ['a', 'b', 'c', 'd']) {
          tx.insert(rowOf('gvc', name, 1, { uid: `${tx.org}-${name}` }), [{ kind: 'domain', name }]);
        }
        tx.addEntry({ ...entryOf('a', 1), id: `${tx.org}-a` });
        tx.addEntry({ ...entryOf('b', 2), id: `${tx.org}-b` });
        tx.schedule(due('k', 1));
      });
      await store.write((tx) => tx.remove(existing(tx, 'gvc', 'd'), 9000));
    }
    const before = await withView(database.view(), collectDump);
    const during = await withView(database.view(), async (view) => {
      for (const store of [one, two]) {
        await store.write((tx) => {
          const [b, c] = [existing(tx, 'gvc', 'b'), existing(tx, 'gvc', 'c')];
          tx.update({ ...b, version: 2 }, []);
          tx.updateState(existing(tx, 'gvc', 'a'), { changed: true });
          tx.remove(c, 9000);
          // The number of the last row is free again.
          for (const name of ['c', 'd']) tx.insert(rowOf('gvc', name, 1, { uid: `${tx.org}-${name}-2` }), []);
          for (const entry of tx.entries(at)) tx.dropEntry(entry);
          for (const entry of tx.entries(at)) tx.changeEntry({ ...entry, name: 'changed' });
          tx.addEntry({ ...entryOf('c', 3), id: `${tx.org}-c` });
          tx.unschedule('k');
          tx.schedule(due('l', 1));
          tx.setFact('created', '3');
        });
      }
      return collectDump(view);
    });
    expect(during).toEqual(before);
    expect(await withView(database.view(), collectDump)).not.toEqual(before);
  }),
  stores('a streamed state replaces another only once it is complete', async (database) => {
    const one = database.of('one');
    const domain: Ref = { kind: 'domain', name: 'd' };
    async function* content(works: () => Promise<void>): AsyncGenerator<readonly Loaded[]> {
      const row = { ...rowOf('gvc', 'shop', 1, { hidden: { data: 1 } }), targets: [domain] };
      yield [{ org: 'two', of: 'record', row }];
      yield [{ org: 'two', of: 'facts', facts: { created: '2' } }];
      yield [{ org: 'two', of: 'entry', entry: entryOf('a', 1) }];
      await works();
      yield [{ org: 'two', of: 'leaving', left: { row: rowOf('gvc', 'gone', 1), untilMs: 9000 } }];
      yield [{ org: 'two', of: 'due', due: due('k', 1) }];
    }
    await one.write((tx) => {
      tx.setFact('created', '1');
      tx.insert(rowOf('gvc', 'old', 1), []);
    });
    const failing = database.replace(content(() => Promise.reject(new Error('no'))));
    await expect(failing).rejects.toThrow('no');
    expect(await database.orgs()).toEqual(['one']);

    for (const again of [1, 2, 3]) {
      await database.replace(
        content(async () => {
          // Until then, reads and writes use the current state.
          const before = again === 1 ? 'one' : 'two';
          expect(await database.orgs()).toEqual([before]);
          await database.of(before).write((tx) => tx.insert(rowOf('gvc', `lost-${again}`, 1), []));
        }),
      );
      const dump = await withView(database.view(), collectDump);
      expect(Object.keys(dump)).toEqual(['two']);
      expect(dump['two']?.records.map(({ name, hidden, targets }) => [name, hidden, targets])).toEqual([
        ['shop', { data: 1 }, [{ kind: 'domain', name: 'd' }]],
      ]);
      await database.of('two').read((tx) => {
        expect(named(tx.referrers({ kind: 'domain', name: 'd' }, 'gvc'))).toEqual(['shop']);
        expect(named(tx.select({ kind: 'gvc', limit: 9 }))).toEqual(['shop']);
        expect(tx.get({ kind: 'gvc', name: `lost-${again}` })).toBeUndefined();
        expect(tx.entries({ journal: 'audit', limit: 9 }).map(({ id }) => id)).toEqual([entryOf('a', 1).id]);
        expect([tx.leaving({ kind: 'gvc', name: 'gone' })?.name, ...keys(tx.due(9, 9))]).toEqual(['gone', 'k']);
      });
      await database.of('two').write((tx) => tx.insert(rowOf('gvc', 'new', 1), []));
      expect((await database.of('two').read((tx) => tx.select({ kind: 'gvc', limit: 9 }))).length).toBe(2);
    }
  }),
];
