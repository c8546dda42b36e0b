import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Kind } from '../../../src/schema/record/kinds.ts';
import type { Ref } from '../../../src/schema/record/ref.ts';
import { collectDump, withView } from '../../../src/server/inProcess.ts';
import { dumpParts } from '../../../src/server/store/model/opening.ts';
import { type Database, noLimit, type Row, type Transaction } from '../../../src/server/store/model/row.ts';
import { addressOf } from '../../../src/server/store/postgres/connections.ts';
import { openPostgres } from '../../../src/server/store/postgres/open.ts';
import { openSqlite } from '../../../src/server/store/sqlite/open.ts';
import { type SharedPostgres, sharedPostgres } from '../postgres/startPostgres.ts';
import { entryOf, rowOf } from './storeContract.ts';

let postgres: SharedPostgres | undefined;
beforeAll(async () => {
  postgres = await sharedPostgres();
});

/** One step of a transaction, whose result is compared. Numbers select values modulo their count. */
type Step = (tx: Transaction, a: number, b: number) => unknown;

const kinds: readonly Kind[] = ['gvc', 'secret', 'workload'];
const kindOf = (a: number): Kind => kinds[a % kinds.length] ?? 'gvc';
const refOf = (a: number): Ref => {
  const kind = kindOf(a);
  return kind === 'workload' ? { kind, gvc: `g${a % 2}`, name: `n${a % 5}` } : { kind, name: `n${a % 5}` };
};
const shown = (rows: readonly (Row | undefined)[]) =>
  rows.map((row) => row && [row.kind, row.gvc, row.name, row.uid, row.version, row.recordText, row.state]);
const journals = ['audit', 'command', 'event'] as const;
const journalOf = (a: number) => journals[a % 3] ?? 'audit';

const steps: Readonly<Record<string, Step>> = {
  put(tx, a, b) {
    const ref = refOf(a);
    const row = tx.get(ref);
    const record = { name: ref.name, tags: { t: String(b % 3) }, b };
    const targets = [refOf(b), refOf(b + 1)];
    if (row !== undefined) return tx.update({ ...row, version: row.version + 1, record }, targets);
    return tx.insert(
      rowOf(ref.kind, ref.name, b % 4, { gvc: ref.gvc ?? '', uid: `u${tx.nextNumber()}`, record }),
      targets,
    );
  },
  state(tx, a, b) {
    const row = tx.get(refOf(a));
    if (row !== undefined) tx.updateState(row, { b });
  },
  remove(tx, a, b) {
    const row = tx.get(refOf(a));
    if (row !== undefined) tx.remove(row, b % 2 === 0 ? undefined : 10_000 + b);
  },
  get: (tx, a) => shown([tx.get(refOf(a)), tx.leaving(refOf(a))]),
  leavingIn: (tx, a) => tx.leavingIn(`g${a % 2}`),
  byUid: (tx, a) => shown([tx.byUid(kindOf(a), `u${(a % 9) + 1}`)]),
  list: (tx, a, b) => shown(tx.select({ kind: kindOf(a), limit: (b % 4) + 1 })),
  all: (tx, a) => shown(tx.select({ kind: kindOf(a), limit: noLimit })),
  tagged: (tx, a, b) =>
    shown(tx.select({ kind: kindOf(a), tag: { key: 't', value: String(b % 3) }, limit: (b % 5) + 1 })),
  anyTag: (tx, a, b) =>
    shown(
      tx.select({ kind: kindOf(a), anyTag: [{ key: 't', value: String(b % 3) }, { key: 'u' }], limit: (b % 5) + 1 }),
    ),
  inGvc: (tx, a, b) => shown(tx.select({ kind: 'workload', gvc: `g${a % 2}`, limit: (b % 5) + 1 })),
  named: (tx, a, b) => shown(tx.select({ kind: kindOf(a), names: [`n${b % 5}`, 'n0'], limit: 9 })),
  after(tx, a, b) {
    const [first] = tx.select({ kind: kindOf(a), limit: 1 });
    return first && shown(tx.select({ kind: kindOf(a), after: first, limit: (b % 4) + 1 }));
  },
  referrers: (tx, a, b) => shown(tx.referrers(refOf(a), kindOf(b))),
  firstReferrers: (tx, a, b) => shown(tx.referrers(refOf(a), kindOf(b), (b % 3) + 1)),
  referrerRefs: (tx, a, b) => tx.referrerRefs(refOf(a), kindOf(b)),
  number: (tx) => tx.nextNumber(),
  fact: (tx, a) => tx.fact(`f${a % 3}`),
  setFact: (tx, a, b) => tx.setFact(`f${a % 3}`, String(b)),
  add: (tx, a, b) =>
    tx.addEntry(entryOf(`e${a}`, b % 4, { journal: journalOf(a), owner: `o${b % 3}`, name: `s${a % 2}` })),
  change(tx, a, b) {
    const [, entry] = tx.entries({ journal: journalOf(a), limit: 2 });
    if (entry !== undefined) tx.changeEntry({ ...entry, atMs: b % 5, name: 'changed', body: { b } });
  },
  dropOne(tx, a) {
    const [entry] = tx.entries({ journal: journalOf(a), limit: 1 });
    if (entry !== undefined) tx.dropEntry(entry);
  },
  dropAll: (tx, a, b) => tx.dropEntries(`o${b % 3}`, [journalOf(a)]),
  entries(tx, a, b) {
    const owner = b % 2 === 0 ? {} : { owner: `o${b % 3}` };
    const name = a % 4 === 0 ? { name: 'changed' } : {};
    const found = tx.entries({ journal: journalOf(a), ...owner, ...name, limit: (b % 6) + 1 });
    return found.map(({ seq: _, ...entry }) => entry);
  },
  schedule: (tx, a, b) => tx.schedule({ key: `k${a % 5}`, atMs: b % 4, job: 'j', about: { b } }),
  unschedule: (tx, a) => tx.unschedule(`k${a % 5}`),
  due: (tx, a, b) => tx.due(a % 5, (b % 4) + 1),
};

