-- Whom items are about beside the owner: a question that names somebody looks at what is known of them first.

CREATE INDEX item_by_subject ON item (tenant, owner, subject) WHERE subject <> 'self';
