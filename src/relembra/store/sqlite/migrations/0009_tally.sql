-- How many current items there are of each kind, so that counting a large memory costs no more than a small one; and the
-- orders and stretches of time a memory is looked through by.

CREATE TABLE item_tally (
  tenant           TEXT    NOT NULL,
  owner            TEXT    NOT NULL,
  space            TEXT    NOT NULL, -- '': learnt in private
  area             TEXT    NOT NULL, -- '': of no area
  type             TEXT    NOT NULL,
  source           TEXT    NOT NULL,
  confidence       DOUBLE PRECISION NOT NULL,
  validated        INTEGER NOT NULL,
  needs_resolution INTEGER NOT NULL,
  items            INTEGER NOT NULL, -- not deleted, superseded or archived, and without an end that time alone brings
  PRIMARY KEY (tenant, owner, space, area, type, source, confidence, validated, needs_resolution)
) WITHOUT ROWID;

INSERT INTO item_tally
SELECT tenant, owner, coalesce(space, ''), coalesce(area, ''), type, source, confidence, validated, needs_resolution,
  count(*)
FROM item
WHERE deleted_at IS NULL AND superseded_at IS NULL AND archived_at IS NULL AND expires_at IS NULL
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9;

CREATE TRIGGER item_is_added AFTER INSERT ON item
WHEN new.deleted_at IS NULL AND new.superseded_at IS NULL AND new.archived_at IS NULL AND new.expires_at IS NULL
BEGIN
  INSERT INTO item_tally VALUES (new.tenant, new.owner, coalesce(new.space, ''), coalesce(new.area, ''), new.type,
    new.source, new.confidence, new.validated, new.needs_resolution, 1)
  ON CONFLICT DO UPDATE SET items = items + 1;
END;

CREATE TRIGGER item_is_gone AFTER DELETE ON item
WHEN old.deleted_at IS NULL AND old.superseded_at IS NULL AND old.archived_at IS NULL AND old.expires_at IS NULL
BEGIN
  UPDATE item_tally SET items = items - 1
  WHERE tenant = old.tenant AND owner = old.owner AND space = coalesce(old.space, '')
    AND area = coalesce(old.area, '') AND type = old.type AND source = old.source AND confidence = old.confidence
    AND validated = old.validated AND needs_resolution = old.needs_resolution;
  DELETE FROM item_tally
  WHERE tenant = old.tenant AND owner = old.owner AND space = coalesce(old.space, '')
    AND area = coalesce(old.area, '') AND type = old.type AND source = old.source AND confidence = old.confidence
    AND validated = old.validated AND needs_resolution = old.needs_resolution AND items = 0;
END;

CREATE TRIGGER item_was_so AFTER UPDATE OF space, area, type, source, confidence, validated, needs_resolution, expires_at,
  archived_at, deleted_at, superseded_at ON item
WHEN old.deleted_at IS NULL AND old.superseded_at IS NULL AND old.archived_at IS NULL AND old.expires_at IS NULL
  AND (old.space IS NOT new.space OR old.area IS NOT new.area OR old.type <> new.type OR old.source <> new.source
    OR old.confidence <> new.confidence OR old.validated <> new.validated
    OR old.needs_resolution <> new.needs_resolution OR new.deleted_at IS NOT NULL OR new.superseded_at IS NOT NULL
    OR new.archived_at IS NOT NULL OR new.expires_at IS NOT NULL)
BEGIN
  UPDATE item_tally SET items = items - 1
  WHERE tenant = old.tenant AND owner = old.owner AND space = coalesce(old.space, '')
    AND area = coalesce(old.area, '') AND type = old.type AND source = old.source AND confidence = old.confidence
    AND validated = old.validated AND needs_resolution = old.needs_resolution;
  DELETE FROM item_tally
  WHERE tenant = old.tenant AND owner = old.owner AND space = coalesce(old.space, '')
    AND area = coalesce(old.area, '') AND type = old.type AND source = old.source AND confidence = old.confidence
    AND validated = old.validated AND needs_resolution = old.needs_resolution AND items = 0;
END;

CREATE TRIGGER item_is_so AFTER UPDATE OF space, area, type, source, confidence, validated, needs_resolution, expires_at,
  archived_at, deleted_at, superseded_at ON item
WHEN new.deleted_at IS NULL AND new.superseded_at IS NULL AND new.archived_at IS NULL AND new.expires_at IS NULL
  AND (old.space IS NOT new.space OR old.area IS NOT new.area OR old.type <> new.type OR old.source <> new.source
    OR old.confidence <> new.confidence OR old.validated <> new.validated
    OR old.needs_resolution <> new.needs_resolution OR old.deleted_at IS NOT NULL OR old.superseded_at IS NOT NULL
    OR old.archived_at IS NOT NULL OR old.expires_at IS NOT NULL)
BEGIN
  INSERT INTO item_tally VALUES (new.tenant, new.owner, coalesce(new.space, ''), coalesce(new.area, ''), new.type,
    new.source, new.confidence, new.validated, new.needs_resolution, 1)
  ON CONFLICT DO UPDATE SET items = items + 1;
END;

-- By time as before, now with what counting the learnt by area needs to know, so that it reads no rows.
DROP INDEX item_by_time;
CREATE INDEX item_by_time ON item (tenant, owner, created_at, id, area, space);

CREATE INDEX item_by_confidence ON item (tenant, owner, confidence, created_at, id);
CREATE INDEX item_by_change ON item (tenant, owner, updated_at, id);
CREATE INDEX item_event ON item (tenant, owner, held_from, id)
WHERE type = 'memory' OR attribute IN ('contract', 'meeting', 'deadline', 'achieved', 'dropped_goal', 'event');
CREATE INDEX item_expiring ON item (tenant, owner, expires_at, area, type, source, confidence, validated,
  needs_resolution, space, deleted_at, superseded_at, archived_at) WHERE expires_at IS NOT NULL;
CREATE INDEX item_ended ON item (tenant, owner, superseded_at) WHERE superseded_at IS NOT NULL;
CREATE INDEX item_archived ON item (tenant, owner, archived_at) WHERE archived_at IS NOT NULL;
CREATE INDEX item_deleted ON item (tenant, owner, deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX audit_faded ON audit (tenant, owner, at, target_id) WHERE verb = 'fade';
