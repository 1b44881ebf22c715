-- Today's schema. A new bank is made from this file; an older one is brought here by migrations/.
--
-- Private ids cluster by scope: id = scope_id << 24 | seq, so that one range of ids is one scope. They are never
-- reused. Times are UTC microseconds; utc_offset (minutes) says on which clock they were told.

CREATE TABLE bank (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    embedder TEXT NOT NULL,  -- whose vectors stand in items
    dimension INTEGER NOT NULL,
    next_embedder TEXT,  -- whose vectors are being gathered in staged_vectors
    next_dimension INTEGER
) STRICT;

CREATE TABLE scopes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user TEXT NOT NULL,  -- '': none
    character TEXT NOT NULL,
    world TEXT NOT NULL,
    version INTEGER NOT NULL DEFAULT 0,  -- grows with every entry; 0: it was erased, and its names with it
    next_seq INTEGER NOT NULL DEFAULT 1,
    turn_number INTEGER NOT NULL DEFAULT 0,  -- of the last turn in force
    operation_number INTEGER NOT NULL DEFAULT 0,
    index_epoch INTEGER NOT NULL DEFAULT 0,  -- grows when the index changes other than by new rows
    latest_at INTEGER NOT NULL DEFAULT 0,  -- story time of the newest operation that was in force
    UNIQUE (user, character, world)
) STRICT;

CREATE INDEX scopes_by_latest ON scopes (latest_at);
CREATE INDEX scopes_by_character ON scopes (character, world, latest_at);

CREATE TABLE turns (
    id INTEGER PRIMARY KEY,
    scope_id INTEGER NOT NULL REFERENCES scopes (id),
    public_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    session TEXT,
    channel TEXT,
    present TEXT NOT NULL,  -- JSON list of names
    at INTEGER NOT NULL,
    utc_offset INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    unread INTEGER NOT NULL,
    rewound INTEGER NOT NULL DEFAULT 0,
    left_open INTEGER NOT NULL DEFAULT 0,
    cut_off INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE UNIQUE INDEX turns_by_public_id ON turns (scope_id, public_id) WHERE rewound = 0;
CREATE INDEX turns_by_number ON turns (scope_id, number) WHERE rewound = 0;
CREATE INDEX turns_unread ON turns (scope_id, number) WHERE unread = 1 AND rewound = 0;
CREATE INDEX turns_left_open ON turns (scope_id, number) WHERE left_open = 1 AND rewound = 0;

CREATE VIEW sessions (scope_id, label, started_at, last_at, turns) AS
SELECT scope_id, session, min(at), max(at), count(*)
FROM turns
WHERE rewound = 0 AND session IS NOT NULL
GROUP BY scope_id, session;

-- What can be found: an utterance or a memory, with its place in the vector and keyword indexes.
CREATE TABLE items (
    id INTEGER PRIMARY KEY,
    scope_id INTEGER NOT NULL REFERENCES scopes (id),
    public_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('memory', 'utterance')),
    in_force INTEGER NOT NULL DEFAULT 1,  -- 0: an utterance of a rewound turn
    searchable INTEGER NOT NULL,  -- 0: rewound or hidden; a hidden memory keeps its words and vector
    terms INTEGER NOT NULL DEFAULT 0,  -- how many stand in keywords
    vector BLOB,  -- int16, any scale: the whole, then its passages; NULL: the embedder was down
    marks INTEGER NOT NULL DEFAULT 0  -- ports.Mark
) STRICT;

CREATE UNIQUE INDEX items_by_public_id ON items (scope_id, public_id) WHERE in_force = 1;
CREATE INDEX items_unembedded ON items (id) WHERE vector IS NULL AND in_force = 1;

CREATE TABLE utterances (
    id INTEGER PRIMARY KEY REFERENCES items (id),
    turn INTEGER NOT NULL REFERENCES turns (id),
    position INTEGER NOT NULL,
    speaker TEXT NOT NULL,
    text TEXT NOT NULL,
    at INTEGER NOT NULL,
    utc_offset INTEGER NOT NULL,
    session TEXT
) STRICT;

