-- What is asked of the server itself. {schema} and {mark} are filled in: a schema is a checked name, a mark our own.

-- name: find_onlookers
-- Who may still see what is gone: transactions with an older snapshot, here, prepared or on a standby, and slots for one.
SELECT 'pid ' || pid || coalesce(' (' || nullif(application_name, '') || ')', '') FROM pg_stat_activity
WHERE
    pid <> pg_backend_pid() AND pid NOT IN (SELECT pid FROM pg_stat_replication)
    AND (datname = current_database() OR datname IS NULL)
    -- Not to be told of other users' sessions, whose kind is hidden from some roles, is no reason to pass them over.
    AND (coalesce(backend_type, '') <> 'autovacuum worker' OR query LIKE 'autovacuum: ANALYZE%')
    AND age(backend_xmin) > age('{mark}'::xid)
UNION ALL
SELECT 'standby ' || application_name FROM pg_stat_replication WHERE age(backend_xmin) > age('{mark}'::xid)
UNION ALL
SELECT 'replication slot ' || slot_name FROM pg_replication_slots
WHERE age(xmin) > age('{mark}'::xid) OR age(catalog_xmin) > age('{mark}'::xid)
UNION ALL
SELECT 'prepared transaction ' || gid FROM pg_prepared_xacts
WHERE database = current_database() AND age(transaction) > age('{mark}'::xid);

-- name: find_copies
-- Where copies of what was written may be, which no statement here reaches.
SELECT 'pg_wal, until it is recycled'
UNION ALL
SELECT 'the archive of pg_wal' WHERE current_setting('archive_mode') <> 'off'
UNION ALL
SELECT 'pg_wal kept for the replication slot ' || slot_name FROM pg_replication_slots WHERE restart_lsn IS NOT NULL
UNION ALL
SELECT 'the standby ' || application_name FROM pg_stat_replication;

-- name: find_citus
-- Whether the database is the coordinator of a cluster.
SELECT 1 FROM pg_extension WHERE extname = 'citus';

-- name: find_spread
-- The tables of a schema that are spread over a cluster, and the bytes that the coordinator still has of each by itself.
SELECT relname, pg_relation_size(pg_class.oid) FROM pg_dist_partition
JOIN pg_class ON pg_class.oid = logicalrelid
JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE nspname = '{schema}';

-- name: describe_cluster
-- The shards of a schema's tables, and their bytes.
SELECT
    (
        SELECT count(*) FROM pg_dist_shard
        JOIN pg_class ON pg_class.oid = logicalrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE nspname = '{schema}'
    ),
    (
        SELECT coalesce(sum(citus_total_relation_size(logicalrelid::regclass)), 0)::bigint FROM pg_dist_partition
        JOIN pg_class ON pg_class.oid = logicalrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE nspname = '{schema}'
    );

-- name: rid_workers
-- The planner's samples of every worker; who could not do it.
SELECT nodename || ':' || nodeport FROM run_command_on_workers('VACUUM FULL pg_catalog.pg_statistic') WHERE NOT success;

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
