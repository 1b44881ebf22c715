-- What is not sure yet; what was kept before is.

ALTER TABLE memories ADD COLUMN doubtful boolean NOT NULL DEFAULT false;

CREATE INDEX memories_doubtful ON memories (owner, scope_id) WHERE doubtful;
