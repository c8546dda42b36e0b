import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { startServer } from '../../../src/server/start.ts';
import { addressOf } from '../../../src/server/store/postgres/connections.ts';
import { readStatement } from '../../../src/server/store/postgres/fetchWanted.ts';
import { migrate, migrations, openPostgres } from '../../../src/server/store/postgres/open.ts';
import { type SharedPostgres, sharedPostgres } from './startPostgres.ts';

let postgres: SharedPostgres;
beforeAll(async () => {
  postgres = await sharedPostgres();
});

async function connected<T>(schema: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: postgres.url, options: `-c search_path=${schema}` });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The plan of a statement with its values, and the statement. */
async function planned(
  client: pg.Client,
  { text, values }: ReturnType<typeof readStatement>,
): Promise<{ readonly plan: string; readonly statement: string }> {
  const literals = values.map((value) =>
    Array.isArray(value) ? `'{${value.join(',')}}'` : client.escapeLiteral(String(value)),
  );
  const statement = text.replace(/\$(\d+)/g, (_, place) => literals[Number(place) - 1] ?? '');
  const { rows } = await client.query(`EXPLAIN ${statement}`);
  return { plan: rows.map((row) => row['QUERY PLAN']).join('\n'), statement };
}

const first = { number: 1, name: '001-one.sql', text: 'CREATE TABLE one (n integer); INSERT INTO one VALUES (1)' };
const second = { number: 2, name: '002-two.sql', text: 'UPDATE one SET n = n + 1' };

test('migrations are numbered without a gap', () => {
  expect(migrations().map(({ number }) => number)).toEqual(migrations().map((_, index) => index + 1));
});

test('each migration runs once, even if servers start together', async () => {
  await connected('steps', (client) => migrate(client, 'steps', [first]));
  const all = Array.from({ length: 5 }, () =>
    connected('steps', (client) => migrate(client, 'steps', [first, second])),
  );
  await Promise.all(all);
  const found = await connected('steps', (client) =>
    client.query('SELECT n, (SELECT count(*)::int FROM layout) AS steps FROM one'),
  );
  expect(found.rows).toEqual([{ n: 2, steps: 2 }]);
});

test('a failed migration leaves the layout unchanged', async () => {
  await connected('broken', (client) => migrate(client, 'broken', [first]));
  const bad = { ...second, text: 'UPDATE one SET n = 9; SELECT nothing_of_the_kind()' };
  await expect(connected('broken', (client) => migrate(client, 'broken', [first, bad]))).rejects.toThrow(
    'nothing_of_the_kind',
  );
  const found = await connected('broken', (client) =>
    client.query('SELECT n, (SELECT max(number) FROM layout) AS layout FROM one'),
  );
  expect(found.rows).toEqual([{ n: 1, layout: 1 }]);
});

test('a migrated audit trail of the first layout has the indexes that its queries use', async () => {
  const [records] = migrations();
  await connected('audited', async (client) => {
    await migrate(client, 'audited', records === undefined ? [] : [records]);
    const columns =
      "'one', n, 'audit', 'id-' || n, '', 'workload', 'web-' || n, '/org/one/user/u' || n, 'scheme', n, '{}'";
    await client.query(`INSERT INTO entries SELECT ${columns} FROM generate_series(1, 5000) AS n`);
    await migrate(client, 'audited', migrations());
    await client.query('ANALYZE entries');
    for (const [selection, index] of [
      [{ context: 'scheme', subjectName: 'u7' }, 'audit_by_subject'],
      [{ context: 'scheme', name: 'web-7' }, 'audit_by_name'],
      [{ context: 'scheme', kind: 'policy' }, 'audit_by_kind'],
      [{ context: 'mine' }, 'audit_of_others'],
      [{ fromMs: 4_990 }, 'entries_in_order'],
    ] as const) {
      const wanted = { of: 'entries', selection: { journal: 'audit', limit: 50, ...selection }, without: [] } as const;
      const { text, values } = readStatement('one', wanted);
      // The plan must not depend on the values, because the statement is prepared once for all of them.
      await client.query('SET plan_cache_mode = force_generic_plan');
      await client.query(`PREPARE asked AS ${text}`);
      const literals = values.map((value) => client.escapeLiteral(String(value))).join(', ');
      const plan = await client.query(`EXPLAIN EXECUTE asked (${literals})`);
      await client.query('DEALLOCATE asked');
      expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(index);
    }
  });
});

