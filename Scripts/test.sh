#!/usr/bin/env bash
# Builds the tests and passes them, in two processes beside each other: each runs one test after the other. After the shorter
# of them come the programs outside the repository (test-outside.sh). What the other one prints comes when it has ended; the last
# line says how many tests there were.
#
# test.sh COMMAND...: the command that builds and runs the tests, and takes --filter, --skip and --ignore-lock.
set -euo pipefail
cd "$(dirname "$0")/.."

# The modules whose tests take as long as those of all others and the programs.
apart='^(DifferentialTests|TortureTests|SatchelStorageTests)\.'

# Builds and runs none: the programs outside need the built tool.
"$@" --filter NoTestHasThisName

logs=$(mktemp -d)
beside=
trap '[ -z "$beside" ] || kill "$beside" 2>/dev/null || true; rm -rf "$logs"' EXIT
# Neither waits for the lock of the package manager, which either may get first: nothing is built now.
"$@" --skip-build --ignore-lock --filter "$apart" >"$logs/apart" 2>&1 &
beside=$!

status=0
"$@" --skip-build --ignore-lock --skip "$apart" | tee "$logs/others" || status=$?
Scripts/test-outside.sh || status=$?
wait "$beside" || status=$?
beside=
cat "$logs/apart"
grep -hE 'Test run with [0-9]+ tests?' "$logs/others" "$logs/apart" | awk -v status="$status" '
  { tests += $5; suites += $8; for (i = 1; i < NF; i++) if ($i == "after" && $(i + 1) > longest) longest = $(i + 1) }
  END {
    printf "Test run with %d tests in %d suites %s after %.3f seconds, in two processes.\n", \
      tests, suites, status == 0 ? "passed" : "failed", longest
  }'
exit "$status"
