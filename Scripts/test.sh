#!/usr/bin/env bash
# Builds the tests and passes them. The tests use one processor; beside them the programs outside the repository are built and
# run (test-outside.sh), on another. What these print comes after the tests.
#
# test.sh COMMAND...: the command that builds and runs the tests, and takes --filter.
set -euo pipefail
cd "$(dirname "$0")/.."

# Builds and runs none: the programs outside need the built tool.
"$@" --filter NoTestHasThisName

log=$(mktemp)
outside=
trap '[ -z "$outside" ] || kill "$outside" 2>/dev/null || true; rm -f "$log"' EXIT
Scripts/test-outside.sh >"$log" 2>&1 &
outside=$!

status=0
"$@" || status=$?
wait "$outside" || status=$?
outside=
cat "$log"
exit "$status"
