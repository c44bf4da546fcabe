-- breaking: no
-- The tables of src/relembra/store/sqlite/schema.sql, column for column: the two ledgers (message; item with its audit),
-- what stands between them (note), what is derived from them (posting, slice, embedding), and the queue. Ids are 16
-- bytes, moments microseconds since 1970 in UTC, lists JSON. Text is compared byte by byte, as SQLite does.
-- Everything of one person lies together: tenant and owner lead every key.

CREATE TABLE meta (
  name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  value TEXT COLLATE "C" NOT NULL
);

CREATE TABLE message (
  tenant TEXT COLLATE "C" NOT NULL,
  owner TEXT COLLATE "C" NOT NULL,
  id BYTEA NOT NULL,
  conversation TEXT COLLATE "C" NOT NULL,
  role TEXT COLLATE "C" NOT NULL,
  author TEXT COLLATE "C" NOT NULL,
  text TEXT COLLATE "C" NOT NULL,
  sent_at BIGINT NOT NULL,
  zone TEXT COLLATE "C" NOT NULL,
  space TEXT COLLATE "C",
  channel TEXT COLLATE "C" NOT NULL,
  external_id TEXT COLLATE "C",
  metadata TEXT COLLATE "C" NOT NULL,
  saved_at BIGINT NOT NULL,
  deleted_at BIGINT,
  analyzer INTEGER NOT NULL DEFAULT 0, -- the version its terms were made with; 0: it has none yet
  length INTEGER NOT NULL DEFAULT 0, -- how many terms
  PRIMARY KEY (tenant, owner, id)
);

CREATE INDEX message_by_time ON message (tenant, owner, sent_at, id);
CREATE INDEX message_by_conversation ON message (tenant, owner, conversation, sent_at, id);
CREATE UNIQUE INDEX message_by_external_id ON message (tenant, owner, external_id, role) WHERE external_id IS NOT NULL;
CREATE INDEX message_unindexed ON message (tenant, owner, id, saved_at) WHERE analyzer = 0;

-- No index by updated_at: it would be rewritten with every exchange, and one person's conversations sort quickly.
CREATE TABLE conversation (
  tenant TEXT COLLATE "C" NOT NULL,
  owner TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  space TEXT COLLATE "C",
  channel TEXT COLLATE "C" NOT NULL,
  title TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT,
  version BIGINT NOT NULL,
  PRIMARY KEY (tenant, owner, id)
);

CREATE INDEX conversation_by_space ON conversation (tenant, space) WHERE space IS NOT NULL;

CREATE TABLE note (
  tenant TEXT COLLATE "C" NOT NULL,
  owner TEXT COLLATE "C" NOT NULL,
  id BYTEA NOT NULL,
  space TEXT COLLATE "C",
  channel TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  title TEXT COLLATE "C" NOT NULL,
  summary TEXT COLLATE "C" NOT NULL,
  participants TEXT COLLATE "C" NOT NULL,
  message_ids TEXT COLLATE "C" NOT NULL,
  note_ids TEXT COLLATE "C" NOT NULL,
  happened_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  archived_at BIGINT,
  deleted_at BIGINT,
  version BIGINT NOT NULL,
  analyzer INTEGER NOT NULL,
  length INTEGER NOT NULL,
  conversation TEXT COLLATE "C",
  accesses BIGINT NOT NULL DEFAULT 0,
  last_access BIGINT,
  packed BYTEA, -- an archived note's summary, zlib of UTF-8; the summary is '' then
  PRIMARY KEY (tenant, owner, id)
);

CREATE INDEX note_by_time ON note (tenant, owner, happened_at, id);
CREATE INDEX note_by_conversation ON note (tenant, owner, conversation) WHERE conversation IS NOT NULL;
CREATE INDEX note_derived ON note (tenant, owner) WHERE kind IN ('topic_cluster', 'weekly', 'monthly', 'appointment');

