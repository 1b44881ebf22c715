-- What a server keeps beside memories, and how turns came about.

CREATE TABLE access_keys (
    id TEXT PRIMARY KEY,
    created_at INTEGER NOT NULL,
    record TEXT NOT NULL  -- JSON; no key can be made from it
) STRICT, WITHOUT ROWID;

CREATE TABLE key_uses (
    day TEXT NOT NULL,  -- UTC
    key_id TEXT NOT NULL,
    uses INTEGER NOT NULL,
    PRIMARY KEY (day, key_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE kept_answers (
    name TEXT PRIMARY KEY,
    until INTEGER NOT NULL,
    record TEXT NOT NULL  -- JSON
) STRICT, WITHOUT ROWID;

CREATE INDEX kept_answers_by_end ON kept_answers (until);

CREATE TABLE webhooks (
    id TEXT PRIMARY KEY,
    created_at INTEGER NOT NULL,
    record TEXT NOT NULL  -- JSON
) STRICT, WITHOUT ROWID;

CREATE TABLE letters (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    webhook_id TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    record TEXT NOT NULL  -- JSON
) STRICT;

CREATE INDEX letters_by_due ON letters (due_at);

CREATE TABLE documents (
    namespace TEXT NOT NULL,  -- JSON list of names
    key TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    record TEXT NOT NULL,  -- JSON
    PRIMARY KEY (namespace, key)
) STRICT, WITHOUT ROWID;

-- How a turn came about: what was found, what was put before the model, what it cost.
CREATE TABLE traces (
    turn INTEGER PRIMARY KEY REFERENCES turns (id),
    scope_id INTEGER NOT NULL REFERENCES scopes (id),
    record TEXT NOT NULL  -- JSON
) STRICT;

CREATE INDEX traces_by_scope ON traces (scope_id, turn);
