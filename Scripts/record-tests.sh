#!/usr/bin/env bash
# Runs tests and records what they have tried for RELIABILITY.md, beside the results of `make torture`.
#
# record-tests.sh PART TARGET [COUNT FIGURE]... -- COMMAND...
#   PART          the row: differential, indexes, formats, addresses, threads
#   TARGET        the target of the Makefile that repeats it
#   COUNT FIGURE  what the tests try, as the caller has set it: 10000 "random queries"
# SATCHEL_SEED repeats a run.
set -euo pipefail
cd "$(dirname "$0")/.."

part=$1 target=$2
shift 2
figures='"tests"' counts=
while [ "$1" != -- ]; do
  figures="$figures, \"$2\"" counts="$counts, \"$2\": $1"
  shift 2
done
shift
export SATCHEL_SEED=${SATCHEL_SEED:-$((RANDOM * 32768 + RANDOM))}
results=.build/torture
mkdir -p "$results"
log=$(mktemp)
trap 'rm -f "$log"' EXIT

status=0
"$@" 2>&1 | tee "$log" || status=$?
line=$(grep -E 'Test run with [0-9]+ tests? ' "$log" | tail -n 1 || true)
tests=$(sed -E 's/.*Test run with ([0-9]+) tests? .*/\1/' <<<"$line")
seconds=$(sed -E 's/.* after ([0-9]+)\.[0-9]* seconds.*/\1/' <<<"$line")
failures=$(grep -cE '✘ Test .* recorded an issue|ERROR: AddressSanitizer|WARNING: ThreadSanitizer' "$log" || true)
# A run that broke off has failed, whatever it had found by then.
if [ "$status" -ne 0 ] && [ "$failures" -eq 0 ]; then failures=1; fi

cat >"$results/$part.json" <<END
{"part": "$part", "seed": $SATCHEL_SEED, "command": "SATCHEL_SEED=$SATCHEL_SEED make $target", "date": "$(date -u +%F)",
 "seconds": ${seconds:-0}, "figures": [$figures], "counts": {"tests": ${tests:-0}$counts}, "controls": [],
 "rows": [], "skipped": [], "failures": [], "failureCount": $failures}
END
exit "$status"