CREATE TABLE item (
  tenant TEXT COLLATE "C" NOT NULL,
  owner TEXT COLLATE "C" NOT NULL,
  id BYTEA NOT NULL,
  space TEXT COLLATE "C",
  channel TEXT COLLATE "C" NOT NULL,
  type TEXT COLLATE "C" NOT NULL,
  area TEXT COLLATE "C",
  sub_area TEXT COLLATE "C",
  subject TEXT COLLATE "C" NOT NULL,
  speaker TEXT COLLATE "C",
  attribute TEXT COLLATE "C",
  value TEXT COLLATE "C",
  title TEXT COLLATE "C" NOT NULL,
  content TEXT COLLATE "C" NOT NULL,
  language TEXT COLLATE "C",
  source TEXT COLLATE "C" NOT NULL,
  note_id BYTEA,
  message_ids TEXT COLLATE "C" NOT NULL,
  evidence TEXT COLLATE "C",
  confidence DOUBLE PRECISION NOT NULL,
  weight DOUBLE PRECISION NOT NULL,
  priority BIGINT NOT NULL,
  validated INTEGER NOT NULL,
  needs_resolution INTEGER NOT NULL,
  related TEXT COLLATE "C" NOT NULL,
  tags TEXT COLLATE "C" NOT NULL,
  person TEXT COLLATE "C" NOT NULL,
  observations BIGINT NOT NULL,
  accesses BIGINT NOT NULL,
  last_access BIGINT,
  held_from BIGINT NOT NULL,
  held_until BIGINT,
  superseded_by BYTEA, -- NULL with superseded_at: its successor was forgotten
  superseded_at BIGINT,
  expires_at BIGINT,
  archived_at BIGINT,
  deleted_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  reinforced_at BIGINT,
  zone TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  analyzer INTEGER NOT NULL,
  length INTEGER NOT NULL,
  packed BYTEA, -- an archived item's content, as a note's summary
  weighed_at BIGINT, -- the moment up to which its weight has faded
  local_only INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, owner, id)
);

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
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  name TEXT COLLATE "C" NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL
);

-- One clock gives every change a tick that never comes again: by ticks a process knows what is new among the vectors it
-- keeps at hand, and whoever keeps an answer whether it still holds. Of one scope they are handed out in the order of its
-- commits, since whoever writes for it holds its lock.
CREATE SEQUENCE clock START 2;

-- When something to be read of a person or space last changed, and when something known did; ticks.
CREATE TABLE stamp (
  tenant TEXT COLLATE "C" NOT NULL,
  owner TEXT COLLATE "C" NOT NULL,
  said BIGINT NOT NULL,
  known BIGINT NOT NULL,
  PRIMARY KEY (tenant, owner)
);

-- Clustered by person, model and kind, so that one search reads neighbouring pages and no others; a row's parts follow
-- one another.
CREATE TABLE embedding (
  tenant TEXT COLLATE "C" NOT NULL,
  owner TEXT COLLATE "C" NOT NULL,
  model BIGINT NOT NULL,
  kind SMALLINT NOT NULL, -- 1 item, 2 message, 3 note
  id BYTEA NOT NULL,
  part INTEGER NOT NULL,
  tick BIGINT NOT NULL, -- when it was put
  vector BYTEA NOT NULL, -- float32, little-endian, of unit length
  PRIMARY KEY (tenant, owner, model, kind, id, part)
);

CREATE INDEX embedding_by_tick ON embedding (tenant, owner, model, kind, tick);

-- How many vectors lie together, when the last of them was put, and when any of them was last dropped or replaced.
CREATE TABLE vector_slice (
  tenant TEXT COLLATE "C" NOT NULL,
  owner TEXT COLLATE "C" NOT NULL,
  model BIGINT NOT NULL,
  kind SMALLINT NOT NULL,
  vectors BIGINT NOT NULL,
  put_at BIGINT NOT NULL, -- ticks
  dropped_at BIGINT NOT NULL,
  PRIMARY KEY (tenant, owner, model, kind)
);

CREATE TABLE posting (
  tenant TEXT COLLATE "C" NOT NULL,
  owner TEXT COLLATE "C" NOT NULL,
  kind SMALLINT NOT NULL,
  term TEXT COLLATE "C" NOT NULL,
  id BYTEA NOT NULL,
  tf INTEGER NOT NULL, -- how often the row holds the term
  len INTEGER NOT NULL, -- how many terms the row holds
  PRIMARY KEY (tenant, owner, kind, term, id) INCLUDE (tf, len) -- so that a search reads the index alone
);