const step = fc.tuple(fc.constantFrom(...Object.keys(steps)), fc.nat(60), fc.nat(60));
const transaction = fc.record({ throws: fc.boolean(), steps: fc.array(step, { maxLength: 12 }) });
/** The transactions of each inner list are sent together, so that they share a commit. */
const program = fc.array(fc.array(transaction, { maxLength: 4 }), { maxLength: 6 });

type Program = readonly (readonly {
  readonly throws: boolean;
  readonly steps: readonly [string, number, number][];
}[])[];

/** Runs all transactions; returns the results of each, in order. */
async function play(database: Database, all: Program): Promise<readonly unknown[]> {
  const store = database.of('one');
  const seen: unknown[] = [];
  for (const together of all) {
    const outcomes = await Promise.allSettled(
      together.map(({ throws, steps: taken }) =>
        store.write((tx) => {
          const results = taken.map(([name, a, b]) => steps[name]?.(tx, a, b) ?? null);
          if (throws) throw new Error(JSON.stringify(results));
          return results;
        }),
      ),
    );
    seen.push(outcomes.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason))));
    seen.push(
      await store.read((tx) => kinds.map((_, a) => [steps['all']?.(tx, a, 0), steps['referrers']?.(tx, a, 0)])),
    );
  }
  return seen;
}

test('random transactions have the same results and leave the same state in both stores', async () => {
  const [one, two] = [
    openSqlite(':memory:', () => 5000),
    await openPostgres({ address: addressOf(postgres?.freshUrl() ?? ''), now: () => 5000 }),
  ];
  const empty = await withView(one.view(), collectDump);
  await fc.assert(
    fc.asyncProperty(program, async (all) => {
      await Promise.all([one.load(dumpParts(empty)), two.load(dumpParts(empty))]);
      const expected = await play(one, all);
      expect(await play(two, all)).toEqual(expected);
      await Promise.all([one, two].map((database) => database.of('one').write((tx) => tx.setFact('created', '1'))));
      expect(await withView(two.view(), collectDump)).toEqual(await withView(one.view(), collectDump));
    }),
    { numRuns: Number(process.env['GANTRY_STORE_RUNS'] ?? '60') },
  );
  await Promise.all([one.close(), two.close()]);
});
