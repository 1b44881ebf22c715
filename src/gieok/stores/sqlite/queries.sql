-- Every query of the SQLite store: "-- name:", a line on its intent, the SQL.
-- find_… returns ids in order, load_… the rows of given ids (a JSON list). Where ids are given, the scope's range is
-- a check only: the + before a column keeps SQLite from walking through the whole range instead.

-- name: find_scope
-- Whose vectors the bank holds, where the scope stands (0: never written to), what was laid down for it, and its chain.
SELECT
    bank.embedder, bank.dimension,
    ifnull(scopes.id, 0), ifnull(version, 0), ifnull(next_seq, 0), ifnull(turn_number, 0),
    ifnull(operation_number, 0), ifnull(index_epoch, 0), ifnull(latest_at, 0),
    (SELECT record FROM provisions WHERE scope_id = scopes.id AND kind = 'hold'),
    (SELECT record FROM provisions WHERE scope_id = scopes.id AND kind = 'retention'),
    mark, ifnull(since, 0), ifnull(length, 0), ifnull(head, '')
FROM bank
LEFT JOIN scopes ON user = :user AND character = :character AND world = :world
LEFT JOIN chains ON chains.scope_id = scopes.id;

-- name: find_begun
-- Which of some scopes were ever written to.
SELECT user, character, world FROM json_each(:keys) AS asked
CROSS JOIN scopes ON user = asked.value ->> 0 AND character = asked.value ->> 1 AND world = asked.value ->> 2
WHERE version > 0;

-- name: find_siblings_of_user
-- Other scopes of a user in the same world, that whose story went on last first.
SELECT user, character, world FROM scopes
WHERE user = :user AND world = :world AND character <> :character AND version > 0
ORDER BY latest_at DESC, id DESC LIMIT :limit;

-- name: find_siblings_of_character
-- Scopes of other users with a character in the same world, that whose story went on last first.
SELECT user, character, world FROM scopes
WHERE character = :character AND world = :world AND user <> :user AND user <> '' AND version > 0
ORDER BY latest_at DESC, id DESC LIMIT :limit;

-- name: insert_scope
-- Begin a scope.
INSERT INTO scopes (user, character, world) VALUES (:user, :character, :world) RETURNING id;

-- name: update_scope
-- Keep the counters after an entry.
UPDATE scopes
SET
    version = version + 1,
    next_seq = :next_seq,
    operation_number = :operation_number,
    turn_number = (SELECT ifnull(max(number), 0) FROM turns WHERE scope_id = :scope_id AND rewound = 0),
    index_epoch = index_epoch + :reindexed,
    latest_at = ifnull(
        (
            SELECT at FROM operations
            WHERE scope_id = :scope_id AND undone = 0 AND kind <> 'rewind'
            ORDER BY at DESC LIMIT 1
        ),
        latest_at
    )
WHERE id = :scope_id;

-- name: latest_moment
-- Story time of the newest operation in force.
SELECT at, utc_offset FROM operations
WHERE scope_id = :scope_id AND undone = 0 AND kind <> 'rewind'
ORDER BY at DESC LIMIT 1;

-- name: list_scopes
-- Scopes from a place on, by their names and within one of the bounds, with what is in them.
SELECT
    user, character, world, scopes.turn_number,
    (
        SELECT count(*) FROM memories
        WHERE id BETWEEN scopes.id << 24 AND scopes.id << 24 | 0xffffff AND retracted = 0 AND forgotten_at IS NULL
            AND faded_at IS NULL
            AND NOT (origin = 'reflection' AND content_type IN ('insight', 'summary', 'profile'))
    ),
    (
        SELECT count(*) FROM utterances JOIN turns ON turns.id = turn
        WHERE utterances.id BETWEEN scopes.id << 24 AND scopes.id << 24 | 0xffffff AND rewound = 0
    ),
    latest.at, latest.utc_offset
FROM scopes
LEFT JOIN operations AS latest ON latest.id = (
    SELECT id FROM operations
    WHERE scope_id = scopes.id AND undone = 0 AND kind <> 'rewind'
    ORDER BY at DESC LIMIT 1
)
WHERE
    (user, character, world) >= (:user, :character, :world) AND user <= :last
    AND version > 0
    AND (
        json_array_length(:within) = 0
        OR EXISTS (
            SELECT 1 FROM json_each(:within) AS bound
            WHERE
                ifnull(bound.value ->> 'user', user) = user
                AND ifnull(bound.value ->> 'character', character) = character
                AND ifnull(bound.value ->> 'world', world) = world
        )
    )
ORDER BY user, character, world LIMIT :limit;

-- name: list_scope_names
-- The same without a look at what is in them.
SELECT user, character, world FROM scopes
WHERE
    (user, character, world) >= (:user, :character, :world) AND user <= :last
    AND version > 0
    AND (
        json_array_length(:within) = 0
        OR EXISTS (
            SELECT 1 FROM json_each(:within) AS bound
            WHERE
                ifnull(bound.value ->> 'user', user) = user
                AND ifnull(bound.value ->> 'character', character) = character
                AND ifnull(bound.value ->> 'world', world) = world
        )
    )
ORDER BY user, character, world LIMIT :limit;

-- name: list_characters
-- Every character in every world; a scope that was erased has none.
SELECT DISTINCT character, world FROM scopes WHERE character > '' ORDER BY character, world;

-- name: leaf_scopes
-- Scopes behind a place, that whose story went on last first, with all words in their names and within one of the bounds.
SELECT id FROM scopes
WHERE
    (latest_at, id) < (:latest_at, :id)
    AND version > 0
    AND (
        json_array_length(:within) = 0
        OR EXISTS (
            SELECT 1 FROM json_each(:within) AS bound
            WHERE
                ifnull(bound.value ->> 'user', user) = user
                AND ifnull(bound.value ->> 'character', character) = character
                AND ifnull(bound.value ->> 'world', world) = world
        )
    )
    AND NOT EXISTS (
        SELECT 1 FROM json_each(:words) AS word
        WHERE instr(lower(user || char(10) || character || char(10) || world), lower(word.value)) = 0
    )
ORDER BY latest_at DESC, id DESC LIMIT :limit;

-- name: leaf_few_scopes
-- The same where an index of the names tells which few they may be: those of some users, or those with a word.
SELECT id FROM scopes
WHERE
    id IN (
        SELECT id FROM scopes
        WHERE :few = 'users' AND user IN (SELECT value ->> 'user' FROM json_each(:within))
        UNION ALL
        SELECT id FROM scopes
        WHERE
            :few = 'word'
            AND instr(lower(user || char(10) || character || char(10) || world), lower(:word)) > 0
    )
    AND (latest_at, +id) < (:latest_at, :id)
    AND version > 0
    AND (
        json_array_length(:within) = 0
        OR EXISTS (
            SELECT 1 FROM json_each(:within) AS bound
            WHERE
                ifnull(bound.value ->> 'user', user) = user
                AND ifnull(bound.value ->> 'character', character) = character
                AND ifnull(bound.value ->> 'world', world) = world
        )
    )
    AND NOT EXISTS (
        SELECT 1 FROM json_each(:words) AS word
        WHERE instr(lower(user || char(10) || character || char(10) || world), lower(word.value)) = 0
    )
ORDER BY latest_at DESC, id DESC LIMIT :limit;

-- name: load_scope_names
-- Whose some scopes are.
SELECT id, user, character, world FROM scopes WHERE id IN (SELECT value FROM json_each(:ids));

-- name: sum_up_scopes
-- Some scopes with what is in them.
SELECT
    scopes.id, user, character, world, scopes.turn_number,
    (
        SELECT count(*) FROM memories
        WHERE id BETWEEN scopes.id << 24 AND scopes.id << 24 | 0xffffff AND retracted = 0 AND forgotten_at IS NULL
            AND faded_at IS NULL
            AND NOT (origin = 'reflection' AND content_type IN ('insight', 'summary', 'profile'))
    ),
    (
        SELECT count(*) FROM utterances JOIN turns ON turns.id = turn
        WHERE utterances.id BETWEEN scopes.id << 24 AND scopes.id << 24 | 0xffffff AND rewound = 0
    ),
    latest.at, latest.utc_offset
