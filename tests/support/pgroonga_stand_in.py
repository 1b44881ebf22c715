"""What we call of PGroonga, in SQL, for a server that cannot have it: finds and scores as its documents say.

There is no index: each row is looked at, and its score is what `scorer_tf_idf` says of it.
"""

from __future__ import annotations

import psycopg

from gieok.stores.postgres.pgroonga import QUERIES

_STAND_IN = r"""
CREATE TYPE public.pgroonga_condition AS (
    query text, weigths int[], scorers text[], schema_name text, index_name text, column_name text,
    fuzzy_max_distance_ratio float4
);

CREATE FUNCTION public.pgroonga_condition(
    query text = null, weights int[] = null, scorers text[] = null, schema_name text = null, index_name text = null,
    column_name text = null, fuzzy_max_distance_ratio float4 = null
) RETURNS public.pgroonga_condition LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT (
        query, weights, scorers, schema_name, index_name, column_name, fuzzy_max_distance_ratio
    )::public.pgroonga_condition
$$;

CREATE FUNCTION public.stand_in_query(target text, condition public.pgroonga_condition) RETURNS boolean
LANGUAGE plpgsql VOLATILE COST 300 AS $$
DECLARE
    word text;
    times int;
    texts float8;
    holding float8;
BEGIN
    IF condition.scorers <> ARRAY['scorer_tf_idf($index)'] OR condition.query !~ '^"([^"\\]|\\.)*"$' THEN
        RAISE EXCEPTION 'this is not how we ask: %', condition;
    END IF;
    word := regexp_replace(substr(condition.query, 2, length(condition.query) - 2), '\\(.)', '\1', 'g');
    times := cardinality(array_positions(string_to_array(target, ' '), word));
    IF times = 0 THEN
        RETURN false;
    END IF;
    SELECT count(*), count(*) FILTER (WHERE word = ANY (string_to_array(keyword_text(terms), ' ')))
    INTO texts, holding FROM keywords;
    PERFORM set_config('stand_in.score', greatest(times * ln(texts / holding), 1.0)::text, true);
    RETURN true;
END
$$;

CREATE OPERATOR public.&@~ (
    PROCEDURE = public.stand_in_query, LEFTARG = text, RIGHTARG = public.pgroonga_condition,
    RESTRICT = contsel, JOIN = contjoinsel
);

CREATE FUNCTION public.pgroonga_score(tableoid oid, ctid tid) RETURNS float8
LANGUAGE sql VOLATILE STRICT AS $$ SELECT current_setting('stand_in.score')::float8 $$;
"""


def stand_in(address: str, schema: str = "gieok") -> None:
    """Let the bank at `address` find what it calls of PGroonga."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(_STAND_IN)
        connection.execute(f"SET search_path = {schema}, public")
        connection.execute(QUERIES["make_text_function"])
