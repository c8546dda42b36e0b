import pg from 'pg';
import { OneView } from '../model/oneView.ts';
import type { Database, View } from '../model/row.ts';
import { dueOf } from '../model/storedEntry.ts';
import { numberOf, textOf } from '../model/storedText.ts';
import { pagedView } from '../model/viewPages.ts';
import { type Address, Connections } from './connections.ts';
import { failureOf } from './failure.ts';
import { PostgresQueue } from './jobQueue.ts';
import { migrate, migrations } from './layout.ts';
import { OrgState, type Surroundings } from './orgState.ts';
import { orgStore } from './orgStore.ts';
import { replaceAll } from './replace.ts';
import { type Connection, type Result, send } from './statements.ts';

export interface PostgresOptions {
  readonly address: Address;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with the time of the database, which is the same for all its servers. */
  readonly follow?: (ms: number) => void;
}

const followEveryMs = 60_000;

/** A database for any number of servers, migrated to the newest layout first. */
export async function openPostgres({ address, now, follow = () => {} }: PostgresOptions): Promise<Database> {
  await prepare(address);
  const connections = new Connections(address);
  let listener: (atMs: number) => void = () => {};
  const queue = new PostgresQueue(address, { now, follow }, async () => {
    const { rows } = await ask('SELECT DISTINCT org, at FROM due');
    return rows.map(({ org, at }) => ({ org: textOf(org), atMs: numberOf(at) }));
  });
  const surroundings: Surroundings = {
    connections,
    schema: address.schema,
    now,
    beforeScheduling: (connection, org, due) => queue.beforeCommit(connection, org, due),
    afterScheduling(atMs) {
      queue.afterCommit(atMs);
      listener(atMs);
    },
  };
  const views = new OneView();
  const stores = new Map<string, ReturnType<typeof orgStore>>();
  const room = new RoomProbe();

  async function using<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    try {
      return await connections.with(work);
    } catch (error) {
      throw failureOf(error);
    }
  }

  function ask(text: string): Promise<Result> {
    return using((connection) => send(connection, { text, values: [] }));
  }

  function replace(content: Parameters<typeof replaceAll>[1]): Promise<void> {
    return replaceAll(connections, content, surroundings).catch((error: unknown) => {
      throw failureOf(error);
    });
  }

  async function followTime(): Promise<void> {
    const [found] = (await ask('SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms')).rows;
    const ms = numberOf(found?.['ms']);
    follow(ms);
    await queue.compareTimes(now() - ms);
  }
  await followTime();
  // This machine may be suspended meanwhile. Without the database the time goes on as it is.
  const following = setInterval(() => followTime().catch(() => {}), followEveryMs);
  following.unref();

  async function orgs(): Promise<readonly string[]> {
    const { rows } = await ask("SELECT org FROM facts WHERE key = 'created' ORDER BY value, org");
    return rows.map(({ org }) => textOf(org));
  }

  return {
    queue,
    of(org) {
      const known = stores.get(org);
      if (known !== undefined) return known;
      const made = orgStore(new OrgState(org, surroundings));
      stores.set(org, made);
      return made;
    },
    orgs,
    async nextDue() {
      const [found] = (await ask('SELECT * FROM due ORDER BY at, seq LIMIT 1')).rows;
      return found === undefined ? undefined : { org: textOf(found['org']), due: dueOf(found) };
    },
    onScheduled(listening) {
      listener = listening;
    },
    async check() {
      // A sequence: the smallest possible write, which invalidates no cache.
      await ask("SELECT nextval('generations')");
      await ask('SELECT 1 FROM due LIMIT 1');
      await room.check(using);
    },
    // Each view uses one of the few connections.
    view: () => views.open(() => postgresView(connections)),
    replace,
    load: (content) => replace([content]),
    async close() {
      clearInterval(following);
      await Promise.all([...stores.values()].map((store) => store.drained()));
      await connections.close();
    },
  };
}

async function prepare({ url, schema }: Address): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    options: `-c search_path=${schema}`,
    connectionTimeoutMillis: 10_000,
  });
  await client.connect();
  try {
    await migrate(client, schema, migrations());
  } finally {
    await client.end();
  }
}

/** Anyone may request health, at any rate. */
const pauseMs = 1_000;

/**
 * A sort that exceeds the memory: PostgreSQL writes about a megabyte to a temporary file of the same disk and removes
 * it. Only an allocation shows that a disk is full; the next number of a sequence does not.
 */
const sortOnDisk = [
  'BEGIN READ ONLY',
  "SET LOCAL work_mem = '64kB'",
  'SELECT count(*) FROM ' +
    '(SELECT repeat(md5(n::text), 32) FROM generate_series(1, 1024) AS n ORDER BY 1 OFFSET 1) AS sorted',
  'COMMIT',
].join('; ');

/** Checks at most once a second whether the disk of the database has space. */
class RoomProbe {
  #again = Number.NEGATIVE_INFINITY;
  #last: Promise<unknown> = Promise.resolve();

  /** Rejects with the error of PostgreSQL: 53100 if there is no space. */
  async check(using: (work: (connection: Connection) => Promise<unknown>) => Promise<unknown>): Promise<void> {
    const nowMs = performance.now();
    if (nowMs >= this.#again) {
      this.#again = nowMs + pauseMs;
      this.#last = using((connection) => connection.query({ text: sortOnDisk }));
      this.#last.catch(() => {}); // handled by the later callers
    }
    await this.#last;
  }
}

const records = `(SELECT r.*, coalesce((
  SELECT json_agg(json_build_array(t.kind, t.gvc, t.name) ORDER BY t.kind, t.gvc, t.name)
  FROM targets t WHERE t.org = r.org AND t.seq = r.seq), '[]')::text AS targets FROM records r) seen`;

const tables = { records, leaving: 'leaving', entries: 'entries', due: 'due', facts: 'facts' } as const;

/** A snapshot on its own connection, which is released when the view is closed. */
function postgresView(connections: Connections): Promise<View> {
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
