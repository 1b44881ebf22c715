-- Every query of the PostgreSQL store: "-- name:", a line on its intent, the SQL.
-- find_… returns ids in order, load_… the rows of given ids (a JSON list). All that is asked of a scope names its owner
-- first: that is what tells a cluster where to look.

-- name: find_scope
-- Whose vectors the bank holds, where the scope stands (0: never written to), what was laid down for it, and its chain.
SELECT
    bank.embedder, bank.dimension,
    coalesce(scopes.id, 0), coalesce(version, 0), coalesce(next_seq, 0), coalesce(turn_number, 0),
    coalesce(operation_number, 0), coalesce(index_epoch, 0), coalesce(latest_at, 0),
    (SELECT record FROM provisions WHERE owner = :user AND scope_id = scopes.id AND kind = 'hold'),
    (SELECT record FROM provisions WHERE owner = :user AND scope_id = scopes.id AND kind = 'retention'),
    mark, coalesce(since, 0), coalesce(length, 0), coalesce(head, '')
FROM bank
LEFT JOIN scopes ON scopes.owner = :user AND character = :character AND world = :world
LEFT JOIN LATERAL (
    SELECT mark, since, length, head FROM chains WHERE chains.owner = :user AND chains.scope_id = scopes.id
    LIMIT 1  -- joined straight on, it would keep the server from looking the scope up by its names
) AS chain ON true;

-- name: find_begun
-- Which of some scopes of one user were ever written to. Each is looked up by its names; joined straight on, all are read.
SELECT owner, character, world FROM jsonb_array_elements(:keys::jsonb) AS asked (key)
CROSS JOIN LATERAL (
    SELECT owner, character, world FROM scopes
    WHERE owner = :user AND character = key ->> 1 AND world = key ->> 2 AND version > 0
    LIMIT 1
) AS found;

-- name: find_siblings_of_user
-- Other scopes of a user in the same world, that whose story went on last first.
SELECT owner, character, world FROM scopes
WHERE owner = :user AND world = :world AND character <> :character AND version > 0
ORDER BY latest_at DESC, id DESC LIMIT :limit;

-- name: find_siblings_of_character
-- Scopes of other users with a character in the same world, that whose story went on last first.
SELECT owner, character, world FROM scopes
WHERE character = :character AND world = :world AND owner <> :user AND owner <> '' AND version > 0
ORDER BY latest_at DESC, id DESC LIMIT :limit;

-- name: insert_scope
-- Begin a scope.
INSERT INTO scopes (owner, character, world) VALUES (:user, :character, :world) RETURNING id;

-- name: update_scope
-- Keep the counters after an entry.
UPDATE scopes
SET
    version = version + 1,
    next_seq = :next_seq,
    operation_number = :operation_number,
    turn_number = (
        SELECT coalesce(max(number), 0) FROM turns WHERE owner = :owner AND scope_id = :scope_id AND NOT rewound
    ),
    index_epoch = index_epoch + :reindexed::boolean::int,
    latest_at = coalesce(
        (
            SELECT at FROM operations
            WHERE owner = :owner AND scope_id = :scope_id AND NOT undone AND kind <> 'rewind'
            ORDER BY at DESC LIMIT 1
        ),
        latest_at
    )
WHERE owner = :owner AND id = :scope_id;

-- name: latest_moment
-- Story time of the newest operation in force.
SELECT at, utc_offset FROM operations
WHERE owner = :owner AND scope_id = :scope_id AND NOT undone AND kind <> 'rewind'
ORDER BY at DESC LIMIT 1;

-- name: list_scopes
-- Scopes from a place on, by their names and within one of the bounds, with what is in them.
SELECT
    scopes.owner, character, world, scopes.turn_number,
    (
        SELECT count(*) FROM memories
        WHERE
            memories.owner = scopes.owner AND id BETWEEN scopes.id << 24 AND scopes.id << 24 | 16777215
            AND NOT retracted AND forgotten_at IS NULL AND faded_at IS NULL
            AND NOT (origin = 'reflection' AND content_type IN ('insight', 'summary', 'profile'))
    ),
    (
        SELECT count(*) FROM utterances JOIN turns ON turns.owner = utterances.owner AND turns.id = turn
        WHERE
            utterances.owner = scopes.owner
            AND utterances.id BETWEEN scopes.id << 24 AND scopes.id << 24 | 16777215 AND NOT rewound
    ),
    latest.at, latest.utc_offset
FROM scopes
LEFT JOIN LATERAL (
    SELECT at, utc_offset FROM operations
    WHERE operations.owner = scopes.owner AND scope_id = scopes.id AND NOT undone AND kind <> 'rewind'
    ORDER BY at DESC LIMIT 1
) AS latest ON true
WHERE
    (scopes.owner, character, world) >= (:user, :character, :world) AND scopes.owner <= :last
    AND version > 0
    AND (
        jsonb_array_length(:within::jsonb) = 0
        OR EXISTS (
            SELECT 1 FROM jsonb_array_elements(:within::jsonb) AS asked (bound)
            WHERE
                coalesce(bound ->> 'user', scopes.owner) = scopes.owner
                AND coalesce(bound ->> 'character', character) = character
                AND coalesce(bound ->> 'world', world) = world
        )
    )
ORDER BY scopes.owner, character, world LIMIT :limit;

-- name: list_scope_names
-- The same without a look at what is in them.
SELECT owner, character, world FROM scopes
WHERE
    (owner, character, world) >= (:user, :character, :world) AND owner <= :last
    AND version > 0
    AND (
        jsonb_array_length(:within::jsonb) = 0
        OR EXISTS (
            SELECT 1 FROM jsonb_array_elements(:within::jsonb) AS asked (bound)
            WHERE
                coalesce(bound ->> 'user', owner) = owner
                AND coalesce(bound ->> 'character', character) = character
                AND coalesce(bound ->> 'world', world) = world
        )
    )
ORDER BY owner, character, world LIMIT :limit;

-- name: list_characters
-- Every character in every world; a scope that was erased has none.
SELECT DISTINCT character, world FROM scopes WHERE character > '' ORDER BY character, world;

-- name: load_index
-- What a scope's searches hold in memory. Vectors are looked up item by item: how many a range holds is guessed far
-- too low, and joined with that guess a thousand items were compared with a thousand vectors.
SELECT
    items.id, items.kind = 'memory', items.terms, marks,
    CASE coalesce(utterances.speaker, subject) WHEN 'user' THEN 0 WHEN 'character' THEN 1 ELSE 2 END,
    coalesce(utterances.at, valid_at), session, (
        SELECT string_agg(vector_send(embedding), ''::bytea ORDER BY position) FROM vectors
        WHERE vectors.owner = :owner AND vectors.id = items.id
    )
FROM items
LEFT JOIN utterances ON utterances.owner = :owner AND utterances.id = items.id
LEFT JOIN memories ON memories.owner = :owner AND memories.id = items.id
WHERE
    items.owner = :owner AND items.id BETWEEN :low AND :high AND searchable
    AND NOT coalesce(content_type = 'summary' AND tags ? 'rolling', false)  -- nobody searches for the story so far
ORDER BY items.id;

-- name: word_postings
-- Items with each of some words, once for each time it stands there, as one comma-separated text a word.
SELECT place::int - 1, (
    SELECT string_agg(doc::text, ',') FROM (
        SELECT id AS doc FROM keywords, unnest(terms) AS stands, unnest(stands.positions)
        WHERE
            owner = :owner AND id BETWEEN :low AND :high AND terms @@ lexeme_query(word, false)
            AND stands.lexeme COLLATE "C" = word
        LIMIT :most
    ) AS found
) FROM jsonb_array_elements_text(:words::jsonb) WITH ORDINALITY AS asked (word, place);

-- name: all_postings
-- The same for every word of a scope, in order.
SELECT stands.lexeme, string_agg(id::text, ',') FROM keywords, unnest(terms) AS stands, unnest(stands.positions)
WHERE
    owner = :owner AND id BETWEEN :low AND :high
    AND stands.lexeme COLLATE "C" >= :start AND stands.lexeme COLLATE "C" < :beyond
GROUP BY stands.lexeme
ORDER BY stands.lexeme COLLATE "C";

-- name: load_words
-- The words of some items as they were written.
SELECT id, (SELECT string_agg(stands.lexeme, ' ') FROM unnest(terms) AS stands, unnest(stands.positions))
FROM keywords
WHERE owner = :owner AND id BETWEEN :low AND :high
ORDER BY id;

-- name: prefix_postings
-- The same for all longer words that begin alike.
SELECT place::int - 1, (
    SELECT string_agg(doc::text, ',') FROM (
        SELECT id AS doc FROM keywords, unnest(terms) AS stands, unnest(stands.positions)
        WHERE
            owner = :owner AND id BETWEEN :low AND :high AND terms @@ lexeme_query(word, true)
            AND starts_with(stands.lexeme, word) AND stands.lexeme <> word
        LIMIT :most
    ) AS found
) FROM jsonb_array_elements_text(:words::jsonb) WITH ORDINALITY AS asked (word, place);

-- name: find_items
-- Items in force by their public ids, what they are, and whether searches see them.
SELECT public_id, id, kind, searchable FROM items
WHERE
    owner = :owner AND scope_id = :scope_id AND in_force
    AND public_id = ANY (ARRAY(SELECT jsonb_array_elements_text(:public_ids::jsonb)));

-- name: load_utterances
-- Utterances in force, each with its turn.
SELECT
    utterances.id, items.public_id, turns.public_id, speaker, text, utterances.at, utterances.utc_offset, position,
    utterances.session, turn
FROM utterances
JOIN items ON items.owner = :owner AND items.id = utterances.id
JOIN turns ON turns.owner = :owner AND turns.id = turn
WHERE
    utterances.owner = :owner AND utterances.id = ANY (ARRAY(SELECT jsonb_array_elements_text(:ids::jsonb)::bigint))
    AND utterances.id BETWEEN :low AND :high AND NOT rewound
ORDER BY utterances.id;

-- name: load_utterances_of_turns
-- The same of whole turns in force.
SELECT
    utterances.id, items.public_id, turns.public_id, speaker, text, utterances.at, utterances.utc_offset, position,
    utterances.session, turn
