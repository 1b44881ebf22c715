#!/bin/sh
# Run a command with its temporary files in memory, where there is room: the tests open thousands of banks, and every
# turn waits for the disk. The files of a command that failed are kept for inspection.
room=$(df -Pk /dev/shm 2>/dev/null | awk 'END { print $4 }')
[ "${room:-0}" -gt 4000000 ] 2>/dev/null || exec "$@"
folder=$(mktemp -d /dev/shm/gieok-tests.XXXXXX) || exec "$@"
chmod 755 "$folder"
printf '#!/bin/sh\n' > "$folder/runs" && chmod 700 "$folder/runs"
if ! "$folder/runs" 2>/dev/null; then  # tests install and run commands: a noexec mount is no use
    rm -rf "$folder"
    exec "$@"
fi
trap 'rm -rf "$folder"; exit 130' INT TERM
TMPDIR=$folder "$@"
ended=$?
if [ "$ended" -eq 0 ]; then
    rm -rf "$folder"
else
    printf 'The temporary files are kept in memory: %s.\n' "$folder" >&2
fi
exit "$ended"
