-- Who is not listened to, and where nothing is kept.

CREATE TABLE door (
  tenant TEXT   NOT NULL,
  kind   TEXT   NOT NULL, -- person or space
  key    TEXT   NOT NULL, -- the name in lower case without accents
  name   TEXT   NOT NULL, -- as it was given
  since  BIGINT NOT NULL,
  PRIMARY KEY (tenant, kind, key)
) WITHOUT ROWID;

CREATE INDEX conversation_by_space ON conversation (tenant, space) WHERE space IS NOT NULL;

-- Groups of chat apps that were switched off were links to nobody; a telephone number's form took the sign of
-- Telegram's groups, all of which are negative.
INSERT INTO door (tenant, kind, key, name, since)
SELECT tenant, 'space', space, space, created_at FROM (
  SELECT tenant, created_at, replace(channel, '-switch', ':')
    || CASE WHEN channel = 'telegram-switch' AND id NOT LIKE '-%' THEN '-' ELSE '' END || id AS space
  FROM link WHERE owner = 'relembra:off' AND channel IN ('discord-switch', 'telegram-switch')
) WHERE true ON CONFLICT (tenant, kind, key) DO NOTHING;

DELETE FROM link WHERE owner = 'relembra:off' AND channel IN ('discord-switch', 'telegram-switch');
