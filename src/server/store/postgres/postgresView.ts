import type { View } from '../row.ts';
import { pagedView } from '../viewPages.ts';
import type { Connections } from './sql/connections.ts';
import { failureOf } from './sql/failure.ts';
import { type Connection, send } from './sql/statement.ts';

const records = `(SELECT r.*, coalesce((
  SELECT json_agg(json_build_array(t.kind, t.gvc, t.name) ORDER BY t.kind, t.gvc, t.name)
  FROM targets t WHERE t.org = r.org AND t.seq = r.seq), '[]')::text AS targets FROM records r) seen`;

const tables = { records, leaving: 'leaving', entries: 'entries', due: 'due', facts: 'facts' } as const;

/** A snapshot on its own connection, which is released when the view is closed. */
export function postgresView(connections: Connections): Promise<View> {
  const opened = Promise.withResolvers<View>();
  const closed = Promise.withResolvers<void>();
  async function hold(connection: Connection): Promise<void> {
    await connection.query({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' });
    // The first read determines the point in time.
    await connection.query({ text: 'SELECT 1 FROM facts LIMIT 1' });
    opened.resolve(
      pagedView(
        async (text, values) => {
          const { rows } = await send(connection, { text, values: [...values] }).catch((error: unknown) => {
            throw failureOf(error);
          });
          return rows;
        },
        tables,
        async () => {
          closed.resolve();
          await ended;
        },
      ),
    );
    await closed.promise;
    await connection.query({ text: 'COMMIT' });
  }
  // An error while opening rejects the promise; if the connection is lost later, the next read fails.
  const ended = connections.with(hold).catch((error: unknown) => opened.reject(failureOf(error)));
  return opened.promise;
}