-- What BM25 needs to know of one person's indexed rows of a kind.
CREATE TABLE slice (
  tenant TEXT COLLATE "C" NOT NULL,
  owner TEXT COLLATE "C" NOT NULL,
  kind SMALLINT NOT NULL,
  docs BIGINT NOT NULL,
  total_length BIGINT NOT NULL,
  PRIMARY KEY (tenant, owner, kind)
);

CREATE TABLE job (
  id BYTEA NOT NULL PRIMARY KEY,
  tenant TEXT COLLATE "C" NOT NULL,
  owner TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  payload TEXT COLLATE "C" NOT NULL,
  due_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  attempts INTEGER NOT NULL,
  lease_until BIGINT,
  error TEXT COLLATE "C",
  key TEXT COLLATE "C" -- of those of a kind with the same key one waits
);

CREATE INDEX job_by_due ON job (state, due_at, id);
CREATE INDEX job_by_key ON job (tenant, owner, kind, key);
CREATE INDEX job_by_kind ON job (state, kind, due_at, id); -- a claim reads as many rows as it takes

CREATE TABLE audit (
  number BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, -- the order they were recorded in
  tenant TEXT COLLATE "C" NOT NULL,
  owner TEXT COLLATE "C" NOT NULL,
  id BYTEA NOT NULL,
  change TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  actor TEXT COLLATE "C" NOT NULL,
  verb TEXT COLLATE "C" NOT NULL,
  target TEXT COLLATE "C" NOT NULL,
  target_id TEXT COLLATE "C" NOT NULL,
  before TEXT COLLATE "C",
  after TEXT COLLATE "C",
  why TEXT COLLATE "C",
  undoes TEXT COLLATE "C"
);

CREATE INDEX audit_by_target ON audit (tenant, owner, target, target_id);
CREATE INDEX audit_by_number ON audit (tenant, owner, number);
CREATE INDEX audit_by_change ON audit (tenant, owner, change);
CREATE INDEX audit_faded ON audit (tenant, owner, at, target_id) WHERE verb = 'fade';

-- The owner of what belongs to a space as a whole begins with char(31).
CREATE TABLE buffer (
  tenant TEXT COLLATE "C" NOT NULL,
  owner TEXT COLLATE "C" NOT NULL,
  id BYTEA NOT NULL,
  space TEXT COLLATE "C",
  channel TEXT COLLATE "C" NOT NULL,
  conversation TEXT COLLATE "C" NOT NULL,
  opened_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  open INTEGER NOT NULL,
  PRIMARY KEY (tenant, owner, id)
);

CREATE UNIQUE INDEX buffer_open ON buffer (tenant, owner, channel, conversation) WHERE open = 1;

CREATE TABLE buffered (
  tenant TEXT COLLATE "C" NOT NULL,
  owner TEXT COLLATE "C" NOT NULL, -- the buffer's: a person, or a space
  buffer BYTEA NOT NULL,
  sent_at BIGINT NOT NULL,
  message BYTEA NOT NULL,
  person TEXT COLLATE "C" NOT NULL, -- the message's owner
  asks INTEGER NOT NULL, -- 1: its role is user
  PRIMARY KEY (tenant, owner, buffer, sent_at, message, person)
);

CREATE INDEX buffered_by_message ON buffered (tenant, person, message);

CREATE TABLE case_file (
  tenant TEXT COLLATE "C" NOT NULL,
  owner TEXT COLLATE "C" NOT NULL,
  id BYTEA NOT NULL,
  space TEXT COLLATE "C",
  channel TEXT COLLATE "C" NOT NULL,
  old_id BYTEA NOT NULL,
  new_id BYTEA NOT NULL,
  judged_by TEXT COLLATE "C" NOT NULL,
  why TEXT COLLATE "C" NOT NULL,
  certainty DOUBLE PRECISION NOT NULL,
  outcome TEXT COLLATE "C" NOT NULL,
  settled_by TEXT COLLATE "C",
  change TEXT COLLATE "C",
  asked BIGINT NOT NULL,
  asked_at BIGINT,
  opened_at BIGINT NOT NULL,
  settled_at BIGINT,
  version BIGINT NOT NULL,
  PRIMARY KEY (tenant, owner, id)
);

CREATE INDEX case_by_time ON case_file (tenant, owner, opened_at, id);
CREATE INDEX case_open ON case_file (tenant, owner, opened_at, id) WHERE outcome = 'open';
CREATE UNIQUE INDEX case_by_id ON case_file (tenant, id); -- an answer may name the case alone

