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

CREATE INDEX conversation_by_space ON conversation (tenant, space) WHERE space IS NOT NULL;

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
  conversation TEXT,
  accesses     INTEGER NOT NULL DEFAULT 0,
  last_access  BIGINT,
  packed       BLOB, -- an archived note's summary, zlib of UTF-8; the summary is '' then
  PRIMARY KEY (tenant, owner, id)
) WITHOUT ROWID;

CREATE INDEX note_by_time ON note (tenant, owner, happened_at, id);
CREATE INDEX note_by_conversation ON note (tenant, owner, conversation) WHERE conversation IS NOT NULL;
CREATE INDEX note_derived ON note (tenant, owner) WHERE kind IN ('topic_cluster', 'weekly', 'monthly', 'appointment');

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
  packed           BLOB, -- an archived item's content, as a note's summary
  weighed_at       BIGINT, -- the moment up to which its weight has faded
  local_only       INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, owner, id)
) WITHOUT ROWID;

-- With what counting the learnt by area needs to know, so that it reads no rows.
CREATE INDEX item_by_time ON item (tenant, owner, created_at, id, area, space);
CREATE INDEX item_by_attribute ON item (tenant, owner, subject, attribute) WHERE attribute IS NOT NULL;
CREATE INDEX item_by_successor ON item (tenant, owner, superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX item_by_subject ON item (tenant, owner, subject) WHERE subject <> 'self';
-- A space's note is named by items of everybody who spoke; forgetting one of them has to find the others'.
CREATE INDEX item_by_note ON item (tenant, note_id) WHERE note_id IS NOT NULL;
-- The orders and stretches of time a memory is looked through by.
CREATE INDEX item_by_confidence ON item (tenant, owner, confidence, created_at, id);
CREATE INDEX item_by_change ON item (tenant, owner, updated_at, id);
CREATE INDEX item_event ON item (tenant, owner, held_from, id)
WHERE type = 'memory' OR attribute IN ('contract', 'meeting', 'deadline', 'achieved', 'dropped_goal', 'event');
CREATE INDEX item_ended ON item (tenant, owner, superseded_at) WHERE superseded_at IS NOT NULL;
CREATE INDEX item_archived ON item (tenant, owner, archived_at) WHERE archived_at IS NOT NULL;
CREATE INDEX item_deleted ON item (tenant, owner, deleted_at) WHERE deleted_at IS NOT NULL;
-- What a page of few items among many is read by.
CREATE INDEX item_by_area ON item (tenant, owner, area, created_at, id);
CREATE INDEX item_confirmed ON item (tenant, owner, created_at, id) WHERE validated = 1;
CREATE INDEX item_questioned ON item (tenant, owner, created_at, id) WHERE needs_resolution = 1;
CREATE INDEX item_local ON item (tenant, owner, created_at, id) WHERE local_only = 1;
CREATE INDEX item_insight ON item (tenant, owner) WHERE type = 'insight';
-- All that counting current items asks for, so that it reads no rows.
CREATE INDEX item_current ON item (tenant, owner, area, type, source, confidence, validated, needs_resolution, space,
  expires_at, deleted_at, superseded_at, archived_at)
WHERE deleted_at IS NULL AND superseded_at IS NULL AND archived_at IS NULL;

CREATE TABLE model (
  id         INTEGER NOT NULL PRIMARY KEY,
  name       TEXT    NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL
);

-- One clock gives every change a tick that never comes again: by ticks a process knows what is new among the vectors it
-- keeps at hand, and whoever keeps an answer whether it still holds.
CREATE TABLE clock (
  tick BIGINT NOT NULL
);

INSERT INTO clock (tick) VALUES (1);

-- When something to be read of a person or space last changed, and when something known did; ticks.
CREATE TABLE stamp (
  tenant TEXT   NOT NULL,
  owner  TEXT   NOT NULL,
  said   BIGINT NOT NULL,
  known  BIGINT NOT NULL,
  PRIMARY KEY (tenant, owner)
) WITHOUT ROWID;

-- Clustered by person, model and kind, so that one search reads neighbouring pages and no others; a row's parts follow
-- one another.
CREATE TABLE embedding (
  tenant TEXT    NOT NULL,
  owner  TEXT    NOT NULL,
  model  INTEGER NOT NULL REFERENCES model (id),
  kind   INTEGER NOT NULL, -- 1 item, 2 message, 3 note
  id     BLOB    NOT NULL,
  part   INTEGER NOT NULL,
  tick   BIGINT  NOT NULL, -- when it was put
  vector BLOB    NOT NULL, -- float32, little-endian, of unit length
  PRIMARY KEY (tenant, owner, model, kind, id, part)
) WITHOUT ROWID;

CREATE INDEX embedding_by_tick ON embedding (tenant, owner, model, kind, tick);

-- How many vectors lie together, when the last of them was put, and when any of them was last dropped or replaced.
CREATE TABLE vector_slice (
  tenant     TEXT    NOT NULL,
  owner      TEXT    NOT NULL,
  model      INTEGER NOT NULL,
  kind       INTEGER NOT NULL,
  vectors    INTEGER NOT NULL,
  put_at     BIGINT  NOT NULL, -- ticks
  dropped_at BIGINT  NOT NULL,
  PRIMARY KEY (tenant, owner, model, kind)
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
  error       TEXT,
  key         TEXT -- of those of a kind with the same key one waits
) WITHOUT ROWID;

CREATE INDEX job_by_due ON job (state, due_at, id);
CREATE INDEX job_by_key ON job (tenant, owner, kind, key);
CREATE INDEX job_by_kind ON job (state, kind, due_at, id); -- a claim reads as many rows as it takes

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
CREATE INDEX audit_faded ON audit (tenant, owner, at, target_id) WHERE verb = 'fade';

-- The owner of what belongs to a space as a whole begins with char(31).
CREATE TABLE buffer (
  tenant       TEXT    NOT NULL,
  owner        TEXT    NOT NULL,
  id           BLOB    NOT NULL,
  space        TEXT,
  channel      TEXT    NOT NULL,
  conversation TEXT    NOT NULL,
  opened_at    BIGINT  NOT NULL,
  last_at      BIGINT  NOT NULL,
  open         INTEGER NOT NULL,
  PRIMARY KEY (tenant, owner, id)
) WITHOUT ROWID;

CREATE UNIQUE INDEX buffer_open ON buffer (tenant, owner, channel, conversation) WHERE open = 1;

CREATE TABLE buffered (
  tenant  TEXT    NOT NULL,
  owner   TEXT    NOT NULL, -- the buffer's: a person, or a space
  buffer  BLOB    NOT NULL,
  sent_at BIGINT  NOT NULL,
  message BLOB    NOT NULL,
  person  TEXT    NOT NULL, -- the message's owner
  asks    INTEGER NOT NULL, -- 1: its role is user
  PRIMARY KEY (tenant, owner, buffer, sent_at, message, person)
) WITHOUT ROWID;

CREATE INDEX buffered_by_message ON buffered (tenant, person, message);

CREATE TABLE case_file (
  tenant     TEXT    NOT NULL,
  owner      TEXT    NOT NULL,
  id         BLOB    NOT NULL,
  space      TEXT,
  channel    TEXT    NOT NULL,
  old_id     BLOB    NOT NULL,
  new_id     BLOB    NOT NULL,
  judged_by  TEXT    NOT NULL,
  why        TEXT    NOT NULL,
  certainty  DOUBLE PRECISION NOT NULL,
  outcome    TEXT    NOT NULL,
  settled_by TEXT,
  change     TEXT,
  asked      INTEGER NOT NULL,
  asked_at   BIGINT,
  opened_at  BIGINT  NOT NULL,
  settled_at BIGINT,
  version    INTEGER NOT NULL,
  PRIMARY KEY (tenant, owner, id)
) WITHOUT ROWID;

CREATE INDEX case_by_time ON case_file (tenant, owner, opened_at, id);
CREATE INDEX case_open ON case_file (tenant, owner, opened_at, id) WHERE outcome = 'open';
CREATE UNIQUE INDEX case_by_id ON case_file (tenant, id); -- an answer may name the case alone

CREATE TABLE stored_view (
  tenant  TEXT    NOT NULL,
  owner   TEXT    NOT NULL,
  name    TEXT    NOT NULL,
  version INTEGER NOT NULL,
  made_at BIGINT  NOT NULL,
  body    TEXT, -- JSON; NULL: to be made anew
  PRIMARY KEY (tenant, owner, name)
) WITHOUT ROWID;

CREATE TABLE use (
  tenant        TEXT    NOT NULL,
  owner         TEXT    NOT NULL,
  day           TEXT    NOT NULL, -- YYYY-MM-DD, in UTC
  task          TEXT    NOT NULL,
  model         TEXT    NOT NULL,
  calls         INTEGER NOT NULL,
  input_tokens  INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  PRIMARY KEY (tenant, owner, day, task, model)
) WITHOUT ROWID;

CREATE TABLE run (
  tenant         TEXT    NOT NULL,
  owner          TEXT    NOT NULL,
  id             BLOB    NOT NULL,
  kind           TEXT    NOT NULL,
  night          TEXT, -- YYYY-MM-DD, on the person's own clock; NULL: asked for by hand
  since          BIGINT,
  until          BIGINT  NOT NULL,
  status         TEXT    NOT NULL,
  tally          TEXT    NOT NULL,
  changes        TEXT    NOT NULL,
  memory_before  INTEGER,
  memory_after   INTEGER,
  memory_updates TEXT    NOT NULL,
  model_calls    INTEGER NOT NULL,
  input_tokens   INTEGER NOT NULL,
  output_tokens  INTEGER NOT NULL,
  raw            TEXT, -- what a model answered; NULL: nothing, or something was forgotten since
  error          TEXT,
  started_at     BIGINT  NOT NULL,
  finished_at    BIGINT,
  version        INTEGER NOT NULL,
  PRIMARY KEY (tenant, owner, id)
) WITHOUT ROWID;

CREATE UNIQUE INDEX run_by_night ON run (tenant, owner, kind, night) WHERE night IS NOT NULL;
CREATE INDEX run_by_time ON run (tenant, owner, started_at, id);
CREATE INDEX run_by_start ON run (started_at, id);
CREATE INDEX run_quoting ON run (tenant, owner) WHERE (raw IS NOT NULL OR status = 'running'); -- for forgetting

CREATE TABLE unaccounted (
  number INTEGER NOT NULL PRIMARY KEY, -- the order they became due in
  tenant TEXT    NOT NULL,
  owner  TEXT    NOT NULL,
  what   INTEGER NOT NULL, -- 1 message, 2 change
  id     BLOB    NOT NULL -- a message's 16 bytes, or a change's name in UTF-8
);

CREATE UNIQUE INDEX unaccounted_by_id ON unaccounted (tenant, owner, what, id);

-- Who may come in: keys, of whose secrets only digests are kept; whose accounts of other programs are; and replies kept
-- so that a request that comes twice is done once.

CREATE TABLE access_key (
  id         BLOB   NOT NULL PRIMARY KEY,
  tenant     TEXT   NOT NULL, -- *: all of them
  owner      TEXT, -- the person it is bound to; NULL: any of the tenant
  name       TEXT   NOT NULL,
  prefix     TEXT   NOT NULL,
  allows     TEXT   NOT NULL,
  digest     BLOB   NOT NULL, -- SHA-256 of the secret
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  revoked_at BIGINT,
  used_at    BIGINT
) WITHOUT ROWID;

CREATE UNIQUE INDEX access_key_by_prefix ON access_key (prefix);
CREATE INDEX access_key_by_owner ON access_key (tenant, owner);

CREATE TABLE link (
  tenant     TEXT   NOT NULL,
  channel    TEXT   NOT NULL,
  id         TEXT   NOT NULL, -- the account's, in that program
  owner      TEXT   NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (tenant, channel, id)
) WITHOUT ROWID;

CREATE INDEX link_by_owner ON link (tenant, owner);

CREATE TABLE kept_reply (
  number      INTEGER NOT NULL PRIMARY KEY,
  tenant      TEXT    NOT NULL,
  caller      TEXT    NOT NULL,
  key         TEXT    NOT NULL, -- as the caller chose it
  fingerprint TEXT    NOT NULL, -- of the request
  until       BIGINT  NOT NULL, -- the end of the lease, or of the time it is kept
  owner       TEXT, -- whom it is about; NULL: nobody in particular, or still under way
  status      INTEGER, -- NULL: under way
  headers     TEXT,
  body        BLOB
);

CREATE UNIQUE INDEX kept_reply_by_key ON kept_reply (tenant, caller, key);
CREATE INDEX kept_reply_by_owner ON kept_reply (tenant, owner);
CREATE INDEX kept_reply_by_end ON kept_reply (until);

-- Who is not listened to, and where nothing is kept.

CREATE TABLE block (
  tenant TEXT   NOT NULL,
  kind   TEXT   NOT NULL, -- person or space
  key    TEXT   NOT NULL, -- the name in lower case without accents
  name   TEXT   NOT NULL, -- as it was given
  since  BIGINT NOT NULL,
  PRIMARY KEY (tenant, kind, key)
) WITHOUT ROWID;

-- Who has signed in to the memory page, and who may once by a link: of what they carry only digests are kept.

CREATE TABLE access_session (
  digest     BLOB   NOT NULL PRIMARY KEY, -- SHA-256 of the pass
  key        BLOB   NOT NULL, -- the id of the key it was given for
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
) WITHOUT ROWID;

CREATE INDEX access_session_by_key ON access_session (key);
CREATE INDEX access_session_by_end ON access_session (expires_at);
