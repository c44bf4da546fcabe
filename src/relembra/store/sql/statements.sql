-- Every statement but the schemas. Each starts with the tenant and the owner; {item.*} are the columns of a table as
-- store/rows.py has them, and other {parts} are filled in by the program with fixed SQL.

-- name: message_by_external_id
SELECT {message.*} FROM message WHERE tenant = ? AND owner = ? AND external_id = ? AND role = ?

-- name: insert
INSERT INTO {table} ({columns}) VALUES ({marks}) {or_else}

-- name: or_replace
ON CONFLICT (tenant, owner, {key}) DO UPDATE SET ({columns}) = ({given})

-- name: or_touch
ON CONFLICT (tenant, owner, id) DO UPDATE
SET updated_at = CASE WHEN excluded.updated_at > conversation.updated_at
                      THEN excluded.updated_at ELSE conversation.updated_at END,
    title = CASE WHEN conversation.title = '' THEN excluded.title ELSE conversation.title END,
    version = CASE WHEN conversation.deleted_at IS NULL THEN conversation.version ELSE conversation.version + 1 END,
    deleted_at = NULL

-- name: hide_messages
UPDATE message INDEXED BY message_by_conversation SET deleted_at = ?
WHERE tenant = ? AND owner = ? AND conversation = ? AND deleted_at IS NULL

-- name: show_messages
UPDATE message INDEXED BY message_by_conversation SET deleted_at = NULL
WHERE tenant = ?2 AND owner = ?3 AND conversation = ?4 AND deleted_at = ?1

-- name: change_row
UPDATE {table} SET {changes} WHERE tenant = ? AND owner = ? AND id = ?

-- name: stored
SELECT analyzer, length, {columns} FROM {table} WHERE tenant = ? AND owner = ? AND id = ?

-- name: is_stored
SELECT 1 FROM {table} WHERE tenant = ? AND owner = ? AND id = ?

-- name: rows_by_id
SELECT {columns} FROM {table} WHERE tenant = ? AND owner = ? AND {key} IN carray(?)

-- name: acquaintances
SELECT DISTINCT subject,
  CASE WHEN attribute IN ('relation', 'nickname', 'name') AND value IS NOT NULL THEN value ELSE subject END AS called
FROM item INDEXED BY item_by_subject
WHERE tenant = ? AND owner = ? AND subject <> 'self'
  AND deleted_at IS NULL AND superseded_at IS NULL AND archived_at IS NULL AND id NOT IN carray(?)
ORDER BY subject, called

-- name: newest_of_each_author
WITH RECURSIVE spoke(who) AS (
  SELECT min(author) FROM message WHERE tenant = ?1 AND owner = ?2 AND role = 'user'
  UNION ALL
  SELECT (SELECT min(author) FROM message
          WHERE tenant = ?1 AND owner = ?2 AND role = 'user' AND author > who)
  FROM spoke WHERE who IS NOT NULL
)
SELECT {message.*} FROM spoke CROSS JOIN message
WHERE tenant = ?1 AND owner = ?2 AND id = (
  SELECT id FROM message
  WHERE tenant = ?1 AND owner = ?2 AND role = 'user' AND author = who ORDER BY sent_at DESC LIMIT 1
)
ORDER BY who

-- name: voices
SELECT owner, author, coalesce(json_extract(metadata, '$.author_name'), author), max(sent_at) AS last FROM (
  SELECT owner, author, metadata, sent_at FROM message
  WHERE tenant = ? AND space = ? AND channel = ? AND deleted_at IS NULL AND role = 'user'
  ORDER BY sent_at DESC LIMIT ?
)
GROUP BY owner, author ORDER BY last DESC, owner, author

-- name: channel_messages
SELECT row.id, row.owner FROM message AS row
WHERE row.tenant = ? AND row.space = ? AND row.channel = ? AND +row.owner IN carray(?) AND {wanted}
ORDER BY row.sent_at DESC LIMIT ?

-- name: local_items
SELECT {item.*} FROM item INDEXED BY item_local WHERE tenant = ? AND owner = ? AND local_only = 1

-- name: local_people
SELECT DISTINCT owner FROM item INDEXED BY item_local
WHERE tenant = ? AND local_only = 1 AND space = ?

-- name: superseded_by
SELECT {item.*} FROM item INDEXED BY item_by_successor WHERE tenant = ? AND owner = ? AND superseded_by IN carray(?)

-- name: insights
SELECT {item.*} FROM item INDEXED BY item_insight WHERE tenant = ? AND owner = ? AND type = 'insight'

-- name: answers
SELECT id, role FROM message INDEXED BY message_by_conversation
WHERE tenant = ? AND owner = ? AND conversation = ? AND (sent_at, id) > (?, ?)
ORDER BY sent_at, id

-- name: notes_of_conversations
SELECT {note.*} FROM note INDEXED BY note_by_conversation
WHERE tenant = ? AND owner = ? AND conversation IN carray(?)