CREATE TABLE stored_view (
  tenant TEXT COLLATE "C" NOT NULL,
  owner TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  made_at BIGINT NOT NULL,
  body TEXT COLLATE "C", -- JSON; NULL: to be made anew
  PRIMARY KEY (tenant, owner, name)
);

CREATE TABLE use (
  tenant TEXT COLLATE "C" NOT NULL,
  owner TEXT COLLATE "C" NOT NULL,
  day TEXT COLLATE "C" NOT NULL, -- YYYY-MM-DD, in UTC
  task TEXT COLLATE "C" NOT NULL,
  model TEXT COLLATE "C" NOT NULL,
  calls BIGINT NOT NULL,
  input_tokens BIGINT NOT NULL,
  output_tokens BIGINT NOT NULL,
  PRIMARY KEY (tenant, owner, day, task, model)
);

CREATE TABLE run (
  tenant TEXT COLLATE "C" NOT NULL,
  owner TEXT COLLATE "C" NOT NULL,
  id BYTEA NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  night TEXT COLLATE "C", -- YYYY-MM-DD, on the person's own clock; NULL: asked for by hand
  since BIGINT,
  until BIGINT NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  tally TEXT COLLATE "C" NOT NULL,
  changes TEXT COLLATE "C" NOT NULL,
  memory_before BIGINT,
  memory_after BIGINT,
  memory_updates TEXT COLLATE "C" NOT NULL,
  model_calls BIGINT NOT NULL,
  input_tokens BIGINT NOT NULL,
  output_tokens BIGINT NOT NULL,
  raw TEXT COLLATE "C", -- what a model answered; NULL: nothing, or something was forgotten since
  error TEXT COLLATE "C",
  started_at BIGINT NOT NULL,
  finished_at BIGINT,
  version BIGINT NOT NULL,
  PRIMARY KEY (tenant, owner, id)
);

CREATE UNIQUE INDEX run_by_night ON run (tenant, owner, kind, night) WHERE night IS NOT NULL;
CREATE INDEX run_by_time ON run (tenant, owner, started_at, id);
CREATE INDEX run_by_start ON run (started_at, id);
CREATE INDEX run_quoting ON run (tenant, owner) WHERE (raw IS NOT NULL OR status = 'running'); -- for forgetting

CREATE TABLE unaccounted (
  number BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, -- the order they became due in
  tenant TEXT COLLATE "C" NOT NULL,
  owner TEXT COLLATE "C" NOT NULL,
  what INTEGER NOT NULL, -- 1 message, 2 change
  id BYTEA NOT NULL -- a message's 16 bytes, or a change's name in UTF-8
);

CREATE UNIQUE INDEX unaccounted_by_id ON unaccounted (tenant, owner, what, id);

-- Who may come in: keys, of whose secrets only digests are kept; whose accounts of other programs are; and replies kept
-- so that a request that comes twice is done once.

CREATE TABLE access_key (
  id BYTEA NOT NULL PRIMARY KEY,
  tenant TEXT COLLATE "C" NOT NULL, -- *: all of them
  owner TEXT COLLATE "C", -- the person it is bound to; NULL: any of the tenant
  name TEXT COLLATE "C" NOT NULL,
  prefix TEXT COLLATE "C" NOT NULL,
  allows TEXT COLLATE "C" NOT NULL,
  digest BYTEA NOT NULL, -- SHA-256 of the secret
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  revoked_at BIGINT,
  used_at BIGINT
);

CREATE UNIQUE INDEX access_key_by_prefix ON access_key (prefix);
CREATE INDEX access_key_by_owner ON access_key (tenant, owner);

CREATE TABLE link (
  tenant TEXT COLLATE "C" NOT NULL,
  channel TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL, -- the account's, in that program
  owner TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (tenant, channel, id)
);

CREATE INDEX link_by_owner ON link (tenant, owner);

CREATE TABLE kept_reply (
  number BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  tenant TEXT COLLATE "C" NOT NULL,
  caller TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C" NOT NULL, -- as the caller chose it
  fingerprint TEXT COLLATE "C" NOT NULL, -- of the request
  until BIGINT NOT NULL, -- the end of the lease, or of the time it is kept
  owner TEXT COLLATE "C", -- whom it is about; NULL: nobody in particular, or still under way
  status BIGINT, -- NULL: under way
  headers TEXT COLLATE "C",
  body BYTEA
);

