-- Open cases are looked for whenever something in question is shown, and they are few among all there ever were.

CREATE INDEX case_open ON case_file (tenant, owner, opened_at, id) WHERE outcome = 'open';