-- name: derived_notes
SELECT {note.*} FROM note INDEXED BY note_derived
WHERE tenant = ? AND owner = ? AND kind IN ('topic_cluster', 'weekly', 'monthly', 'appointment')

-- name: held
SELECT id FROM item INDEXED BY item_by_attribute
WHERE tenant = ? AND owner = ? AND subject = ? AND attribute = ?
  AND deleted_at IS NULL AND superseded_at IS NULL AND archived_at IS NULL

-- name: touch
UPDATE {table} SET accesses = accesses + 1, last_access = ? WHERE tenant = ? AND owner = ? AND id = ?

-- name: model
SELECT id, dimensions FROM model WHERE name = ?

-- name: add_model
INSERT INTO model (name, dimensions) VALUES (?, ?) RETURNING id

-- name: put_vector
INSERT INTO embedding (tenant, owner, model, kind, id, part, tick, vector) VALUES (?, ?, ?, ?, ?, ?, ?, ?)

-- name: drop_vectors
DELETE FROM embedding WHERE tenant = ? AND owner = ? AND model = ? AND kind = ? AND id IN carray(?)

-- name: vector_slice
SELECT vectors, put_at, dropped_at FROM vector_slice WHERE tenant = ? AND owner = ? AND model = ? AND kind = ?

-- name: model_ids
SELECT id FROM model

-- name: count_vectors
INSERT INTO vector_slice (tenant, owner, model, kind, vectors, put_at, dropped_at) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (tenant, owner, model, kind) DO UPDATE
SET vectors = vector_slice.vectors + excluded.vectors,
    put_at = CASE WHEN excluded.put_at > vector_slice.put_at THEN excluded.put_at ELSE vector_slice.put_at END,
    dropped_at = CASE WHEN excluded.dropped_at > vector_slice.dropped_at
                      THEN excluded.dropped_at ELSE vector_slice.dropped_at END

-- name: vectors_of_slice
SELECT id, part, vector FROM embedding WHERE tenant = ? AND owner = ? AND model = ? AND kind = ? ORDER BY id, part

-- name: vectors_since
SELECT id, part, vector FROM embedding INDEXED BY embedding_by_tick
WHERE tenant = ? AND owner = ? AND model = ? AND kind = ? AND tick > ? ORDER BY tick, id, part

-- name: tick
UPDATE clock SET tick = tick + 1 RETURNING tick

-- name: stamp
INSERT INTO stamp (tenant, owner, said, known) VALUES (?, ?, ?, ?)
ON CONFLICT (tenant, owner) DO UPDATE
SET said = excluded.said, known = CASE WHEN excluded.known > stamp.known THEN excluded.known ELSE stamp.known END

-- name: stamp_of
SELECT said, known FROM stamp WHERE tenant = ? AND owner = ?

-- name: record
INSERT INTO audit (number, tenant, owner, {audit.*}) VALUES (
  1 + max(
    coalesce((SELECT max(number) FROM audit), 0),
    coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'last_entry'), 0)
  ), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: keep_last_entry
INSERT INTO meta (name, value) SELECT 'last_entry', max(number) FROM audit HAVING max(number) IS NOT NULL
ON CONFLICT (name) DO UPDATE SET value = max(CAST(value AS INTEGER), CAST(excluded.value AS INTEGER))

-- name: waiting_job
SELECT tenant, owner, {job.*} FROM job INDEXED BY job_by_key
WHERE tenant = ? AND owner = ? AND kind = ? AND key = ? AND state = 'waiting' ORDER BY due_at, id LIMIT 1

-- name: join_job
UPDATE job SET due_at = ?, payload = ?, key = ? WHERE id = ?

-- name: has_job
SELECT 1 FROM job WHERE tenant = ? AND owner = ? AND id = ?

-- name: finish_job
DELETE FROM job WHERE tenant = ? AND owner = ? AND id = ?

-- name: open_buffer
SELECT {buffer.*} FROM buffer INDEXED BY buffer_open
WHERE tenant = ? AND owner = ? AND channel = ? AND conversation = ? AND open = 1

-- name: buffer_takes
UPDATE buffer SET last_at = max(last_at, ?) WHERE tenant = ? AND owner = ? AND id = ?

-- name: close_buffer
UPDATE buffer SET open = 0 WHERE tenant = ? AND owner = ? AND id = ?

-- name: flush_due
UPDATE job SET due_at = ? WHERE tenant = ? AND owner = ? AND id = ? AND state = 'waiting'

-- name: take_message
INSERT INTO buffered (tenant, owner, buffer, sent_at, message, person, asks) VALUES (?, ?, ?, ?, ?, ?, ?)

-- name: count_waiting
SELECT count(*) FROM buffered WHERE tenant = ? AND owner = ? AND buffer = ? AND asks = 1

-- name: drop_buffered
DELETE FROM buffered WHERE tenant = ? AND owner = ? AND buffer = ?

-- name: buffers
SELECT {buffer.*} FROM buffer WHERE tenant = ? AND owner = ? ORDER BY opened_at, id

