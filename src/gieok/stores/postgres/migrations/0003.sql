-- Who did what, when and why. Scopes that are there begin their chains with what is done next.

-- Who did what, when and why: for each scope a chain of deeds, which outlives it, with '' for its owner. What is NULL in
-- a deed was erased.
CREATE TABLE chains (
    owner text COLLATE "C" NOT NULL,
    scope_id bigint NOT NULL,
    mark text COLLATE "C" NOT NULL,  -- random: all that is left of whose it was, once the scope is erased
    since integer NOT NULL,  -- operations that the scope had before its first deed
    length integer NOT NULL,
    head text COLLATE "C" NOT NULL,  -- the link of the last deed
    PRIMARY KEY (owner, scope_id)
);

CREATE TABLE audit (
    owner text COLLATE "C" NOT NULL,
    id bigint NOT NULL,  -- scope_id << 24 | number
    recorded_at bigint NOT NULL,
    act text COLLATE "C" NOT NULL,
    operation integer,  -- its number in the journal
    turn integer,  -- the private number of the turn that it kept
    covers text COLLATE "C",  -- JSON: the deeds whose texts this one erased
    actor_kind text COLLATE "C",
    actor text COLLATE "C",
    who text COLLATE "C",
    name_salt text COLLATE "C",
    names text COLLATE "C" NOT NULL,  -- digest of the names before
    targets text COLLATE "C",  -- JSON list
    why text COLLATE "C",
    record text COLLATE "C",  -- what a revised operation told before
    salt text COLLATE "C",
    digest text COLLATE "C" NOT NULL,  -- of targets, why, record, and what the journal tells of the operation
    link text COLLATE "C" NOT NULL,  -- digest of the link before, and of what may stay for ever
    PRIMARY KEY (owner, id)
);

CREATE INDEX audit_by_operation ON audit (owner, (id >> 24), operation);

INSERT INTO chains (owner, scope_id, mark, since, length, head)
SELECT owner, id, replace(gen_random_uuid()::text, '-', ''), operation_number, 0, '' FROM scopes WHERE version > 0;
