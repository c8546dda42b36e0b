/** Raised with every change of the layout below. */
export const layoutVersion = 2;

export const layout = `
  CREATE TABLE IF NOT EXISTS records (
    seq INTEGER PRIMARY KEY,
    org TEXT NOT NULL,
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
    UNIQUE (kind, gvc, name, org)
  );
  CREATE INDEX IF NOT EXISTS records_in_order ON records (org, kind, created, name, seq);
  CREATE INDEX IF NOT EXISTS records_of_gvc ON records (org, kind, gvc, created, name, seq) WHERE gvc <> '';
  CREATE TABLE IF NOT EXISTS tags (
    seq INTEGER NOT NULL REFERENCES records (seq) ON DELETE CASCADE,
    org TEXT NOT NULL,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (seq, key)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS tags_by_value ON tags (org, kind, key, value, seq);
  CREATE TABLE IF NOT EXISTS targets (
    seq INTEGER NOT NULL REFERENCES records (seq) ON DELETE CASCADE,
    org TEXT NOT NULL,
    kind TEXT NOT NULL,
    gvc TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (seq, kind, gvc, name)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS targets_by_name ON targets (org, kind, gvc, name, seq);
  CREATE TABLE IF NOT EXISTS leaving (
    org TEXT NOT NULL,
    kind TEXT NOT NULL,
    gvc TEXT NOT NULL,
    name TEXT NOT NULL,
    until INTEGER NOT NULL,
    row TEXT NOT NULL,
    PRIMARY KEY (org, kind, gvc, name)
  );
  CREATE TABLE IF NOT EXISTS facts (
    org TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (org, key)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS entries (
    seq INTEGER PRIMARY KEY,
    org TEXT NOT NULL,
    journal TEXT NOT NULL,
    id TEXT NOT NULL,
    owner TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    subject TEXT NOT NULL,
    context TEXT NOT NULL,
    at INTEGER NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS entries_in_order ON entries (org, journal, at, seq);
  CREATE INDEX IF NOT EXISTS entries_of_owner ON entries (owner, journal, at, seq);
  CREATE INDEX IF NOT EXISTS entries_by_id ON entries (id);
  CREATE TABLE IF NOT EXISTS due (
    seq INTEGER PRIMARY KEY,
    org TEXT NOT NULL,
    key TEXT NOT NULL,
    at INTEGER NOT NULL,
    job TEXT NOT NULL,
    about TEXT NOT NULL,
    UNIQUE (org, key)
  );
  CREATE INDEX IF NOT EXISTS due_in_order ON due (at, seq);
`;
