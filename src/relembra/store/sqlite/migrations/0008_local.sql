-- What is marked local-only, and what leads from there to the messages and notes it was learnt from.

ALTER TABLE item ADD COLUMN local_only INTEGER NOT NULL DEFAULT 0;

CREATE INDEX item_local ON item (tenant, owner) WHERE local_only = 1;
CREATE INDEX item_insight ON item (tenant, owner) WHERE type = 'insight';
CREATE INDEX note_by_conversation ON note (tenant, owner, conversation) WHERE conversation IS NOT NULL;
CREATE INDEX note_derived ON note (tenant, owner) WHERE kind IN ('topic_cluster', 'weekly', 'monthly', 'appointment');
