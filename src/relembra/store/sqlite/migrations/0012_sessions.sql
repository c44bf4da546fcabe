-- Who has signed in to the memory page, and who may once by a link: of what they carry only digests are kept.

CREATE TABLE access_session (
  digest     BLOB   NOT NULL PRIMARY KEY, -- SHA-256 of the pass
  key        BLOB   NOT NULL, -- the id of the key it was given for
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
) WITHOUT ROWID;

CREATE INDEX access_session_by_key ON access_session (key);
CREATE INDEX access_session_by_end ON access_session (expires_at);
