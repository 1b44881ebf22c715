-- What is kept beside memories, and what upkeep does.

ALTER TABLE memories ADD COLUMN faded_at INTEGER;
ALTER TABLE memories ADD COLUMN made_from TEXT NOT NULL DEFAULT '[]';
ALTER TABLE operations ADD COLUMN upkeep TEXT;

CREATE INDEX memories_concluded ON memories (scope_id) WHERE origin = 'reflection';
CREATE INDEX memories_by_touch ON memories (scope_id, touched_turn);

-- What is kept beside memories: the relationship, the people, the scenes, when a pass last ran.
CREATE TABLE things (
    scope_id INTEGER NOT NULL REFERENCES scopes (id),
    kind TEXT NOT NULL,
    public_id TEXT NOT NULL,
    record TEXT NOT NULL,  -- JSON
    PRIMARY KEY (scope_id, kind, public_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE moves (
    operation INTEGER NOT NULL REFERENCES operations (id),
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    public_id TEXT NOT NULL,
    before TEXT,  -- JSON; NULL: it was not there
    after TEXT,
    causes TEXT NOT NULL,  -- JSON list
    PRIMARY KEY (operation, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX moves_by_thing ON moves (kind, public_id, operation);

-- Who is doing a scope's upkeep, so that two processes do not do it twice.
CREATE TABLE leases (
    scope_id INTEGER PRIMARY KEY REFERENCES scopes (id),
    holder TEXT NOT NULL,
    until INTEGER NOT NULL  -- wall time
) STRICT;
