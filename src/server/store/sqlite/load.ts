import type { Dump, Transaction } from '../row.ts';
import { textOfLeaving } from '../storedRow.ts';
import type { SqliteStatements } from './statements.ts';

/** Replaces the whole state. */
export function loadDump(statements: SqliteStatements, of: (org: string) => Transaction, dump: Dump): void {
  for (const table of ['records', 'leaving', 'facts', 'entries', 'due']) statements.run(`DELETE FROM ${table}`);
  statements.undone();
  for (const [org, { facts, records, leaving, entries, due }] of Object.entries(dump)) {
    const tx = of(org);
    for (const [key, value] of Object.entries(facts)) tx.setFact(key, value);
    for (const { targets, ...row } of records) tx.insert(row, targets);
    for (const { row, untilMs } of leaving) {
      statements.run(
        'INSERT INTO leaving (org, kind, gvc, name, until, row) VALUES (?, ?, ?, ?, ?, ?)',
        ...[org, row.kind, row.gvc, row.name, untilMs, textOfLeaving(row)],
      );
    }
    for (const entry of entries) tx.addEntry(entry);
    for (const work of due) tx.schedule(work);
  }
}