FROM scopes
LEFT JOIN operations AS latest ON latest.id = (
    SELECT id FROM operations
    WHERE scope_id = scopes.id AND undone = 0 AND kind <> 'rewind'
    ORDER BY at DESC LIMIT 1
)
WHERE scopes.id IN (SELECT value FROM json_each(:ids));

-- name: count_holdings
-- All that is kept of a scope beside its memories, what was taken back too.
SELECT
    (SELECT count(*) FROM turns WHERE id BETWEEN :low AND :high AND rewound = 0) AS turns,
    (SELECT count(*) FROM turns WHERE id BETWEEN :low AND :high AND rewound = 1) AS rewound,
    (SELECT count(*) FROM utterances WHERE id BETWEEN :low AND :high) AS utterances,
    (SELECT count(*) FROM things WHERE scope_id = :scope_id AND kind = 'entity') AS people,
    (SELECT count(*) FROM things WHERE scope_id = :scope_id AND kind = 'scene') AS scenes,
    (SELECT count(*) FROM operations WHERE id BETWEEN :low AND :high) AS operations,
    (SELECT count(*) FROM traces WHERE scope_id = :scope_id) AS traces,
    (
        SELECT count(*) FROM items LEFT JOIN memories ON memories.id = items.id
        WHERE items.id BETWEEN :low AND :high AND vector IS NULL AND in_force = 1 AND searchable = 1
            AND ifnull(instr(tags, '"rolling"'), 0) = 0
    ) AS unembedded,
    (
        SELECT count(*) FROM documents
        WHERE ifnull(record ->> '$.scope.user', '') = :user AND ifnull(record ->> '$.scope.character', '') = :character
            AND ifnull(record ->> '$.scope.world', '') = :world
    ) AS documents;

-- name: count_memories
-- The memories of a scope by type and state, those apart that upkeep concluded.
SELECT
    origin = 'reflection' AND content_type IN ('insight', 'summary', 'profile') AS concluded,
    content_type,
    CASE
        WHEN forgotten_at IS NOT NULL THEN 'forgotten'
        WHEN retracted = 1 OR faded_at IS NOT NULL OR invalid_at <= :present THEN 'past'
        ELSE 'current'
    END AS state,
    count(*)
FROM memories WHERE id BETWEEN :low AND :high
GROUP BY concluded, content_type, state
ORDER BY concluded, content_type, state;

-- name: erase_keywords
-- Take every word of a scope out of the keyword index.
DELETE FROM keywords WHERE rowid BETWEEN :low AND :high;

-- name: erase_staged_vectors
-- Drop what was gathered of a scope for another embedder.
DELETE FROM staged_vectors WHERE id BETWEEN :low AND :high;

-- name: erase_utterances
-- Drop what was said.
DELETE FROM utterances WHERE id BETWEEN :low AND :high;

-- name: erase_memories
-- Drop what is remembered.
DELETE FROM memories WHERE id BETWEEN :low AND :high;

-- name: erase_items
-- Drop the places in the indexes, with the vectors.
DELETE FROM items WHERE id BETWEEN :low AND :high;

-- name: erase_traces
-- Drop how turns came about.
DELETE FROM traces WHERE scope_id = :scope_id;

-- name: erase_turns
-- Drop the turns.
DELETE FROM turns WHERE id BETWEEN :low AND :high;

-- name: erase_candidates
-- Drop every claim that was weighed.
DELETE FROM candidates WHERE operation BETWEEN :low AND :high;

-- name: erase_changes
-- Drop what became of memories.
DELETE FROM changes WHERE operation BETWEEN :low AND :high;

-- name: erase_moves
-- Drop what became of things.
DELETE FROM moves WHERE operation BETWEEN :low AND :high;

-- name: erase_operations
-- Drop the journal.
DELETE FROM operations WHERE id BETWEEN :low AND :high;

-- name: erase_things
-- Drop the relationship, the people, the scenes.
DELETE FROM things WHERE scope_id = :scope_id;

-- name: erase_lease
-- Nobody does the upkeep of what is gone.
DELETE FROM leases WHERE scope_id = :scope_id;

-- name: erase_scope
-- Take its names from a scope. The row stays: to drop it, SQLite would look through all tables for what points there.
UPDATE scopes
SET user = '', character = '', world = char(1) || id, version = 0, turn_number = 0, operation_number = 0, latest_at = 0
WHERE id = :scope_id;

-- name: erase_answers
-- Drop answers that a server would repeat.
DELETE FROM kept_answers
WHERE ifnull(record ->> '$.scope.user', '') = :user AND ifnull(record ->> '$.scope.character', '') = :character
    AND ifnull(record ->> '$.scope.world', '') = :world;

-- name: erase_letters
-- Drop letters that are on their way.
DELETE FROM letters
WHERE ifnull(record ->> '$.scope.user', '') = :user AND ifnull(record ->> '$.scope.character', '') = :character
    AND ifnull(record ->> '$.scope.world', '') = :world;

-- name: erase_documents
-- Drop documents.
DELETE FROM documents
WHERE ifnull(record ->> '$.scope.user', '') = :user AND ifnull(record ->> '$.scope.character', '') = :character
    AND ifnull(record ->> '$.scope.world', '') = :world;

-- name: load_index
-- What a scope's searches hold in memory; not the story so far, which nobody searches for.
SELECT
    items.id, items.kind = 'memory', items.terms, marks,
    CASE coalesce(utterances.speaker, subject) WHEN 'user' THEN 0 WHEN 'character' THEN 1 ELSE 2 END,
    coalesce(utterances.at, valid_at), session, vector
FROM items
LEFT JOIN utterances ON utterances.id = items.id
LEFT JOIN memories ON memories.id = items.id
WHERE
    items.id BETWEEN :low AND :high AND searchable = 1
    AND ifnull(content_type = 'summary' AND instr(tags, '"rolling"') > 0, 0) = 0
ORDER BY items.id;

-- name: word_postings
-- Items with each of some words, once for each time it stands there, as one comma-separated text a word.
SELECT words.key, (
    SELECT group_concat(doc) FROM (
        SELECT doc FROM keyword_instances WHERE term = words.value AND doc BETWEEN :low AND :high LIMIT :most
    )
) FROM json_each(:words) AS words;

-- name: all_postings
-- The same for every word of a scope, in order.
SELECT term, group_concat(doc) FROM keyword_instances
WHERE term >= :start AND term < :beyond AND doc BETWEEN :low AND :high
GROUP BY term;

-- name: load_words
-- The words of some items as they were written.
SELECT rowid, terms FROM keywords WHERE rowid BETWEEN :low AND :high;

-- name: prefix_postings
-- The same for all longer words that begin alike.
SELECT words.key, (
    SELECT group_concat(doc) FROM (
        SELECT doc FROM keyword_instances
        WHERE term > words.value AND term < words.value || char(0x10ffff) AND doc BETWEEN :low AND :high LIMIT :most
    )
) FROM json_each(:words) AS words;

-- name: find_items
-- Items in force by their public ids, what they are, and whether searches see them.
SELECT public_id, id, kind, searchable FROM items
WHERE scope_id = :scope_id AND in_force = 1 AND public_id IN (SELECT value FROM json_each(:public_ids));

-- name: load_utterances
-- Utterances in force, each with its turn.
SELECT
    utterances.id, items.public_id, turns.public_id, speaker, text, utterances.at, utterances.utc_offset, position,
    utterances.session, turn
FROM utterances
JOIN items ON items.id = utterances.id
JOIN turns ON turns.id = turn
WHERE
    utterances.id IN (SELECT value FROM json_each(:ids))
    AND +utterances.id BETWEEN :low AND :high
    AND rewound = 0
ORDER BY utterances.id;

-- name: load_utterances_of_turns
-- The same of whole turns in force.
SELECT
    utterances.id, items.public_id, turns.public_id, speaker, text, utterances.at, utterances.utc_offset, position,
    utterances.session, turn
FROM utterances
JOIN items ON items.id = utterances.id
JOIN turns ON turns.id = turn
WHERE turn IN (SELECT value FROM json_each(:ids)) AND +turn BETWEEN :low AND :high AND rewound = 0
ORDER BY turn, position;

