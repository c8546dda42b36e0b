import { platformContext } from '../../audit/decisions/auditQuery.ts';

/**
 * Must be raised with every change of the layout that other versions cannot use. Indexes are exempt, because opening
 * the database creates them.
 */
export const layoutVersion = 2;

/** The SQL for the text after the last `/`: rtrim removes all characters on the right except slashes. */
export const subjectName = "replace(subject, rtrim(subject, replace(subject, '/', '')), '')";

/**
 * Most audit events are in the platform's own context; the other indexes exclude them. The unary plus does not change
 * the value: a query with the same term uses such an index, because no other index matches `+journal`.
 */
export const platformAudit = `+journal = 'audit' AND context = '${platformContext}'`;
export const clientAudit = `+journal = 'audit' AND context <> '${platformContext}'`;

/**
 * Events are found by the record that they concern. Their ids have no order, so an index of ids would write a page for
 * each event.
 */
export const entriesWithIds = "journal <> 'event'";

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
  CREATE INDEX IF NOT EXISTS leaving_until ON leaving (until);
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
  CREATE INDEX IF NOT EXISTS entries_named ON entries (id) WHERE ${entriesWithIds};
  CREATE INDEX IF NOT EXISTS audit_by_subject ON entries (org, ${subjectName}, at, seq) WHERE ${platformAudit};
  CREATE INDEX IF NOT EXISTS audit_by_kind ON entries (org, kind, at, seq) WHERE ${platformAudit};
  CREATE INDEX IF NOT EXISTS audit_by_name ON entries (org, name, at, seq) WHERE ${platformAudit};
  CREATE INDEX IF NOT EXISTS audit_of_others ON entries (org, context, at, seq) WHERE ${clientAudit};
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