-- name: buffered
SELECT person, message FROM buffered WHERE tenant = ? AND owner = ? AND buffer = ? ORDER BY sent_at, message, person

-- name: version
SELECT version FROM {table} WHERE tenant = ? AND owner = ? AND {key} = ?

-- name: every_run
SELECT tenant, owner, {run.*} FROM run

-- name: clear_runs
UPDATE run INDEXED BY run_quoting SET raw = NULL, version = version + (status = 'running')
WHERE tenant = ?1 AND owner {whose} ?2 AND (raw IS NOT NULL OR status = 'running')

-- name: drop_empty_runs
DELETE FROM run WHERE tenant = ?1 AND owner = ?2 AND status <> 'running' AND changes <> '[]' AND NOT EXISTS (
  SELECT 1 FROM json_each(run.changes) AS named CROSS JOIN audit INDEXED BY audit_by_change
  WHERE audit.tenant = ?1 AND audit.owner = ?2 AND audit.change = named.value
)

-- name: is_due
INSERT INTO unaccounted (tenant, owner, what, id) VALUES (?, ?, ?, ?) ON CONFLICT (tenant, owner, what, id) DO NOTHING

-- name: is_accounted
DELETE FROM unaccounted WHERE tenant = ? AND owner = ? AND what = ? AND id IN carray(?)

-- name: unaccounted_messages
SELECT id FROM unaccounted
WHERE tenant = ?1 AND owner = ?2 AND what = 1 AND NOT EXISTS (
  SELECT 1 FROM buffered WHERE buffered.tenant = ?1 AND buffered.person = ?2 AND buffered.message = unaccounted.id)
ORDER BY id LIMIT ?3

-- name: unaccounted_in_buffers
SELECT DISTINCT message FROM buffered INDEXED BY buffered_by_message
WHERE tenant = ?1 AND person = ?2 AND EXISTS (
  SELECT 1 FROM unaccounted WHERE unaccounted.tenant = ?1 AND unaccounted.owner = ?2 AND unaccounted.what = 1
  AND unaccounted.id = buffered.message)
ORDER BY message

-- name: unaccounted_changes
SELECT id FROM unaccounted WHERE tenant = ? AND owner = ? AND what = 2 ORDER BY number LIMIT ?

-- name: lost_unaccounted
SELECT unaccounted.id FROM unaccounted WHERE unaccounted.what = 1 AND NOT EXISTS (
  SELECT 1 FROM message WHERE message.tenant = unaccounted.tenant AND message.owner = unaccounted.owner
  AND message.id = unaccounted.id)

-- name: count_use
INSERT INTO use (tenant, owner, day, task, model, calls, input_tokens, output_tokens) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (tenant, owner, day, task, model) DO UPDATE
SET calls = use.calls + excluded.calls, input_tokens = use.input_tokens + excluded.input_tokens,
    output_tokens = use.output_tokens + excluded.output_tokens

-- name: usage
SELECT day, task, model, sum(calls), sum(input_tokens), sum(output_tokens) FROM use
WHERE day >= ?1 {person} GROUP BY day, task, model ORDER BY day, task, model

-- name: put_posting
INSERT INTO posting (tenant, owner, kind, term, id, tf, len) VALUES (?, ?, ?, ?, ?, ?, ?)

-- name: drop_posting
DELETE FROM posting WHERE tenant = ? AND owner = ? AND kind = ? AND term = ? AND id = ?

-- name: drop_postings_of
DELETE FROM posting WHERE tenant = ? AND owner = ? AND kind = ? AND id IN carray(?)

-- name: count_in_slice
INSERT INTO slice (tenant, owner, kind, docs, total_length) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (tenant, owner, kind) DO UPDATE
SET docs = slice.docs + excluded.docs, total_length = slice.total_length + excluded.total_length

-- name: drop_empty_slices
DELETE FROM slice WHERE tenant = ? AND owner = ? AND docs = 0

-- name: slice
SELECT docs, total_length FROM slice WHERE tenant = ? AND owner = ? AND kind = ?

-- name: unindexed_message
SELECT {message.*} FROM message WHERE tenant = ? AND owner = ? AND id = ? AND analyzer = 0

-- name: unindexed_messages
SELECT {message.*} FROM message INDEXED BY message_unindexed WHERE tenant = ? AND owner = ? AND analyzer = 0

-- name: oldest_unindexed
SELECT tenant, owner, id FROM message INDEXED BY message_unindexed WHERE analyzer = 0
ORDER BY saved_at, id, tenant, owner LIMIT ?

-- name: ids_like
SELECT id FROM {table} WHERE (lower(hex(id)) LIKE ?1 OR lower(hex(id)) LIKE ?2) {person} ORDER BY id

-- name: page
SELECT {columns}, tenant, owner FROM {table} AS row {index} WHERE {wanted} ORDER BY {order} LIMIT ?