-- name: find_utterances_of_turns
-- What was said in some turns.
SELECT id FROM utterances
WHERE turn IN (SELECT value FROM json_each(:turns)) AND +id BETWEEN :low AND :high
ORDER BY turn, position;

-- name: load_memories
-- Whole memories, in the order that rows.memory_from takes them.
SELECT
    id, public_id, speaker, subject, subject_id, content, content_type, kind, attribute, value, surface, value_class,
    polarity, certainty, importance, emotion_intensity, strength, touched_turn, utc_offset, valid_at, invalid_at,
    known_at, recorded_at, retracted, forgotten_at, closed_by, mentions, uses, last_used_at, pinned, origin, extractor,
    sources, tags, details, channel, interpretation, pii_flags, version, faded_at, made_from, doubtful
FROM memories
WHERE id IN (SELECT value FROM json_each(:ids)) AND +id BETWEEN :low AND :high;

-- name: find_memories
-- Memories that fit a filter (NULL: does not narrow), by when they became true.
SELECT id FROM memories
WHERE
    id IN (
        SELECT id FROM memories WHERE :pinned IS 1 AND scope_id = :scope_id AND pinned = 1
        UNION ALL
        SELECT id FROM memories
        WHERE :pinned IS NOT 1 AND :doubtful IS 1 AND scope_id = :scope_id AND doubtful = 1
        UNION ALL
        SELECT id FROM memories
        WHERE
            :pinned IS NOT 1 AND :doubtful IS NOT 1 AND scope_id = :scope_id
            AND subject = :subject AND subject_id = :subject_id AND attribute = :attribute
        UNION ALL
        SELECT id FROM memories
        WHERE
            :pinned IS NOT 1 AND :doubtful IS NOT 1 AND :attribute IS NULL AND :touched_since IS NULL
            AND scope_id = :scope_id AND subject = :subject AND subject_id = :subject_id
        UNION ALL
        SELECT id FROM memories
        WHERE
            :pinned IS NOT 1 AND :doubtful IS NOT 1
            AND (:subject IS NULL OR :subject_id IS NULL)
            AND :touched_since IS NULL AND id BETWEEN :low AND :high
        UNION ALL
        SELECT id FROM memories
        WHERE
            :pinned IS NOT 1 AND :doubtful IS NOT 1
            AND (:subject IS NULL OR :subject_id IS NULL OR :attribute IS NULL)
            AND scope_id = :scope_id AND touched_turn >= :touched_since
    )
    AND (:pinned IS NULL OR pinned = :pinned)
    AND (:doubtful IS NULL OR doubtful = :doubtful)
    AND (:touched_since IS NULL OR touched_turn >= :touched_since)
    AND (:subject IS NULL OR subject = :subject)
    AND (:subject_id IS NULL OR subject_id = :subject_id)
    AND (:speaker IS NULL OR speaker = :speaker)
    AND (:content_type IS NULL OR content_type = :content_type)
    AND (:attribute IS NULL OR attribute = :attribute)
    AND (:learned_since IS NULL OR known_at >= :learned_since)
    AND (
        :loose IS NULL OR (pinned = 0 AND (attribute IS NULL OR doubtful = 1))
        OR (kind = 'episodic' AND mentions + uses >= :loose)
    )
    AND (:include_hidden OR (retracted = 0 AND forgotten_at IS NULL AND (:include_faded OR faded_at IS NULL)))
    AND (
        :current_at IS NULL OR (
            retracted = 0 AND forgotten_at IS NULL AND faded_at IS NULL
            AND valid_at <= :current_at AND (invalid_at IS NULL OR invalid_at > :current_at)
        )
    )
ORDER BY valid_at, known_at, public_id;

-- name: leaf_memories
-- Memories that fit a filter (NULL: does not narrow), the newest first.
SELECT id FROM memories
WHERE
    id BETWEEN :low AND :high
    AND (:pinned IS NULL OR pinned = :pinned)
    AND (:doubtful IS NULL OR doubtful = :doubtful)
    AND (:subject IS NULL OR subject = :subject)
    AND (:subject_id IS NULL OR subject_id = :subject_id)
    AND (:content_type IS NULL OR content_type = :content_type)
    AND (:attribute IS NULL OR attribute = :attribute)
    AND (:origin IS NULL OR origin = :origin)
    AND (:since IS NULL OR valid_at >= :since)
    AND (:until IS NULL OR valid_at < :until)
    AND (:pii IS NULL OR (pii_flags <> '[]') = :pii)
    AND CASE :state
        WHEN 'current' THEN
            retracted = 0 AND forgotten_at IS NULL AND faded_at IS NULL
            AND (invalid_at IS NULL OR invalid_at > :present)
        WHEN 'past' THEN
            forgotten_at IS NULL AND (retracted = 1 OR faded_at IS NOT NULL OR invalid_at <= :present)
        WHEN 'forgotten' THEN forgotten_at IS NOT NULL
        ELSE 1
    END
    AND (:longest IS NULL OR instr(lower(content), lower(:longest)) > 0)
    AND NOT EXISTS (
        SELECT 1 FROM json_each(:words) AS word WHERE instr(lower(content), lower(word.value)) = 0
    )
ORDER BY id DESC LIMIT :limit;

-- name: leaf_few_memories
-- The same where an index tells which few they may be: pinned, doubtful or forgotten ones, or those of one attribute.
SELECT id FROM memories
WHERE
    id IN (
        SELECT id FROM memories WHERE :few = 'pinned' AND scope_id = :scope_id AND pinned = 1
        UNION ALL
        SELECT id FROM memories WHERE :few = 'doubtful' AND scope_id = :scope_id AND doubtful = 1
        UNION ALL
        SELECT id FROM memories WHERE :few = 'forgotten' AND scope_id = :scope_id AND forgotten_at IS NOT NULL
        UNION ALL
        SELECT id FROM memories
        WHERE
            :few = 'attribute' AND scope_id = :scope_id
            AND subject = :subject AND subject_id = :subject_id AND attribute = :attribute
    )
    AND +id BETWEEN :low AND :high
    AND (:pinned IS NULL OR pinned = :pinned)
    AND (:doubtful IS NULL OR doubtful = :doubtful)
    AND (:subject IS NULL OR subject = :subject)
    AND (:subject_id IS NULL OR subject_id = :subject_id)
    AND (:content_type IS NULL OR content_type = :content_type)
    AND (:attribute IS NULL OR attribute = :attribute)
    AND (:origin IS NULL OR origin = :origin)
    AND (:since IS NULL OR valid_at >= :since)
    AND (:until IS NULL OR valid_at < :until)
    AND (:pii IS NULL OR (pii_flags <> '[]') = :pii)
    AND CASE :state
        WHEN 'current' THEN
            retracted = 0 AND forgotten_at IS NULL AND faded_at IS NULL
            AND (invalid_at IS NULL OR invalid_at > :present)
        WHEN 'past' THEN
            forgotten_at IS NULL AND (retracted = 1 OR faded_at IS NOT NULL OR invalid_at <= :present)
        WHEN 'forgotten' THEN forgotten_at IS NOT NULL
        ELSE 1
    END
    AND (:longest IS NULL OR instr(lower(content), lower(:longest)) > 0)
    AND NOT EXISTS (
        SELECT 1 FROM json_each(:words) AS word WHERE instr(lower(content), lower(word.value)) = 0
    )
ORDER BY id DESC LIMIT :limit;

