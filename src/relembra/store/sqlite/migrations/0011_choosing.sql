-- What a page of few items among many is read by: those of one area or of none, those confirmed, those in question.

CREATE INDEX item_by_area ON item (tenant, owner, area, created_at, id);
CREATE INDEX item_confirmed ON item (tenant, owner, created_at, id) WHERE validated = 1;
CREATE INDEX item_questioned ON item (tenant, owner, created_at, id) WHERE needs_resolution = 1;
