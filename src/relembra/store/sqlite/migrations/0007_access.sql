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