-- name: leaf_story
-- The same by when they became true, the latest first; below a place that was reached (NULL: from the end on).
SELECT id FROM memories
WHERE
    id BETWEEN :low AND :high
    AND (:pinned IS NULL OR pinned = :pinned)
    AND (:doubtful IS NULL OR doubtful = :doubtful)
    AND (:subject IS NULL OR subject = :subject)
    AND (:subject_id IS NULL OR subject_id = :subject_id)
    AND (:content_type IS NULL OR content_type = :content_type)
    AND (:attribute IS NULL OR attribute = :attribute)
    AND (:origin IS NULL OR origin = :origin)
    AND (:since IS NULL OR valid_at >= :since)
    AND (:until IS NULL OR valid_at < :until)
    AND (:pii IS NULL OR (pii_flags <> '[]') = :pii)
    AND CASE :state
        WHEN 'current' THEN
            retracted = 0 AND forgotten_at IS NULL AND faded_at IS NULL
            AND (invalid_at IS NULL OR invalid_at > :present)
        WHEN 'past' THEN
            forgotten_at IS NULL AND (retracted = 1 OR faded_at IS NOT NULL OR invalid_at <= :present)
        WHEN 'forgotten' THEN forgotten_at IS NOT NULL
        ELSE 1
    END
    AND (:longest IS NULL OR instr(lower(content), lower(:longest)) > 0)
    AND NOT EXISTS (
        SELECT 1 FROM json_each(:words) AS word WHERE instr(lower(content), lower(word.value)) = 0
    )
    AND (:before_at IS NULL OR (valid_at, id) < (:before_at, :before_id))
ORDER BY valid_at DESC, id DESC LIMIT :limit;

-- name: count_leaves
-- How many of the same became true in each quarter of an hour: in no time zone does a month begin within one.
SELECT valid_at / 900000000 - (valid_at % 900000000 < 0) AS quarter, count(*) FROM memories
WHERE
    id BETWEEN :low AND :high
    AND (:pinned IS NULL OR pinned = :pinned)
    AND (:doubtful IS NULL OR doubtful = :doubtful)
    AND (:subject IS NULL OR subject = :subject)
    AND (:subject_id IS NULL OR subject_id = :subject_id)
    AND (:content_type IS NULL OR content_type = :content_type)
    AND (:attribute IS NULL OR attribute = :attribute)
    AND (:origin IS NULL OR origin = :origin)
    AND (:since IS NULL OR valid_at >= :since)
    AND (:until IS NULL OR valid_at < :until)
    AND (:pii IS NULL OR (pii_flags <> '[]') = :pii)
    AND CASE :state
        WHEN 'current' THEN
            retracted = 0 AND forgotten_at IS NULL AND faded_at IS NULL
            AND (invalid_at IS NULL OR invalid_at > :present)
        WHEN 'past' THEN
            forgotten_at IS NULL AND (retracted = 1 OR faded_at IS NOT NULL OR invalid_at <= :present)
        WHEN 'forgotten' THEN forgotten_at IS NOT NULL
        ELSE 1
    END
    AND (:longest IS NULL OR instr(lower(content), lower(:longest)) > 0)
    AND NOT EXISTS (
        SELECT 1 FROM json_each(:words) AS word WHERE instr(lower(content), lower(word.value)) = 0
    )
GROUP BY quarter ORDER BY quarter;

-- name: count_subjects
-- Whom memories are about, and how many each, forgotten ones too.
SELECT subject, subject_id, count(*) FROM memories WHERE scope_id = :scope_id
GROUP BY subject, subject_id ORDER BY count(*) DESC, subject, subject_id;

-- name: find_closed_by
-- What a memory took the place of.
SELECT id FROM memories WHERE scope_id = :scope_id AND closed_by = :memory_id ORDER BY valid_at, known_at, public_id;

-- name: find_memories_about
-- Of some subjects, all values of some attributes and some values of any, and what these memories closed; by topic.
WITH about AS MATERIALIZED (
    SELECT asked.key AS place, memories.id, public_id FROM json_each(:topics) AS asked
    CROSS JOIN json_each(asked.value, '$[2]') AS name
    CROSS JOIN memories ON scope_id = :scope_id AND subject = asked.value ->> 0 AND subject_id = asked.value ->> 1
        AND attribute = name.value
    UNION ALL
    SELECT asked.key, memories.id, public_id FROM json_each(:topics) AS asked
    CROSS JOIN json_each(asked.value, '$[2]') AS name
    CROSS JOIN memories ON scope_id = :scope_id AND subject = asked.value ->> 0 AND subject_id = asked.value ->> 1
        AND attribute > name.value AND attribute < name.value || char(0x10ffff)
    WHERE name.value LIKE '%.'
    UNION ALL
    SELECT asked.key, memories.id, public_id FROM json_each(:topics) AS asked
    CROSS JOIN json_each(asked.value, '$[3]') AS said
    CROSS JOIN memories ON scope_id = :scope_id AND subject = asked.value ->> 0 AND subject_id = asked.value ->> 1
        AND memories.value = said.value
    WHERE attribute IS NOT NULL
)
SELECT place, id FROM about
UNION ALL
SELECT place, memories.id FROM about
CROSS JOIN memories ON scope_id = :scope_id AND closed_by = about.public_id;

-- name: find_concluded
-- What upkeep made of memories and has not let go of.
SELECT id FROM memories
WHERE
    scope_id = :scope_id AND origin = 'reflection' AND retracted = 0 AND forgotten_at IS NULL AND faded_at IS NULL;

-- name: find_mentioned
-- Current facts about the user whose value, or its words, stand in a text; ASCII letters in either case.
SELECT id FROM memories
WHERE
    scope_id = :scope_id AND subject = 'user' AND subject_id = 'user' AND attribute IS NOT NULL
    AND polarity = '+' AND retracted = 0 AND forgotten_at IS NULL AND faded_at IS NULL AND invalid_at IS NULL
    AND (instr(lower(:text), lower(value)) > 0 OR instr(lower(:text), lower(surface)) > 0)
LIMIT :limit;

-- name: find_nameable
-- Current facts about the user, with what names them.
SELECT id, value, surface FROM memories
WHERE
    scope_id = :scope_id AND subject = 'user' AND subject_id = 'user' AND attribute IS NOT NULL
    AND polarity = '+' AND retracted = 0 AND forgotten_at IS NULL AND faded_at IS NULL AND invalid_at IS NULL;

-- name: find_people
-- Visible memories about others, by their names.
SELECT subject_id, id FROM memories
WHERE scope_id = :scope_id AND subject = 'other' AND retracted = 0 AND forgotten_at IS NULL AND faded_at IS NULL
ORDER BY subject_id;

-- name: find_touching
-- Current memories about somebody or that name them, and what some closed: the weightiest of each, the weightiest first.
WITH told (id) AS (
    SELECT id FROM (
        SELECT memories.id FROM json_each(:subjects) AS asked
        CROSS JOIN memories ON scope_id = :scope_id AND subject = asked.value ->> 0 AND subject_id = asked.value ->> 1
        WHERE
            valid_at <= :present AND (invalid_at IS NULL OR invalid_at > :present)
            AND retracted = 0 AND forgotten_at IS NULL AND faded_at IS NULL
            AND content_type NOT IN (SELECT value FROM json_each(:without))
            AND (:relations IS NULL OR ifnull(attribute, content_type) IN (SELECT value FROM json_each(:relations)))
        ORDER BY pinned DESC, importance * strength DESC, touched_turn DESC, memories.id DESC LIMIT :limit
    )
    UNION
    SELECT id FROM (
        SELECT id FROM memories
        WHERE
            :names <> '[]' AND id BETWEEN :low AND :high
            AND valid_at <= :present AND (invalid_at IS NULL OR invalid_at > :present)
            AND retracted = 0 AND forgotten_at IS NULL AND faded_at IS NULL
            AND content_type NOT IN (SELECT value FROM json_each(:without))
            AND EXISTS (SELECT 1 FROM json_each(:names) AS name WHERE instr(content, name.value) > 0)
        ORDER BY pinned DESC, importance * strength DESC, touched_turn DESC, id DESC LIMIT :limit
    )
    UNION
    SELECT memories.id FROM json_each(:closers) AS closer
    CROSS JOIN memories ON scope_id = :scope_id AND closed_by = closer.value
    WHERE
        retracted = 0 AND forgotten_at IS NULL AND faded_at IS NULL
        AND content_type NOT IN (SELECT value FROM json_each(:without))
)
SELECT memories.id FROM told
CROSS JOIN memories ON memories.id = told.id
ORDER BY pinned DESC, importance * strength DESC, touched_turn DESC, memories.id DESC LIMIT :limit;

-- name: count_relations
-- What current memories about somebody tell, and how many of them tell it.
SELECT ifnull(attribute, content_type) AS relation, count(*) FROM json_each(:subjects) AS asked
CROSS JOIN memories ON scope_id = :scope_id AND subject = asked.value ->> 0 AND subject_id = asked.value ->> 1
WHERE
    valid_at <= :present AND (invalid_at IS NULL OR invalid_at > :present)
    AND retracted = 0 AND forgotten_at IS NULL AND faded_at IS NULL
