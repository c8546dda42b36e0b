import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openSqlite } from '../../../src/server/store/sqlite/open.ts';
import { entriesQuery } from '../../../src/server/store/sqlite/transaction.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { entryOf } from './storeContract.ts';

const folder = temporaryFolder('audit-indexes');

test.each([
  [{ context: 'scheme', subjectName: 'ann@example.com' }, 'audit_by_subject'],
  [{ context: 'scheme', subjectName: 'ann@example.com', fromMs: 5, before: { atMs: 7, seq: 9 } }, 'audit_by_subject'],
  [{ context: 'scheme', name: 'web' }, 'audit_by_name'],
  [{ context: 'scheme', kind: 'policy' }, 'audit_by_kind'],
  [{ context: 'scheme', name: 'web', kind: 'workload' }, 'audit_by_name'],
  [{ context: 'scheme', kind: 'workload', subjectName: 'ann@example.com', name: 'web' }, 'audit_by_subject'],
  [{ context: 'mine' }, 'audit_of_others'],
  [{ context: 'mine', kind: 'workload', name: 'web' }, 'audit_of_others'],
  [{ context: 'scheme' }, 'entries_in_order'],
  [{ owner: 'one' }, 'entries_of_owner'],
  [{ id: 'e1' }, 'entries_named'],
  [{ id: 'e1', journal: 'command' as const }, 'entries_named'],
  [{ id: 'e1', journal: 'event' as const, owner: 'one' }, 'entries_of_owner'],
  [{ fromMs: 5, toMs: 7 }, 'entries_in_order'],
])('%o is answered in order by the index %s', async (selection, index) => {
  const path = join(folder, 'planned.db');
  await openSqlite(path, () => 0).close();
  const database = new DatabaseSync(path);
  const { text, values } = entriesQuery('one', { journal: 'audit', limit: 50, ...selection });
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values);
  // SQLite would plan a bare `LIMIT ?` anew for each value.
  expect(text).toMatch(/ LIMIT \? \+ 0$/);
  // Only one entry has an id, so sorting costs nothing.
  expect(plan.map(({ detail }) => detail)[0]).toContain(`USING INDEX ${index} (`);
  if (index !== 'entries_named') expect(plan).toHaveLength(1);
  database.close();
});

test('opening a database of an older version drops its index of all ids', async () => {
  const path = join(folder, 'ids.db');
  await openSqlite(path, () => 0).close();
  const older = new DatabaseSync(path);
  older.exec('DROP INDEX entries_named; CREATE INDEX entries_by_id ON entries (id)');
  older.close();
  await openSqlite(path, () => 0).close();
  const opened = new DatabaseSync(path);
  const found = opened.prepare("SELECT name FROM sqlite_schema WHERE name IN ('entries_by_id', 'entries_named')").all();
  opened.close();
  expect(found.map(({ name }) => name)).toEqual(['entries_named']);
});

test('opening a database of an older version adds the indexes, and keeps its content', async () => {
  const path = join(folder, 'older.db');
  const older = openSqlite(path, () => 0);
  await older.of('one').write((tx) => tx.addEntry(entryOf('e1', 1, { subject: '/org/one/user/ann@example.com' })));
  await older.close();
  const database = new DatabaseSync(path);
  for (const index of ['audit_by_subject', 'audit_by_kind', 'audit_by_name', 'audit_of_others', 'leaving_until']) {
    database.exec(`DROP INDEX ${index}`);
  }
  database.close();

  const opened = openSqlite(path, () => 0);
  const found = await opened
    .of('one')
    .read((tx) => tx.entries({ journal: 'audit', context: 'scheme', subjectName: 'ann@example.com', limit: 5 }));
  expect(found.map(({ id }) => id)).toEqual(['e1']);
  await opened.close();
});
