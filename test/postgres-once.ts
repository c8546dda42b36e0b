import { startPostgres } from './server/postgres/startPostgres.ts';

/** With `GANTRY_TEST_STORE=postgres`: one PostgreSQL for the whole run, in which each platform gets its own schema. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['GANTRY_TEST_STORE'] !== 'postgres') return undefined;
  const postgres = await startPostgres();
  process.env['GANTRY_TEST_STORE_URL'] = postgres.url;
  return () => postgres.stop();
}
