-- What was laid down for a scope, and what remains of what was erased.

CREATE TABLE provisions (
    scope_id INTEGER NOT NULL REFERENCES scopes (id),
    kind TEXT NOT NULL CHECK (kind IN ('hold', 'retention')),
    record TEXT NOT NULL,  -- JSON
    PRIMARY KEY (scope_id, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE certificates (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    proven_at INTEGER,  -- NULL: the rows are gone, what they left in the files perhaps not yet
    record TEXT NOT NULL  -- JSON; none of what was erased
) STRICT, WITHOUT ROWID;
