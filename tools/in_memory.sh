#!/bin/sh
# Run a command whose temporary files stand in memory, where there is room for them: the tests open thousands of banks,
# and each turn that is kept waits for the disk. What a command that failed has left stays there to be looked at.
room=$(df -Pk /dev/shm 2>/dev/null | awk 'END { print $4 }')
[ "${room:-0}" -gt 4000000 ] 2>/dev/null || exec "$@"
folder=$(mktemp -d /dev/shm/gieok-tests.XXXXXX) || exec "$@"
chmod 755 "$folder"
printf '#!/bin/sh\n' > "$folder/runs" && chmod 700 "$folder/runs"
if ! "$folder/runs" 2>/dev/null; then  # tests install and run commands: not on what is mounted noexec
    rm -rf "$folder"
    exec "$@"
fi
trap 'rm -rf "$folder"; exit 130' INT TERM
TMPDIR=$folder "$@"
ended=$?
if [ "$ended" -eq 0 ]; then
    rm -rf "$folder"
else
    printf 'Temporary files are left in %s, that is, in memory.\n' "$folder" >&2
fi
exit "$ended"