test('referrers are found by their numbers even before PostgreSQL has statistics of the tables', async () => {
  await connected('referred', async (client) => {
    await migrate(client, 'referred', migrations());
    await client.query(
      "INSERT INTO records SELECT 'one', n, 'workload', 'shop', 'w' || n, 'u' || n, 1, n, n, '{}', '{}', '{}' FROM generate_series(1, 5000) AS n",
    );
    await client.query(
      "INSERT INTO targets SELECT 'one', n, 'volumeset', 'shop', 'data' FROM generate_series(1, 5000) AS n",
    );
    const target = { kind: 'volumeset', gvc: 'shop', name: 'data' } as const;
    for (const limit of [101, Number.MAX_SAFE_INTEGER]) {
      const query = readStatement('one', { of: 'referrers', target, kind: 'workload', limit });
      const { plan, statement } = await planned(client, query);
      expect(plan).toMatch(/records_pkey .*\n *Index Cond: \(\(org = .* AND \(seq = /);
      expect((await client.query(statement)).rows).toHaveLength(Math.min(limit, 5000));
    }
  });
});

test('records are found by name with the index of names even before PostgreSQL has statistics of the table', async () => {
  await connected('named', async (client) => {
    await migrate(client, 'named', migrations());
    for (const [kind, gvc] of [
      ['policy', ''],
      ['workload', 'shop'],
    ]) {
      const columns = `'one', 10 * n + ${gvc?.length}, '${kind}', '${gvc}', 'n' || n, '${kind}' || n, 1, n, n, '{}', '{}', '{}'`;
      await client.query(`INSERT INTO records SELECT ${columns} FROM generate_series(1, 5000) AS n`);
    }
    const names = Array.from({ length: 50 }, (_, at) => `n${at + 1}`);
    for (const place of [{ kind: 'policy' }, { kind: 'workload', gvc: 'shop' }] as const) {
      const query = readStatement('one', { of: 'rows', selection: { ...place, names, limit: 50 } });
      const { plan, statement } = await planned(client, query);
      expect(plan).toContain('records_kind_gvc_name_org_key');
      expect((await client.query(statement)).rows).toHaveLength(50);
    }
  });
});

test('a query by a tag is planned for that tag: it uses the index of tags only if few records have the tag', async () => {
  await connected('tagged', async (client) => {
    await migrate(client, 'tagged', migrations());
    const columns = "'one', n, 'workload', 'shop', 'n' || n, 'u' || n, 1, n, n, '{}', '{}', '{}'";
    await client.query(`INSERT INTO records SELECT ${columns} FROM generate_series(1, 5000) AS n`);
    for (const tag of ["'team', 'a'", "'copy', 'n' || n"]) {
      await client.query(`INSERT INTO tags SELECT 'one', n, 'workload', ${tag} FROM generate_series(1, 5000) AS n`);
    }
    await client.query('ANALYZE records, tags');
    for (const [tag, index] of [
      [{ key: 'team', value: 'a' }, 'records_in_order'],
      [{ key: 'copy', value: 'n7' }, 'tags_by_value'],
    ] as const) {
      const query = readStatement('one', { of: 'rows', selection: { kind: 'workload', tag, limit: 50 } });
      expect(query.plannedEachTime).toBe(true);
      expect((await planned(client, query)).plan).toContain(index);
    }
  });
});

test('servers that start simultaneously on an empty database all work', async () => {
  const url = postgres.freshUrl();
  const servers = await Promise.all(
    [1, 2, 3].map(() => startServer({ port: 0, noAuth: true, store: url, secretKey: 'k' })),
  );
  await Promise.all(
    servers.map(async (server) => expect((await fetch(`${server.url}/org/local/gvc`)).status).toBe(200)),
  );
  await Promise.all(servers.map((server) => server.close()));
});

test('a database with the layout of a newer version is refused with that reason', async () => {
  const url = `${postgres.url}?schema=newer`;
  await (await openPostgres({ address: addressOf(url), now: Date.now })).close();
  await connected('newer', (client) => client.query("INSERT INTO layout (number, name) VALUES (999, '999-later.sql')"));
  await expect(startServer({ port: 0, noAuth: true, store: url })).rejects.toMatchObject({
    code: 'server.data',
    message: expect.stringMatching(
      /^the database has the layout 999, which a newer version of Gantry wrote; this version reads the layout \d+$/,
    ),
    hint: 'Use that version, or another database.',
  });
});

test.each([
  { it: 'no server listens', url: 'postgres://gantry@127.0.0.1:1/postgres' },
  { it: 'the name of the schema is invalid', url: 'postgres://gantry@127.0.0.1:1/postgres?schema=A;B' },
])('if $it, the server does not start, and its error does not contain the password', async ({ url }) => {
  const secret = url.replace('gantry@', 'gantry:hush@');
  const failure = await startServer({ port: 0, noAuth: true, store: secret }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'server.data' });
  expect(String(failure)).not.toContain('hush');
});

test('no connection stays open to a database whose time cannot be read', async () => {
  await connected('public', (client) => client.query('CREATE DATABASE timeless'));
  const url = Object.assign(new URL(postgres.url), { pathname: '/timeless' }).href;
  const follow = () => {
    throw new Error('this time is not ours');
  };
  const address = { url, schema: 'gantry' };
  await expect(openPostgres({ address, now: Date.now, follow })).rejects.toThrow('this time is not ours');
  const left = () =>
    connected('public', (client) => client.query("SELECT pid FROM pg_stat_activity WHERE datname = 'timeless'"));
  // An idle connection would end by itself, but later than this.
  await expect.poll(async () => (await left()).rows, { timeout: 10_000 }).toEqual([]);
});
