import type { Due, Loaded } from '../row.ts';
import { rowKey } from '../rowKey.ts';
import { analyze, tables } from './load.ts';
import type { Surroundings } from './orgState.ts';
import { Overlay } from './overlay/overlay.ts';
import { type Connections, together } from './sql/connections.ts';
import { type Connection, send } from './sql/statement.ts';
import { writeStatements } from './sql/writeStatements.ts';

/**
 * Replaces the whole state. It is loaded into temporary tables first, which hide the others on this connection, and
 * then copied in one transaction, which blocks writes but not reads.
 */
export function replaceAll(
  connections: Connections,
  content: AsyncIterable<readonly Loaded[]>,
  surroundings: Surroundings,
): Promise<void> {
  return connections.once(async (connection) => {
    for (const table of tables)
      await run(connection, `CREATE TEMP TABLE ${table} (LIKE ${surroundings.schema}.${table} INCLUDING INDEXES)`);
    const orgs = new Map<string, OrgOnItsWay>();
    for await (const items of content) {
      for (const [org, of] of Map.groupBy(items, ({ org }) => org)) {
        const onItsWay = orgs.get(org) ?? { lastSeq: 0, due: [] };
        orgs.set(org, await stage(connection, org, of, onItsWay, surroundings));
      }
    }
    await swap(connection, orgs, surroundings);
    await analyze(connection, surroundings.schema);
  });
}

interface OrgOnItsWay {
  readonly lastSeq: number;
  readonly due: readonly Due[];
}

async function stage(
  connection: Connection,
  org: string,
  items: readonly Loaded[],
  { lastSeq, due }: OrgOnItsWay,
  { now }: Surroundings,
): Promise<OrgOnItsWay> {
  const overlay = new Overlay(lastSeq);
  for (const item of items) add(overlay, item);
  await together(writeStatements(org, overlay, now()).map((statement) => send(connection, statement)));
  return { lastSeq: overlay.lastSeq, due: [...due, ...items.flatMap((item) => (item.of === 'due' ? [item.due] : []))] };
}

function add(overlay: Overlay, item: Loaded): void {
  const { rows, journal } = overlay;
  if (item.of === 'facts') for (const [key, value] of Object.entries(item.facts)) journal.setFact(key, value);
  else if (item.of === 'record') {
    const { targets, ...row } = item.row;
    rows.insert(overlay.nextSeq(), row, targets);
  } else if (item.of === 'leaving') rows.left.set(rowKey(item.left.row), item.left);
  else if (item.of === 'entry') journal.add(overlay.nextSeq(), item.entry);
  else journal.schedule({ ...item.due, seq: overlay.nextSeq() });
}

async function swap(
  connection: Connection,
  orgs: ReadonlyMap<string, OrgOnItsWay>,
  { schema, beforeScheduling }: Surroundings,
): Promise<void> {
  await run(connection, 'BEGIN');
  await run(connection, 'LOCK TABLE orgs IN EXCLUSIVE MODE');
  for (const table of tables) {
    await run(connection, `DELETE FROM ${schema}.${table}`);
    await run(connection, `INSERT INTO ${schema}.${table} SELECT * FROM pg_temp.${table}`);
  }
  await run(connection, "UPDATE orgs SET generation = nextval('generations')");
  for (const [org, { lastSeq, due }] of orgs) {
    const text = `INSERT INTO orgs (name, last_seq) VALUES ($1, $2)
      ON CONFLICT (name) DO UPDATE SET last_seq = greatest(orgs.last_seq, excluded.last_seq)`;
    await send(connection, { text, values: [org, lastSeq] });
    if (due.length > 0) await beforeScheduling(connection, org, due);
  }
  await run(connection, 'COMMIT');
}

async function run(connection: Connection, text: string): Promise<void> {
  await connection.query({ text });
}
