import type { Kind } from '../../../schema/kinds.ts';
import type { Ref } from '../../../schema/ref.ts';
import type { Dump, OrgDump } from '../row.ts';
import { dueOf, entryOf } from '../sqliteJournal.ts';
import { type Columns, kindOf, numberOf, textOf } from '../sqliteText.ts';
import { leavingOf, rowOf } from '../storedRow.ts';
import { together } from './connections.ts';
import type { Surroundings } from './orgState.ts';
import { Overlay } from './overlay.ts';
import { placeOf } from '../place.ts';
import { type Connection, send } from './statement.ts';
import { writeStatements } from './writeStatements.ts';

/** All orgs in one snapshot. */
export async function dumpAll(connection: Connection, orgs: readonly string[]): Promise<Dump> {
  await connection.query({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' });
  const found: [string, OrgDump][] = [];
  for (const org of orgs) found.push([org, await dumpOrg(connection, org)]);
  await connection.query({ text: 'COMMIT' });
  return Object.fromEntries(found);
}

async function dumpOrg(connection: Connection, org: string): Promise<OrgDump> {
  async function all(text: string): Promise<readonly Columns[]> {
    return (await send(connection, { text, values: [org] })).rows;
  }
  const [facts = [], records = [], targets = [], leaving = [], entries = [], due = []] = await together([
    all('SELECT key, value FROM facts WHERE org = $1 ORDER BY key'),
    all('SELECT * FROM records WHERE org = $1 ORDER BY seq'),
    all('SELECT seq, kind, gvc, name FROM targets WHERE org = $1 ORDER BY seq, kind, gvc, name'),
    all('SELECT until, row FROM leaving WHERE org = $1 ORDER BY until'),
    all('SELECT * FROM entries WHERE org = $1 ORDER BY journal, at, seq'),
    all('SELECT * FROM due WHERE org = $1 ORDER BY at, seq'),
  ]);
  const targetsOf = Map.groupBy(targets, ({ seq }) => numberOf(seq));
  return {
    facts: Object.fromEntries(facts.map(({ key, value }) => [textOf(key), textOf(value)])),
    records: records.map((columns) => {
      const { seq, recordText: _, record, ...row } = rowOf(columns);
      return { ...row, record, targets: (targetsOf.get(seq) ?? []).map(refOf) };
    }),
    leaving: leaving.map(({ until, row }) => {
      const { seq: _, recordText: __, ...left } = leavingOf(textOf(row));
      return { row: left, untilMs: numberOf(until) };
    }),
    entries: entries.map((columns) => {
      const { seq: _, ...entry } = entryOf(columns);
      return entry;
    }),
    due: due.map(dueOf),
  };
}

function refOf(columns: Columns): Ref {
  const [kind, gvc, name]: readonly [Kind, string, string] = [
    kindOf(columns['kind']),
    textOf(columns['gvc']),
    textOf(columns['name']),
  ];
  return gvc === '' ? { kind, name } : { kind, gvc, name };
}

const tables = ['records', 'tags', 'targets', 'leaving', 'facts', 'entries', 'due'];

/** In place of all that is there. Every server forgets what it knew, as every org moves to a new generation. */
export async function loadAll(connection: Connection, dump: Dump, surroundings: Surroundings): Promise<void> {
  await connection.query({ text: 'BEGIN' });
  await connection.query({ text: 'LOCK TABLE orgs IN ACCESS EXCLUSIVE MODE' });
  for (const table of tables) await connection.query({ text: `DELETE FROM ${table}` });
  await connection.query({ text: "UPDATE orgs SET generation = nextval('generations')" });
  for (const [org, content] of Object.entries(dump)) {
    const overlay = overlayOf(content);
    await together(writeStatements(org, overlay, surroundings.now()).map((statement) => send(connection, statement)));
    const text = `INSERT INTO orgs (name, last_seq) VALUES ($1, $2)
      ON CONFLICT (name) DO UPDATE SET last_seq = greatest(orgs.last_seq, excluded.last_seq)`;
    await send(connection, { text, values: [org, overlay.lastSeq] });
    if (content.due.length > 0) await surroundings.beforeScheduling(connection, org, content.due);
  }
  await connection.query({ text: 'COMMIT' });
}

function overlayOf({ facts, records, leaving, entries, due }: OrgDump): Overlay {
  const overlay = new Overlay(0);
  for (const [key, value] of Object.entries(facts)) overlay.journal.setFact(key, value);
  for (const { targets, ...row } of records) overlay.rows.insert(overlay.nextSeq(), row, targets);
  for (const one of leaving) overlay.rows.left.set(placeOf(one.row), one);
  for (const entry of entries) overlay.journal.add(overlay.nextSeq(), entry);
  for (const one of due) overlay.journal.schedule({ ...one, seq: overlay.nextSeq() });
  return overlay;
}