-- name: count_items
SELECT row.area, row.type, row.source, row.confidence, row.validated, row.needs_resolution, count(*)
FROM item AS row {index} WHERE row.tenant = ? AND row.owner = ? AND {wanted}
GROUP BY 1, 2, 3, 4, 5, 6

-- name: passings
WITH stretch (number, start, finish) AS MATERIALIZED (
  SELECT key, value, lead(value) OVER (ORDER BY key) FROM json_each(?)
)
{parts}

-- name: passing
SELECT stretch.number, '{fate}', {area}, count(*) FROM stretch CROSS JOIN item AS row INDEXED BY {index}
ON row.tenant = ? AND row.owner = ? AND row.{moment} >= stretch.start AND row.{moment} < stretch.finish
WHERE {wanted} GROUP BY stretch.number, {area}

-- name: fading
SELECT stretch.number, 'faded', NULL, count(DISTINCT faded.target_id)
FROM stretch CROSS JOIN audit AS faded INDEXED BY audit_faded
ON faded.verb = 'fade' AND faded.tenant = ? AND faded.owner = ?
  AND faded.at >= stretch.start AND faded.at < stretch.finish
WHERE EXISTS (SELECT 1 FROM item AS row WHERE row.tenant = ? AND row.owner = ?
  AND row.id = unhex(replace(faded.target_id, '-', '')) AND {wanted})
GROUP BY stretch.number

-- name: beside
SELECT {message.*} FROM message AS row INDEXED BY message_by_conversation
WHERE row.tenant = ? AND row.owner = ? AND row.conversation = ? AND (row.sent_at, row.id) {side} (?, ?) AND {wanted}
ORDER BY row.sent_at {order}, row.id {order} LIMIT ?

-- name: beside_in_channel
SELECT {message.*}, row.owner FROM message AS row
WHERE row.tenant = ? AND row.space = ? AND row.channel = ? AND +row.owner IN carray(?)
  AND (row.sent_at, row.id) {side} (?, ?) AND {wanted}
ORDER BY row.sent_at {order}, row.id {order} LIMIT ?

-- name: predecessors
WITH RECURSIVE earlier (id) AS (
  SELECT id FROM item WHERE tenant = ?1 AND owner = ?2 AND superseded_by = ?3
  UNION
  SELECT item.id FROM earlier CROSS JOIN item
  ON item.tenant = ?1 AND item.owner = ?2 AND item.superseded_by = earlier.id
)
SELECT {row.item.*} FROM earlier AS hit CROSS JOIN item AS row
ON row.tenant = ?1 AND row.owner = ?2 AND row.id = hit.id
WHERE row.id <> ?3
ORDER BY row.created_at, row.id

-- name: trail
SELECT {audit.*} FROM audit WHERE tenant = ? AND owner = ? AND target = ? AND target_id = ? ORDER BY number

-- name: changes
SELECT {audit.*} FROM audit WHERE tenant = ? AND owner = ? AND change IN carray(?) ORDER BY number

-- name: page_trail
SELECT number, {audit.*} FROM audit WHERE number IN (
  SELECT number FROM audit INDEXED BY audit_by_change WHERE tenant = ? AND owner = ? AND number > ?
  ORDER BY number LIMIT ?
) ORDER BY number

-- name: next_owner
SELECT min(owner) FROM (
  SELECT min(owner) AS owner FROM conversation WHERE tenant = ?1 AND owner > ?2
  UNION ALL SELECT min(owner) FROM message WHERE tenant = ?1 AND owner > ?2
  UNION ALL SELECT min(owner) FROM note WHERE tenant = ?1 AND owner > ?2
  UNION ALL SELECT min(owner) FROM item WHERE tenant = ?1 AND owner > ?2
  UNION ALL SELECT min(owner) FROM case_file WHERE tenant = ?1 AND owner > ?2
  UNION ALL SELECT min(owner) FROM run WHERE tenant = ?1 AND owner > ?2
  UNION ALL SELECT min(owner) FROM stored_view WHERE tenant = ?1 AND owner > ?2
  UNION ALL SELECT min(owner) FROM audit WHERE tenant = ?1 AND owner > ?2
) AS next

-- name: wanted_ids
SELECT row.id FROM {table} AS row WHERE row.tenant = ? AND row.owner = ? AND {wanted}

-- name: wanted_rows
SELECT {weighed} FROM carray(?) AS hit CROSS JOIN {table} AS row
ON row.tenant = ? AND row.owner = ? AND row.id = hit.value
WHERE {wanted}

-- name: vectors_of_rows
SELECT id, part, vector FROM embedding
WHERE tenant = ? AND owner = ? AND model = ? AND kind = ? AND id IN carray(?)

-- name: postings
SELECT id, tf, len FROM posting WHERE tenant = ? AND owner = ? AND kind = ? AND term = ?

-- name: due
SELECT due_at, id, tenant, owner FROM job {index}
WHERE state = ? AND kind = ? AND {moment} <= ? {free} ORDER BY due_at, id

