import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { beforeAll, describe, test } from 'vitest';
import type { Database } from '../../../src/server/store/model/row.ts';
import { addressOf } from '../../../src/server/store/postgres/connections.ts';
import { openPostgres } from '../../../src/server/store/postgres/open.ts';
import { openSqlite } from '../../../src/server/store/sqlite/open.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { type SharedPostgres, sharedPostgres } from '../postgres/startPostgres.ts';
import { storeCases } from './storeContract.ts';

const folder = temporaryFolder('stores');
let postgres: SharedPostgres | undefined;
beforeAll(async () => {
  postgres = await sharedPostgres();
});

const stores: readonly { readonly store: string; readonly open: (now: () => number) => Promise<Database> }[] = [
  { store: 'SQLite', open: async (now) => openSqlite(':memory:', now) },
  { store: 'SQLite in a file', open: async (now) => openSqlite(join(folder, `${randomUUID()}.db`), now) },
  { store: 'PostgreSQL', open: (now) => openPostgres({ address: addressOf(postgres?.freshUrl() ?? ''), now }) },
];

describe.each(stores)('$store', ({ open }) => {
  test.each(storeCases)('$it', async ({ check }) => {
    let nowMs = 0;
    const database = await open(() => nowMs);
    try {
      await check(database, (ms) => {
        nowMs = ms;
      });
    } finally {
      await database.close();
    }
  });
});
