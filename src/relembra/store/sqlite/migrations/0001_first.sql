-- The two ledgers (message; item with its audit), what stands between them (note), what is derived from them
-- (posting, slice, embedding), and the queue. Ids are 16 bytes, moments microseconds since 1970 in UTC, lists JSON.
-- Everything of one person lies together: tenant and owner lead every key.

CREATE TABLE meta (
  name  TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE message (
  tenant       TEXT   NOT NULL,
  owner        TEXT   NOT NULL,
  id           BLOB   NOT NULL,
  conversation TEXT   NOT NULL,
  role         TEXT   NOT NULL,
  author       TEXT   NOT NULL,
  text         TEXT   NOT NULL,
  sent_at      BIGINT NOT NULL,
  zone         TEXT   NOT NULL,
  space        TEXT,
  channel      TEXT   NOT NULL,
  external_id  TEXT,
  metadata     TEXT   NOT NULL,
  saved_at     BIGINT NOT NULL,
  deleted_at   BIGINT,
  analyzer     INTEGER NOT NULL DEFAULT 0, -- the version its terms were made with; 0: it has none yet
  length       INTEGER NOT NULL DEFAULT 0, -- how many terms
  PRIMARY KEY (tenant, owner, id)
) WITHOUT ROWID;

CREATE INDEX message_by_time ON message (tenant, owner, sent_at, id);
CREATE INDEX message_by_conversation ON message (tenant, owner, conversation, sent_at, id);
CREATE UNIQUE INDEX message_by_external_id ON message (tenant, owner, external_id, role) WHERE external_id IS NOT NULL;
CREATE INDEX message_unindexed ON message (tenant, owner, id, saved_at) WHERE analyzer = 0;

-- No index by updated_at: it would be rewritten with every exchange, and one person's conversations sort quickly.
CREATE TABLE conversation (
  tenant     TEXT   NOT NULL,
  owner      TEXT   NOT NULL,
  id         TEXT   NOT NULL,
  space      TEXT,
  channel    TEXT   NOT NULL,
  title      TEXT   NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT,
  version    INTEGER NOT NULL,
  PRIMARY KEY (tenant, owner, id)
) WITHOUT ROWID;

CREATE TABLE note (
  tenant       TEXT   NOT NULL,
  owner        TEXT   NOT NULL,
  id           BLOB   NOT NULL,
  space        TEXT,
  channel      TEXT   NOT NULL,
  kind         TEXT   NOT NULL,
  title        TEXT   NOT NULL,
  summary      TEXT   NOT NULL,
  participants TEXT   NOT NULL,
  message_ids  TEXT   NOT NULL,
  note_ids     TEXT   NOT NULL,
  happened_at  BIGINT NOT NULL,
  created_at   BIGINT NOT NULL,
  archived_at  BIGINT,
  deleted_at   BIGINT,
  version      INTEGER NOT NULL,
  analyzer     INTEGER NOT NULL,
  length       INTEGER NOT NULL,
  PRIMARY KEY (tenant, owner, id)
) WITHOUT ROWID;

CREATE TABLE item (
  tenant           TEXT    NOT NULL,
  owner            TEXT    NOT NULL,
  id               BLOB    NOT NULL,
  space            TEXT,
  channel          TEXT    NOT NULL,
  type             TEXT    NOT NULL,
  area             TEXT,
  sub_area         TEXT,
  subject          TEXT    NOT NULL,
  speaker          TEXT,
  attribute        TEXT,
  value            TEXT,
  title            TEXT    NOT NULL,
  content          TEXT    NOT NULL,
  language         TEXT,
  source           TEXT    NOT NULL,
  note_id          BLOB,
  message_ids      TEXT    NOT NULL,
  evidence         TEXT,
  confidence       DOUBLE PRECISION NOT NULL,
  weight           DOUBLE PRECISION NOT NULL,
  priority         INTEGER NOT NULL,
  validated        INTEGER NOT NULL,
  needs_resolution INTEGER NOT NULL,
  related          TEXT    NOT NULL,
  tags             TEXT    NOT NULL,
  person           TEXT    NOT NULL,
  observations     INTEGER NOT NULL,
  accesses         INTEGER NOT NULL,
  last_access      BIGINT,
  held_from        BIGINT  NOT NULL,
  held_until       BIGINT,
  superseded_by    BLOB, -- NULL with superseded_at: its successor was forgotten
  superseded_at    BIGINT,
  expires_at       BIGINT,
  archived_at      BIGINT,
  deleted_at       BIGINT,
  created_at       BIGINT  NOT NULL,
  updated_at       BIGINT  NOT NULL,
  reinforced_at    BIGINT,
  zone             TEXT    NOT NULL,
  version          INTEGER NOT NULL,
  analyzer         INTEGER NOT NULL,
  length           INTEGER NOT NULL,
  PRIMARY KEY (tenant, owner, id)
) WITHOUT ROWID;

CREATE INDEX item_by_time ON item (tenant, owner, created_at, id);
CREATE INDEX item_by_attribute ON item (tenant, owner, subject, attribute) WHERE attribute IS NOT NULL;
CREATE INDEX item_by_successor ON item (tenant, owner, superseded_by) WHERE superseded_by IS NOT NULL;

CREATE TABLE model (
  id         INTEGER NOT NULL PRIMARY KEY,
  name       TEXT    NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL
);

-- Clustered by person, model and kind, so that one search reads neighbouring pages and no others.
CREATE TABLE embedding (
  tenant TEXT    NOT NULL,
  owner  TEXT    NOT NULL,
  model  INTEGER NOT NULL REFERENCES model (id),
  kind   INTEGER NOT NULL, -- 1 item, 2 message, 3 note
  id     BLOB    NOT NULL,
  vector BLOB    NOT NULL, -- float32, little-endian, of unit length
  PRIMARY KEY (tenant, owner, model, kind, id)
) WITHOUT ROWID;

CREATE TABLE posting (
  tenant TEXT    NOT NULL,
  owner  TEXT    NOT NULL,
  kind   INTEGER NOT NULL,
  term   TEXT    NOT NULL,
  id     BLOB    NOT NULL,
  tf     INTEGER NOT NULL, -- how often the row holds the term
  len    INTEGER NOT NULL, -- how many terms the row holds
  PRIMARY KEY (tenant, owner, kind, term, id)
) WITHOUT ROWID;

-- What BM25 needs to know of one person's indexed rows of a kind.
CREATE TABLE slice (
  tenant       TEXT    NOT NULL,
  owner        TEXT    NOT NULL,
  kind         INTEGER NOT NULL,
  docs         INTEGER NOT NULL,
  total_length INTEGER NOT NULL,
  PRIMARY KEY (tenant, owner, kind)
) WITHOUT ROWID;

CREATE TABLE job (
  id          BLOB    NOT NULL PRIMARY KEY,
  tenant      TEXT    NOT NULL,
  owner       TEXT    NOT NULL,
  kind        TEXT    NOT NULL,
  payload     TEXT    NOT NULL,
  due_at      BIGINT  NOT NULL,
  created_at  BIGINT  NOT NULL,
  state       TEXT    NOT NULL,
  attempts    INTEGER NOT NULL,
  lease_until BIGINT,
  error       TEXT
) WITHOUT ROWID;

CREATE INDEX job_by_due ON job (state, due_at, id);

CREATE TABLE audit (
  number    INTEGER NOT NULL PRIMARY KEY, -- the order they were recorded in
  tenant    TEXT    NOT NULL,
  owner     TEXT    NOT NULL,
  id        BLOB    NOT NULL,
  change    TEXT    NOT NULL,
  at        BIGINT  NOT NULL,
  actor     TEXT    NOT NULL,
  verb      TEXT    NOT NULL,
  target    TEXT    NOT NULL,
  target_id TEXT    NOT NULL,
  before    TEXT,
  after     TEXT,
  why       TEXT,
  undoes    TEXT
);

CREATE INDEX audit_by_target ON audit (tenant, owner, target, target_id);
CREATE INDEX audit_by_change ON audit (tenant, owner, change);