-- name: of_scope
AND tenant = ? AND owner = ?

-- name: free
AND (tenant, owner) NOT IN (
  SELECT tenant, owner FROM job
  WHERE state = 'running' AND kind IN carray(?) AND (lease_until > ? OR lease_until IS NULL))

-- name: first_done
AND (tenant, owner) NOT IN (
  SELECT tenant, owner FROM job WHERE state = 'waiting' AND kind IN carray(?) AND due_at <= ?
  UNION ALL
  SELECT tenant, owner FROM job WHERE state = 'running' AND kind IN carray(?))

-- name: claim
UPDATE job SET state = 'running', attempts = attempts + 1, lease_until = ?
WHERE id IN carray(?) AND (state = 'waiting' OR lease_until <= ?) RETURNING tenant, owner, {job.*}

-- name: give_back_job
UPDATE job SET state = ?, due_at = coalesce(?, due_at), error = coalesce(?, error), attempts = attempts - ?,
  lease_until = NULL
WHERE id = ? AND state = 'running' AND attempts = ?

-- name: free_jobs
UPDATE job SET state = 'waiting', lease_until = NULL WHERE state = 'running'

-- name: cancel_job
DELETE FROM job WHERE id = ? AND state <> 'running'

-- name: hasten_jobs
UPDATE job SET due_at = ?1 WHERE state = 'waiting' AND due_at > ?1 AND kind = ?2 {person}

-- name: retry_jobs
UPDATE job SET state = 'waiting', attempts = 0, due_at = ? WHERE {wanted}

-- name: drop_jobs
DELETE FROM job WHERE state = ? AND kind = ?

-- name: jobs
SELECT tenant, owner, {job.*} FROM job {wanted} ORDER BY due_at, id LIMIT ?

-- name: job
SELECT tenant, owner, {job.*} FROM job WHERE id = ?

-- name: next_due
WITH RECURSIVE kinds(kind) AS (
  SELECT min(kind) FROM job WHERE state = 'waiting'
  UNION ALL
  SELECT (SELECT min(job.kind) FROM job WHERE job.state = 'waiting' AND job.kind > kinds.kind)
  FROM kinds WHERE kinds.kind IS NOT NULL
)
SELECT kind, min(moment) FROM (
  SELECT kind, (SELECT min(job.due_at) FROM job WHERE job.state = 'waiting' AND job.kind = kinds.kind) AS moment
  FROM kinds WHERE kind IS NOT NULL
  UNION ALL
  SELECT kind, lease_until FROM job WHERE state = 'running' AND lease_until IS NOT NULL
) AS coming GROUP BY kind

-- name: messages_of_conversation
SELECT {message.*} FROM message WHERE tenant = ? AND owner = ? AND conversation = ?

-- name: all_of_person
SELECT {columns} FROM {table} WHERE tenant = ? AND owner = ?

-- name: drop_person
DELETE FROM {table} WHERE tenant = ? AND owner = ?

-- name: indexed_length
SELECT count(*), coalesce(sum(length), 0) FROM {table}
WHERE tenant = ? AND owner = ? AND id IN carray(?) AND analyzer <> 0

-- name: drop_row
DELETE FROM {table} WHERE tenant = ? AND owner = ? AND id = ?

-- name: drop_rows
DELETE FROM {table} WHERE tenant = ? AND owner = ? AND id IN carray(?)

-- name: pointers
SELECT id, related, message_ids, note_id, superseded_by, evidence FROM item
WHERE tenant = ? AND owner = ?
  AND (related <> '[]' OR message_ids <> '[]' OR note_id IS NOT NULL OR superseded_by IS NOT NULL
       OR evidence IS NOT NULL)

-- name: set_pointers
UPDATE item SET related = ?, message_ids = ?, note_id = ?, superseded_by = ?, evidence = ?
WHERE tenant = ? AND owner = ? AND id = ?

-- name: audit_of_person
SELECT number, {audit.*} FROM audit WHERE tenant = ? AND owner = ? ORDER BY number

-- name: audit_of_row
SELECT number, {audit.*} FROM audit WHERE tenant = ? AND owner = ? AND target = ? AND target_id = ?

-- name: drop_audit
DELETE FROM audit WHERE number = ?

-- name: set_audit
UPDATE audit SET before = ?, after = ?, why = ? WHERE number = ?

-- name: jobs_of_person
SELECT id, kind, payload FROM job WHERE tenant = ? AND owner = ?

-- name: set_payload
UPDATE job SET payload = ? WHERE tenant = ? AND owner = ? AND id = ?

-- name: buffers_of_messages
SELECT DISTINCT owner, buffer FROM buffered WHERE tenant = ? AND person = ? AND message IN carray(?)

-- name: take_out_messages
DELETE FROM buffered INDEXED BY buffered_by_message WHERE tenant = ? AND person = ? AND message IN carray(?)

