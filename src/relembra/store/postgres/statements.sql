-- What PostgreSQL says otherwise than store/sql/statements.sql, by the same names.

-- name: voices
SELECT owner, author, (array_agg(coalesce(shown, author) ORDER BY sent_at DESC))[1], max(sent_at) AS last FROM (
  SELECT owner, author, metadata::json ->> 'author_name' AS shown, sent_at FROM message
  WHERE tenant = ? AND space = ? AND channel = ? AND deleted_at IS NULL AND role = 'user'
  ORDER BY sent_at DESC LIMIT ?
) AS newest
GROUP BY owner, author ORDER BY last DESC, owner, author

-- name: tick
SELECT nextval('clock')

-- name: record
INSERT INTO audit (tenant, owner, {audit.*}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: keep_last_entry
INSERT INTO meta (name, value) SELECT 'last_entry', last_value::text FROM audit_number_seq
ON CONFLICT (name) DO UPDATE SET value = excluded.value -- for a copy; of a sequence no number comes again

-- name: waiting_job
SELECT tenant, owner, {job.*} FROM job
WHERE tenant = ? AND owner = ? AND kind = ? AND key = ? AND state = 'waiting' ORDER BY due_at, id LIMIT 1 FOR UPDATE

-- name: has_job
SELECT 1 FROM job WHERE tenant = ? AND owner = ? AND id = ? FOR KEY SHARE -- so that nobody cancels it meanwhile

-- name: buffer_takes
UPDATE buffer SET last_at = greatest(last_at, ?) WHERE tenant = ? AND owner = ? AND id = ?

-- name: clear_runs
UPDATE run SET raw = NULL, version = version + CASE WHEN status = 'running' THEN 1 ELSE 0 END
WHERE tenant = ?1 AND owner {whose} ?2 AND (raw IS NOT NULL OR status = 'running')

-- name: ids_like
SELECT id FROM {table} WHERE (encode(id, 'hex') LIKE ?1 OR encode(id, 'hex') LIKE ?2) {person} ORDER BY id

-- name: passings
WITH stretch (number, start, finish) AS MATERIALIZED (
  SELECT ordinality - 1, moment, lead(moment) OVER (ORDER BY ordinality)
  FROM json_array_elements_text(?::json) WITH ORDINALITY AS given (text, ordinality) CROSS JOIN LATERAL
    (SELECT text::bigint AS moment) AS read
)
{parts}

-- name: wanted_rows
SELECT {weighed} FROM unnest(?::bytea[]) AS hit (value) JOIN {table} AS row
ON row.tenant = ? AND row.owner = ? AND row.id = hit.value
WHERE {wanted}

-- name: claim
UPDATE job SET state = 'running', attempts = attempts + 1, lease_until = ? WHERE id IN (
  SELECT id FROM job AS free WHERE free.id IN carray(?) AND (free.state = 'waiting' OR free.lease_until <= ?)
  FOR UPDATE SKIP LOCKED
) RETURNING tenant, owner, {job.*}

-- name: people
SELECT count(*) FROM (
  SELECT tenant, owner FROM message {person} UNION SELECT tenant, owner FROM conversation {person}
  UNION SELECT tenant, owner FROM note {person} UNION SELECT tenant, owner FROM item {person}
  UNION SELECT tenant, owner FROM audit {person} UNION SELECT tenant, owner FROM job {person}
  UNION SELECT tenant, owner FROM buffer {person} UNION SELECT tenant, owner FROM case_file {person}
  UNION SELECT tenant, owner FROM stored_view {person} UNION SELECT tenant, owner FROM use {person}
  UNION SELECT tenant, owner FROM run {person} UNION SELECT tenant, owner FROM unaccounted {person}
) AS everybody WHERE left(owner, 1) <> chr(31) -- a space

-- name: matching_postings
SELECT count(*) FROM json_each_text(?::json) AS term (word, times) JOIN posting
ON posting.tenant = ? AND posting.owner = ? AND posting.kind = ? AND posting.term = term.word AND posting.id = ?
WHERE posting.tf = term.times::integer AND posting.len = ?

-- name: touch_key
UPDATE access_key SET used_at = greatest(used_at, ?) WHERE id = ?


-- name: this_change
SELECT pg_current_xact_id()::text

-- name: is_held
SELECT (
  SELECT count(*) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND age(backend_xmin) >= age(?1::xid)
) + (SELECT count(*) FROM pg_prepared_xacts WHERE database = current_database() AND age(transaction) >= age(?1::xid))
  + (SELECT count(*) FROM pg_replication_slots WHERE age(xmin) >= age(?1::xid))

-- name: erase
VACUUM (VERBOSE, INDEX_CLEANUP ON, TRUNCATE OFF) {tables}

-- name: is_erased
UPDATE relembra.meta SET value = '0' WHERE name = ? AND age(xmin) >= age(?::xid) -- unless more was forgotten since

-- name: may_erase
SELECT count(*) FROM pg_class WHERE relnamespace = 'relembra'::regnamespace AND relkind = 'r'
AND NOT pg_has_role(current_user, relowner, 'USAGE')

-- name: table_bytes
SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
WHERE relnamespace = 'relembra'::regnamespace AND relkind IN ('r', 'S')

-- name: server
SELECT current_setting('server_version_num')::bigint, current_setting('server_version'), current_user,
  to_regnamespace('relembra') IS NOT NULL, to_regclass('relembra.migration') IS NOT NULL

-- name: migrations
SELECT number, checksum, breaking FROM relembra.migration ORDER BY number

-- name: add_migration
INSERT INTO relembra.migration (number, name, checksum, breaking, made_at) VALUES (?, ?, ?, ?, ?)

-- name: make_schema
CREATE SCHEMA IF NOT EXISTS relembra

-- name: make_migrations
CREATE TABLE IF NOT EXISTS relembra.migration (
  number   BIGINT NOT NULL PRIMARY KEY,
  name     TEXT NOT NULL,
  checksum TEXT NOT NULL, -- SHA-256 of the file
  breaking BOOLEAN NOT NULL, -- an earlier program cannot go on with it
  made_at  BIGINT NOT NULL
)

-- name: app_role
SELECT rolname FROM pg_roles WHERE rolname = 'relembra_app'

-- name: make_app_role
CREATE ROLE relembra_app NOLOGIN NOBYPASSRLS NOSUPERUSER NOCREATEDB NOCREATEROLE

-- name: join_app_role
GRANT relembra_app TO CURRENT_USER

-- name: is_let_in
SELECT has_schema_privilege('relembra_app', 'relembra', 'USAGE')

-- name: grants
GRANT USAGE ON SCHEMA relembra TO relembra_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA relembra TO relembra_app;
REVOKE INSERT, UPDATE, DELETE ON relembra.migration FROM relembra_app;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA relembra TO relembra_app

-- name: roles
SELECT rolname, rolsuper OR rolbypassrls, rolcreaterole OR rolsuper FROM pg_roles
WHERE rolname = current_user OR (rolname = 'relembra_app' AND pg_has_role(current_user, oid, 'MEMBER'))
ORDER BY rolname = 'relembra_app' DESC

-- name: get_meta
SELECT value FROM relembra.meta WHERE name = ?

-- name: tables
SELECT relname::text, array_agg(attname::text ORDER BY attnum) FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
WHERE relnamespace = 'relembra'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
GROUP BY relname ORDER BY relname

-- name: every_column
SELECT {columns} FROM {table}

-- name: listen
LISTEN relembra_work

-- name: ring
SELECT pg_notify('relembra_work', ?)

-- name: columns_of
SELECT attname::text FROM pg_attribute WHERE attrelid = to_regclass('relembra.' || ?::text)
AND attnum > 0 AND NOT attisdropped
