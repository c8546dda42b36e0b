-- The first layout. Everything but `layout` belongs to an org: its rows are found, locked and counted by its name.
-- Texts that clients choose may be longer than an index entry can be (2,704 bytes): such columns are indexed by a digest.

CREATE SEQUENCE generations;

-- One row an org. It is the lock of all writers of the org, holds the last number given to a row of any table below,
-- and a generation that rises with every commit, by which the servers know what they remember to be current.
CREATE TABLE orgs (
  name text COLLATE "C" PRIMARY KEY,
  last_seq bigint NOT NULL DEFAULT 0,
  generation bigint NOT NULL DEFAULT nextval('generations')
) WITH (fillfactor = 50);

CREATE TABLE records (
  org text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  gvc text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  uid text COLLATE "C" NOT NULL UNIQUE,
  version bigint NOT NULL,
  created bigint NOT NULL,
  modified bigint NOT NULL,
  record text NOT NULL,
  hidden text NOT NULL,
  state text NOT NULL,
  PRIMARY KEY (org, seq),
  UNIQUE (kind, gvc, name, org)
);
CREATE INDEX records_in_order ON records (org, kind, created, name, seq);
CREATE INDEX records_of_gvc ON records (org, kind, gvc, created, name, seq) WHERE gvc <> '';

CREATE TABLE tags (
  org text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL
);
CREATE INDEX tags_of_record ON tags (org, seq);
CREATE INDEX tags_by_value ON tags (org, kind, md5(key), md5(value));

CREATE TABLE targets (
  org text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  gvc text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL
);
CREATE INDEX targets_of_record ON targets (org, seq);
CREATE INDEX targets_by_name ON targets (org, kind, md5(gvc), md5(name));

CREATE TABLE leaving (
  org text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  gvc text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  until bigint NOT NULL,
  row text NOT NULL,
  PRIMARY KEY (org, gvc, kind, name)
);

CREATE TABLE facts (
  org text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (org, key)
);

CREATE TABLE entries (
  org text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  journal text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  context text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (org, seq)
);
CREATE INDEX entries_in_order ON entries (org, journal, at, seq);
CREATE INDEX entries_of_owner ON entries (org, owner, journal, at, seq) WHERE owner <> '';
CREATE INDEX entries_by_id ON entries (org, md5(id));

CREATE TABLE due (
  org text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  key text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  job text COLLATE "C" NOT NULL,
  about text NOT NULL,
  PRIMARY KEY (org, key)
);
CREATE INDEX due_of_org ON due (org, at, seq);
CREATE INDEX due_in_order ON due (at, seq);
