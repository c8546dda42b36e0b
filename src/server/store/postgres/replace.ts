import { addPart } from '../model/loaded.ts';
import type { Due, Loaded } from '../model/row.ts';
import { type Connections, together } from './connections.ts';
import { KnownReads } from './knownReads.ts';
import type { Surroundings } from './orgState.ts';
import { Overlay } from './overlay.ts';
import { type Connection, send } from './statements.ts';
import { ReplayTransaction } from './transaction.ts';
import { writeStatements } from './writeStatements.ts';

const tables = ['records', 'tags', 'targets', 'leaving', 'facts', 'entries', 'due'];

/**
 * Replaces the whole state. It is loaded into temporary tables first, which hide the others on this connection, and
 * then copied in one transaction, which blocks writes but not reads.
 */
export function replaceAll(
  connections: Connections,
  content: AsyncIterable<readonly Loaded[]> | Iterable<readonly Loaded[]>,
  surroundings: Surroundings,
): Promise<void> {
  return connections.once(async (connection) => {
    for (const table of tables)
      await run(connection, `CREATE TEMP TABLE ${table} (LIKE ${surroundings.schema}.${table} INCLUDING INDEXES)`);
    const orgs = new Map<string, OrgOnItsWay>();
    for await (const items of content) {
      for (const [org, of] of Map.groupBy(items, ({ org }) => org)) {
        const onItsWay = orgs.get(org) ?? { org, lastSeq: 0, due: [] };
        orgs.set(org, await stage(connection, of, onItsWay, surroundings));
      }
    }
    await swap(connection, orgs, surroundings);
    // Otherwise the query planner would have no statistics of the loaded data for about a minute.
    await run(connection, `ANALYZE ${tables.map((table) => `${surroundings.schema}.${table}`).join(', ')}`);
  });
}

interface OrgOnItsWay {
  readonly org: string;
  readonly lastSeq: number;
  readonly due: readonly Due[];
}

async function stage(
  connection: Connection,
  items: readonly Loaded[],
  { org, lastSeq, due }: OrgOnItsWay,
  { now }: Surroundings,
): Promise<OrgOnItsWay> {
  const overlay = new Overlay(lastSeq);
  const nothing = new KnownReads(0);
  const tx = new ReplayTransaction({ org, known: nothing, foreign: nothing, now }, overlay);
  for (const item of items) addPart(tx, item);
  await together(writeStatements(org, overlay, now()).map((statement) => send(connection, statement)));
  const more = items.flatMap((item) => (item.of === 'due' ? [item.due] : []));
  return { org, lastSeq: overlay.lastSeq, due: [...due, ...more] };
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
