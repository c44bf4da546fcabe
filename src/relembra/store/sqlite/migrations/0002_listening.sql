-- What listening needs: buffers of messages that wait to be noted, the case file of contradictions, views computed from
-- the ledgers, and what models were asked. The owner of what belongs to a space as a whole begins with char(31).

ALTER TABLE note ADD COLUMN conversation TEXT;

CREATE INDEX note_by_time ON note (tenant, owner, happened_at, id);
-- A space's note is named by items of everybody who spoke; forgetting one of them has to find the others'.
CREATE INDEX item_by_note ON item (tenant, note_id) WHERE note_id IS NOT NULL;

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
