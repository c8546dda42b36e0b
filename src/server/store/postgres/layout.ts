import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { otherLayout } from '../model/otherLayout.ts';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
}

/** Beside this file; in the bundle there or one folder up (scripts/build.ts copies them). */
const folders = ['./migrations/', '../migrations/'];

/** All migrations in order: `NNN-name.sql`. */
export function migrations(): readonly Migration[] {
  const found = folders.map((folder) => fileURLToPath(new URL(folder, import.meta.url))).find(existsSync);
  if (found === undefined) throw new Error('the migrations of the database are missing');
  return readdirSync(found)
    .filter((file) => /^\d{3}-[a-z-]+\.sql$/.test(file))
    .sort()
    .map((file) => {
      return { number: Number(file.slice(0, 3)), name: file, text: readFileSync(join(found, file), 'utf8') };
    });
}

/**
 * Migrates the schema to the newest layout in one transaction. Servers that start together wait for each other. Throws
 * if the layout is newer than this version.
 */
export async function migrate(client: pg.ClientBase, schema: string, all: readonly Migration[]): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`${schema} migrations`]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await client.query(
      `CREATE TABLE IF NOT EXISTS layout
       (number integer PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT now())`,
    );
    const { rows } = await client.query<{ number: number | null }>('SELECT max(number) AS number FROM layout');
    const [current, newest] = [rows[0]?.number ?? 0, all.at(-1)?.number ?? 0];
    if (current > newest) throw otherLayout(current, newest);
    for (const { number, name, text } of all) {
      if (number <= current) continue;
      await client.query(text);
      await client.query('INSERT INTO layout (number, name) VALUES ($1, $2)', [number, name]);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
