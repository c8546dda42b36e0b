import { expect, test } from 'vitest';
import { OrgState, orgStore } from '../../../src/server/store/postgres/orgStore.ts';
import type { Connection } from '../../../src/server/store/postgres/statements.ts';

/** A database in which a read of workloads ends after `release`. All other reads immediately return no rows. */
class SlowScans {
  readonly #released = Promise.withResolvers<void>();
  readonly #begun = Promise.withResolvers<void>();
  /** Resolves when the first scan has reached the database. */
  readonly begun = this.#begun.promise;
  underWay = 0;
  most = 0;

  readonly with = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    return work({ query: ({ text, values = [] }) => this.#answer(text, values) });
  };

  release(): void {
    this.#released.resolve();
  }

  async #answer(text: string, values: readonly unknown[]) {
    if (text.includes('FROM orgs')) return { command: 'SELECT', rows: [{ generation: 1 }] };
    if (values.includes('workload')) {
      this.underWay += 1;
      this.most = Math.max(this.most, this.underWay);
      this.#begun.resolve();
      await this.#released.promise;
      this.underWay -= 1;
    }
    return { command: 'SELECT', rows: [] };
  }
}

test('a read does not wait for any of twenty simultaneous scans', async () => {
  const database = new SlowScans();
  const nothing = async () => {};
  const store = orgStore(
    new OrgState('one', {
      connections: database,
      schema: '',
      now: () => 0,
      beforeScheduling: nothing,
      afterScheduling: () => {},
    }),
  );
  const scans = Array.from({ length: 20 }, (_, at) =>
    store.read((tx) => tx.select({ kind: 'workload', gvc: `gvc-${at}`, limit: 100 }), 'scan'),
  );
  await database.begun;
  expect(await store.read((tx) => tx.get({ kind: 'secret', name: 'a' }))).toBeUndefined();
  expect(database.underWay).toBe(1);
  database.release();
  expect(await Promise.all(scans)).toEqual(scans.map(() => []));
  expect(database.most).toBe(1);
});
