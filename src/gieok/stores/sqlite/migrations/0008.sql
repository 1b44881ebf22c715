-- Who did what, when and why. Scopes that are there begin their chains with what is done next.

-- Who did what, when and why: for each scope a chain of deeds, which outlives it. What is NULL in a deed was erased.
CREATE TABLE chains (
    scope_id INTEGER PRIMARY KEY,
    mark TEXT NOT NULL,  -- random: all that is left of whose it was, once the scope is erased
    since INTEGER NOT NULL,  -- operations that the scope had before its first deed
    length INTEGER NOT NULL,
    head TEXT NOT NULL  -- the link of the last deed
) STRICT;

CREATE TABLE audit (
    id INTEGER PRIMARY KEY,  -- scope_id << 24 | number
    recorded_at INTEGER NOT NULL,
    act TEXT NOT NULL,
    operation INTEGER,  -- its number in the journal
    turn INTEGER,  -- the private number of the turn that it kept
    covers TEXT,  -- JSON: the deeds whose texts this one erased
    actor_kind TEXT,
    actor TEXT,
    who TEXT,
    name_salt TEXT,
    names TEXT NOT NULL,  -- digest of the names before
    targets TEXT,  -- JSON list
    why TEXT,
    record TEXT,  -- what a revised operation told before
    salt TEXT,
    digest TEXT NOT NULL,  -- of targets, why, record, and what the journal tells of the operation
    link TEXT NOT NULL  -- digest of the link before, and of what may stay for ever
) STRICT;

CREATE INDEX audit_by_operation ON audit (id >> 24, operation);

INSERT INTO chains (scope_id, mark, since, length, head)
SELECT id, lower(hex(randomblob(16))), operation_number, 0, '' FROM scopes WHERE version > 0;
