-- A row may have several vectors: part 0 of its whole text, the others of its passages. One clock gives every change a
-- tick that never comes again: by ticks a process knows what is new among the vectors it keeps at hand, and whoever
-- keeps an answer whether it still holds.

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

INSERT INTO stamp (tenant, owner, said, known)
SELECT tenant, owner, 1, 1 FROM message UNION SELECT tenant, owner, 1, 1 FROM conversation
UNION SELECT tenant, owner, 1, 1 FROM note UNION SELECT tenant, owner, 1, 1 FROM item
UNION SELECT tenant, owner, 1, 1 FROM audit UNION SELECT tenant, owner, 1, 1 FROM buffer
UNION SELECT tenant, owner, 1, 1 FROM case_file UNION SELECT tenant, owner, 1, 1 FROM stored_view;

ALTER TABLE embedding RENAME TO embedding_of_whole;

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

INSERT INTO embedding (tenant, owner, model, kind, id, part, tick, vector)
SELECT tenant, owner, model, kind, id, 0, 1, vector FROM embedding_of_whole ORDER BY tenant, owner, model, kind, id;

DROP TABLE embedding_of_whole;

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

INSERT INTO vector_slice (tenant, owner, model, kind, vectors, put_at, dropped_at)
SELECT tenant, owner, model, kind, count(*), 1, 1 FROM embedding GROUP BY tenant, owner, model, kind;

-- What people said at length gets its passages behind the next start.
INSERT INTO job (id, tenant, owner, kind, payload, due_at, created_at, state, attempts)
SELECT randomblob(16), tenant, owner, 'index',
  '{"kind":"message","ids":["' || substr(name, 1, 8) || '-' || substr(name, 9, 4) || '-' || substr(name, 13, 4) || '-'
    || substr(name, 17, 4) || '-' || substr(name, 21) || '"]}',
  saved_at, saved_at, 'waiting', 0
FROM (SELECT tenant, owner, lower(hex(id)) AS name, saved_at FROM message WHERE role = 'user' AND length(text) > 150);
