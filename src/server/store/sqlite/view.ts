import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { View } from '../model/row.ts';
import { pagedView, type ViewQuery } from '../model/viewPages.ts';
import { sqliteFailure } from './failure.ts';

const targets = `(SELECT json_group_array(json_array(t.kind, t.gvc, t.name) ORDER BY t.kind, t.gvc, t.name)
  FROM main.targets t WHERE t.seq = r.seq) AS targets`;

/** Ordered by number; other indexes would need sorting. */
const records = `SELECT r.*, ${targets} FROM main.records r NOT INDEXED`;

/** A view of a file: a read transaction on its own connection, which blocks no writes. */
export function fileView(path: string): View {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    // The first read determines the moment of the view.
    database.exec('PRAGMA busy_timeout = 5000; BEGIN; SELECT 1 FROM facts LIMIT 1');
    const tables = { records: `(${records})`, leaving: 'leaving', entries: 'entries', due: 'due', facts: 'facts' };
    return pagedView(queryOf(database), tables, async () => database.close());
  } catch (error) {
    database.close();
    throw sqliteFailure(error);
  }
}

const trackedTables = { records, entries: 'SELECT * FROM main.entries r' } as const;
const copiedTables = {
  facts: '(org, key)',
  leaving: '(org, kind, gvc, name)',
  due: '(org, at, seq)',
} as const;
const viewTables = {
  records: 'seen_records',
  leaving: 'seen_leaving',
  entries: 'seen_entries',
  due: 'seen_due',
  facts: 'seen_facts',
} as const;

/**
 * A view of a database in memory, which has only one connection: triggers save each record and entry before it is
 * changed or deleted. Small tables are copied. Only one view can be open at a time.
 */
export function memoryView(database: DatabaseSync): View {
  // The view must not be written to disk.
  const statements: string[] = ['PRAGMA temp_store = MEMORY'];
  for (const [table, select] of Object.entries(trackedTables)) {
    const last = database.prepare(`SELECT coalesce(max(seq), 0) AS seq FROM main.${table}`).get()?.['seq'];
    const numbered = typeof last === 'number' ? last : 0;
    statements.push(
      `CREATE TEMP TABLE kept_${table} AS ${select} WHERE 0`,
      `CREATE UNIQUE INDEX temp.kept_${table}_seq ON kept_${table} (seq)`,
      `CREATE TEMP VIEW seen_${table} AS ${select} WHERE r.seq <= ${numbered}
         AND r.seq NOT IN (SELECT seq FROM kept_${table}) UNION ALL SELECT * FROM kept_${table}`,
    );
    for (const change of ['UPDATE', 'DELETE']) {
      statements.push(`CREATE TEMP TRIGGER kept_${table}_${change}
        BEFORE ${change} ON main.${table} WHEN OLD.seq <= ${numbered}
        BEGIN INSERT OR IGNORE INTO kept_${table} ${select.replace(' NOT INDEXED', '')} WHERE r.seq = OLD.seq; END`);
    }
  }
  for (const [table, index] of Object.entries(copiedTables)) {
    statements.push(
      `CREATE TEMP TABLE seen_${table} AS SELECT * FROM main.${table}`,
      `CREATE INDEX temp.seen_${table}_in_order ON seen_${table} ${index}`,
    );
  }
  database.exec(statements.join(';\n'));
  return pagedView(queryOf(database), viewTables, async () => {
    if (database.isOpen) database.exec(dropStatements());
  });
}

function dropStatements(): string {
  const ofKept = Object.keys(trackedTables).flatMap((table) => [
    `DROP TRIGGER temp.kept_${table}_UPDATE`,
    `DROP TRIGGER temp.kept_${table}_DELETE`,
    `DROP VIEW seen_${table}`,
    `DROP TABLE kept_${table}`,
  ]);
  return [...ofKept, ...Object.keys(copiedTables).map((table) => `DROP TABLE temp.seen_${table}`)].join(';\n');
}

function queryOf(database: DatabaseSync): ViewQuery {
  return async (text, values: readonly SQLInputValue[]) => {
    try {
      return database.prepare(text.replaceAll(/\$\d+/g, '?')).all(...values);
    } catch (error) {
      throw sqliteFailure(error);
    }
  };
}
