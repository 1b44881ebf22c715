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

-- name: find_node
-- Which node of a cluster answers; 0: its coordinator.
SELECT groupid FROM pg_dist_local_group;

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

-- name: ask_workers
-- Have every worker do something; whether it could, and the answer.
SELECT nodename || ':' || nodeport, success, result FROM run_command_on_workers('{command}');

-- name: describe_server
-- Its version, and the bytes of all tables of a schema.
SELECT current_setting('server_version'), coalesce(sum(pg_total_relation_size(pg_class.oid)), 0)::bigint
FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE nspname = '{schema}' AND relkind = 'r';

-- name: find_place
-- Up to where the primary has logged what it did.
SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint;

-- name: find_replayed
-- Up to where a standby has done it after it; NULL: it is none.
SELECT pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END, '0/0')::bigint;

-- name: find_broken_indexes
-- Indexes of a schema that are not valid.
SELECT relname FROM pg_index
JOIN pg_class ON pg_class.oid = indexrelid
JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE nspname = '{schema}' AND NOT indisvalid;

-- name: find_parts
-- The tables of a schema that are cut into parts, and into how many.
SELECT relname, count(inhrelid) FROM pg_partitioned_table
JOIN pg_class ON pg_class.oid = partrelid
JOIN pg_namespace ON pg_namespace.oid = relnamespace
LEFT JOIN pg_inherits ON inhparent = partrelid
WHERE nspname = '{schema}'
GROUP BY relname;

-- name: describe_tables
-- The keys, indexes and references of some tables, in the order in which they can be made; how each is made.
SELECT
    CASE contype WHEN 'f' THEN 3 ELSE 1 END, relname, CASE contype WHEN 'f' THEN 'reference' ELSE 'key' END, conname,
    pg_get_constraintdef(pg_constraint.oid)
FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
WHERE relnamespace = '"{schema}"'::regnamespace AND relname IN ({tables}) AND contype IN ('p', 'u', 'f')
UNION ALL
SELECT 2, relname, 'index', '', pg_get_indexdef(indexrelid)
FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
WHERE
    relnamespace = '"{schema}"'::regnamespace AND relname IN ({tables})
    AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'));

-- name: describe_views
-- The views of a schema.
SELECT viewname, definition FROM pg_views WHERE schemaname = '{schema}';

-- name: find_samples
-- The columns of which the planner has samples that no ANALYZE of ours replaces: over all parts of a table, and of tables
-- that are empty.
SELECT tablename, attname, inherited FROM pg_stats
JOIN pg_class ON relname = tablename AND relnamespace = '"{schema}"'::regnamespace
WHERE schemaname = '{schema}' AND CASE WHEN inherited THEN relkind = 'p' ELSE pg_relation_size(pg_class.oid) = 0 END;

-- name: drop_sample
-- Forget one of them.
SELECT pg_clear_attribute_stats('{schema}', '{table}', '{column}', {inherited});

-- name: drop_samples
-- Forget those of all tables without rows; a superuser may.
DELETE FROM pg_catalog.pg_statistic WHERE starelid >= 16384 AND pg_relation_size(starelid) = 0;

-- name: find_superuser
-- Whether the role may write to the catalogue.
SELECT 1 FROM pg_roles WHERE rolname = current_user AND rolsuper;

-- name: find_file_of_samples
-- The file of the planner's samples; writing them anew gives it another number.
SELECT pg_relation_filenode('pg_catalog.pg_statistic');

-- name: find_buckets
-- Whose rows may be left in the files: buckets of users. NULL: anybody's.
SELECT DISTINCT bucket FROM "{schema}".certificates WHERE proven_at IS NULL;
