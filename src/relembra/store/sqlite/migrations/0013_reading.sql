-- What is said in private is learnt from at once. What waits to be noted from before is read now: a job for each person
-- and buffer names their messages, and the note to come only adds to what they teach.

INSERT INTO job (id, tenant, owner, kind, payload, due_at, created_at, state, attempts)
SELECT randomblob(16), tenant, owner, 'read', json_object('messages', json_group_array(message)),
  0, max(sent_at), 'waiting', 0
FROM (
  SELECT buffered.tenant, buffered.owner, buffer, sent_at,
    lower(format('%s-%s-%s-%s-%s', substr(hex(message), 1, 8), substr(hex(message), 9, 4),
      substr(hex(message), 13, 4), substr(hex(message), 17, 4), substr(hex(message), 21))) AS message
  FROM buffered
  JOIN buffer ON buffer.tenant = buffered.tenant AND buffer.owner = buffered.owner AND buffer.id = buffered.buffer
  WHERE buffer.space IS NULL AND asks = 1
  ORDER BY sent_at, message
) AS said
GROUP BY tenant, owner, buffer;