-- name: drop_empty_buffer
DELETE FROM buffer WHERE tenant = ?1 AND owner = ?2 AND id = ?3
  AND NOT EXISTS (SELECT 1 FROM buffered WHERE tenant = ?1 AND owner = ?2 AND buffer = ?3)

-- name: case_owner
SELECT owner FROM case_file INDEXED BY case_by_id WHERE tenant = ? AND id = ?

-- name: drop_cases_of
DELETE FROM case_file WHERE tenant = ?1 AND owner = ?2 AND (old_id IN carray(?3) OR new_id IN carray(?3))

-- name: clear_views
UPDATE stored_view SET body = NULL WHERE tenant = ?1 AND body IS NOT NULL {person}

-- name: owners_of_views
SELECT DISTINCT owner FROM stored_view WHERE tenant = ? AND body IS NOT NULL

-- name: others_items_of_notes
SELECT owner, id FROM item INDEXED BY item_by_note WHERE tenant = ? AND note_id IN carray(?) AND owner <> ?

-- name: name_note
UPDATE item SET note_id = ? WHERE tenant = ? AND owner = ? AND id = ? AND note_id IS NULL

-- name: clear_note
UPDATE item SET note_id = NULL WHERE tenant = ? AND owner = ? AND id = ?

-- name: jobs_of_others
SELECT owner, id, payload FROM job WHERE tenant = ? AND owner <> ?

-- name: models
SELECT model.name, count(*) FROM embedding JOIN model ON model.id = embedding.model AND embedding.part = 0 {person}
GROUP BY model.name

-- name: model_names
SELECT name FROM model ORDER BY name

-- name: drop_other_vectors
DELETE FROM embedding WHERE model <> (SELECT coalesce((SELECT id FROM model WHERE name = ?), 0))

-- name: drop_other_vector_slices
DELETE FROM vector_slice WHERE model <> (SELECT coalesce((SELECT id FROM model WHERE name = ?), 0))

-- name: drop_other_models
DELETE FROM model WHERE name <> ?

-- name: unembedded
SELECT row.tenant, row.owner, {columns} FROM {table} AS row
WHERE (row.tenant, row.owner, row.id) > (?, ?, ?)
  AND NOT EXISTS (SELECT 1 FROM embedding WHERE embedding.tenant = row.tenant AND embedding.owner = row.owner
                  AND embedding.model = ? AND embedding.kind = ? AND embedding.id = row.id)
ORDER BY row.tenant, row.owner, row.id LIMIT ?

-- name: people
SELECT count(*) FROM (
  SELECT DISTINCT tenant, owner FROM message {person} UNION SELECT DISTINCT tenant, owner FROM conversation {person}
  UNION SELECT DISTINCT tenant, owner FROM note {person} UNION SELECT DISTINCT tenant, owner FROM item {person}
  UNION SELECT DISTINCT tenant, owner FROM audit {person} UNION SELECT DISTINCT tenant, owner FROM job {person}
  UNION SELECT DISTINCT tenant, owner FROM buffer {person} UNION SELECT DISTINCT tenant, owner FROM case_file {person}
  UNION SELECT DISTINCT tenant, owner FROM stored_view {person} UNION SELECT DISTINCT tenant, owner FROM use {person}
  UNION SELECT DISTINCT tenant, owner FROM run {person} UNION SELECT DISTINCT tenant, owner FROM unaccounted {person}
) AS everybody WHERE substr(owner, 1, 1) <> char(31) -- a space

-- name: count_rows
SELECT count(*) FROM {table} {person}

-- name: person_bytes
SELECT (SELECT coalesce(sum(octet_length(text)), 0) FROM message {person})
     + (SELECT coalesce(sum(octet_length(title) + octet_length(summary) + coalesce(octet_length(packed), 0)), 0)
        FROM note {person})
     + (SELECT coalesce(sum(octet_length(title) + octet_length(content) + coalesce(octet_length(packed), 0)), 0)
        FROM item {person})
     + (SELECT coalesce(sum(octet_length(vector)), 0) FROM embedding {person})

-- name: count_states
SELECT CASE WHEN deleted_at IS NOT NULL THEN 'deleted' WHEN superseded_at IS NOT NULL THEN 'superseded'
            WHEN archived_at IS NOT NULL THEN 'archived' ELSE 'current' END AS state, count(*)
FROM item {person} GROUP BY state

-- name: count_by
SELECT {column}, count(*) FROM {table} {person} GROUP BY {column} HAVING {column} IS NOT NULL

-- name: every_row
SELECT tenant, owner, analyzer, length, {columns} FROM {table}
WHERE (tenant, owner, id) > (?, ?, ?) {only} ORDER BY tenant, owner, id LIMIT ?

-- name: matching_postings
SELECT count(*) FROM json_each(?) AS term CROSS JOIN posting
ON posting.tenant = ? AND posting.owner = ? AND posting.kind = ? AND posting.term = term.key AND posting.id = ?
WHERE posting.tf = term.value AND posting.len = ?

-- name: count_postings
SELECT tenant, owner, kind, count(*) FROM posting GROUP BY tenant, owner, kind

