-- What is asked of the server itself. {schema} and {mark} are filled in: a schema is a checked name, a mark our own.

-- name: count_onlookers
-- Who may still see what is gone: transactions with an older snapshot, here or prepared.
SELECT
    (
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
            AND age(backend_xmin) > age('{mark}'::xid)
    ) + (
        SELECT count(*) FROM pg_prepared_xacts
        WHERE database = current_database() AND age(transaction) > age('{mark}'::xid)
    );

-- name: describe_server
-- Its version, and the bytes of all tables of a schema.
SELECT current_setting('server_version'), coalesce(sum(pg_total_relation_size(pg_class.oid)), 0)::bigint
FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE nspname = '{schema}' AND relkind = 'r';

-- name: find_broken_indexes
-- Indexes of a schema that are not valid.
SELECT relname FROM pg_index
JOIN pg_class ON pg_class.oid = indexrelid
JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE nspname = '{schema}' AND NOT indisvalid;
