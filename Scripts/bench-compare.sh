#!/usr/bin/env bash
# Measures an earlier commit and this state by turns, three times each, and tells which workloads became slower: a row of
# ours whose ratio to SQLite is over 5 % worse in all three rounds ends it with 1.
#
# BASE names the earlier commit: without it the one where this branch left the main one, or else the commit before.
# SIZES, FILTER and MINUTES bound each of the six runs, ROUNDS says how many rounds. Do nothing else with the machine meanwhile.
set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
rounds=${ROUNDS:-3}
work=$PWD/.build/bench
tree=$work/base

if [ -z "${BASE:-}" ]; then
  for branch in origin/main main; do
    BASE=$(git merge-base HEAD "$branch" 2>/dev/null) && [ "$BASE" != "$(git rev-parse HEAD)" ] && break
    BASE=
  done
  BASE=${BASE:-HEAD~1}
fi
base=$(git rev-parse --verify --quiet "$BASE^{commit}") ||
  { echo "bench-compare: there is no commit \"$BASE\": BASE=revision" >&2; exit 64; }
echo "before: $(git log -1 --format='%h %s' "$base")"
echo "after:  $(git log -1 --format='%h %s' HEAD)$(git diff --quiet HEAD || echo ', and what is not committed')"

# The worktree stays, so that the next comparison builds only what differs.
mkdir -p "$work"
git worktree prune
if [ -e "$tree/.git" ]; then
  git -C "$tree" checkout --quiet --detach "$base"
else
  git worktree add --quiet --detach "$tree" "$base"
fi
for package in "$tree/Benchmarks" Benchmarks; do
  "$swift" build -c release --package-path "$package" --product satchel-benchmark
done

status=0
files=()
measure() { # before or after, program, round
  local output=$work/round-$3-$1
  rm -rf "$output"
  echo "round $3, $1"
  "$2" run --quiet --minutes "${MINUTES:-22}" --output "$output" --scratch "$work/stores" \
    ${SIZES:+--sizes "$SIZES"} ${FILTER:+--filter "$FILTER"} || status=1
  [ -f "$output/results.json" ] || { echo "bench-compare: the run has measured nothing" >&2; exit 1; }
  files+=("$output/results.json")
}
for round in $(seq "$rounds"); do
  measure before "$tree/Benchmarks/.build/release/satchel-benchmark" "$round"
  measure after Benchmarks/.build/release/satchel-benchmark "$round"
done

Benchmarks/.build/release/satchel-benchmark judge "${files[@]}" || status=1
exit "$status"