CREATE UNIQUE INDEX kept_reply_by_key ON kept_reply (tenant, caller, key);
CREATE INDEX kept_reply_by_owner ON kept_reply (tenant, owner);
CREATE INDEX kept_reply_by_end ON kept_reply (until);

-- Who is not listened to, and where nothing is kept.

CREATE TABLE block (
  tenant TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL, -- person or space
  key TEXT COLLATE "C" NOT NULL, -- the name in lower case without accents
  name TEXT COLLATE "C" NOT NULL, -- as it was given
  since BIGINT NOT NULL,
  PRIMARY KEY (tenant, kind, key)
);

-- Who has signed in to the memory page, and who may once by a link: of what they carry only digests are kept.

CREATE TABLE access_session (
  digest BYTEA NOT NULL PRIMARY KEY, -- SHA-256 of the pass
  key BYTEA NOT NULL, -- the id of the key it was given for
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX access_session_by_key ON access_session (key);
CREATE INDEX access_session_by_end ON access_session (expires_at);

CREATE INDEX message_by_author ON message (tenant, owner, role, author, sent_at);
CREATE INDEX message_in_channel ON message (tenant, space, channel, sent_at, deleted_at)
WHERE space IS NOT NULL;

-- Vectors do not get smaller.
ALTER TABLE embedding ALTER COLUMN vector SET STORAGE EXTERNAL;

-- What statements call by SQLite's names.

CREATE FUNCTION json_each(list TEXT) RETURNS TABLE (value TEXT)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT json_array_elements_text(list::json) $$;

CREATE FUNCTION unhex(digits TEXT) RETURNS BYTEA
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN digits ~ '^([0-9a-fA-F]{2})*$' THEN decode(digits, 'hex') END $$;

-- Whose rows a transaction sees and writes. Each says so itself, in settings that end with it: nothing said, nothing
-- seen. The reach is a person's rows, a tenant's, or everybody's; a store call that needs more than one person's says it.

DO $$
DECLARE
  reach CONSTANT TEXT := '(SELECT current_setting(''relembra.reach'', true))';
  own_tenant CONSTANT TEXT := 'tenant = (SELECT current_setting(''relembra.tenant'', true))';
  own CONSTANT TEXT := own_tenant || ' AND owner = (SELECT current_setting(''relembra.owner'', true))';
  named TEXT;
  mine TEXT;
BEGIN
  FOREACH named IN ARRAY ARRAY[
    'message', 'conversation', 'note', 'item', 'stamp', 'embedding', 'vector_slice', 'posting', 'slice', 'job', 'audit',
    'buffer', 'buffered', 'case_file', 'stored_view', 'use', 'run', 'unaccounted', 'access_key', 'link', 'kept_reply',
    'block'
  ] LOOP
    mine := CASE named
      WHEN 'buffered' THEN
        '(' || own || ' OR ' || own_tenant || ' AND person = (SELECT current_setting(''relembra.owner'', true)))'
      WHEN 'block' THEN -- whoever writes for a person looks whether they or the space are
        own_tenant || ' AND (SELECT current_setting(''relembra.owner'', true)) <> '''''
      ELSE own
    END;
    EXECUTE format(
      'CREATE POLICY reach ON %I USING (CASE %s WHEN ''person'' THEN %s WHEN ''tenant'' THEN %s WHEN ''all'' THEN true'
      ' ELSE false END)', named, reach, mine, own_tenant
    );
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', named);
  END LOOP;

  -- A session goes with its key.
  CREATE POLICY reach ON access_session USING (EXISTS (SELECT 1 FROM access_key WHERE access_key.id = access_session.key));
  -- Of nobody: names of models, and what the program notes for itself.
  CREATE POLICY everybodys ON model FOR SELECT USING (true);
  CREATE POLICY anybody_adds ON model FOR INSERT WITH CHECK (true);
  CREATE POLICY upkeep ON model FOR ALL USING ((SELECT current_setting('relembra.reach', true)) = 'all');
  CREATE POLICY everybodys ON meta USING (true);
  FOREACH named IN ARRAY ARRAY['access_session', 'model', 'meta'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', named);
  END LOOP;
END
$$;
