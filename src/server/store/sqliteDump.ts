import type { Kind } from '../../schema/kinds.ts';
import type { Ref } from '../../schema/ref.ts';
import { type Dump, journals, noLimit, type OrgDump, type Transaction } from './row.ts';
import { dueOf } from './sqliteJournal.ts';
import type { SqliteStatements } from './sqliteStatements.ts';
import { kindOf, numberOf, textOf } from './sqliteText.ts';
import { leavingOf, rowOf, textOfLeaving } from './storedRow.ts';

/** All that an org holds. */
export function dumpOrg(statements: SqliteStatements, tx: Transaction): OrgDump {
  const { org } = tx;
  const facts = statements.all('SELECT key, value FROM facts WHERE org = ? ORDER BY key', org);
  const records = statements.all('SELECT * FROM records WHERE org = ? ORDER BY seq', org);
  const leaving = statements.all('SELECT until, row FROM leaving WHERE org = ? ORDER BY until', org);
  return {
    facts: Object.fromEntries(facts.map(({ key, value }) => [textOf(key), textOf(value)])),
    records: records.map((columns) => {
      const { seq, recordText: _, record, ...row } = rowOf(columns);
      return { ...row, record, targets: targetsOfRow(statements, seq) };
    }),
    leaving: leaving.map(({ until, row }) => {
      const { seq: _, recordText: __, ...left } = leavingOf(textOf(row));
      return { row: left, untilMs: numberOf(until) };
    }),
    entries: journals.flatMap((journal) =>
      tx
        .entries({ journal, limit: noLimit })
        .toReversed()
        .map(({ seq: _, ...entry }) => entry),
    ),
    due: statements.all('SELECT * FROM due WHERE org = ? ORDER BY at, seq', org).map(dueOf),
  };
}

function targetsOfRow(statements: SqliteStatements, seq: number): readonly Ref[] {
  return statements.all('SELECT kind, gvc, name FROM targets WHERE seq = ?', seq).map((columns) => {
    const [kind, gvc, name]: readonly [Kind, string, string] = [
      kindOf(columns['kind']),
      textOf(columns['gvc']),
      textOf(columns['name']),
    ];
    return gvc === '' ? { kind, name } : { kind, gvc, name };
  });
}

/** In place of all that is there. */
export function loadDump(statements: SqliteStatements, of: (org: string) => Transaction, dump: Dump): void {
  for (const table of ['records', 'leaving', 'facts', 'entries', 'due']) statements.run(`DELETE FROM ${table}`);
  statements.beginBatch();
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
