import { expect, test } from 'vitest';
import type { Transaction } from '../../../src/server/store/model/row.ts';
import { Connections } from '../../../src/server/store/postgres/connections.ts';
import { OrgState, PendingWork, readGroup } from '../../../src/server/store/postgres/orgStore.ts';
import type { Connection } from '../../../src/server/store/postgres/statements.ts';

/** A database of one record, whose version a test sets. */
class OneRecord implements Connection {
  generation = 1;
  version = 1;
  onRead: () => void = () => {};
  reads = 0;

  async query({ text }: { readonly text: string }) {
    if (text.includes('FROM orgs')) return { command: 'SELECT', rows: [{ generation: this.generation }] };
    if (!text.includes('FROM records')) return { command: text, rows: [] };
    const times = { version: this.version, created: 0, modified: 0 };
    const row = {
      seq: 1,
      kind: 'secret',
      gvc: '',
      name: 'a',
      uid: 'a',
      ...times,
      record: '{}',
      hidden: '{}',
      state: '{}',
    };
    this.reads += 1;
    this.onRead();
    return { command: 'SELECT', rows: [row] };
  }
}

function unused(): never {
  throw new Error('not used here');
}

function stateOf(): OrgState {
  // It connects when a query is sent, which is never.
  const connections = new Connections({ url: 'postgres://localhost:1/none', schema: 'none' });
  const nothing = async () => {};
  return new OrgState('one', {
    connections,
    schema: '',
    now: () => 0,
    beforeScheduling: nothing,
    afterScheduling: unused,
  });
}

function read(database: OneRecord, state: OrgState): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const work = (tx: Transaction) => tx.get({ kind: 'secret', name: 'a' })?.version;
    const pending = PendingWork.of(work, resolve, reject);
    readGroup(database, state, [pending]).then(() => pending.settle(), reject);
  });
}

test('a row that was read before a commit of this server is not cached as read after it', async () => {
  const [database, state] = [new OneRecord(), stateOf()];
  // This server's writer commits while the answer is on its way, and updates the generation of the cache.
  database.onRead = () => {
    database.generation = 2;
    state.cacheOf(1).generation = 2;
  };
  expect(await read(database, state)).toBe(1);
  database.onRead = () => {};
  database.version = 2;
  expect(await read(database, state)).toBe(2);
  expect(await read(database, state)).toBe(2);
  expect(database.reads).toBe(2);
});