CREATE UNIQUE INDEX utterances_by_turn ON utterances (turn, position);

CREATE TABLE memories (
    id INTEGER PRIMARY KEY REFERENCES items (id),
    scope_id INTEGER NOT NULL REFERENCES scopes (id),
    public_id TEXT NOT NULL,
    speaker TEXT NOT NULL,
    subject TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    content TEXT NOT NULL,
    content_type TEXT NOT NULL,
    kind TEXT NOT NULL,
    attribute TEXT,
    value TEXT,
    surface TEXT,
    value_class TEXT,
    polarity TEXT NOT NULL,
    certainty REAL NOT NULL,
    importance REAL NOT NULL,
    emotion_intensity REAL NOT NULL,
    strength REAL NOT NULL,
    touched_turn INTEGER NOT NULL,
    utc_offset INTEGER NOT NULL,  -- of known_at
    valid_at INTEGER NOT NULL,
    invalid_at INTEGER,
    known_at INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    retracted INTEGER NOT NULL,
    forgotten_at INTEGER,
    closed_by TEXT,  -- public id
    mentions INTEGER NOT NULL,
    uses INTEGER NOT NULL,
    last_used_at INTEGER,
    pinned INTEGER NOT NULL,
    origin TEXT NOT NULL,
    extractor TEXT NOT NULL,
    sources TEXT NOT NULL,  -- JSON list of public utterance ids
    tags TEXT NOT NULL,  -- JSON list
    details TEXT NOT NULL,  -- JSON list
    channel TEXT,
    interpretation TEXT,
    pii_flags TEXT NOT NULL,  -- JSON list
    version INTEGER NOT NULL,
    faded_at INTEGER,
    made_from TEXT NOT NULL DEFAULT '[]',  -- JSON list of public ids
    doubtful INTEGER NOT NULL DEFAULT 0  -- it may be so: nobody has confirmed it yet
) STRICT;

CREATE INDEX memories_by_attribute ON memories (scope_id, subject, subject_id, attribute);
CREATE INDEX memories_by_value ON memories (scope_id, subject, subject_id, value);
CREATE INDEX memories_by_closer ON memories (scope_id, closed_by) WHERE closed_by IS NOT NULL;
CREATE INDEX memories_forgotten ON memories (scope_id) WHERE forgotten_at IS NOT NULL;
CREATE INDEX memories_pinned ON memories (scope_id) WHERE pinned = 1;
CREATE INDEX memories_concluded ON memories (scope_id) WHERE origin = 'reflection';
CREATE INDEX memories_by_touch ON memories (scope_id, touched_turn);
CREATE INDEX memories_doubtful ON memories (scope_id) WHERE doubtful = 1;

-- Terms carry their scope as a prefix ("5x라면"). Every category except separators makes up words: a term is never
-- split, so that no text can put a word of its choice under another scope's prefix.
CREATE VIRTUAL TABLE keywords USING fts5 (
    terms,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'",
    detail = full
);

INSERT INTO keywords (keywords, rank) VALUES ('secure-delete', 1);

CREATE VIRTUAL TABLE keyword_instances USING fts5vocab (keywords, instance);

-- The journal. id = scope_id << 24 | number.
CREATE TABLE operations (
    id INTEGER PRIMARY KEY,
    scope_id INTEGER NOT NULL REFERENCES scopes (id),
    public_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    turn_id TEXT,  -- public id
    at INTEGER NOT NULL,
    utc_offset INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    turn_number INTEGER NOT NULL,
    channel TEXT,
    who TEXT NOT NULL,
    why TEXT NOT NULL,
    request TEXT NOT NULL,  -- JSON; its claims stand in candidates
    undone INTEGER NOT NULL DEFAULT 0,
    upkeep TEXT  -- JSON list: what a pass did, why, and how many of the changes are its own
) STRICT;

CREATE INDEX operations_by_turn ON operations (scope_id, turn_id) WHERE turn_id IS NOT NULL AND undone = 0;
CREATE INDEX operations_by_time ON operations (scope_id, at) WHERE undone = 0 AND kind <> 'rewind';

