import type { Dump, OrgDump } from '../row.ts';
import { rowKey } from '../rowKey.ts';
import type { Surroundings } from './orgState.ts';
import { Overlay } from './overlay/overlay.ts';
import { together } from './sql/connections.ts';
import { type Connection, send } from './sql/statement.ts';
import { writeStatements } from './sql/writeStatements.ts';

export const tables = ['records', 'tags', 'targets', 'leaving', 'facts', 'entries', 'due'];

/** Replaces the whole state. All servers drop their caches, as every org gets a new generation. */
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
  await analyze(connection, surroundings.schema);
}

/** Otherwise the query planner would have no statistics of the loaded data for about a minute. */
export async function analyze(connection: Connection, schema: string): Promise<void> {
  await connection.query({ text: `ANALYZE ${tables.map((table) => `${schema}.${table}`).join(', ')}` });
}

function overlayOf({ facts, records, leaving, entries, due }: OrgDump): Overlay {
  const overlay = new Overlay(0);
  for (const [key, value] of Object.entries(facts)) overlay.journal.setFact(key, value);
  for (const { targets, ...row } of records) overlay.rows.insert(overlay.nextSeq(), row, targets);
  for (const one of leaving) overlay.rows.left.set(rowKey(one.row), one);
  for (const entry of entries) overlay.journal.add(overlay.nextSeq(), entry);
  for (const one of due) overlay.journal.schedule({ ...one, seq: overlay.nextSeq() });
  return overlay;
}
