-- What night work needs: jobs with a key, of which one waits; records of what was done; what is still to be accounted
-- for in them; and the moment up to which an item's weight has faded.

ALTER TABLE item ADD COLUMN weighed_at BIGINT;

ALTER TABLE job ADD COLUMN key TEXT;

CREATE INDEX job_by_key ON job (tenant, owner, kind, key);
CREATE INDEX job_by_kind ON job (state, kind, due_at, id); -- a claim reads as many rows as it takes

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

-- Everybody of whom something is kept gets their first night; what was said before is not gone through again.
INSERT INTO job (id, tenant, owner, kind, payload, due_at, created_at, state, attempts, key)
SELECT randomblob(16), tenant, owner, 'consolidate', json_object('zone', coalesce((
    SELECT zone FROM message WHERE message.tenant = everybody.tenant AND message.owner = everybody.owner
    ORDER BY sent_at DESC, id DESC LIMIT 1), '+00:00')),
  0, max(known_at), 'waiting', 0, 'consolidate'
FROM (
  SELECT tenant, owner, max(saved_at) AS known_at FROM message GROUP BY tenant, owner
  UNION ALL
  SELECT tenant, owner, max(created_at) FROM item GROUP BY tenant, owner
) AS everybody
WHERE substr(owner, 1, 1) <> char(31) -- a space
GROUP BY tenant, owner;