-- Every claim that was ever weighed, whether or not it was believed.
CREATE TABLE candidates (
    operation INTEGER NOT NULL REFERENCES operations (id),
    position INTEGER NOT NULL,
    subject TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    attribute TEXT,
    said TEXT,  -- the value; without an attribute the whole sentence
    claim TEXT NOT NULL,  -- JSON
    decision TEXT,  -- NULL: not carried out
    why TEXT,  -- it was ignored
    promotion TEXT,  -- JSON: the six parts and their score
    changes INTEGER,  -- how many of the operation's changes it made
    PRIMARY KEY (operation, position)
) STRICT;

CREATE INDEX candidates_by_saying ON candidates (said, attribute, subject_id, subject, operation);

CREATE TABLE changes (
    operation INTEGER NOT NULL REFERENCES operations (id),
    position INTEGER NOT NULL,
    memory_id TEXT NOT NULL,  -- public id: the memory itself may be gone
    before TEXT,  -- JSON: what differs from after (null: it was not set); NULL: the memory was made
    after TEXT,  -- JSON: the whole memory; NULL: it was removed, and before is whole
    PRIMARY KEY (operation, position)
) STRICT;

CREATE INDEX changes_by_memory ON changes (memory_id, operation);

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

-- What models were asked, a row for each day, task, model and outcome.
CREATE TABLE model_calls (
    day TEXT NOT NULL,  -- UTC
    task TEXT NOT NULL,
    model TEXT NOT NULL,
    failure TEXT NOT NULL,  -- '': it answered
    calls INTEGER NOT NULL,
    seconds REAL NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    answer_tokens INTEGER NOT NULL,
    cost REAL NOT NULL,
    PRIMARY KEY (day, task, model, failure)
) STRICT, WITHOUT ROWID;

-- What a server keeps beside memories.
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
    record TEXT NOT NULL,  -- JSON
    holder TEXT NOT NULL DEFAULT '',  -- who brings its letters
    until INTEGER NOT NULL DEFAULT 0  -- wall time
) STRICT, WITHOUT ROWID;

CREATE TABLE letters (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    webhook_id TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    record TEXT NOT NULL  -- JSON
) STRICT;

CREATE INDEX letters_by_webhook ON letters (webhook_id, due_at);

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

CREATE TABLE staged_vectors (
    id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
    vector BLOB NOT NULL
) STRICT;

-- Who did what, when and why: for each scope a chain of deeds, which outlives it. What is NULL in a deed was erased.
CREATE TABLE chains (
    scope_id INTEGER PRIMARY KEY,
    mark TEXT NOT NULL,  -- random: all that is left of whose it was, once the scope is erased
    since INTEGER NOT NULL,  -- operations that the scope had before its first deed
    length INTEGER NOT NULL,
    head TEXT NOT NULL  -- the link of the last deed
) STRICT;

CREATE INDEX chains_by_mark ON chains (mark);

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

-- What was laid down for a scope.
CREATE TABLE provisions (
    scope_id INTEGER NOT NULL REFERENCES scopes (id),
    kind TEXT NOT NULL CHECK (kind IN ('hold', 'retention')),
    record TEXT NOT NULL,  -- JSON
    PRIMARY KEY (scope_id, kind)
) STRICT, WITHOUT ROWID;

-- What remains of what was erased.
CREATE TABLE certificates (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    proven_at INTEGER,  -- NULL: the rows are gone, what they left in the files perhaps not yet
    record TEXT NOT NULL,  -- JSON; none of what was erased
    number INTEGER NOT NULL DEFAULT 0  -- in the order in which they were kept, whatever the clock said
) STRICT, WITHOUT ROWID;

-- Secrets that digests are made with: the bank's own, and those of banks that were copied to it.
CREATE TABLE secrets (
    secret TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- By which what was erased is recognised when it is brought back.
CREATE TABLE erased (
    digest TEXT NOT NULL,
    certificate TEXT NOT NULL,  -- of the erasure
    PRIMARY KEY (digest, certificate)
) STRICT, WITHOUT ROWID;

CREATE INDEX erased_by_certificate ON erased (certificate);
