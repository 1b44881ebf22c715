#!/usr/bin/env bash
# PgBouncer, which tests/contract/test_pgbouncer.py puts in front of a server: installed from the system's packages where
# that is possible. Where it is not, this says so and ends well; that test then fails in CI, and is skipped elsewhere.
set -uo pipefail
export PATH=$PATH:/usr/sbin

command -v pgbouncer >/dev/null && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    printf 'Installing pgbouncer for the tests of PostgreSQL …\n'
    export DEBIAN_FRONTEND=noninteractive
    log=$(mktemp)
    apt-get install -y -qq --no-install-recommends pgbouncer >"$log" 2>&1 ||
        { apt-get update -qq >"$log" 2>&1 && apt-get install -y -qq --no-install-recommends pgbouncer >"$log" 2>&1; } ||
        tail -5 "$log" >&2
    rm -f "$log"
fi
command -v pgbouncer >/dev/null && exit 0
printf '\n*** NOT INSTALLED: PgBouncer. A bank behind it will NOT be tested here. As root: apt-get install pgbouncer\n\n' >&2
