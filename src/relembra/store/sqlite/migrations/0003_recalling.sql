-- What recalling needs: notes count how often they were used, and what is archived lies compressed in its row.

ALTER TABLE note ADD COLUMN accesses INTEGER NOT NULL DEFAULT 0;
ALTER TABLE note ADD COLUMN last_access BIGINT;
ALTER TABLE note ADD COLUMN packed BLOB; -- an archived note's summary, zlib of UTF-8; the summary is '' then
ALTER TABLE item ADD COLUMN packed BLOB; -- an archived item's content, in the same way

-- What is archived is found by less than all its words from now on, so its terms are made again at the next start.
DELETE FROM meta WHERE name = 'analyzer' AND (
  EXISTS (SELECT 1 FROM item WHERE archived_at IS NOT NULL) OR EXISTS (SELECT 1 FROM note WHERE archived_at IS NOT NULL)
);
UPDATE item SET analyzer = -1 WHERE archived_at IS NOT NULL;
UPDATE note SET analyzer = -1 WHERE archived_at IS NOT NULL;
