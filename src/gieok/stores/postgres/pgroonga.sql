-- What only PGroonga answers, and what makes it able to: "-- name:", a line on its intent, the SQL.

-- name: find_pgroonga
-- The extension: its version, whether its operators are in sight, whether our index is there, and whether Citus is.
SELECT
    extversion, nspname, nspname = ANY (current_schemas(false)),
    EXISTS (SELECT 1 FROM pg_indexes WHERE schemaname = current_schema() AND indexname = 'keywords_ranked'),
    EXISTS (SELECT 1 FROM pg_extension AS other WHERE other.extname = 'citus')
FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
WHERE extname = 'pgroonga';

-- name: make_text_function
-- The words of an item as one text, each as often as it stands there. U+FFFE would part words for Groonga.
CREATE OR REPLACE FUNCTION keyword_text(terms tsvector) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN coalesce(
    (
        SELECT string_agg(replace(stands.lexeme, U&'\FFFE', U&'\FFFD'), ' ')
        FROM unnest(terms) AS stands, unnest(stands.positions)
    ),
    ''
);

-- name: make_index
-- Blanks part the words, and nothing else is done to them: they are morphemes already, in small letters.
CREATE INDEX keywords_ranked ON keywords
USING pgroonga (keyword_text(terms) pgroonga_text_full_text_search_ops_v2)
WITH (tokenizer = 'TokenDelimit', normalizers = '');

-- name: before_weights
-- By any other way than its index a row has no score; and a word that stands nowhere is not to find longer ones.
SAVEPOINT weights;
SET LOCAL enable_seqscan = off;
SET LOCAL enable_bitmapscan = off;
SET LOCAL pgroonga.match_escalation_threshold = -1;

-- name: word_weights
-- Items with each of some words and their scores, as two comma-separated texts a word. No other index can be used.
SELECT found.ids, found.scores
FROM jsonb_array_elements_text(:words::jsonb) WITH ORDINALITY AS asked (query, place)
CROSS JOIN LATERAL (
    SELECT string_agg(id::text, ',') AS ids, string_agg(score::text, ',') AS scores
    FROM (
        SELECT id, pgroonga_score(tableoid, ctid) AS score FROM keywords
        WHERE
            owner = :owner::text COLLATE "POSIX" AND id + 0 BETWEEN :low AND :high
            AND keyword_text(terms) &@~ pgroonga_condition(query, scorers => ARRAY['scorer_tf_idf($index)'])
        LIMIT :most
    ) AS held
) AS found
ORDER BY place;

-- name: after_weights
-- As it was: the next query of the transaction may well read a whole table.
SET LOCAL enable_seqscan TO DEFAULT;
SET LOCAL enable_bitmapscan TO DEFAULT;
RELEASE SAVEPOINT weights;

-- name: without_weights
-- As it was, after a failure: an index of PGroonga's may break in a crash of the server.
ROLLBACK TO SAVEPOINT weights;
RELEASE SAVEPOINT weights;