GROUP BY relation ORDER BY count(*) DESC, relation;

-- name: find_read_from
-- Memories whose id begins with an utterance's: "-" and "." are neighbours. CROSS keeps SQLite from reading all items.
SELECT said.value, items.id
FROM json_each(:utterance_ids) AS said
CROSS JOIN items
    ON items.scope_id = :scope_id AND items.in_force = 1
    AND items.public_id > said.value || '-' AND items.public_id < said.value || '.'
WHERE items.kind = 'memory';

-- name: find_forgotten_words
-- The utterances that forgotten memories were read from, and those of the same turns that repeat what they told.
WITH told (utterance_id, value, surface) AS (
    SELECT source.value, memories.value, memories.surface
    FROM memories, json_each(memories.sources) AS source
    WHERE memories.scope_id = :scope_id AND memories.forgotten_at IS NOT NULL AND extractor NOT LIKE 'upkeep/%'
)
SELECT utterance_id FROM told
UNION ALL
SELECT repeating.public_id
FROM told
CROSS JOIN items AS source
    ON source.scope_id = :scope_id AND source.public_id = told.utterance_id AND source.in_force = 1
CROSS JOIN utterances AS said ON said.id = source.id
CROSS JOIN utterances AS beside ON beside.turn = said.turn AND beside.id <> said.id
CROSS JOIN items AS repeating ON repeating.id = beside.id
WHERE
    (length(told.value) > 1 AND instr(beside.text, told.value) > 0)
    OR (length(told.surface) > 1 AND instr(beside.text, told.surface) > 0);

-- name: all_things
-- Everything.
SELECT kind, public_id, record FROM things WHERE scope_id = :scope_id ORDER BY kind, public_id;

-- name: things_of_kind
-- Everything of a kind.
SELECT kind, public_id, record FROM things WHERE scope_id = :scope_id AND kind = :kind ORDER BY public_id;

-- name: things_by_key
-- Some things of a kind.
SELECT kind, public_id, record FROM json_each(:keys) AS asked
CROSS JOIN things ON scope_id = :scope_id AND kind = asked.value ->> 0 AND public_id = asked.value ->> 1;

-- name: names_of_people
-- Every name that an entity goes by, and its kind.
SELECT face.value ->> 'name', ifnull(face.value ->> 'kind', 'person')
FROM things, json_each(record, '$.faces') AS face
WHERE scope_id = :scope_id AND things.kind = 'entity';

-- name: last_things
-- The things of a kind with the highest ids, the highest first.
SELECT kind, public_id, record FROM things WHERE scope_id = :scope_id AND kind = :kind
ORDER BY public_id DESC LIMIT :limit;

-- name: moves_of_kind
-- What became of the things of a kind, by operations in force below a number, newest first.
SELECT moves.kind, moves.public_id, before, after, causes, operations.turn_id, at, utc_offset, turn_number, operations.id
FROM operations
CROSS JOIN moves ON operation = operations.id
WHERE operations.id BETWEEN :low AND :high AND undone = 0 AND moves.kind = :kind
ORDER BY operations.id DESC, position DESC LIMIT :limit;

-- name: moves_of_thing
-- The same for one thing, by its index: few operations speak of it.
SELECT moves.kind, moves.public_id, before, after, causes, operations.turn_id, at, utc_offset, turn_number, operations.id
FROM moves
CROSS JOIN operations ON operations.id = operation
WHERE moves.kind = :kind AND moves.public_id = :public_id AND operation BETWEEN :low AND :high AND undone = 0
ORDER BY operation DESC, position DESC LIMIT :limit;

