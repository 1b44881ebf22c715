-- What is not sure yet; what was kept before is.

ALTER TABLE memories ADD COLUMN doubtful INTEGER NOT NULL DEFAULT 0;

CREATE INDEX memories_doubtful ON memories (scope_id) WHERE doubtful = 1;