FROM utterances
JOIN items ON items.owner = :owner AND items.id = utterances.id
JOIN turns ON turns.owner = :owner AND turns.id = turn
WHERE
    utterances.owner = :owner AND turn = ANY (ARRAY(SELECT jsonb_array_elements_text(:ids::jsonb)::bigint))
    AND turn BETWEEN :low AND :high AND NOT rewound
ORDER BY turn, position;

-- name: find_utterances_of_turns
-- What was said in some turns.
SELECT id FROM utterances
WHERE
    owner = :owner AND turn = ANY (ARRAY(SELECT jsonb_array_elements_text(:turns::jsonb)::bigint))
    AND id BETWEEN :low AND :high
ORDER BY turn, position;

-- name: load_memories
-- Whole memories, in the order that rows.memory_from takes them.
SELECT
    id, public_id, speaker, subject, subject_id, content, content_type, kind, attribute, value, surface, value_class,
    polarity, certainty, importance, emotion_intensity, strength, touched_turn, utc_offset, valid_at, invalid_at,
    known_at, recorded_at, retracted, forgotten_at, closed_by, mentions, uses, last_used_at, pinned, origin, extractor,
    sources, tags, details, channel, interpretation, pii_flags, version, faded_at, made_from, doubtful
FROM memories
WHERE owner = :owner AND id = ANY (ARRAY(SELECT jsonb_array_elements_text(:ids::jsonb)::bigint)) AND id BETWEEN :low AND :high;

-- name: find_memories
-- Memories that fit a filter (NULL: does not narrow), by when they became true.
SELECT id FROM memories
WHERE
    owner = :owner AND scope_id = :scope_id AND id BETWEEN :low AND :high
    AND (:pinned::boolean IS NULL OR pinned = :pinned)
    AND (:doubtful::boolean IS NULL OR doubtful = :doubtful)
    AND (:subject::text IS NULL OR subject = :subject)
    AND (:subject_id::text IS NULL OR subject_id = :subject_id)
    AND (:speaker::text IS NULL OR speaker = :speaker)
    AND (:content_type::text IS NULL OR content_type = :content_type)
    AND (:attribute::text IS NULL OR attribute = :attribute)
    AND (:touched_since::bigint IS NULL OR touched_turn >= :touched_since)
    AND (:learned_since::bigint IS NULL OR known_at >= :learned_since)
    AND (
        :loose::bigint IS NULL OR (NOT pinned AND (attribute IS NULL OR doubtful))
        OR (kind = 'episodic' AND mentions + uses >= :loose)
    )
    AND (:include_hidden OR (NOT retracted AND forgotten_at IS NULL AND (:include_faded OR faded_at IS NULL)))
    AND (
        :current_at::bigint IS NULL OR (
            NOT retracted AND forgotten_at IS NULL AND faded_at IS NULL
            AND valid_at <= :current_at AND (invalid_at IS NULL OR invalid_at > :current_at)
        )
    )
ORDER BY valid_at, known_at, public_id;

-- name: leaf_memories
-- Memories that fit a filter (NULL: does not narrow), the newest first.
SELECT id FROM memories
WHERE
    owner = :owner AND id BETWEEN :low AND :high
    AND (:pinned::boolean IS NULL OR pinned = :pinned)
    AND (:doubtful::boolean IS NULL OR doubtful = :doubtful)
    AND (:subject::text IS NULL OR subject = :subject)
    AND (:subject_id::text IS NULL OR subject_id = :subject_id)
    AND (:content_type::text IS NULL OR content_type = :content_type)
    AND (:attribute::text IS NULL OR attribute = :attribute)
    AND (:origin::text IS NULL OR origin = :origin)
    AND (:since::bigint IS NULL OR valid_at >= :since)
    AND (:until::bigint IS NULL OR valid_at < :until)
    AND (:pii::boolean IS NULL OR (pii_flags <> '[]'::jsonb) = :pii)
    AND CASE :state::text
        WHEN 'current' THEN
            NOT retracted AND forgotten_at IS NULL AND faded_at IS NULL
            AND (invalid_at IS NULL OR invalid_at > :present)
        WHEN 'past' THEN
            forgotten_at IS NULL AND (retracted OR faded_at IS NOT NULL OR coalesce(invalid_at <= :present, false))
        WHEN 'forgotten' THEN forgotten_at IS NOT NULL
        ELSE true
    END
    AND (:longest::text IS NULL OR strpos(lower(content), lower(:longest::text COLLATE "C")) > 0)
    AND NOT EXISTS (
        SELECT 1 FROM jsonb_array_elements_text(:words::jsonb) AS asked (word)
        WHERE strpos(lower(content), lower(word COLLATE "C")) = 0
    )
ORDER BY id DESC LIMIT :limit;

-- name: leaf_few_memories
-- The same where an index tells which few they may be: pinned, doubtful or forgotten ones, or those of one attribute.
SELECT id FROM memories
WHERE
    owner = :owner AND scope_id = :scope_id AND id BETWEEN :low AND :high
    AND (:few::text <> 'pinned' OR pinned) AND (:few <> 'doubtful' OR doubtful)
    AND (:few <> 'forgotten' OR forgotten_at IS NOT NULL)
    AND (:pinned::boolean IS NULL OR pinned = :pinned)
    AND (:doubtful::boolean IS NULL OR doubtful = :doubtful)
    AND (:subject::text IS NULL OR subject = :subject)
    AND (:subject_id::text IS NULL OR subject_id = :subject_id)
    AND (:content_type::text IS NULL OR content_type = :content_type)
    AND (:attribute::text IS NULL OR attribute = :attribute)
    AND (:origin::text IS NULL OR origin = :origin)
    AND (:since::bigint IS NULL OR valid_at >= :since)
    AND (:until::bigint IS NULL OR valid_at < :until)
    AND (:pii::boolean IS NULL OR (pii_flags <> '[]'::jsonb) = :pii)
    AND CASE :state::text
        WHEN 'current' THEN
            NOT retracted AND forgotten_at IS NULL AND faded_at IS NULL
            AND (invalid_at IS NULL OR invalid_at > :present)
        WHEN 'past' THEN
            forgotten_at IS NULL AND (retracted OR faded_at IS NOT NULL OR coalesce(invalid_at <= :present, false))
        WHEN 'forgotten' THEN forgotten_at IS NOT NULL
        ELSE true
    END
    AND (:longest::text IS NULL OR strpos(lower(content), lower(:longest::text COLLATE "C")) > 0)
    AND NOT EXISTS (
        SELECT 1 FROM jsonb_array_elements_text(:words::jsonb) AS asked (word)
        WHERE strpos(lower(content), lower(word COLLATE "C")) = 0
    )
ORDER BY id DESC LIMIT :limit;

-- name: leaf_story
-- The same by when they became true, the latest first; below a place that was reached (NULL: from the end on).
SELECT id FROM memories
WHERE
    owner = :owner AND id BETWEEN :low AND :high
    AND (:pinned::boolean IS NULL OR pinned = :pinned)
    AND (:doubtful::boolean IS NULL OR doubtful = :doubtful)
    AND (:subject::text IS NULL OR subject = :subject)
    AND (:subject_id::text IS NULL OR subject_id = :subject_id)
    AND (:content_type::text IS NULL OR content_type = :content_type)
    AND (:attribute::text IS NULL OR attribute = :attribute)
    AND (:origin::text IS NULL OR origin = :origin)
    AND (:since::bigint IS NULL OR valid_at >= :since)
    AND (:until::bigint IS NULL OR valid_at < :until)
    AND (:pii::boolean IS NULL OR (pii_flags <> '[]'::jsonb) = :pii)
    AND CASE :state::text
        WHEN 'current' THEN
            NOT retracted AND forgotten_at IS NULL AND faded_at IS NULL
            AND (invalid_at IS NULL OR invalid_at > :present)
        WHEN 'past' THEN
            forgotten_at IS NULL AND (retracted OR faded_at IS NOT NULL OR coalesce(invalid_at <= :present, false))
        WHEN 'forgotten' THEN forgotten_at IS NOT NULL
        ELSE true
    END
    AND (:longest::text IS NULL OR strpos(lower(content), lower(:longest::text COLLATE "C")) > 0)
    AND NOT EXISTS (
        SELECT 1 FROM jsonb_array_elements_text(:words::jsonb) AS asked (word)
        WHERE strpos(lower(content), lower(word COLLATE "C")) = 0
    )
    AND (:before_at::bigint IS NULL OR (valid_at, id) < (:before_at, :before_id::bigint))
ORDER BY valid_at DESC, id DESC LIMIT :limit;

-- name: count_leaves
-- How many of the same became true in each quarter of an hour: in no time zone does a month begin within one.
SELECT floor(valid_at / 900000000.0)::bigint AS quarter, count(*) FROM memories
WHERE
    owner = :owner AND id BETWEEN :low AND :high
    AND (:pinned::boolean IS NULL OR pinned = :pinned)
    AND (:doubtful::boolean IS NULL OR doubtful = :doubtful)
    AND (:subject::text IS NULL OR subject = :subject)
    AND (:subject_id::text IS NULL OR subject_id = :subject_id)
    AND (:content_type::text IS NULL OR content_type = :content_type)
    AND (:attribute::text IS NULL OR attribute = :attribute)
    AND (:origin::text IS NULL OR origin = :origin)
    AND (:since::bigint IS NULL OR valid_at >= :since)
    AND (:until::bigint IS NULL OR valid_at < :until)
    AND (:pii::boolean IS NULL OR (pii_flags <> '[]'::jsonb) = :pii)
    AND CASE :state::text
        WHEN 'current' THEN
            NOT retracted AND forgotten_at IS NULL AND faded_at IS NULL
            AND (invalid_at IS NULL OR invalid_at > :present)
        WHEN 'past' THEN
            forgotten_at IS NULL AND (retracted OR faded_at IS NOT NULL OR coalesce(invalid_at <= :present, false))
        WHEN 'forgotten' THEN forgotten_at IS NOT NULL
        ELSE true
    END
    AND (:longest::text IS NULL OR strpos(lower(content), lower(:longest::text COLLATE "C")) > 0)
    AND NOT EXISTS (
        SELECT 1 FROM jsonb_array_elements_text(:words::jsonb) AS asked (word)
        WHERE strpos(lower(content), lower(word COLLATE "C")) = 0
    )
GROUP BY quarter ORDER BY quarter;