-- name: turning_moves
-- Those of one thing in which some part of it became another, in order. What stayed is left out of "before".
SELECT moves.kind, moves.public_id, before, after, causes, operations.turn_id, at, utc_offset, turn_number, operations.id
FROM moves
CROSS JOIN operations ON operations.id = operation
WHERE
    moves.kind = :kind AND moves.public_id = :public_id AND operation BETWEEN :low AND :high AND undone = 0
    AND (
        before IS NULL OR after IS NULL OR EXISTS (
            SELECT 1 FROM json_each(:parts) AS part
            WHERE
                json_type(before, '$.' || (part.value ->> 0)) IS NOT NULL
                AND before -> ('$.' || (part.value ->> 1)) IS NOT after -> ('$.' || (part.value ->> 1))
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
    FROM json_each(:public_ids) AS asked
    CROSS JOIN moves ON moves.kind = :kind AND moves.public_id = asked.value AND operation BETWEEN :low AND :high
    CROSS JOIN operations ON operations.id = operation AND undone = 0
)
SELECT moves.kind, moves.public_id, before, after, causes, operations.turn_id, at, utc_offset, turn_number, operations.id
FROM counted
CROSS JOIN moves ON moves.operation = counted.operation AND moves.position = counted.position
CROSS JOIN operations ON operations.id = moves.operation
WHERE place = last OR place % max((last + :most - 2) / (:most - 1), 1) = 0
ORDER BY moves.operation, moves.position;

-- name: noticed_since
-- What was noticed in the turns in force between two, newest first.
SELECT turn_id, turn_number, at, utc_offset, request ->> '$.noticed'
FROM operations
WHERE
    id BETWEEN :low AND :high AND kind IN ('observe', 'read') AND undone = 0
    AND turn_number > :since AND (:before IS NULL OR turn_number < :before) AND request ->> '$.noticed' IS NOT NULL
ORDER BY id DESC LIMIT :limit;

-- name: load_vectors
-- The vectors of some items.
SELECT public_id, vector FROM items
WHERE scope_id = :scope_id AND in_force = 1 AND vector IS NOT NULL
    AND public_id IN (SELECT value FROM json_each(:public_ids));

-- name: count_for_upkeep
-- What came in since two turns, and when the first one was said.
SELECT
    (
        SELECT count(*) FROM memories
        WHERE
            scope_id = :scope_id AND touched_turn > :learned_since AND origin <> 'reflection'
            AND retracted = 0 AND forgotten_at IS NULL AND faded_at IS NULL
    ),
    (
        SELECT ifnull(sum(length(text)), 0) FROM turns
        CROSS JOIN utterances ON utterances.turn = turns.id
        WHERE turns.scope_id = :scope_id AND rewound = 0 AND number > :said_since
    ),
    (SELECT at FROM turns WHERE scope_id = :scope_id AND rewound = 0 AND number = 1),
    (SELECT utc_offset FROM turns WHERE scope_id = :scope_id AND rewound = 0 AND number = 1);

-- name: believed_at
-- Every memory as the last operation in force at or before a moment left it.
SELECT after FROM (
    SELECT after, max((operation & 0xffffff) << 24 | position)
    FROM operations
    JOIN changes ON operation = operations.id
    WHERE scope_id = :scope_id AND at <= :moment AND undone = 0 AND kind <> 'rewind'
    GROUP BY memory_id
)
WHERE after IS NOT NULL;

-- name: find_changes_of_memory
-- Where in the journal a memory changed, oldest first.
SELECT operation, position FROM changes JOIN operations ON operations.id = operation
WHERE memory_id = :memory_id AND operation BETWEEN :low AND :high AND undone = 0
ORDER BY operation, position;

-- name: count_heard
-- How often each of some sayings was claimed, in operations in force; what a model made up was never heard.
SELECT asked.key, count(*) FROM json_each(:sayings) AS asked
CROSS JOIN candidates
    ON said IS asked.value ->> 3 AND attribute IS asked.value ->> 2
    AND candidates.subject_id = asked.value ->> 1 AND subject = asked.value ->> 0
    AND operation BETWEEN :low AND :high
CROSS JOIN operations ON operations.id = operation
WHERE undone = 0 AND claim ->> 'flaw' IS NULL
GROUP BY asked.key;

-- name: find_turn
-- The turn in force with a public id.
SELECT id FROM turns WHERE scope_id = :scope_id AND public_id = :public_id AND rewound = 0;

-- name: find_last_turns
-- The newest turns in force below a number, newest first.
SELECT id FROM turns
WHERE scope_id = :scope_id AND rewound = 0 AND number < :before
ORDER BY number DESC LIMIT :limit;

-- name: find_turns_of
-- The newest turns in force of a session or a channel (NULL: does not narrow), newest first.
SELECT id FROM turns
WHERE
    scope_id = :scope_id AND rewound = 0
    AND (:session IS NULL OR session = :session) AND (:channel IS NULL OR channel = :channel)
ORDER BY number DESC LIMIT :limit;

-- name: find_unread_turns
-- Turns still to be read, oldest first.
SELECT id FROM turns
WHERE scope_id = :scope_id AND unread = 1 AND rewound = 0
ORDER BY number LIMIT :limit;

-- name: find_unread_turn
-- A turn, if it is still to be read.
SELECT id FROM turns
WHERE scope_id = :scope_id AND public_id = :public_id AND unread = 1 AND rewound = 0;

-- name: find_open_turns
-- Turns that a model is to read, oldest first.
SELECT id FROM turns
WHERE scope_id = :scope_id AND left_open = 1 AND rewound = 0
ORDER BY number LIMIT :limit;

-- name: load_turns
-- Turns without their utterances.
SELECT id, public_id, number, session, channel, present, at, utc_offset, recorded_at, cut_off FROM turns
WHERE id IN (SELECT value FROM json_each(:ids)) AND +id BETWEEN :low AND :high
ORDER BY number;

-- name: find_operation_of_turn
-- The operation in force that observed a turn.
SELECT id FROM operations
WHERE scope_id = :scope_id AND turn_id = :turn_id AND undone = 0 AND kind = 'observe'
ORDER BY id LIMIT 1;

-- name: find_operations
-- The journal from a number on.
SELECT id FROM operations
WHERE id BETWEEN :first AND :high AND (:undone_too OR (undone = 0 AND kind <> 'rewind'))
ORDER BY id LIMIT :limit;

-- name: find_last_operations
-- The newest operations below one, undone ones and rewinds too.
SELECT id FROM operations WHERE id >= :low AND id < :before ORDER BY id DESC LIMIT :limit;

-- name: find_arrived
-- The operations from a number on that an import gave their ids, undone and erased ones too.
SELECT id, public_id FROM operations
WHERE id BETWEEN :first AND :high AND substr(public_id, 1, 7) = 'import-'
ORDER BY id;

-- name: load_operations
-- Operations without their claims and changes.
SELECT
    id, public_id, kind, turn_id, at, utc_offset, recorded_at, turn_number, channel, who, why, request, undone,
    upkeep
FROM operations
WHERE id IN (SELECT value FROM json_each(:ids)) AND +id BETWEEN :low AND :high
ORDER BY id;

-- name: load_candidates
-- The claims of operations, and what became of each.
SELECT operation, claim, decision, why, promotion, changes FROM candidates
WHERE operation IN (SELECT value FROM json_each(:ids))
ORDER BY operation, position;

-- name: load_moves
-- What operations made of things.
SELECT operation, kind, public_id, before, after, causes FROM moves
WHERE operation IN (SELECT value FROM json_each(:ids))
ORDER BY operation, position;

-- name: load_changes
-- What operations changed.
SELECT operation, before, after FROM changes
WHERE operation IN (SELECT value FROM json_each(:ids))
ORDER BY operation, position;

-- name: delete_old_traces
-- Leave the newest traces of a scope.
DELETE FROM traces WHERE scope_id = :scope_id AND turn <= (
    SELECT turn FROM traces WHERE scope_id = :scope_id ORDER BY turn DESC LIMIT 1 OFFSET :left
);

-- name: delete_trace
-- A turn is taken back; how it came about is nobody's business any more.
DELETE FROM traces WHERE turn = :turn;

-- name: find_trace
-- How a turn in force came about.
SELECT traces.record FROM turns JOIN traces ON traces.turn = turns.id
WHERE turns.scope_id = :scope_id AND turns.public_id = :public_id AND turns.rewound = 0;

-- name: set_turn_unread
-- A turn that was kept unread has been read now, or its reading was undone.
UPDATE turns SET unread = :unread WHERE scope_id = :scope_id AND public_id = :public_id AND rewound = 0;

-- name: close_turn
-- A model has read a turn that was left open.
UPDATE turns SET left_open = 0 WHERE scope_id = :scope_id AND public_id = :public_id AND rewound = 0;

-- name: rewind_turn
-- Take a turn out of the story; its public id is free again.
UPDATE turns SET rewound = 1 WHERE scope_id = :scope_id AND public_id = :public_id AND rewound = 0
RETURNING id, number;

-- name: close_gap
-- Move the turns behind one that was rewound.
UPDATE turns SET number = number - 1 WHERE scope_id = :scope_id AND rewound = 0 AND number > :number;

-- name: show_item
-- Let searches see a memory, or no longer.
UPDATE items SET searchable = :searchable WHERE id = :id;

-- name: set_item_index
-- Note how many terms an item has, its marks and its vector.
UPDATE items SET terms = :terms, marks = :marks, vector = :vector WHERE id = :id;

-- name: rewind_item
-- Take an utterance out of every index for good.
UPDATE items SET in_force = 0, searchable = 0, terms = 0, vector = NULL WHERE id = :id;

-- name: delete_item
-- Remove a memory's place in the indexes.
DELETE FROM items WHERE id = :id;

-- name: delete_keywords
-- Take an item's terms out of the index.
DELETE FROM keywords WHERE rowid = :id;

-- name: delete_memory
-- Remove a memory; the journal still knows it.
DELETE FROM memories WHERE id = :id;

-- name: revise_operation
-- Note what a rewind made of an earlier operation.
UPDATE operations SET turn_number = :turn_number, undone = :undone, upkeep = :upkeep
WHERE id = :id AND public_id = :public_id
RETURNING id;

-- name: delete_candidates
-- Make room for an operation's new outcome.
DELETE FROM candidates WHERE operation = :operation;

-- name: delete_changes
-- Make room for an operation's new outcome.
DELETE FROM changes WHERE operation = :operation;

-- name: put_thing
-- Keep a thing as it is now.
INSERT OR REPLACE INTO things (scope_id, kind, public_id, record) VALUES (:scope_id, :kind, :public_id, :record);

-- name: delete_thing
-- Remove a thing; the journal still knows it.
DELETE FROM things WHERE scope_id = :scope_id AND kind = :kind AND public_id = :public_id;

-- name: delete_moves
-- Make room for an operation's new outcome.
DELETE FROM moves WHERE operation = :operation;

-- name: take_lease
-- Hold a scope's upkeep until a moment, unless somebody else does; one who holds it twice as long has another clock.
INSERT INTO leases (scope_id, holder, until) VALUES (:scope_id, :holder, :until)
ON CONFLICT (scope_id) DO UPDATE SET holder = excluded.holder, until = excluded.until
WHERE leases.holder = excluded.holder OR leases.until <= :now OR leases.until - :now > 2 * (excluded.until - :now)
RETURNING holder;

-- name: drop_lease
-- Let go of a scope's upkeep.
DELETE FROM leases WHERE scope_id = :scope_id AND holder = :holder;

-- name: insert_bank
-- Note whose vectors a new bank holds.
INSERT INTO bank (id, embedder, dimension) VALUES (1, :embedder, :dimension);

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
SELECT count(*) FROM items WHERE in_force = 1 AND id NOT IN (SELECT id FROM staged_vectors);

-- name: count_unembedded
-- Items that have no vector.
SELECT count(*) FROM items WHERE vector IS NULL AND in_force = 1;

-- name: find_unstaged
-- The next items without a vector of the next embedder, with the words they are found by.
SELECT items.id,
    CASE WHEN subject = 'other' AND instr(content, subject_id) = 0 THEN subject_id || ' ' || content
    ELSE ifnull(content, text) END
FROM items
LEFT JOIN memories ON memories.id = items.id
LEFT JOIN utterances ON utterances.id = items.id
WHERE items.id > :after AND in_force = 1
    AND NOT EXISTS (SELECT 1 FROM staged_vectors WHERE staged_vectors.id = items.id)
ORDER BY items.id LIMIT :limit;

-- name: find_unembedded
-- The next items without a vector, with the words they are found by.
SELECT items.id,
    CASE WHEN subject = 'other' AND instr(content, subject_id) = 0 THEN subject_id || ' ' || content
    ELSE ifnull(content, text) END
FROM items
LEFT JOIN memories ON memories.id = items.id
LEFT JOIN utterances ON utterances.id = items.id
WHERE items.id > :after AND vector IS NULL AND in_force = 1
ORDER BY items.id LIMIT :limit;

-- name: find_vectorless
-- The scope's next items that can be searched for and have no vector, with the words they are found by.
SELECT items.id,
    CASE WHEN subject = 'other' AND instr(content, subject_id) = 0 THEN subject_id || ' ' || content
    ELSE ifnull(content, text) END
FROM items
LEFT JOIN memories ON memories.id = items.id
LEFT JOIN utterances ON utterances.id = items.id
WHERE items.id BETWEEN :low AND :high AND vector IS NULL AND in_force = 1 AND searchable = 1
    AND ifnull(instr(tags, '"rolling"'), 0) = 0
ORDER BY items.id LIMIT :limit;

-- name: stage_vector
-- Gather a vector of the next embedder; the item may be gone by now.
INSERT OR REPLACE INTO staged_vectors (id, vector) SELECT id, :vector FROM items WHERE id = :id AND in_force = 1;

-- name: unstage_vector
-- Drop a vector whose item has other words now.
DELETE FROM staged_vectors WHERE id = :id;

-- name: fill_vector
-- Give an item the vector it lacked.
UPDATE items SET vector = :vector WHERE id = :id AND vector IS NULL AND in_force = 1 RETURNING scope_id;

-- name: move_index_epoch
-- Let every process load this scope's index again.
UPDATE scopes SET index_epoch = index_epoch + 1 WHERE id = :scope_id;

-- name: switch_vectors
-- Put the gathered vectors in place.
UPDATE items SET vector = (SELECT staged_vectors.vector FROM staged_vectors WHERE staged_vectors.id = items.id)
WHERE in_force = 1;

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
    (SELECT count(*) FROM scopes WHERE version > 0) AS scopes,
    (SELECT count(*) FROM turns WHERE rewound = 0) AS turns,
    (SELECT count(*) FROM items WHERE kind = 'utterance' AND in_force = 1) AS utterances,
    (SELECT count(*) FROM memories WHERE retracted = 0 AND forgotten_at IS NULL AND faded_at IS NULL) AS memories,
    (SELECT count(*) FROM operations) AS operations,
    (
        SELECT count(*) FROM items LEFT JOIN memories ON memories.id = items.id
        WHERE vector IS NULL AND in_force = 1 AND searchable = 1 AND ifnull(instr(tags, '"rolling"'), 0) = 0
    ) AS unembedded;

-- name: find_inconsistencies
-- What SQLite cannot check by itself, one sentence for each.
SELECT 'item ' || id || ' has no text' FROM items
WHERE id NOT IN (SELECT id FROM memories) AND id NOT IN (SELECT id FROM utterances)
UNION ALL
SELECT 'item ' || id || ' is outside its scope' FROM items WHERE id >> 24 <> scope_id
UNION ALL
SELECT 'item ' || id || ' has ' || terms || ' terms but no keywords' FROM items
WHERE terms > 0 AND id NOT IN (SELECT rowid FROM keywords)
UNION ALL
SELECT 'keywords of item ' || rowid || ', which is gone' FROM keywords
WHERE rowid NOT IN (SELECT id FROM items WHERE in_force = 1)
UNION ALL
SELECT 'the vectors of item ' || items.id || ' hold ' || (length(vector) / 2) || ' numbers' FROM items, bank
WHERE length(vector) = 0 OR length(vector) % (2 * dimension) <> 0
UNION ALL
SELECT 'utterance ' || utterances.id || ' and its turn disagree on whether they were rewound' FROM utterances
JOIN turns ON turns.id = turn
JOIN items ON items.id = utterances.id
WHERE rewound = in_force OR rewound = searchable
UNION ALL
SELECT 'memory ' || memories.id || ' is hidden from or shown to searches wrongly' FROM memories
JOIN items ON items.id = memories.id
WHERE searchable = (retracted OR forgotten_at IS NOT NULL OR faded_at IS NOT NULL)
UNION ALL
SELECT 'turns of scope ' || scopes.id || ' are misnumbered' FROM scopes
WHERE turn_number <> (SELECT count(*) FROM turns WHERE scope_id = scopes.id AND rewound = 0)
    OR turn_number <> (SELECT ifnull(max(number), 0) FROM turns WHERE scope_id = scopes.id AND rewound = 0)
UNION ALL
SELECT 'turn ' || turns.id || ' has no operation' FROM turns
WHERE rewound = 0 AND NOT EXISTS (
    SELECT 1 FROM operations
    WHERE operations.scope_id = turns.scope_id AND turn_id = turns.public_id AND undone = 0
);

-- name: add_model_call
-- Count a call of a model.
INSERT INTO model_calls (day, task, model, failure, calls, seconds, prompt_tokens, answer_tokens, cost)
VALUES (:day, :task, :model, :failure, 1, :seconds, :prompt_tokens, :answer_tokens, :cost)
ON CONFLICT (day, task, model, failure) DO UPDATE SET
    calls = calls + 1,
    seconds = seconds + excluded.seconds,
    prompt_tokens = prompt_tokens + excluded.prompt_tokens,
    answer_tokens = answer_tokens + excluded.answer_tokens,
    cost = cost + excluded.cost;

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
ON CONFLICT (day, key_id) DO UPDATE SET uses = uses + excluded.uses;

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
SELECT id, vector FROM items WHERE id BETWEEN :low AND :high AND vector IS NOT NULL;

-- name: list_scope_marks
-- Where every scope stands, for whoever asks what has changed, be it only who has read it.
SELECT user, character, world, id, version + ifnull(length, 0), index_epoch, ifnull(head, '')
FROM scopes LEFT JOIN chains ON scope_id = id
WHERE version > 0
ORDER BY id;

-- name: find_last_turn
-- The last turn of a scope that is in force.
SELECT public_id, recorded_at FROM turns
WHERE scope_id = :scope_id AND rewound = 0
ORDER BY number DESC
LIMIT 1;

-- name: restore_scope
-- Set the counters of a scope that was copied.
UPDATE scopes
SET
    version = :version, next_seq = :next_seq, turn_number = :turn_number, operation_number = :operation_number,
    index_epoch = :index_epoch, latest_at = :latest_at
WHERE id = :scope_id;

-- name: put_provision
-- Lay something down for a scope.
INSERT INTO provisions (scope_id, kind, record) VALUES (:scope_id, :kind, :record)
ON CONFLICT (scope_id, kind) DO UPDATE SET record = excluded.record;

-- name: drop_provision
-- Take back what was laid down for a scope.
DELETE FROM provisions WHERE scope_id = :scope_id AND kind = :kind;

-- name: erase_provisions
-- Nothing is laid down for what is gone.
DELETE FROM provisions WHERE scope_id = :scope_id;

-- name: move_scope
-- Let everybody look at a scope anew.
UPDATE scopes SET version = version + 1 WHERE id = :scope_id;

-- name: first_known
-- When the oldest visible memory of each type was learned.
SELECT content_type, min(known_at) FROM memories
WHERE id BETWEEN :low AND :high AND retracted = 0 AND forgotten_at IS NULL AND faded_at IS NULL
GROUP BY content_type;

-- name: rewrite_operation
-- Write what was asked, and what is told of it, anew; its outcome stands elsewhere.
UPDATE operations
SET request = :request, why = :why, turn_id = :turn_id, channel = :channel, upkeep = :upkeep, undone = :undone
WHERE id = :id;

-- name: find_taken_back
-- All that was said in turns that were taken back.
SELECT turns.id, turns.public_id, turns.session, turns.at, turns.utc_offset, items.public_id, text
FROM turns
CROSS JOIN utterances ON utterances.turn = turns.id
CROSS JOIN items ON items.id = utterances.id
WHERE turns.scope_id = :scope_id AND rewound = 1
ORDER BY turns.id, position;

-- name: find_turns_taken_back
-- Turns that were taken back, by their public ids.
SELECT id FROM turns
WHERE id BETWEEN :low AND :high AND rewound = 1 AND public_id IN (SELECT value FROM json_each(:public_ids));

-- name: blank_utterance
-- Put other words in the place of what was said.
UPDATE utterances SET text = :text WHERE id = :id;

-- name: delete_utterance
-- Drop what was said.
DELETE FROM utterances WHERE id = :id;

-- name: delete_turn
-- Drop a turn that was taken back.
DELETE FROM turns WHERE id = :id AND rewound = 1;

-- name: documents_of_scope
-- The documents of a scope.
SELECT namespace, key, record FROM documents
WHERE ifnull(record ->> '$.scope.user', '') = :user AND ifnull(record ->> '$.scope.character', '') = :character
    AND ifnull(record ->> '$.scope.world', '') = :world;

-- name: count_sendings
-- Answers that a server would repeat to a scope, and letters about it that are on their way.
SELECT
    (
        SELECT count(*) FROM kept_answers
        WHERE ifnull(record ->> '$.scope.user', '') = :user
            AND ifnull(record ->> '$.scope.character', '') = :character
            AND ifnull(record ->> '$.scope.world', '') = :world
    ) AS answers,
    (
        SELECT count(*) FROM letters
        WHERE ifnull(record ->> '$.scope.user', '') = :user
            AND ifnull(record ->> '$.scope.character', '') = :character
            AND ifnull(record ->> '$.scope.world', '') = :world
    ) AS letters;

-- name: put_certificate
-- Keep what remains of an erasure.
INSERT INTO certificates (id, at, proven_at, record, number)
VALUES (:id, :at, :proven_at, :record, (SELECT coalesce(max(number), 0) + 1 FROM certificates))
ON CONFLICT (id) DO UPDATE SET proven_at = excluded.proven_at, record = excluded.record;

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
INSERT INTO erased (digest, certificate) SELECT value, :certificate FROM json_each(:digests) WHERE true
ON CONFLICT DO NOTHING;

-- name: find_erased
-- Which of some digests are of what was erased, and by which erasure.
SELECT digest, certificate FROM erased WHERE digest IN (SELECT value FROM json_each(:digests));

-- name: all_erased
-- Every digest, with the erasure that it is of.
SELECT certificate, digest FROM erased ORDER BY certificate, digest;

-- name: lift_erased
-- No longer recognise what one erasure took.
DELETE FROM erased WHERE certificate = :certificate RETURNING digest;

-- name: find_hidden
-- Memories that somebody asked to be forgotten.
SELECT request ->> 'memory_id' FROM operations
WHERE id BETWEEN :low AND :high AND kind = 'forget' AND request ->> 'kind' = 'hide';

-- name: find_chain
-- Where the chain of a scope stands.
SELECT mark, since, length, head FROM chains WHERE scope_id = :scope_id;

-- name: put_chain
-- Begin a chain, or put one there that comes from elsewhere.
INSERT INTO chains (scope_id, mark, since, length, head) VALUES (:scope_id, :mark, :since, :length, :head);

-- name: set_chain_end
-- Keep where a chain ends.
UPDATE chains SET length = :length, head = :head WHERE scope_id = :scope_id;

-- name: load_deeds
-- The next deeds of a chain, in order.
SELECT
    id, recorded_at, act, operation, turn, covers, actor_kind, actor, who, name_salt, names, targets, why, record, salt,
    digest, link
FROM audit
WHERE id > :after AND id <= :high
ORDER BY id LIMIT :limit;

-- name: load_last_deeds
-- The last deeds of a chain, newest first.
SELECT
    id, recorded_at, act, operation, turn, covers, actor_kind, actor, who, name_salt, names, targets, why, record, salt,
    digest, link
FROM audit
WHERE id BETWEEN :low AND :high
ORDER BY id DESC LIMIT :limit;

-- name: find_actors
-- On whose behalf operations were done.
SELECT operation, actor_kind, actor FROM audit
WHERE
    id >> 24 = :scope_id AND actor IS NOT NULL AND act <> :revised
    AND operation IN (SELECT value FROM json_each(:operations));

-- name: find_deeds_to_strip
-- Deeds that still tell something of operations.
SELECT id FROM audit
WHERE
    id >> 24 = :scope_id AND salt IS NOT NULL AND operation IN (SELECT value FROM json_each(:operations))
ORDER BY id;

-- name: strip_deeds
-- Take the texts from deeds of operations.
UPDATE audit SET targets = NULL, why = NULL, record = NULL, salt = NULL
WHERE id >> 24 = :scope_id AND salt IS NOT NULL AND operation IN (SELECT value FROM json_each(:operations));

-- name: erase_deeds
-- Drop deeds.
DELETE FROM audit WHERE id BETWEEN :low AND :high;

-- name: erase_chain
-- Drop where a chain stands.
DELETE FROM chains WHERE scope_id = :scope_id;

-- name: find_chains
-- Every chain, with the names of its scope while that lives.
SELECT
    chains.scope_id, ifnull(user, ''), scopes.id IS NOT NULL, ifnull(user, ''), ifnull(character, ''),
    ifnull(world, ''), mark, since, length, head
FROM chains
LEFT JOIN scopes ON scopes.id = chains.scope_id AND version > 0
ORDER BY chains.scope_id;

-- name: find_marked_chains
-- The same of the chain that bears a mark.
SELECT
    chains.scope_id, ifnull(user, ''), scopes.id IS NOT NULL, ifnull(user, ''), ifnull(character, ''),
    ifnull(world, ''), mark, since, length, head
FROM chains
LEFT JOIN scopes ON scopes.id = chains.scope_id AND version > 0
WHERE mark = :mark
ORDER BY chains.scope_id;

-- name: find_unchained
-- Scopes that are written to, but have no chain.
SELECT user, character, world FROM scopes
WHERE version > 0 AND id NOT IN (SELECT scope_id FROM chains)
ORDER BY id;

-- name: find_stray_deeds
-- Deeds of no chain: the first id, and how many.
SELECT min(id), count(*) FROM audit
WHERE id >> 24 NOT IN (SELECT scope_id FROM chains)
GROUP BY id >> 24;

-- name: find_misfits
-- Rows of a scope that say another's is theirs, and items that are not what their rows say: the table, and how many.
SELECT 'turns', count(*) FROM turns WHERE id BETWEEN :low AND :high AND scope_id <> :scope_id
UNION ALL SELECT 'memories', count(*) FROM memories WHERE id BETWEEN :low AND :high AND scope_id <> :scope_id
UNION ALL SELECT 'operations', count(*) FROM operations WHERE id BETWEEN :low AND :high AND scope_id <> :scope_id
UNION ALL
SELECT 'items', count(*)
FROM items
LEFT JOIN memories ON memories.id = items.id
LEFT JOIN utterances ON utterances.id = items.id
LEFT JOIN turns ON turns.id = utterances.turn
WHERE items.id BETWEEN :low AND :high AND (
    items.scope_id = :scope_id
    AND CASE items.kind
        WHEN 'memory' THEN
            memories.public_id = items.public_id AND in_force = 1
            AND searchable = (retracted = 0 AND forgotten_at IS NULL AND faded_at IS NULL)
        ELSE
            in_force = 1 - rewound AND searchable = in_force
    END
) IS NOT TRUE;

-- name: find_strays
-- Rows of scopes that are not there: the table, and how many.
SELECT 'turns', count(*) FROM turns WHERE id >> 24 NOT IN (SELECT id FROM scopes WHERE version > 0)
UNION ALL SELECT 'items', count(*) FROM items WHERE id >> 24 NOT IN (SELECT id FROM scopes WHERE version > 0)
UNION ALL SELECT 'memories', count(*) FROM memories WHERE id >> 24 NOT IN (SELECT id FROM scopes WHERE version > 0)
UNION ALL SELECT 'operations', count(*) FROM operations WHERE id >> 24 NOT IN (SELECT id FROM scopes WHERE version > 0);

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
SELECT 1 FROM audit WHERE id < 1 << 24 AND act = :act LIMIT 1;