-- name: every_slice
SELECT tenant, owner, kind, docs, total_length FROM slice

-- name: every_vector_slice
SELECT tenant, owner, model, kind, vectors FROM vector_slice

-- name: every_vector
SELECT embedding.tenant, embedding.owner, embedding.model, embedding.kind, embedding.id, embedding.part,
  embedding.vector, model.dimensions,
  CASE embedding.kind
    WHEN 1 THEN EXISTS (SELECT 1 FROM item AS row
      WHERE row.tenant = embedding.tenant AND row.owner = embedding.owner AND row.id = embedding.id)
    WHEN 2 THEN EXISTS (SELECT 1 FROM message AS row
      WHERE row.tenant = embedding.tenant AND row.owner = embedding.owner AND row.id = embedding.id)
    WHEN 3 THEN EXISTS (SELECT 1 FROM note AS row
      WHERE row.tenant = embedding.tenant AND row.owner = embedding.owner AND row.id = embedding.id)
  END
FROM embedding LEFT JOIN model ON model.id = embedding.model
ORDER BY embedding.tenant, embedding.owner, embedding.model, embedding.kind, embedding.id, embedding.part

-- name: lost_successors
SELECT item.id FROM item WHERE item.superseded_by IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM item AS successor WHERE successor.tenant = item.tenant AND successor.owner = item.owner
  AND successor.id = item.superseded_by)

-- name: lost_buffered
SELECT buffered.buffer, buffered.message FROM buffered WHERE NOT EXISTS (
  SELECT 1 FROM message WHERE message.tenant = buffered.tenant AND message.owner = buffered.person
  AND message.id = buffered.message)

-- name: stray_buffered
SELECT DISTINCT buffered.buffer FROM buffered WHERE NOT EXISTS (
  SELECT 1 FROM buffer WHERE buffer.tenant = buffered.tenant AND buffer.owner = buffered.owner
  AND buffer.id = buffered.buffer)

-- name: jobless_buffers
SELECT buffer.id FROM buffer WHERE buffer.open = 1 AND NOT EXISTS (
  SELECT 1 FROM job WHERE job.id = buffer.id AND job.tenant = buffer.tenant AND job.owner = buffer.owner)

-- name: count_unindexed
SELECT count(*) FROM message INDEXED BY message_unindexed WHERE analyzer = 0

-- name: get_meta
SELECT value FROM meta WHERE name = ?

-- name: set_meta
INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value

-- name: set_length
UPDATE {table} SET analyzer = ?, length = ? WHERE tenant = ? AND owner = ? AND id = ?

-- name: put_key
INSERT INTO access_key (digest, {access_key.*})
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: keys
SELECT {access_key.*} FROM access_key WHERE {wanted} ORDER BY created_at DESC, id DESC

-- name: key_by
SELECT {access_key.*}, digest FROM access_key WHERE {column} = ?

-- name: revoke_key
UPDATE access_key SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL

-- name: revoked_keys
SELECT revoked_at, id FROM access_key WHERE revoked_at IS NOT NULL

-- name: count_unrevoked
SELECT count(*) FROM access_key WHERE revoked_at IS NULL

-- name: touch_key
UPDATE access_key SET used_at = max(coalesce(used_at, 0), ?) WHERE id = ?

-- name: end_sessions
DELETE FROM access_session

-- name: put_session
INSERT INTO access_session (digest, key, created_at, expires_at) SELECT ?1, id, ?2, ?3 FROM access_key WHERE id = ?4

-- name: session
SELECT session.created_at, session.expires_at, {row.access_key.*}
FROM access_session AS session JOIN access_key AS row ON row.id = session.key WHERE session.digest = ?

-- name: end_session
DELETE FROM access_session WHERE digest = ?

-- name: end_sessions_of_key
DELETE FROM access_session WHERE key = ?

-- name: end_sessions_of_person
DELETE FROM access_session WHERE key IN (SELECT id FROM access_key WHERE tenant = ? AND owner = ?)

-- name: purge_sessions
DELETE FROM access_session WHERE digest IN (
  SELECT digest FROM access_session WHERE expires_at <= ? ORDER BY expires_at LIMIT ?
)

-- name: put_link
INSERT INTO link (tenant, channel, id, owner, created_at) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (tenant, channel, id) DO UPDATE SET owner = excluded.owner, created_at = excluded.created_at

-- name: drop_link
DELETE FROM link WHERE tenant = ? AND channel = ? AND id = ?

-- name: links
SELECT tenant, channel, id, owner, created_at FROM link WHERE tenant = ? {wanted} ORDER BY channel, id

-- name: block
INSERT INTO block (tenant, kind, key, name, since) VALUES (?, ?, ?, ?, ?) ON CONFLICT (tenant, kind, key) DO NOTHING

-- name: unblock
DELETE FROM block WHERE tenant = ? AND kind = ? AND key = ?