-- name: count_subjects
-- Whom memories are about, and how many each, forgotten ones too.
SELECT subject, subject_id, count(*) FROM memories WHERE owner = :owner AND scope_id = :scope_id
GROUP BY subject, subject_id ORDER BY count(*) DESC, subject, subject_id;

-- name: find_closed_by
-- What a memory took the place of.
SELECT id FROM memories WHERE owner = :owner AND scope_id = :scope_id AND closed_by = :memory_id
ORDER BY valid_at, known_at, public_id;

-- name: find_touching
-- Current memories about somebody or that name them, and what some closed: the weightiest of each, the weightiest first.
WITH told (id) AS (
    (
        SELECT memories.id FROM jsonb_array_elements(:subjects::jsonb) AS asked (who)
        JOIN memories
            ON owner = :owner AND scope_id = :scope_id AND subject = who ->> 0 AND subject_id = who ->> 1
        WHERE
            valid_at <= :present AND (invalid_at IS NULL OR invalid_at > :present)
            AND NOT retracted AND forgotten_at IS NULL AND faded_at IS NULL
            AND content_type <> ALL (ARRAY(SELECT jsonb_array_elements_text(:without::jsonb)))
            AND (
                :relations::jsonb IS NULL
                OR coalesce(attribute, content_type) = ANY (ARRAY(SELECT jsonb_array_elements_text(:relations::jsonb)))
            )
        ORDER BY pinned DESC, importance * strength DESC, touched_turn DESC, memories.id DESC LIMIT :limit
    )
    UNION
    (
        SELECT id FROM memories
        WHERE
            owner = :owner AND :names::jsonb <> '[]'::jsonb AND id BETWEEN :low AND :high
            AND valid_at <= :present AND (invalid_at IS NULL OR invalid_at > :present)
            AND NOT retracted AND forgotten_at IS NULL AND faded_at IS NULL
            AND content_type <> ALL (ARRAY(SELECT jsonb_array_elements_text(:without::jsonb)))
            AND EXISTS (
                SELECT 1 FROM jsonb_array_elements_text(:names::jsonb) AS asked (name)
                WHERE strpos(content, name COLLATE "C") > 0
            )
        ORDER BY pinned DESC, importance * strength DESC, touched_turn DESC, id DESC LIMIT :limit
    )
    UNION
    SELECT memories.id FROM jsonb_array_elements_text(:closers::jsonb) AS asked (closer)
    JOIN memories ON owner = :owner AND scope_id = :scope_id AND closed_by = closer
    WHERE
        NOT retracted AND forgotten_at IS NULL AND faded_at IS NULL
        AND content_type <> ALL (ARRAY(SELECT jsonb_array_elements_text(:without::jsonb)))
)
SELECT memories.id FROM told
JOIN memories ON owner = :owner AND memories.id = told.id
ORDER BY pinned DESC, importance * strength DESC, touched_turn DESC, memories.id DESC LIMIT :limit;

-- name: count_relations
-- What current memories about somebody tell, and how many of them tell it.
SELECT coalesce(attribute, content_type) AS relation, count(*) FROM jsonb_array_elements(:subjects::jsonb) AS asked (who)
JOIN memories ON owner = :owner AND scope_id = :scope_id AND subject = who ->> 0 AND subject_id = who ->> 1
WHERE
    valid_at <= :present AND (invalid_at IS NULL OR invalid_at > :present)
    AND NOT retracted AND forgotten_at IS NULL AND faded_at IS NULL
GROUP BY relation ORDER BY count(*) DESC, relation;

-- name: leaf_scopes
-- Scopes behind a place, that whose story went on last first, with all words in their names and within one of the bounds.
SELECT id FROM scopes
WHERE
    (latest_at, id) < (:latest_at, :id)
    AND version > 0
    AND (
        jsonb_array_length(:within::jsonb) = 0
        OR EXISTS (
            SELECT 1 FROM jsonb_array_elements(:within::jsonb) AS asked (bound)
            WHERE
                coalesce(bound ->> 'user', owner) = owner
                AND coalesce(bound ->> 'character', character) = character
                AND coalesce(bound ->> 'world', world) = world
        )
    )
    AND NOT EXISTS (
        SELECT 1 FROM jsonb_array_elements_text(:words::jsonb) AS asked (word)
        WHERE strpos(lower(owner || chr(10) || character || chr(10) || world), lower(word COLLATE "C")) = 0
    )
ORDER BY latest_at DESC, id DESC LIMIT :limit;

-- name: leaf_few_scopes
-- The same where an index of the names tells which few they may be: those of some users, or those with a word.
SELECT id FROM scopes
WHERE
    (
        :few::text <> 'users'
        OR owner = ANY (ARRAY(SELECT bound ->> 'user' FROM jsonb_array_elements(:within::jsonb) AS asked (bound)))
    )
    AND (
        :few::text <> 'word'
        OR strpos(lower(owner || chr(10) || character || chr(10) || world), lower(:word::text COLLATE "C")) > 0
    )
    AND
    (latest_at, id) < (:latest_at, :id)
    AND version > 0
    AND (
        jsonb_array_length(:within::jsonb) = 0
        OR EXISTS (
            SELECT 1 FROM jsonb_array_elements(:within::jsonb) AS asked (bound)
            WHERE
                coalesce(bound ->> 'user', owner) = owner
                AND coalesce(bound ->> 'character', character) = character
                AND coalesce(bound ->> 'world', world) = world
        )
    )
    AND NOT EXISTS (
        SELECT 1 FROM jsonb_array_elements_text(:words::jsonb) AS asked (word)
        WHERE strpos(lower(owner || chr(10) || character || chr(10) || world), lower(word COLLATE "C")) = 0
    )
ORDER BY latest_at DESC, id DESC LIMIT :limit;

-- name: load_scope_names
-- Whose some scopes are.
SELECT id, owner, character, world FROM scopes
WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(:ids::jsonb)::bigint));

-- name: sum_up_scopes
-- Some scopes with what is in them.
SELECT
    scopes.id, scopes.owner, character, world, scopes.turn_number,
    (
        SELECT count(*) FROM memories
        WHERE
            memories.owner = scopes.owner AND id BETWEEN scopes.id << 24 AND scopes.id << 24 | 16777215
            AND NOT retracted AND forgotten_at IS NULL AND faded_at IS NULL
            AND NOT (origin = 'reflection' AND content_type IN ('insight', 'summary', 'profile'))
    ),
    (
        SELECT count(*) FROM utterances JOIN turns ON turns.owner = utterances.owner AND turns.id = turn
        WHERE
            utterances.owner = scopes.owner
            AND utterances.id BETWEEN scopes.id << 24 AND scopes.id << 24 | 16777215 AND NOT rewound
    ),
    latest.at, latest.utc_offset
FROM scopes
LEFT JOIN LATERAL (
    SELECT at, utc_offset FROM operations
    WHERE operations.owner = scopes.owner AND scope_id = scopes.id AND NOT undone AND kind <> 'rewind'
    ORDER BY at DESC LIMIT 1
) AS latest ON true
WHERE scopes.id = ANY (ARRAY(SELECT jsonb_array_elements_text(:ids::jsonb)::bigint));

