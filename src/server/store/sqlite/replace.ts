import type { DatabaseSync } from 'node:sqlite';
import { addPart } from '../model/loaded.ts';
import type { Loaded } from '../model/row.ts';
import { layout } from './layout.ts';
import { SqliteStatements } from './statements.ts';
import { SqliteTransactions } from './transaction.ts';

/** Referencing tables first, as they must be deleted first. */
const tables = ['tags', 'targets', 'records', 'leaving', 'facts', 'entries', 'due'] as const;
const named = tables.join('|');
const swept = 200;

/**
 * A state that is loaded into tables beside the served ones, which are then exchanged by renaming: instantly, in one
 * transaction. Each method is the work of one write.
 */
export class SqliteStage {
  readonly #database: DatabaseSync;
  readonly #transactions: SqliteTransactions;
  readonly #served: SqliteStatements;

  /** `served`: the statements of the served state; its caches must learn of each write. */
  constructor(database: DatabaseSync, served: SqliteStatements, now: () => number) {
    this.#database = database;
    this.#served = served;
    const statements = new SqliteStatements(database, (text) =>
      text.replaceAll(new RegExp(`\\b(FROM|INTO|UPDATE|JOIN) (${named})\\b`, 'g'), '$1 next_$2'),
    );
    this.#transactions = new SqliteTransactions(statements, now);
  }

  prepare(): void {
    this.#served.changes += 1;
    removeStages(this.#database);
    this.#database.exec(layoutOfStage(this.#database));
  }

  add(items: readonly Loaded[]): void {
    this.#served.changes += 1;
    for (const item of items) addPart(this.#transactions.of(item.org), item);
  }

  /** The time of the earliest work in it. */
  get earliestMs(): number | undefined {
    return this.#transactions.earliestMs;
  }

  /** Makes this the served state. */
  swap(): void {
    this.#served.changes += 1;
    this.#served.undone();
    for (const table of tables) {
      this.#database.exec(`ALTER TABLE ${table} RENAME TO old_${table}; ALTER TABLE next_${table} RENAME TO ${table}`);
    }
  }

  /** Deletes some rows of the previous or of an abandoned state; false: all of them are deleted. */
  sweep(): boolean {
    this.#served.changes += 1;
    for (const table of tables.toReversed()) {
      for (const name of [`old_${table}`, `next_${table}`]) {
        if (!exists(this.#database, name)) continue;
        const key = table === 'tags' || table === 'targets' || table === 'facts' ? undefined : 'rowid';
        const some = key === undefined ? '' : ` WHERE rowid IN (SELECT rowid FROM ${name} LIMIT ${swept})`;
        if (this.#database.prepare(`DELETE FROM ${name}${some}`).run().changes > 0) return true;
      }
    }
    removeStages(this.#database);
    return false;
  }
}

/** Removes the tables of an unfinished or replaced load. */
export function removeStages(database: DatabaseSync): void {
  for (const table of tables) {
    database.exec(`DROP TABLE IF EXISTS old_${table}; DROP TABLE IF EXISTS next_${table}`);
  }
}

/** Indexes are not renamed with their tables. The usual ones are created again; this drops those of a loaded state. */
export function restoreIndexes(database: DatabaseSync): void {
  const found = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND name LIKE 'loaded%'").all();
  for (const { name } of found) database.exec(`DROP INDEX ${name}`);
  // From an earlier version; replaced by `entries_named`.
  database.exec('DROP INDEX IF EXISTS entries_by_id');
}

/** The same tables and indexes under unused names. */
function layoutOfStage(database: DatabaseSync): string {
  const prefix = exists(database, 'loaded_records_in_order') ? 'loaded_too_' : 'loaded_';
  return layout
    .replaceAll(new RegExp(`(TABLE IF NOT EXISTS|REFERENCES|ON) (${named})\\b`, 'g'), '$1 next_$2')
    .replaceAll('INDEX IF NOT EXISTS ', `INDEX ${prefix}`);
}

function exists(database: DatabaseSync, name: string): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined;
}