-- name: blocks
SELECT kind, name, since FROM block WHERE tenant = ?1 {wanted} ORDER BY kind, key

-- name: spaces
SELECT DISTINCT space FROM conversation INDEXED BY conversation_by_space
WHERE tenant = ? AND space IS NOT NULL ORDER BY space

-- name: waiting_messages
SELECT message.owner, message.id, message.author, message.role, message.space, waiting.is_due FROM (
  SELECT owner, id, 1 AS is_due FROM unaccounted WHERE tenant = ?1 AND what = 1
  UNION ALL SELECT person, message, 0 FROM buffered WHERE tenant = ?1
) AS waiting CROSS JOIN message
ON message.tenant = ?1 AND message.owner = waiting.owner AND message.id = waiting.id

-- name: said_by
SELECT id, author, role, space FROM message WHERE tenant = ? AND owner = ? AND id IN carray(?)

-- name: jobs_of_kind
SELECT tenant, owner, {job.*} FROM job WHERE tenant = ? AND kind = ?

-- name: unsettle_runs
UPDATE run SET version = version + 1
WHERE tenant = ? AND owner = ? AND kind = 'consolidation' AND status = 'running'

-- name: purge_replies
DELETE FROM kept_reply WHERE number IN (SELECT number FROM kept_reply WHERE until <= ? ORDER BY until LIMIT ?)

-- name: reply
SELECT until, fingerprint, status, headers, body FROM kept_reply WHERE tenant = ? AND caller = ? AND key = ?

-- name: begin_reply
INSERT INTO kept_reply (tenant, caller, key, fingerprint, until) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (tenant, caller, key) DO UPDATE
SET fingerprint = excluded.fingerprint, until = excluded.until, owner = NULL, status = NULL, headers = NULL, body = NULL

-- name: end_reply
UPDATE kept_reply SET owner = ?, status = ?, headers = ?, body = ?, until = ? WHERE tenant = ? AND caller = ? AND key = ?

-- name: drop_reply
DELETE FROM kept_reply WHERE tenant = ? AND caller = ? AND key = ?

-- name: forget_replies
DELETE FROM kept_reply WHERE tenant = ?1 {whose}

-- name: last_entry
SELECT coalesce(max(number), 0) FROM audit INDEXED BY audit_by_change WHERE tenant = ? AND owner = ?

-- name: salvaged_row
SELECT {columns} FROM "{table}" NOT INDEXED WHERE ({key}) = ({marks})

-- name: salvaged_keys
SELECT {key} FROM "{table}" {way} ORDER BY {along}

-- name: put_salvaged
INSERT INTO "{table}" ({columns}) VALUES ({marks})

-- name: mend_salvaged
BEGIN IMMEDIATE;
UPDATE item SET superseded_by = NULL WHERE id IN ({lost_successors});
DELETE FROM buffer WHERE id IN ({jobless_buffers});
DELETE FROM buffered WHERE buffer IN ({stray_buffered});
DELETE FROM buffered WHERE (buffer, message) IN ({lost_buffered});
DELETE FROM unaccounted WHERE what = 1 AND id IN ({lost_unaccounted});
{wind_clock};
INSERT OR IGNORE INTO stamp (tenant, owner, said, known)
  SELECT DISTINCT tenant, owner, clock.tick, clock.tick
  FROM (SELECT tenant, owner FROM message UNION SELECT tenant, owner FROM item) AS anybody CROSS JOIN clock;
COMMIT

-- name: wind_clock
UPDATE clock SET tick = 1 + max(
  (SELECT coalesce(max(max(said, known)), 0) FROM stamp),
  (SELECT coalesce(max(max(put_at, dropped_at)), 0) FROM vector_slice))

-- name: moved_rows
SELECT {columns} FROM "{table}" WHERE {whose} {after} ORDER BY {key} LIMIT ?

-- name: count_moved
SELECT count(*) FROM "{table}" WHERE {whose}

-- name: last_moved
SELECT {key} FROM "{table}" WHERE {whose} ORDER BY {backwards} LIMIT 1

-- name: number_at
SELECT number FROM "{table}" WHERE {whose} ORDER BY number LIMIT 1 OFFSET ?

-- name: count_held
SELECT tenant, {owner}, count(*) FROM "{table}"{where} GROUP BY {by}

-- name: columns_of
SELECT name FROM pragma_table_info(?)

-- name: drop_moved_counts
DELETE FROM vector_slice WHERE tenant = ? AND owner = ?

-- name: count_moved_vectors
INSERT INTO vector_slice (tenant, owner, model, kind, vectors, put_at, dropped_at)
SELECT tenant, owner, model, kind, count(*), CAST(? AS BIGINT), CAST(? AS BIGINT) FROM embedding
WHERE tenant = ? AND owner = ? GROUP BY tenant, owner, model, kind

-- name: drop_meta
DELETE FROM meta WHERE name = ?

-- name: waiting_elsewhere
SELECT count(*) FROM buffered WHERE tenant = ? AND person = ? AND owner <> ?
