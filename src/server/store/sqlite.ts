import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { GroupCommit } from './groupCommit.ts';
import type { Store } from './row.ts';
import { SqliteTransaction } from './sqliteTransaction.ts';

/** Raised with every change of the layout below. */
const layoutVersion = 1;

const layout = `
  CREATE TABLE IF NOT EXISTS records (
    seq INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    gvc TEXT NOT NULL,
    name TEXT NOT NULL,
    uid TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    created INTEGER NOT NULL,
    modified INTEGER NOT NULL,
    record TEXT NOT NULL,
    hidden TEXT NOT NULL,
    state TEXT NOT NULL,
    UNIQUE (kind, gvc, name)
  );
  CREATE INDEX IF NOT EXISTS records_in_order ON records (kind, created, name, seq);
  CREATE INDEX IF NOT EXISTS records_of_gvc ON records (kind, gvc, created, name, seq);
  CREATE TABLE IF NOT EXISTS tags (
    seq INTEGER NOT NULL REFERENCES records (seq) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (seq, key)
  );
  CREATE INDEX IF NOT EXISTS tags_by_value ON tags (kind, key, value, seq);
  CREATE TABLE IF NOT EXISTS targets (
    seq INTEGER NOT NULL REFERENCES records (seq) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    gvc TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (seq, kind, gvc, name)
  );
  CREATE INDEX IF NOT EXISTS targets_by_name ON targets (kind, gvc, name, seq);
  CREATE TABLE IF NOT EXISTS facts (key TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS leaving (
    kind TEXT NOT NULL,
    gvc TEXT NOT NULL,
    name TEXT NOT NULL,
    until INTEGER NOT NULL,
    row TEXT NOT NULL,
    PRIMARY KEY (kind, gvc, name)
  );
  CREATE TABLE IF NOT EXISTS counter (number INTEGER NOT NULL);
  INSERT INTO counter SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM counter);
`;

/**
 * Opens or creates the database at `path` (`:memory:` is one). Durable: WAL with `synchronous=FULL`, so an answered
 * write survives a kill. `now`: milliseconds since 1970.
 */
export function openSqlite(path: string, now: () => number): Store {
  const database = openDatabase(path);
  const transaction = new SqliteTransaction(database, now);
  const commits = new GroupCommit(database);
  const [begin, commit] = [database.prepare('BEGIN'), database.prepare('COMMIT')];

  return {
    read(work) {
      // In one transaction: another process on the same file may commit between two statements.
      begin.run();
      try {
        return work(transaction);
      } finally {
        commit.run();
      }
    },
    write: (work) => commits.run(() => work(transaction)),
    fact(key) {
      const value = database.prepare('SELECT value FROM facts WHERE key = ?').get(key)?.['value'];
      return typeof value === 'string' ? value : undefined;
    },
    setFact(key, value) {
      database.prepare('INSERT OR REPLACE INTO facts (key, value) VALUES (?, ?)').run(key, value);
    },
    async close() {
      await commits.drained();
      database.close();
    },
  };
}

function openDatabase(path: string): DatabaseSync {
  // The file is made by us, for its owner only: it holds the values of secrets.
  if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path);
  try {
    // First the patience: what follows already waits where another process has the same file.
    database.exec(`PRAGMA busy_timeout = ${patienceMs}`);
    // A change of the journal is refused at once where another process is about to make it too.
    patiently(() => database.exec('PRAGMA journal_mode = WAL'));
    database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; BEGIN IMMEDIATE');
    const { user_version: found } = database.prepare('PRAGMA user_version').get() ?? {};
    if (found !== 0 && found !== layoutVersion) throw new Error(`it has the layout ${found}, not ${layoutVersion}`);
    database.exec(`${layout}; PRAGMA user_version = ${layoutVersion}; COMMIT`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

const patienceMs = 5_000;
const pauseMs = 20;

/** Again while the database is locked. It blocks: nothing else can be done before it is open. */
function patiently(work: () => void): void {
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    try {
      work();
      return;
    } catch (error) {
      if (!isLocked(error) || waitedMs >= patienceMs) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
}

const sqliteBusy = 5;

function isLocked(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}