-- name: count_holdings
-- All that is kept of a scope beside its memories, what was taken back too.
SELECT
    (SELECT count(*) FROM turns WHERE owner = :owner AND id BETWEEN :low AND :high AND NOT rewound) AS turns,
    (SELECT count(*) FROM turns WHERE owner = :owner AND id BETWEEN :low AND :high AND rewound) AS rewound,
    (SELECT count(*) FROM utterances WHERE owner = :owner AND id BETWEEN :low AND :high) AS utterances,
    (SELECT count(*) FROM things WHERE owner = :owner AND scope_id = :scope_id AND kind = 'entity') AS people,
    (SELECT count(*) FROM things WHERE owner = :owner AND scope_id = :scope_id AND kind = 'scene') AS scenes,
    (SELECT count(*) FROM operations WHERE owner = :owner AND id BETWEEN :low AND :high) AS operations,
    (SELECT count(*) FROM traces WHERE owner = :owner AND scope_id = :scope_id) AS traces,
    (
        SELECT count(*) FROM items LEFT JOIN memories ON memories.owner = :owner AND memories.id = items.id
        WHERE
            items.owner = :owner AND items.id BETWEEN :low AND :high AND NOT embedded AND in_force AND searchable
            AND NOT coalesce(tags ? 'rolling', false)
    ) AS unembedded,
    (
        SELECT count(*) FROM documents
        WHERE coalesce(record::jsonb #>> '{scope,user}', '') = :user
            AND coalesce(record::jsonb #>> '{scope,character}', '') = :character
            AND coalesce(record::jsonb #>> '{scope,world}', '') = :world
    ) AS documents;

-- name: count_memories
-- The memories of a scope by type and state, those apart that upkeep concluded.
SELECT
    origin = 'reflection' AND content_type IN ('insight', 'summary', 'profile') AS concluded,
    content_type,
    CASE
        WHEN forgotten_at IS NOT NULL THEN 'forgotten'
        WHEN retracted OR faded_at IS NOT NULL OR invalid_at <= :present THEN 'past'
        ELSE 'current'
    END AS state,
    count(*)
FROM memories WHERE owner = :owner AND id BETWEEN :low AND :high
GROUP BY concluded, content_type, state
ORDER BY concluded, content_type, state;

-- name: erase_keywords
-- Take every word of a scope out of the keyword index.
DELETE FROM keywords WHERE owner = :owner AND id BETWEEN :low AND :high;

-- name: erase_staged_vectors
-- Drop what was gathered of a scope for another embedder.
DELETE FROM staged_vectors WHERE owner = :owner AND id BETWEEN :low AND :high;

-- name: erase_utterances
-- Drop what was said.
DELETE FROM utterances WHERE owner = :owner AND id BETWEEN :low AND :high;

-- name: erase_memories
-- Drop what was remembered.
DELETE FROM memories WHERE owner = :owner AND id BETWEEN :low AND :high;

-- name: erase_items
-- Drop all places in the indexes, vectors too.
DELETE FROM items WHERE owner = :owner AND id BETWEEN :low AND :high;

-- name: erase_turns
-- Drop the turns.
DELETE FROM turns WHERE owner = :owner AND id BETWEEN :low AND :high;

-- name: erase_candidates
-- Drop every claim that was weighed.
DELETE FROM candidates WHERE owner = :owner AND operation BETWEEN :low AND :high;

-- name: erase_changes
-- Drop what became of memories.
DELETE FROM changes WHERE owner = :owner AND operation BETWEEN :low AND :high;

-- name: erase_moves
-- Drop what became of things.
DELETE FROM moves WHERE owner = :owner AND operation BETWEEN :low AND :high;

-- name: erase_operations
-- Drop the journal.
DELETE FROM operations WHERE owner = :owner AND id BETWEEN :low AND :high;

-- name: erase_traces
-- Drop how turns came about.
DELETE FROM traces WHERE owner = :owner AND scope_id = :scope_id;

-- name: erase_things
-- Drop the relationship, the people, the scenes.
DELETE FROM things WHERE owner = :owner AND scope_id = :scope_id;

-- name: erase_lease
-- Nobody does the upkeep of what is gone.
DELETE FROM leases WHERE owner = :owner AND scope_id = :scope_id;

-- name: erase_scope
-- Drop the scope itself; a new one of its names has another number.
DELETE FROM scopes WHERE owner = :owner AND id = :scope_id;

-- name: erase_answers
-- Drop answers that a server would repeat.
DELETE FROM kept_answers
WHERE
    coalesce(record::jsonb #>> '{scope,user}', '') = :user
    AND coalesce(record::jsonb #>> '{scope,character}', '') = :character
    AND coalesce(record::jsonb #>> '{scope,world}', '') = :world;

-- name: erase_letters
-- Drop letters that are on their way.
DELETE FROM letters
WHERE
    coalesce(record::jsonb #>> '{scope,user}', '') = :user
    AND coalesce(record::jsonb #>> '{scope,character}', '') = :character
    AND coalesce(record::jsonb #>> '{scope,world}', '') = :world;

-- name: erase_documents
-- Drop documents.
DELETE FROM documents
WHERE
    coalesce(record::jsonb #>> '{scope,user}', '') = :user
    AND coalesce(record::jsonb #>> '{scope,character}', '') = :character
    AND coalesce(record::jsonb #>> '{scope,world}', '') = :world;

-- name: moves_of_thing
-- The same for one thing, by its index: few operations speak of it.
SELECT
    moves.kind, moves.public_id, before, after, causes, operations.turn_id, at, utc_offset, turn_number, operations.id
FROM moves
JOIN operations ON operations.owner = :owner AND operations.id = operation
WHERE
    moves.owner = :owner AND moves.kind = :kind AND moves.public_id = :public_id AND operation BETWEEN :low AND :high
    AND NOT undone
ORDER BY operation DESC, position DESC LIMIT nullif(:limit::bigint, -1);

-- name: turning_moves
-- Those of one thing in which some part of it became another, in order. What stayed is left out of "before".
SELECT
    moves.kind, moves.public_id, before, after, causes, operations.turn_id, at, utc_offset, turn_number, operations.id
FROM moves
JOIN operations ON operations.owner = :owner AND operations.id = operation
WHERE
    moves.owner = :owner AND moves.kind = :kind AND moves.public_id = :public_id AND operation BETWEEN :low AND :high
    AND NOT undone
    AND (
        before IS NULL OR after IS NULL OR EXISTS (
            SELECT 1 FROM jsonb_array_elements(:parts::jsonb) AS asked (part)
            WHERE
                jsonb_path_query_first(before, ('$.' || (part ->> 0))::jsonpath) IS NOT NULL
                AND jsonb_path_query_first(before, ('$.' || (part ->> 1))::jsonpath)
                IS DISTINCT FROM jsonb_path_query_first(after, ('$.' || (part ->> 1))::jsonpath)
        )
    )
ORDER BY operation, position;

-- name: spread_moves
-- Of some things so many moves of each, evenly chosen, the first and the last of each among them.
WITH counted AS (
    SELECT
        moves.public_id, operation, position,
        row_number() OVER (PARTITION BY moves.public_id ORDER BY operation, position) - 1 AS place,
        count(*) OVER (PARTITION BY moves.public_id) - 1 AS last
    FROM moves
    JOIN operations ON operations.owner = :owner AND operations.id = operation AND NOT undone
    WHERE
        moves.owner = :owner AND moves.kind = :kind AND operation BETWEEN :low AND :high
        AND moves.public_id = ANY (ARRAY(SELECT jsonb_array_elements_text(:public_ids::jsonb)))
)
SELECT
    moves.kind, moves.public_id, before, after, causes, operations.turn_id, at, utc_offset, turn_number, operations.id
FROM counted
JOIN moves
    ON moves.owner = :owner AND moves.operation = counted.operation AND moves.position = counted.position
JOIN operations ON operations.owner = :owner AND operations.id = moves.operation
WHERE place = last OR place % greatest((last + :most::bigint - 2) / (:most::bigint - 1), 1) = 0
ORDER BY moves.operation, moves.position;

-- name: find_memories_about
-- Of some subjects, all values of some attributes and some values of any, and what these memories closed; by topic.
WITH asked AS (
    SELECT place - 1 AS place, topic ->> 0 AS whose, topic ->> 1 AS whose_id, topic -> 2 AS names, topic -> 3 AS said
    FROM jsonb_array_elements(:topics::jsonb) WITH ORDINALITY AS each (topic, place)
), about AS (
    SELECT place, memories.id, public_id FROM asked
    JOIN memories ON owner = :owner AND scope_id = :scope_id AND subject = whose AND subject_id = whose_id
        AND attribute = ANY (ARRAY(SELECT jsonb_array_elements_text(names)))
    UNION
    SELECT place, memories.id, public_id FROM asked
    CROSS JOIN jsonb_array_elements_text(names) AS name (start)
    JOIN memories ON owner = :owner AND scope_id = :scope_id AND subject = whose AND subject_id = whose_id
        AND starts_with(attribute, start)
    WHERE start LIKE '%.'
    UNION
    SELECT place, memories.id, public_id FROM asked
    CROSS JOIN jsonb_array_elements_text(said) AS told (word)
    JOIN memories ON owner = :owner AND scope_id = :scope_id AND subject = whose AND subject_id = whose_id
        AND md5(value) = md5(word) AND value = word
    WHERE attribute IS NOT NULL
)
SELECT place, id FROM about
UNION
SELECT place, memories.id FROM about
JOIN memories ON owner = :owner AND scope_id = :scope_id AND closed_by = about.public_id;

-- name: find_concluded
-- What upkeep made of memories and has not let go of.
SELECT id FROM memories
WHERE
    owner = :owner AND scope_id = :scope_id AND origin = 'reflection' AND NOT retracted AND forgotten_at IS NULL
    AND faded_at IS NULL;

-- name: find_mentioned
-- Current facts about the user whose value, or its words, stand in a text; ASCII letters in either case.
SELECT id FROM memories
WHERE
    owner = :owner AND scope_id = :scope_id AND subject = 'user' AND subject_id = 'user' AND attribute IS NOT NULL
    AND polarity = '+' AND NOT retracted AND forgotten_at IS NULL AND faded_at IS NULL AND invalid_at IS NULL
    AND (
        strpos(lower(:text::text COLLATE "C"), lower(value)) > 0
        OR strpos(lower(:text::text COLLATE "C"), lower(surface)) > 0
    )
LIMIT :limit;

-- name: find_nameable
-- Current facts about the user, with what names them.
SELECT id, value, surface FROM memories
WHERE
    owner = :owner AND scope_id = :scope_id AND subject = 'user' AND subject_id = 'user' AND attribute IS NOT NULL
    AND polarity = '+' AND NOT retracted AND forgotten_at IS NULL AND faded_at IS NULL AND invalid_at IS NULL;

-- name: find_people
-- Visible memories about others, by their names.
SELECT subject_id, id FROM memories
WHERE
    owner = :owner AND scope_id = :scope_id AND subject = 'other' AND NOT retracted AND forgotten_at IS NULL
    AND faded_at IS NULL
ORDER BY subject_id, id;

-- name: find_read_from
-- Memories whose id begins with an utterance's: "-" and "." are neighbours.
SELECT said, items.id
FROM jsonb_array_elements_text(:utterance_ids::jsonb) AS asked (said)
JOIN items
    ON items.owner = :owner AND items.scope_id = :scope_id AND items.in_force
    AND items.public_id > (said || '-') COLLATE "C" AND items.public_id < (said || '.') COLLATE "C"
WHERE items.kind = 'memory';

-- name: find_forgotten_words
-- The utterances that forgotten memories were read from, and those of the same turns that repeat what they told.
WITH told (utterance_id, value, surface) AS (
    SELECT source, memories.value, memories.surface
    FROM memories, jsonb_array_elements_text(memories.sources) AS listed (source)
    WHERE
        owner = :owner AND scope_id = :scope_id AND forgotten_at IS NOT NULL AND extractor NOT LIKE 'upkeep/%'
)
SELECT utterance_id FROM told
UNION ALL
SELECT repeating.public_id
FROM told
JOIN items AS source
    ON source.owner = :owner AND source.scope_id = :scope_id AND source.public_id = told.utterance_id
    AND source.in_force
JOIN utterances AS said ON said.owner = :owner AND said.id = source.id
JOIN utterances AS beside ON beside.owner = :owner AND beside.turn = said.turn AND beside.id <> said.id
JOIN items AS repeating ON repeating.owner = :owner AND repeating.id = beside.id
WHERE
    (length(told.value) > 1 AND strpos(beside.text, told.value) > 0)
    OR (length(told.surface) > 1 AND strpos(beside.text, told.surface) > 0);

-- name: all_things
-- Everything.
SELECT kind, public_id, record FROM things WHERE owner = :owner AND scope_id = :scope_id ORDER BY kind, public_id;

-- name: things_of_kind
-- Everything of a kind.
SELECT kind, public_id, record FROM things
WHERE owner = :owner AND scope_id = :scope_id AND kind = :kind
ORDER BY public_id;

-- name: things_by_key
-- Some things of a kind.
SELECT kind, public_id, record FROM jsonb_array_elements(:keys::jsonb) AS asked (key)
JOIN things ON owner = :owner AND scope_id = :scope_id AND kind = key ->> 0 AND public_id = key ->> 1;

-- name: names_of_people
-- Every name that an entity goes by, and its kind.
SELECT face ->> 'name', coalesce(face ->> 'kind', 'person')
FROM things, jsonb_array_elements(record -> 'faces') AS listed (face)
WHERE owner = :owner AND scope_id = :scope_id AND things.kind = 'entity';

-- name: last_things
-- The things of a kind with the highest ids, the highest first.
SELECT kind, public_id, record FROM things WHERE owner = :owner AND scope_id = :scope_id AND kind = :kind
ORDER BY public_id DESC LIMIT :limit;

-- name: moves_of_kind
-- What became of the things of a kind, by operations in force below a number, newest first.
SELECT
    moves.kind, moves.public_id, before, after, causes, operations.turn_id, at, utc_offset, turn_number, operations.id
FROM operations
JOIN moves ON moves.owner = :owner AND operation = operations.id
WHERE
    operations.owner = :owner AND operations.id BETWEEN :low AND :high AND NOT undone AND moves.kind = :kind
ORDER BY operations.id DESC, position DESC LIMIT nullif(:limit::bigint, -1);

-- name: noticed_since
-- What was noticed in the turns in force between two, newest first.
SELECT turn_id, turn_number, at, utc_offset, request ->> 'noticed'
FROM operations
WHERE
    owner = :owner AND id BETWEEN :low AND :high AND kind IN ('observe', 'read') AND NOT undone
    AND turn_number > :since AND (:before::int IS NULL OR turn_number < :before)
    AND request ->> 'noticed' IS NOT NULL
ORDER BY id DESC LIMIT nullif(:limit::bigint, -1);

-- name: load_vectors
-- The vectors of some items.
SELECT public_id, vector_send(embedding) FROM items
JOIN vectors ON vectors.owner = :owner AND vectors.id = items.id AND position = 0
WHERE
    items.owner = :owner AND scope_id = :scope_id AND in_force
    AND public_id = ANY (ARRAY(SELECT jsonb_array_elements_text(:public_ids::jsonb)));

-- name: count_for_upkeep
-- What came in since two turns, and when the first one was said.
SELECT
    (
        SELECT count(*) FROM memories
        WHERE
            owner = :owner AND scope_id = :scope_id AND touched_turn > :learned_since AND origin <> 'reflection'
            AND NOT retracted AND forgotten_at IS NULL AND faded_at IS NULL
    ),
    (
        SELECT coalesce(sum(length(text)), 0)::bigint FROM turns
        JOIN utterances ON utterances.owner = :owner AND utterances.turn = turns.id
        WHERE turns.owner = :owner AND turns.scope_id = :scope_id AND NOT rewound AND number > :said_since
    ),
    (SELECT at FROM turns WHERE owner = :owner AND scope_id = :scope_id AND NOT rewound AND number = 1),
    (SELECT utc_offset FROM turns WHERE owner = :owner AND scope_id = :scope_id AND NOT rewound AND number = 1);

-- name: believed_at
-- Every memory as the last operation in force at or before a moment left it.
SELECT after FROM (
    SELECT DISTINCT ON (memory_id) after
    FROM operations
    JOIN changes ON changes.owner = :owner AND operation = operations.id
    WHERE
        operations.owner = :owner AND scope_id = :scope_id AND at <= :moment AND NOT undone AND kind <> 'rewind'
    ORDER BY memory_id, operation DESC, position DESC
) AS last
WHERE after IS NOT NULL;

-- name: find_changes_of_memory
-- Where in the journal a memory changed, oldest first.
SELECT operation, position FROM changes
JOIN operations ON operations.owner = :owner AND operations.id = operation
WHERE
    changes.owner = :owner AND memory_id = :memory_id AND operation BETWEEN :low AND :high AND NOT undone
ORDER BY operation, position;

-- name: count_heard
-- How often each of some sayings was claimed, in operations in force; what a model made up was never heard.
SELECT asked.place - 1, count(*) FROM jsonb_array_elements(:sayings::jsonb) WITH ORDINALITY AS asked (saying, place)
JOIN candidates
    ON candidates.owner = :owner AND md5(coalesce(said, '')) = md5(coalesce(saying ->> 3, ''))
    AND said IS NOT DISTINCT FROM saying ->> 3 AND attribute IS NOT DISTINCT FROM saying ->> 2
    AND candidates.subject_id = saying ->> 1 AND subject = saying ->> 0
    AND operation BETWEEN :low AND :high
JOIN operations ON operations.owner = :owner AND operations.id = operation
WHERE NOT undone AND claim ->> 'flaw' IS NULL
GROUP BY asked.place;

-- name: find_turn
-- The turn in force with a public id.
SELECT id FROM turns WHERE owner = :owner AND scope_id = :scope_id AND public_id = :public_id AND NOT rewound;

-- name: find_last_turns
-- The newest turns in force below a number, newest first.
SELECT id FROM turns
WHERE owner = :owner AND scope_id = :scope_id AND NOT rewound AND number < :before
ORDER BY number DESC LIMIT :limit;

-- name: find_turns_of
-- The newest turns in force of a session or a channel (NULL: does not narrow), newest first.
SELECT id FROM turns
WHERE
    owner = :owner AND scope_id = :scope_id AND NOT rewound
    AND (:session::text IS NULL OR session = :session) AND (:channel::text IS NULL OR channel = :channel)
ORDER BY number DESC LIMIT :limit;

-- name: find_unread_turns
-- Turns still to be read, oldest first.
SELECT id FROM turns
WHERE owner = :owner AND scope_id = :scope_id AND unread AND NOT rewound
ORDER BY number LIMIT :limit;

-- name: find_unread_turn
-- A turn, if it is still to be read.
SELECT id FROM turns
WHERE owner = :owner AND scope_id = :scope_id AND public_id = :public_id AND unread AND NOT rewound;

-- name: find_open_turns
-- Turns that a model is to read, oldest first.
SELECT id FROM turns
WHERE owner = :owner AND scope_id = :scope_id AND left_open AND NOT rewound
ORDER BY number LIMIT :limit;

-- name: load_turns
-- Turns without their utterances.
SELECT id, public_id, number, session, channel, present, at, utc_offset, recorded_at, cut_off FROM turns
WHERE owner = :owner AND id = ANY (ARRAY(SELECT jsonb_array_elements_text(:ids::jsonb)::bigint)) AND id BETWEEN :low AND :high
ORDER BY number;

-- name: find_operation_of_turn
-- The operation in force that observed a turn.
SELECT id FROM operations
WHERE owner = :owner AND scope_id = :scope_id AND turn_id = :turn_id AND NOT undone AND kind = 'observe'
ORDER BY id LIMIT 1;

-- name: find_operations
-- The journal from a number on.
SELECT id FROM operations
WHERE owner = :owner AND id BETWEEN :first AND :high AND (:undone_too OR (NOT undone AND kind <> 'rewind'))
ORDER BY id LIMIT nullif(:limit::bigint, -1);

-- name: find_last_operations
-- The newest operations below one, undone ones and rewinds too.
SELECT id FROM operations WHERE owner = :owner AND id >= :low AND id < :before ORDER BY id DESC LIMIT :limit;

-- name: find_arrived
-- The operations from a number on that an import gave their ids, undone and erased ones too.
SELECT id, public_id FROM operations
WHERE owner = :owner AND id BETWEEN :first AND :high AND substr(public_id, 1, 7) = 'import-'
ORDER BY id;

-- name: load_operations
-- Operations without their claims and changes.
SELECT
    id, public_id, kind, turn_id, at, utc_offset, recorded_at, turn_number, channel, who, why, request, undone,
    upkeep
FROM operations
WHERE owner = :owner AND id = ANY (ARRAY(SELECT jsonb_array_elements_text(:ids::jsonb)::bigint)) AND id BETWEEN :low AND :high
ORDER BY id;

-- name: load_candidates
-- The claims of operations, and what became of each.
SELECT operation, claim, decision, why, promotion, changes FROM candidates
WHERE owner = :owner AND operation = ANY (ARRAY(SELECT jsonb_array_elements_text(:ids::jsonb)::bigint))
ORDER BY operation, position;

-- name: load_moves
-- What operations made of things.
SELECT operation, kind, public_id, before, after, causes FROM moves
WHERE owner = :owner AND operation = ANY (ARRAY(SELECT jsonb_array_elements_text(:ids::jsonb)::bigint))
ORDER BY operation, position;

-- name: load_changes
-- What operations changed.
SELECT operation, before, after FROM changes
WHERE owner = :owner AND operation = ANY (ARRAY(SELECT jsonb_array_elements_text(:ids::jsonb)::bigint))
ORDER BY operation, position;

-- name: delete_old_traces
-- Leave the newest traces of a scope.
DELETE FROM traces WHERE owner = :owner AND scope_id = :scope_id AND turn <= (
    SELECT turn FROM traces WHERE owner = :owner AND scope_id = :scope_id ORDER BY turn DESC LIMIT 1 OFFSET :left
);

-- name: delete_trace
-- A turn is taken back; how it came about is nobody's business any more.
DELETE FROM traces WHERE owner = :owner AND turn = :turn;

-- name: find_trace
-- How a turn in force came about.
SELECT traces.record FROM turns JOIN traces ON traces.owner = :owner AND traces.turn = turns.id
WHERE turns.owner = :owner AND turns.scope_id = :scope_id AND turns.public_id = :public_id AND NOT turns.rewound;

-- name: set_turn_unread
-- A turn that was kept unread has been read now, or its reading was undone.
UPDATE turns SET unread = :unread
WHERE owner = :owner AND scope_id = :scope_id AND public_id = :public_id AND NOT rewound;

-- name: close_turn
-- A model has read a turn that was left open.
UPDATE turns SET left_open = false
WHERE owner = :owner AND scope_id = :scope_id AND public_id = :public_id AND NOT rewound;

-- name: rewind_turn
-- Take a turn out of the story; its public id is free again.
UPDATE turns SET rewound = true
WHERE owner = :owner AND scope_id = :scope_id AND public_id = :public_id AND NOT rewound
RETURNING id, number;

-- name: close_gap
-- Move the turns behind one that was rewound.
UPDATE turns SET number = number - 1
WHERE owner = :owner AND scope_id = :scope_id AND NOT rewound AND number > :number;

-- name: show_item
-- Let searches see a memory, or no longer.
UPDATE items SET searchable = :searchable WHERE owner = :owner AND id = :id;

-- name: set_item_index
-- Note how many terms an item has, its marks and its vectors.
WITH noted AS (
    UPDATE items SET terms = :terms, marks = :marks, embedded = :vector::text[] IS NOT NULL
    WHERE owner = :owner AND id = :id
), dropped AS (
    DELETE FROM vectors
    WHERE owner = :owner AND id = :id AND position >= coalesce(cardinality(:vector::text[]), 0)
)
INSERT INTO vectors (owner, id, position, embedding)
SELECT :owner, :id, place - 1, numbers::vector FROM unnest(:vector::text[]) WITH ORDINALITY AS given (numbers, place)
ON CONFLICT (owner, id, position) DO UPDATE SET embedding = excluded.embedding;

-- name: rewind_item
-- Take an utterance out of every index for good.
WITH dropped AS (DELETE FROM vectors WHERE owner = :owner AND id = :id)
UPDATE items SET in_force = false, searchable = false, terms = 0, embedded = false WHERE owner = :owner AND id = :id;

-- name: delete_item
-- Remove a memory's place in the indexes.
DELETE FROM items WHERE owner = :owner AND id = :id;

-- name: delete_keywords
-- Take an item's terms out of the index.
DELETE FROM keywords WHERE owner = :owner AND id = :id;

-- name: delete_memory
-- Remove a memory; the journal still knows it.
DELETE FROM memories WHERE owner = :owner AND id = :id;

-- name: revise_operation
-- Note what a rewind made of an earlier operation.
UPDATE operations SET turn_number = :turn_number, undone = :undone, upkeep = :upkeep
WHERE owner = :owner AND id = :id AND public_id = :public_id
RETURNING id;

-- name: delete_candidates
-- Make room for an operation's new outcome.
DELETE FROM candidates WHERE owner = :owner AND operation = :operation;

-- name: delete_changes
-- Make room for an operation's new outcome.
DELETE FROM changes WHERE owner = :owner AND operation = :operation;

-- name: put_thing
-- Keep a thing as it is now.
INSERT INTO things (owner, scope_id, kind, public_id, record) VALUES (:owner, :scope_id, :kind, :public_id, :record)
ON CONFLICT (owner, scope_id, kind, public_id) DO UPDATE SET record = excluded.record;

-- name: delete_thing
-- Remove a thing; the journal still knows it.
DELETE FROM things WHERE owner = :owner AND scope_id = :scope_id AND kind = :kind AND public_id = :public_id;

-- name: delete_moves
-- Make room for an operation's new outcome.
DELETE FROM moves WHERE owner = :owner AND operation = :operation;

-- name: take_lease
-- Hold a scope's upkeep until a moment, unless somebody else does; one who holds it twice as long has another clock.
INSERT INTO leases (owner, scope_id, holder, until) VALUES (:owner, :scope_id, :holder, :until)
ON CONFLICT (owner, scope_id) DO UPDATE SET holder = excluded.holder, until = excluded.until
WHERE leases.holder = excluded.holder OR leases.until <= :now OR leases.until - :now > 2 * (excluded.until - :now)
RETURNING holder;

-- name: drop_lease
-- Let go of a scope's upkeep.
DELETE FROM leases WHERE owner = :owner AND scope_id = :scope_id AND holder = :holder;

-- name: insert_bank
-- Note whose vectors a new bank holds.
INSERT INTO bank (id, schema, embedder, dimension) VALUES (1, :schema, :embedder, :dimension);

-- name: read_bank
-- Whose vectors the bank holds, and whose it is being re-embedded with.
SELECT embedder, dimension, next_embedder, next_dimension FROM bank;

-- name: set_next_embedder
-- Begin or give up re-embedding.
UPDATE bank SET next_embedder = :embedder, next_dimension = :dimension;

-- name: clear_staged_vectors
-- Forget vectors that were gathered for an embedder.
DELETE FROM staged_vectors;

-- name: count_unstaged
-- Items that still have no vector of the next embedder.
SELECT count(*) FROM items
WHERE in_force AND NOT EXISTS (
    SELECT 1 FROM staged_vectors WHERE staged_vectors.owner = items.owner AND staged_vectors.id = items.id
);

-- name: count_unembedded
-- Items that have no vector.
SELECT count(*) FROM items WHERE NOT embedded AND in_force;

-- name: find_unstaged
-- The next items without a vector of the next embedder, with the words they are found by.
SELECT items.id,
    CASE WHEN subject = 'other' AND strpos(content, subject_id) = 0 THEN subject_id || ' ' || content
    ELSE coalesce(content, text) END
FROM items
LEFT JOIN memories ON memories.owner = items.owner AND memories.id = items.id
LEFT JOIN utterances ON utterances.owner = items.owner AND utterances.id = items.id
WHERE items.id > :after AND in_force AND NOT EXISTS (
    SELECT 1 FROM staged_vectors WHERE staged_vectors.owner = items.owner AND staged_vectors.id = items.id
)
ORDER BY items.id LIMIT :limit;

-- name: find_unembedded
-- The next items without a vector, with the words they are found by.
SELECT items.id,
    CASE WHEN subject = 'other' AND strpos(content, subject_id) = 0 THEN subject_id || ' ' || content
    ELSE coalesce(content, text) END
FROM items
LEFT JOIN memories ON memories.owner = items.owner AND memories.id = items.id
LEFT JOIN utterances ON utterances.owner = items.owner AND utterances.id = items.id
WHERE items.id > :after AND NOT embedded AND in_force
ORDER BY items.id LIMIT :limit;

-- name: find_vectorless
-- The scope's next items that can be searched for and have no vector, with the words they are found by.
SELECT items.id,
    CASE WHEN subject = 'other' AND strpos(content, subject_id) = 0 THEN subject_id || ' ' || content
    ELSE coalesce(content, text) END
FROM items
LEFT JOIN memories ON memories.owner = items.owner AND memories.id = items.id
LEFT JOIN utterances ON utterances.owner = items.owner AND utterances.id = items.id
WHERE
    items.owner = :owner AND items.id BETWEEN :low AND :high AND NOT embedded AND in_force AND searchable
    AND NOT coalesce(tags ? 'rolling', false)
ORDER BY items.id LIMIT :limit;

-- name: stage_vector
-- Gather vectors of the next embedder; the item may be gone by now.
WITH known AS (
    SELECT owner, id FROM items WHERE id = :id AND in_force
), dropped AS (
    DELETE FROM staged_vectors WHERE id = :id AND position >= cardinality(:vector::text[])
)
INSERT INTO staged_vectors (owner, id, position, embedding)
SELECT owner, id, place - 1, numbers::vector
FROM known, unnest(:vector::text[]) WITH ORDINALITY AS given (numbers, place)
ON CONFLICT (owner, id, position) DO UPDATE SET embedding = excluded.embedding;

-- name: unstage_vector
-- Drop vectors whose item has other words now.
DELETE FROM staged_vectors WHERE owner = :owner AND id = :id;

-- name: fill_vector
-- Give an item the vectors it lacked.
WITH filled AS (
    UPDATE items SET embedded = true WHERE id = :id AND NOT embedded AND in_force RETURNING owner, id, scope_id
), kept AS (
    INSERT INTO vectors (owner, id, position, embedding)
    SELECT owner, id, place - 1, numbers::vector
    FROM filled, unnest(:vector::text[]) WITH ORDINALITY AS given (numbers, place)
)
SELECT scope_id FROM filled;

-- name: move_index_epoch
-- Let every process load this scope's index again.
UPDATE scopes SET index_epoch = index_epoch + 1 WHERE id = :scope_id;

-- name: switch_vectors
-- Put the gathered vectors in place.
WITH dropped AS (
    DELETE FROM vectors WHERE NOT EXISTS (
        SELECT 1 FROM staged_vectors AS staged
        WHERE staged.owner = vectors.owner AND staged.id = vectors.id AND staged.position = vectors.position
    )
), moved AS (
    INSERT INTO vectors (owner, id, position, embedding)
    SELECT owner, id, position, embedding FROM staged_vectors
    ON CONFLICT (owner, id, position) DO UPDATE SET embedding = excluded.embedding
)
UPDATE items SET embedded = EXISTS (
    SELECT 1 FROM staged_vectors WHERE staged_vectors.owner = items.owner AND staged_vectors.id = items.id
)
WHERE in_force;

-- name: switch_embedder
-- Note that the bank now holds the next embedder's vectors.
UPDATE bank
SET embedder = next_embedder, dimension = next_dimension, next_embedder = NULL, next_dimension = NULL;

-- name: move_every_index_epoch
-- Let every process load every index again.
UPDATE scopes SET index_epoch = index_epoch + 1;

-- name: count_everything
-- What a bank holds.
SELECT
    (SELECT count(*) FROM scopes) AS scopes,
    (SELECT count(*) FROM turns WHERE NOT rewound) AS turns,
    (SELECT count(*) FROM items WHERE kind = 'utterance' AND in_force) AS utterances,
    (SELECT count(*) FROM memories WHERE NOT retracted AND forgotten_at IS NULL AND faded_at IS NULL) AS memories,
    (SELECT count(*) FROM operations) AS operations,
    (
        SELECT count(*) FROM items
        LEFT JOIN memories ON memories.owner = items.owner AND memories.id = items.id
        WHERE NOT embedded AND in_force AND searchable AND NOT coalesce(tags ? 'rolling', false)
    ) AS unembedded;

-- name: find_inconsistencies
-- What the engine cannot check by itself, one sentence for each.
SELECT 'item ' || id || ' has no text' FROM items
WHERE
    NOT EXISTS (SELECT 1 FROM memories WHERE memories.owner = items.owner AND memories.id = items.id)
    AND NOT EXISTS (SELECT 1 FROM utterances WHERE utterances.owner = items.owner AND utterances.id = items.id)
UNION ALL
SELECT 'item ' || id || ' has ' || terms || ' terms but no keywords' FROM items
WHERE terms > 0 AND NOT EXISTS (SELECT 1 FROM keywords WHERE keywords.owner = items.owner AND keywords.id = items.id)
UNION ALL
SELECT 'keywords of item ' || keywords.id || ', which is gone' FROM keywords
JOIN items ON items.owner = keywords.owner AND items.id = keywords.id
WHERE NOT in_force
UNION ALL
SELECT 'the vectors of item ' || vectors.id || ' hold ' || vector_dims(embedding) || ' numbers' FROM vectors, bank
WHERE vector_dims(embedding) <> dimension
UNION ALL
SELECT 'item ' || items.id || ' and its vectors disagree on whether it has any' FROM items
WHERE embedded <> EXISTS (SELECT 1 FROM vectors WHERE vectors.owner = items.owner AND vectors.id = items.id)
UNION ALL
SELECT 'utterance ' || utterances.id || ' and its turn disagree on whether they were rewound' FROM utterances
JOIN turns ON turns.owner = utterances.owner AND turns.id = turn
JOIN items ON items.owner = utterances.owner AND items.id = utterances.id
WHERE rewound = in_force OR rewound = searchable
UNION ALL
SELECT 'memory ' || memories.id || ' is hidden from or shown to searches wrongly' FROM memories
JOIN items ON items.owner = memories.owner AND items.id = memories.id
WHERE searchable = (retracted OR forgotten_at IS NOT NULL OR faded_at IS NOT NULL)
UNION ALL
SELECT 'turns of scope ' || scopes.id || ' are misnumbered' FROM scopes
WHERE
    turn_number <> (
        SELECT count(*) FROM turns WHERE turns.owner = scopes.owner AND scope_id = scopes.id AND NOT rewound
    )
    OR turn_number <> (
        SELECT coalesce(max(number), 0) FROM turns
        WHERE turns.owner = scopes.owner AND scope_id = scopes.id AND NOT rewound
    )
UNION ALL
SELECT 'turn ' || turns.id || ' has no operation' FROM turns
WHERE NOT rewound AND NOT EXISTS (
    SELECT 1 FROM operations
    WHERE
        operations.owner = turns.owner AND operations.scope_id = turns.scope_id AND turn_id = turns.public_id
        AND NOT undone
);

-- name: add_model_call
-- Count a call of a model.
INSERT INTO model_calls (day, task, model, failure, calls, seconds, prompt_tokens, answer_tokens, cost)
VALUES (:day, :task, :model, :failure, 1, :seconds, :prompt_tokens, :answer_tokens, :cost)
ON CONFLICT (day, task, model, failure) DO UPDATE SET
    calls = model_calls.calls + 1,
    seconds = model_calls.seconds + excluded.seconds,
    prompt_tokens = model_calls.prompt_tokens + excluded.prompt_tokens,
    answer_tokens = model_calls.answer_tokens + excluded.answer_tokens,
    cost = model_calls.cost + excluded.cost;

-- name: find_model_calls
-- All calls of models, in order.
SELECT day, task, model, failure, calls, seconds, prompt_tokens, answer_tokens, cost FROM model_calls
ORDER BY day, task, model, failure;

-- name: put_access_key
-- Keep a key, new or changed.
INSERT INTO access_keys (id, created_at, record) VALUES (:id, :created_at, :record)
ON CONFLICT (id) DO UPDATE SET record = excluded.record;

-- name: find_access_key
-- A key.
SELECT record FROM access_keys WHERE id = :id;

-- name: find_access_keys
-- All keys, oldest first.
SELECT record FROM access_keys ORDER BY created_at, id;

-- name: add_key_uses
-- Count the requests of a key.
INSERT INTO key_uses (day, key_id, uses) VALUES (:day, :key_id, :uses)
ON CONFLICT (day, key_id) DO UPDATE SET uses = key_uses.uses + excluded.uses;

-- name: find_key_uses
-- The requests of a day by key.
SELECT key_id, uses FROM key_uses WHERE day = :day;

-- name: find_kept_answer
-- An answer that may be given again.
SELECT record FROM kept_answers WHERE name = :name AND until > :now;

-- name: drop_old_answers
-- Answers are kept for a while.
DELETE FROM kept_answers WHERE until <= :now;

-- name: put_kept_answer
-- Keep an answer; the first one stays.
INSERT INTO kept_answers (name, until, record) VALUES (:name, :until, :record) ON CONFLICT (name) DO NOTHING;

-- name: put_webhook
-- Keep a webhook, new or changed.
INSERT INTO webhooks (id, created_at, record) VALUES (:id, :created_at, :record)
ON CONFLICT (id) DO UPDATE SET record = excluded.record;

-- name: find_webhook
-- A webhook.
SELECT record FROM webhooks WHERE id = :id;

-- name: find_webhooks
-- All webhooks, oldest first.
SELECT record FROM webhooks ORDER BY created_at, id;

-- name: drop_webhook
-- Drop a webhook; a row: there was one.
DELETE FROM webhooks WHERE id = :id RETURNING id;

-- name: lease_webhook
-- Bring the letters to a webhook until a moment, unless somebody else does; as take_lease has it.
UPDATE webhooks SET holder = :holder, until = :until
WHERE id = :id AND (holder = :holder OR until <= :now OR until - :now > 2 * (:until - :now))
RETURNING id;

-- name: let_go_of_webhook
-- Let others bring the letters to a webhook.
UPDATE webhooks SET holder = '', until = 0 WHERE id = :id AND holder = :holder;

-- name: drop_letters_to
-- Nobody is there to read them.
DELETE FROM letters WHERE webhook_id = :id;

-- name: post_letter
-- Keep a letter until it is delivered.
INSERT INTO letters (webhook_id, due_at, record) VALUES (:webhook_id, :due_at, :record);

-- name: find_due_letters
-- Letters to a webhook to try now, as they were posted.
SELECT number, record FROM letters WHERE webhook_id = :webhook_id AND due_at <= :now ORDER BY number LIMIT :limit;

-- name: count_letters
-- Letters that wait, by webhook.
SELECT webhook_id, count(*) FROM letters GROUP BY webhook_id;

-- name: put_off_letter
-- Try a letter later.
UPDATE letters SET due_at = :due_at, record = :record WHERE number = :number;

-- name: drop_letter
-- A letter was delivered, or given up.
DELETE FROM letters WHERE number = :number;

-- name: put_document
-- Keep a document; one that is there stays as old as it is.
INSERT INTO documents (namespace, key, created_at, record) VALUES (:namespace, :key, :created_at, :record)
ON CONFLICT (namespace, key) DO UPDATE SET record = excluded.record;

-- name: find_document
-- One document by its name.
SELECT created_at, record FROM documents WHERE namespace = :namespace AND key = :key;

-- name: find_documents
-- Documents whose namespace, as JSON without its last bracket, begins with :prefix.
SELECT created_at, record FROM documents
WHERE namespace >= :prefix AND namespace < :beyond
ORDER BY namespace, key;

-- name: drop_document
-- Drop a document; a row: there was one.
DELETE FROM documents WHERE namespace = :namespace AND key = :key RETURNING created_at, record;

-- name: copy_vectors
-- The vectors of all items within a range of ids.
SELECT id, string_agg(vector_send(embedding), ''::bytea ORDER BY position) FROM vectors
WHERE owner = :owner AND id BETWEEN :low AND :high
GROUP BY id;

-- name: list_scope_marks
-- Where every scope stands, for whoever asks what has changed, be it only who has read it.
SELECT scopes.owner, character, world, id, version + coalesce(length, 0), index_epoch, coalesce(head, '')
FROM scopes LEFT JOIN chains ON chains.owner = scopes.owner AND scope_id = id
WHERE version > 0
ORDER BY id;

-- name: find_last_turn
-- The last turn of a scope that is in force.
SELECT public_id, recorded_at FROM turns
WHERE owner = :owner AND scope_id = :scope_id AND NOT rewound
ORDER BY number DESC
LIMIT 1;

-- name: restore_scope
-- Set the counters of a scope that was copied.
UPDATE scopes
SET
    version = :version, next_seq = :next_seq, turn_number = :turn_number, operation_number = :operation_number,
    index_epoch = :index_epoch, latest_at = :latest_at
WHERE owner = :owner AND id = :scope_id;

-- name: put_provision
-- Lay something down for a scope.
INSERT INTO provisions (owner, scope_id, kind, record) VALUES (:owner, :scope_id, :kind, :record)
ON CONFLICT (owner, scope_id, kind) DO UPDATE SET record = excluded.record;

-- name: drop_provision
-- Take back what was laid down for a scope.
DELETE FROM provisions WHERE owner = :owner AND scope_id = :scope_id AND kind = :kind;

-- name: erase_provisions
-- Nothing is laid down for what is gone.
DELETE FROM provisions WHERE owner = :owner AND scope_id = :scope_id;

-- name: move_scope
-- Let everybody look at a scope anew.
UPDATE scopes SET version = version + 1 WHERE owner = :owner AND id = :scope_id;

-- name: first_known
-- When the oldest visible memory of each type was learned.
SELECT content_type, min(known_at) FROM memories
WHERE owner = :owner AND id BETWEEN :low AND :high AND NOT retracted AND forgotten_at IS NULL AND faded_at IS NULL
GROUP BY content_type;

-- name: rewrite_operation
-- Write what was asked, and what is told of it, anew; its outcome stands elsewhere.
UPDATE operations
SET request = :request, why = :why, turn_id = :turn_id, channel = :channel, upkeep = :upkeep, undone = :undone
WHERE owner = :owner AND id = :id;

-- name: find_taken_back
-- All that was said in turns that were taken back.
SELECT turns.id, turns.public_id, turns.session, turns.at, turns.utc_offset, items.public_id, text
FROM turns
JOIN utterances ON utterances.owner = :owner AND utterances.turn = turns.id
JOIN items ON items.owner = :owner AND items.id = utterances.id
WHERE turns.owner = :owner AND turns.scope_id = :scope_id AND rewound
ORDER BY turns.id, position;

-- name: find_turns_taken_back
-- Turns that were taken back, by their public ids.
SELECT id FROM turns
WHERE
    owner = :owner AND id BETWEEN :low AND :high AND rewound
    AND public_id = ANY (ARRAY(SELECT jsonb_array_elements_text(:public_ids::jsonb)));

-- name: blank_utterance
-- Put other words in the place of what was said.
UPDATE utterances SET text = :text WHERE owner = :owner AND id = :id;

-- name: delete_utterance
-- Drop what was said.
DELETE FROM utterances WHERE owner = :owner AND id = :id;

-- name: delete_turn
-- Drop a turn that was taken back.
DELETE FROM turns WHERE owner = :owner AND id = :id AND rewound;

-- name: documents_of_scope
-- The documents of a scope.
SELECT namespace, key, record FROM documents
WHERE
    coalesce(record::jsonb #>> '{scope,user}', '') = :user
    AND coalesce(record::jsonb #>> '{scope,character}', '') = :character
    AND coalesce(record::jsonb #>> '{scope,world}', '') = :world;

-- name: count_sendings
-- Answers that a server would repeat to a scope, and letters about it that are on their way.
SELECT
    (
        SELECT count(*) FROM kept_answers
        WHERE coalesce(record::jsonb #>> '{scope,user}', '') = :user
            AND coalesce(record::jsonb #>> '{scope,character}', '') = :character
            AND coalesce(record::jsonb #>> '{scope,world}', '') = :world
    ) AS answers,
    (
        SELECT count(*) FROM letters
        WHERE coalesce(record::jsonb #>> '{scope,user}', '') = :user
            AND coalesce(record::jsonb #>> '{scope,character}', '') = :character
            AND coalesce(record::jsonb #>> '{scope,world}', '') = :world
    ) AS letters;

-- name: put_certificate
-- Keep what remains of an erasure; until it is proven also the bucket of the user (NULL: unknown), by the hash that a
-- table is cut into parts by.
INSERT INTO certificates (id, at, proven_at, record, bucket, number)
VALUES (
    :id, :at, :proven_at, :record, ((hashtextextended(:user::text COLLATE "C", 8816678312871386365) & 1023) + 227) & 1023,
    (SELECT coalesce(max(number), 0) + 1 FROM certificates)
)
ON CONFLICT (id) DO UPDATE SET
    proven_at = excluded.proven_at, record = excluded.record,
    bucket = CASE WHEN excluded.proven_at IS NULL THEN excluded.bucket END;

-- name: find_certificates
-- What remains of all erasures, the latest first.
SELECT record FROM certificates ORDER BY number DESC, at DESC, id DESC LIMIT :limit;

-- name: find_certificate
-- What remains of one erasure.
SELECT record FROM certificates WHERE id = :id;

-- name: find_unproven
-- Erasures that may have left something in the files.
SELECT record FROM certificates WHERE proven_at IS NULL ORDER BY number, at, id;

-- name: count_certificates
-- How many erasures there were.
SELECT count(*) FROM certificates;

-- name: find_secrets
-- What digests are made with.
SELECT secret FROM secrets ORDER BY secret;

-- name: put_secret
-- Make digests with a secret, too.
INSERT INTO secrets (secret) VALUES (:secret) ON CONFLICT DO NOTHING;

-- name: put_erased
-- Recognise what was erased by its digests.
INSERT INTO erased (digest, certificate) SELECT listed.digest, :certificate::text FROM jsonb_array_elements_text(:digests::jsonb) AS listed (digest) WHERE true
ON CONFLICT DO NOTHING;

-- name: find_erased
-- Which of some digests are of what was erased, and by which erasure.
SELECT digest, certificate FROM erased WHERE digest IN (SELECT listed.digest FROM jsonb_array_elements_text(:digests::jsonb) AS listed (digest));

-- name: all_erased
-- Every digest, with the erasure that it is of.
SELECT certificate, digest FROM erased ORDER BY certificate, digest;

-- name: lift_erased
-- No longer recognise what one erasure took.
DELETE FROM erased WHERE certificate = :certificate RETURNING digest;

-- name: find_hidden
-- Memories that somebody asked to be forgotten.
SELECT request ->> 'memory_id' FROM operations
WHERE owner = :owner AND id BETWEEN :low AND :high AND kind = 'forget' AND request ->> 'kind' = 'hide';

-- name: find_chain
-- Where the chain of a scope stands.
SELECT mark, since, length, head FROM chains WHERE owner = :owner AND scope_id = :scope_id;

-- name: put_chain
-- Begin a chain, or put one there that comes from elsewhere.
INSERT INTO chains (owner, scope_id, mark, since, length, head)
VALUES (:owner, :scope_id, :mark, :since, :length, :head);

-- name: set_chain_end
-- Keep where a chain ends.
UPDATE chains SET length = :length, head = :head WHERE owner = :owner AND scope_id = :scope_id;

-- name: load_deeds
-- The next deeds of a chain, in order.
SELECT
    id, recorded_at, act, operation, turn, covers, actor_kind, actor, who, name_salt, names, targets, why, record, salt,
    digest, link
FROM audit
WHERE owner = :owner AND id > :after AND id <= :high
ORDER BY id LIMIT :limit;

-- name: load_last_deeds
-- The last deeds of a chain, newest first.
SELECT
    id, recorded_at, act, operation, turn, covers, actor_kind, actor, who, name_salt, names, targets, why, record, salt,
    digest, link
FROM audit
WHERE owner = :owner AND id BETWEEN :low AND :high
ORDER BY id DESC LIMIT :limit;

-- name: find_actors
-- On whose behalf operations were done.
SELECT operation, actor_kind, actor FROM audit
WHERE
    owner = :owner AND id >> 24 = :scope_id AND actor IS NOT NULL AND act <> :revised
    AND operation IN (SELECT value::int FROM jsonb_array_elements_text(:operations::jsonb));

-- name: find_deeds_to_strip
-- Deeds that still tell something of operations.
SELECT id FROM audit
WHERE
    owner = :owner AND id >> 24 = :scope_id AND salt IS NOT NULL
    AND operation IN (SELECT value::int FROM jsonb_array_elements_text(:operations::jsonb))
ORDER BY id;

-- name: strip_deeds
-- Take the texts from deeds of operations.
UPDATE audit SET targets = NULL, why = NULL, record = NULL, salt = NULL
WHERE
    owner = :owner AND id >> 24 = :scope_id AND salt IS NOT NULL
    AND operation IN (SELECT value::int FROM jsonb_array_elements_text(:operations::jsonb));

-- name: erase_deeds
-- Drop deeds.
DELETE FROM audit WHERE owner = :owner AND id BETWEEN :low AND :high;

-- name: erase_chain
-- Drop where a chain stands.
DELETE FROM chains WHERE owner = :owner AND scope_id = :scope_id;

-- name: find_chains
-- Every chain, with the names of its scope while that lives.
SELECT
    chains.scope_id, chains.owner, scopes.id IS NOT NULL, chains.owner, coalesce(character, ''), coalesce(world, ''),
    mark, since, length, head
FROM chains
LEFT JOIN scopes ON scopes.owner = chains.owner AND scopes.id = chains.scope_id
ORDER BY chains.scope_id;

-- name: find_marked_chains
-- The same of the chain that bears a mark.
SELECT
    chains.scope_id, chains.owner, scopes.id IS NOT NULL, chains.owner, coalesce(character, ''), coalesce(world, ''),
    mark, since, length, head
FROM chains
LEFT JOIN scopes ON scopes.owner = chains.owner AND scopes.id = chains.scope_id
WHERE mark = :mark
ORDER BY chains.scope_id;

-- name: find_unchained
-- Scopes that are written to, but have no chain.
SELECT owner, character, world FROM scopes
WHERE
    version > 0
    AND NOT EXISTS (SELECT 1 FROM chains WHERE chains.owner = scopes.owner AND chains.scope_id = scopes.id)
ORDER BY id;

-- name: find_stray_deeds
-- Deeds of no chain: the first id, and how many.
SELECT min(id), count(*) FROM audit
WHERE NOT EXISTS (SELECT 1 FROM chains WHERE chains.owner = audit.owner AND chains.scope_id = audit.id >> 24)
GROUP BY id >> 24;

-- name: find_misfits
-- Rows of a scope that say another's is theirs, and items that are not what their rows say: the table, and how many.
SELECT 'turns', count(*) FROM turns WHERE owner = :owner AND id BETWEEN :low AND :high AND scope_id <> :scope_id
UNION ALL SELECT 'memories', count(*) FROM memories WHERE owner = :owner AND id BETWEEN :low AND :high AND scope_id <> :scope_id
UNION ALL SELECT 'operations', count(*) FROM operations WHERE owner = :owner AND id BETWEEN :low AND :high AND scope_id <> :scope_id
UNION ALL
SELECT 'items', count(*)
FROM items
LEFT JOIN memories ON memories.owner = items.owner AND memories.id = items.id
LEFT JOIN utterances ON utterances.owner = items.owner AND utterances.id = items.id
LEFT JOIN turns ON turns.owner = items.owner AND turns.id = utterances.turn
WHERE items.owner = :owner AND items.id BETWEEN :low AND :high AND (
    items.scope_id = :scope_id
    AND CASE items.kind
        WHEN 'memory' THEN
            memories.public_id = items.public_id AND in_force
            AND searchable = (NOT retracted AND forgotten_at IS NULL AND faded_at IS NULL)
        ELSE
            in_force = NOT rewound AND searchable = in_force
    END
) IS NOT TRUE;

-- name: find_strays
-- Rows of scopes that are not there: the table, and how many.
SELECT 'turns', count(*) FROM turns
WHERE NOT EXISTS (SELECT 1 FROM scopes WHERE scopes.owner = turns.owner AND scopes.id = turns.id >> 24)
UNION ALL SELECT 'items', count(*) FROM items
WHERE NOT EXISTS (SELECT 1 FROM scopes WHERE scopes.owner = items.owner AND scopes.id = items.id >> 24)
UNION ALL SELECT 'memories', count(*) FROM memories
WHERE NOT EXISTS (SELECT 1 FROM scopes WHERE scopes.owner = memories.owner AND scopes.id = memories.id >> 24)
UNION ALL SELECT 'operations', count(*) FROM operations
WHERE NOT EXISTS (SELECT 1 FROM scopes WHERE scopes.owner = operations.owner AND scopes.id = operations.id >> 24);

-- name: load_vouched
-- What the bank's own chain vouches for, but for documents: its kind, id and JSON.
SELECT 'key', id, record FROM access_keys
UNION ALL SELECT 'webhook', id, record FROM webhooks
UNION ALL SELECT 'certificate', id, record FROM certificates;

-- name: load_documents
-- The documents behind one, by their names.
SELECT namespace, key, record FROM documents
WHERE (namespace, key) > (:namespace, :key)
ORDER BY namespace, key LIMIT :limit;

-- name: is_certified
-- Whether the bank's own chain tells of a certificate.
SELECT 1 FROM audit WHERE owner = '' AND id < 1 << 24 AND act = :act LIMIT 1;
