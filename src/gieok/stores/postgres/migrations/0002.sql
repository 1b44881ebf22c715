-- What was laid down for a scope, and what remains of what was erased.

CREATE TABLE provisions (
    owner text COLLATE "C" NOT NULL,
    scope_id bigint NOT NULL,
    kind text COLLATE "C" NOT NULL CHECK (kind IN ('hold', 'retention')),
    record jsonb NOT NULL,
    PRIMARY KEY (owner, scope_id, kind),
    FOREIGN KEY (owner, scope_id) REFERENCES scopes (owner, id) ON DELETE CASCADE
);

CREATE TABLE certificates (
    id text COLLATE "C" PRIMARY KEY,
    at bigint NOT NULL,
    proven_at bigint,  -- NULL: the rows are gone, what they left in the files perhaps not yet
    record text NOT NULL  -- JSON; none of what was erased
);
