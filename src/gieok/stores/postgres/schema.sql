-- Today's schema. A new bank is made from this file; an older one is brought here by migrations/.
--
-- Every table begins its key with the owner, the user whose memory it is ('': nobody's, canon), so that all of one
-- user's rows can live on one node of a cluster, and every query can be answered there. Private ids cluster by scope,
-- as in SQLite: id = scope_id << 24 | seq. Times are UTC microseconds; utc_offset (minutes) says on which clock they
-- were told. The collation is "C" throughout: bytes decide, on every machine alike.

-- A word as the keyword index holds it: quoted, so that nothing in it is taken for an operator.
CREATE FUNCTION quoted_lexeme(word text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN '''' || replace(replace(word, '\', '\\'), '''', '''''') || '''';

CREATE FUNCTION lexemes(words text[]) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN coalesce(
    (
        SELECT string_agg(quoted_lexeme(word) || ':' || least(place, 16383), ' ')
        FROM unnest(words) WITH ORDINALITY AS given (word, place)
    ),
    ''
)::tsvector;

CREATE FUNCTION lexeme_query(word text, longer_too boolean) RETURNS tsquery
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (quoted_lexeme(word) || CASE WHEN longer_too THEN ':*' ELSE '' END)::tsquery;

CREATE TABLE bank (
    id integer PRIMARY KEY CHECK (id = 1),
    schema integer NOT NULL,
    embedder text NOT NULL,  -- whose vectors stand in vectors
    dimension integer NOT NULL CHECK (dimension > 0),
    next_embedder text,  -- whose vectors are being gathered in staged_vectors
    next_dimension integer
);

CREATE SEQUENCE scope_numbers;

CREATE TABLE scopes (
    owner text COLLATE "C" NOT NULL,
    id bigint NOT NULL DEFAULT nextval('scope_numbers'),
    character text COLLATE "C" NOT NULL,  -- '': none
    world text COLLATE "C" NOT NULL,
    version bigint NOT NULL DEFAULT 0,  -- grows with every entry
    next_seq integer NOT NULL DEFAULT 1,
    turn_number integer NOT NULL DEFAULT 0,  -- of the last turn in force
    operation_number integer NOT NULL DEFAULT 0,
    index_epoch bigint NOT NULL DEFAULT 0,  -- grows when the index changes other than by new rows
    latest_at bigint NOT NULL DEFAULT 0,  -- story time of the newest operation that was in force
    PRIMARY KEY (owner, id),
    UNIQUE (owner, character, world)
);

CREATE INDEX scopes_by_latest ON scopes (latest_at, id);
CREATE INDEX scopes_by_character ON scopes (character, world, latest_at);

CREATE TABLE turns (
    owner text COLLATE "C" NOT NULL,
    id bigint NOT NULL,
    scope_id bigint NOT NULL,
    public_id text COLLATE "C" NOT NULL,
    number integer NOT NULL,
    session text COLLATE "C",
    channel text COLLATE "C",
    present jsonb NOT NULL,  -- list of names
    at bigint NOT NULL,
    utc_offset integer NOT NULL,
    recorded_at bigint NOT NULL,
    unread boolean NOT NULL,
    rewound boolean NOT NULL DEFAULT false,
    left_open boolean NOT NULL DEFAULT false,
    cut_off boolean NOT NULL DEFAULT false,
    PRIMARY KEY (owner, id),
    FOREIGN KEY (owner, scope_id) REFERENCES scopes (owner, id) ON DELETE CASCADE
);

CREATE UNIQUE INDEX turns_by_public_id ON turns (owner, scope_id, public_id) WHERE NOT rewound;
CREATE INDEX turns_by_number ON turns (owner, scope_id, number) WHERE NOT rewound;
CREATE INDEX turns_unread ON turns (owner, scope_id, number) WHERE unread AND NOT rewound;
CREATE INDEX turns_left_open ON turns (owner, scope_id, number) WHERE left_open AND NOT rewound;

-- What can be found: an utterance or a memory, with its place in the vector and keyword indexes.
CREATE TABLE items (
    owner text COLLATE "C" NOT NULL,
    id bigint NOT NULL,
    scope_id bigint NOT NULL,
    public_id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL CHECK (kind IN ('memory', 'utterance')),
    in_force boolean NOT NULL DEFAULT true,  -- false: an utterance of a rewound turn
    searchable boolean NOT NULL,  -- false: rewound or hidden; a hidden memory keeps its words and vectors
    terms integer NOT NULL DEFAULT 0,  -- how many stand in keywords
    marks integer NOT NULL DEFAULT 0,  -- ports.Mark
    embedded boolean NOT NULL DEFAULT false,  -- false: the embedder was down
    PRIMARY KEY (owner, id),
    FOREIGN KEY (owner, scope_id) REFERENCES scopes (owner, id) ON DELETE CASCADE,
    CHECK (id >> 24 = scope_id)
);

CREATE UNIQUE INDEX items_by_public_id ON items (owner, scope_id, public_id) WHERE in_force;
CREATE INDEX items_unembedded ON items (id) WHERE NOT embedded AND in_force;

-- A row for the whole of an item, and one for each of its passages. Stored plain: out of line and compressed, every
-- scan would have to put each of them together first.
CREATE TABLE vectors (
    owner text COLLATE "C" NOT NULL,
    id bigint NOT NULL,
    position integer NOT NULL,
    embedding vector NOT NULL,
    PRIMARY KEY (owner, id, position),
    FOREIGN KEY (owner, id) REFERENCES items (owner, id) ON DELETE CASCADE
);

CREATE TABLE staged_vectors (
    owner text COLLATE "C" NOT NULL,
    id bigint NOT NULL,
    position integer NOT NULL,
    embedding vector NOT NULL,
    PRIMARY KEY (owner, id, position),
    FOREIGN KEY (owner, id) REFERENCES items (owner, id) ON DELETE CASCADE
);

-- Lexemes carry their scope as a prefix ("5x라면"): one entry of the index holds one word of one scope. They are built
-- from positions and never parsed: no text can put a word of its choice under another scope's prefix.
CREATE TABLE keywords (
    owner text COLLATE "C" NOT NULL,
    id bigint NOT NULL,
    terms tsvector NOT NULL,
    PRIMARY KEY (owner, id),
    FOREIGN KEY (owner, id) REFERENCES items (owner, id) ON DELETE CASCADE
);

CREATE INDEX keywords_by_term ON keywords USING gin (terms);

CREATE TABLE utterances (
    owner text COLLATE "C" NOT NULL,
    id bigint NOT NULL,
    turn bigint NOT NULL,
    position integer NOT NULL,
    speaker text COLLATE "C" NOT NULL,
    text text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    utc_offset integer NOT NULL,
    session text COLLATE "C",
    PRIMARY KEY (owner, id),
    FOREIGN KEY (owner, id) REFERENCES items (owner, id) ON DELETE CASCADE,
    FOREIGN KEY (owner, turn) REFERENCES turns (owner, id) ON DELETE CASCADE
);

CREATE UNIQUE INDEX utterances_by_turn ON utterances (owner, turn, position);

CREATE TABLE memories (
    owner text COLLATE "C" NOT NULL,
    id bigint NOT NULL,
    scope_id bigint NOT NULL,
    public_id text COLLATE "C" NOT NULL,
    speaker text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL CHECK (subject IN ('user', 'character', 'world', 'other')),
    subject_id text COLLATE "C" NOT NULL,
    content text COLLATE "C" NOT NULL,
    content_type text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    attribute text COLLATE "C",
    value text COLLATE "C",
    surface text COLLATE "C",
    value_class text COLLATE "C",
    polarity text COLLATE "C" NOT NULL CHECK (polarity IN ('+', '-')),
    certainty double precision NOT NULL CHECK (certainty BETWEEN 0 AND 1),
    importance double precision NOT NULL CHECK (importance BETWEEN 0 AND 1),
    emotion_intensity double precision NOT NULL CHECK (emotion_intensity BETWEEN 0 AND 1),
    strength double precision NOT NULL CHECK (strength >= 0),
    touched_turn integer NOT NULL,
    utc_offset integer NOT NULL,  -- of known_at
    valid_at bigint NOT NULL,  -- the first clock: when it was true in the story …
    invalid_at bigint,
    known_at bigint NOT NULL,  -- … and the second: when we learned it
    recorded_at bigint NOT NULL,
    retracted boolean NOT NULL,
    forgotten_at bigint,
    closed_by text COLLATE "C",  -- public id
    mentions integer NOT NULL,
    uses integer NOT NULL,
    last_used_at bigint,
    pinned boolean NOT NULL,
    origin text COLLATE "C" NOT NULL,
    extractor text COLLATE "C" NOT NULL,
    sources jsonb NOT NULL,  -- list of public utterance ids
    tags jsonb NOT NULL,
    details jsonb NOT NULL,
    channel text COLLATE "C",
    interpretation text COLLATE "C",
    pii_flags jsonb NOT NULL,
    version integer NOT NULL,
    faded_at bigint,
    made_from jsonb NOT NULL DEFAULT '[]',  -- list of public ids
    doubtful boolean NOT NULL DEFAULT false,  -- it may be so: nobody has confirmed it yet
    PRIMARY KEY (owner, id),
    FOREIGN KEY (owner, id) REFERENCES items (owner, id) ON DELETE CASCADE
);

CREATE INDEX memories_by_attribute ON memories (owner, scope_id, subject, subject_id, attribute);
CREATE INDEX memories_by_value ON memories (owner, scope_id, subject, subject_id, md5(value));  -- values may be long
CREATE INDEX memories_by_closer ON memories (owner, scope_id, closed_by) WHERE closed_by IS NOT NULL;
CREATE INDEX memories_forgotten ON memories (owner, scope_id) WHERE forgotten_at IS NOT NULL;
CREATE INDEX memories_pinned ON memories (owner, scope_id) WHERE pinned;
CREATE INDEX memories_concluded ON memories (owner, scope_id) WHERE origin = 'reflection';
CREATE INDEX memories_by_touch ON memories (owner, scope_id, touched_turn);
CREATE INDEX memories_doubtful ON memories (owner, scope_id) WHERE doubtful;

-- The journal. id = scope_id << 24 | number.
CREATE TABLE operations (
    owner text COLLATE "C" NOT NULL,
    id bigint NOT NULL,
    scope_id bigint NOT NULL,
    public_id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    turn_id text COLLATE "C",  -- public id
    at bigint NOT NULL,
    utc_offset integer NOT NULL,
    recorded_at bigint NOT NULL,
    turn_number integer NOT NULL,
    channel text COLLATE "C",
    who text COLLATE "C" NOT NULL,
    why text COLLATE "C" NOT NULL,
    request jsonb NOT NULL,  -- its claims stand in candidates
    undone boolean NOT NULL DEFAULT false,
    upkeep jsonb,  -- list: what a pass did, why, and how many of the changes are its own
    PRIMARY KEY (owner, id),
    FOREIGN KEY (owner, scope_id) REFERENCES scopes (owner, id) ON DELETE CASCADE
);

CREATE INDEX operations_by_turn ON operations (owner, scope_id, turn_id) WHERE turn_id IS NOT NULL AND NOT undone;
CREATE INDEX operations_by_time ON operations (owner, scope_id, at) WHERE NOT undone AND kind <> 'rewind';

-- Every claim that was ever weighed, whether or not it was believed.
CREATE TABLE candidates (
    owner text COLLATE "C" NOT NULL,
    operation bigint NOT NULL,
    position integer NOT NULL,
    subject text COLLATE "C" NOT NULL,
    subject_id text COLLATE "C" NOT NULL,
    attribute text COLLATE "C",
    said text COLLATE "C",  -- the value; without an attribute the whole sentence
    claim jsonb NOT NULL,
    decision text COLLATE "C",  -- NULL: not carried out
    why text COLLATE "C",  -- it was ignored
    promotion jsonb,  -- the six parts and their score
    changes integer,  -- how many of the operation's changes it made
    PRIMARY KEY (owner, operation, position),
    FOREIGN KEY (owner, operation) REFERENCES operations (owner, id) ON DELETE CASCADE
);

CREATE INDEX candidates_by_saying ON candidates (owner, md5(coalesce(said, '')), subject_id, operation);

CREATE TABLE changes (
    owner text COLLATE "C" NOT NULL,
    operation bigint NOT NULL,
    position integer NOT NULL,
    memory_id text COLLATE "C" NOT NULL,  -- public id: the memory itself may be gone
    before jsonb,  -- what differs from after (null: it was not set); NULL: the memory was made
    after jsonb,  -- the whole memory; NULL: it was removed, and before is whole
    PRIMARY KEY (owner, operation, position),
    FOREIGN KEY (owner, operation) REFERENCES operations (owner, id) ON DELETE CASCADE
);

CREATE INDEX changes_by_memory ON changes (owner, memory_id, operation);

-- What is kept beside memories: the relationship, the people, the scenes, when a pass last ran.
CREATE TABLE things (
    owner text COLLATE "C" NOT NULL,
    scope_id bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    public_id text COLLATE "C" NOT NULL,
    record jsonb NOT NULL,
    PRIMARY KEY (owner, scope_id, kind, public_id),
    FOREIGN KEY (owner, scope_id) REFERENCES scopes (owner, id) ON DELETE CASCADE
);

CREATE TABLE moves (
    owner text COLLATE "C" NOT NULL,
    operation bigint NOT NULL,
    position integer NOT NULL,
    kind text COLLATE "C" NOT NULL,
    public_id text COLLATE "C" NOT NULL,
    before jsonb,  -- NULL: it was not there
    after jsonb,
    causes jsonb NOT NULL,  -- list
    PRIMARY KEY (owner, operation, position),
    FOREIGN KEY (owner, operation) REFERENCES operations (owner, id) ON DELETE CASCADE
);

CREATE INDEX moves_by_thing ON moves (owner, kind, public_id, operation);

-- Who is doing a scope's upkeep, so that two processes do not do it twice.
CREATE TABLE leases (
    owner text COLLATE "C" NOT NULL,
    scope_id bigint NOT NULL,
    holder text NOT NULL,
    until bigint NOT NULL,  -- wall time
    PRIMARY KEY (owner, scope_id),
    FOREIGN KEY (owner, scope_id) REFERENCES scopes (owner, id) ON DELETE CASCADE
);

-- How a turn came about: what was found, what was put before the model, what it cost.
CREATE TABLE traces (
    owner text COLLATE "C" NOT NULL,
    turn bigint NOT NULL,
    scope_id bigint NOT NULL,
    record text NOT NULL,  -- JSON, never looked into here
    PRIMARY KEY (owner, turn),
    FOREIGN KEY (owner, turn) REFERENCES turns (owner, id) ON DELETE CASCADE
);

CREATE INDEX traces_by_scope ON traces (owner, scope_id, turn);

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

CREATE INDEX chains_by_mark ON chains (mark);

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

-- What models were asked, a row for each day, task, model and outcome.
CREATE TABLE model_calls (
    day text COLLATE "C" NOT NULL,  -- UTC
    task text COLLATE "C" NOT NULL,
    model text COLLATE "C" NOT NULL,
    failure text COLLATE "C" NOT NULL,  -- '': it answered
    calls bigint NOT NULL,
    seconds double precision NOT NULL,
    prompt_tokens bigint NOT NULL,
    answer_tokens bigint NOT NULL,
    cost double precision NOT NULL,
    PRIMARY KEY (day, task, model, failure)
);

-- What a server keeps beside memories.
CREATE TABLE access_keys (
    id text COLLATE "C" PRIMARY KEY,
    created_at bigint NOT NULL,
    record text NOT NULL  -- JSON; no key can be made from it
);

CREATE TABLE key_uses (
    day text COLLATE "C" NOT NULL,  -- UTC
    key_id text COLLATE "C" NOT NULL,
    uses bigint NOT NULL,
    PRIMARY KEY (day, key_id)
);

CREATE TABLE kept_answers (
    name text COLLATE "C" PRIMARY KEY,
    until bigint NOT NULL,
    record text NOT NULL  -- JSON
);

CREATE INDEX kept_answers_by_end ON kept_answers (until);

CREATE TABLE webhooks (
    id text COLLATE "C" PRIMARY KEY,
    created_at bigint NOT NULL,
    record text NOT NULL,  -- JSON
    holder text NOT NULL DEFAULT '',  -- who brings its letters
    until bigint NOT NULL DEFAULT 0  -- wall time
);

CREATE TABLE letters (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    webhook_id text COLLATE "C" NOT NULL,
    due_at bigint NOT NULL,
    record text NOT NULL  -- JSON
);

CREATE INDEX letters_by_webhook ON letters (webhook_id, due_at);

CREATE TABLE documents (
    namespace text COLLATE "C" NOT NULL,  -- JSON list of names
    key text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    record text NOT NULL,  -- JSON
    PRIMARY KEY (namespace, key)
);

-- What was laid down for a scope.
CREATE TABLE provisions (
    owner text COLLATE "C" NOT NULL,
    scope_id bigint NOT NULL,
    kind text COLLATE "C" NOT NULL CHECK (kind IN ('hold', 'retention')),
    record jsonb NOT NULL,
    PRIMARY KEY (owner, scope_id, kind),
    FOREIGN KEY (owner, scope_id) REFERENCES scopes (owner, id) ON DELETE CASCADE
);

-- What remains of what was erased.
CREATE TABLE certificates (
    id text COLLATE "C" PRIMARY KEY,
    at bigint NOT NULL,
    proven_at bigint,  -- NULL: the rows are gone, what they left in the files perhaps not yet
    record text NOT NULL,  -- JSON; none of what was erased
    number bigint NOT NULL DEFAULT 0,  -- in the order in which they were kept, whatever the clock said
    bucket integer  -- of the user, of 1,024, until it is proven: tells which parts of a bank in parts are to be rid
);

-- Secrets that digests are made with: the bank's own, and those of banks that were copied to it.
CREATE TABLE secrets (
    secret text COLLATE "C" PRIMARY KEY
);

-- By which what was erased is recognised when it is brought back.
CREATE TABLE erased (
    digest text COLLATE "C" NOT NULL,
    certificate text COLLATE "C" NOT NULL,  -- of the erasure
    PRIMARY KEY (digest, certificate)
);

CREATE INDEX erased_by_certificate ON erased (certificate);

-- For people who look around: memories with their clocks as times.
CREATE VIEW memories_told AS
SELECT
    memories.owner AS "user", character, world, content, attribute, value,
    to_timestamp(valid_at / 1e6) AS true_since, to_timestamp(invalid_at / 1e6) AS true_until,
    to_timestamp(known_at / 1e6) AS known_since, to_timestamp(forgotten_at / 1e6) AS forgotten_since,
    retracted, pinned, importance, public_id AS memory_id
FROM memories JOIN scopes ON scopes.owner = memories.owner AND scopes.id = memories.scope_id;
