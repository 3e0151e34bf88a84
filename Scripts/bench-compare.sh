#!/usr/bin/env bash
# Measures an earlier commit and this state by turns, three times each, and tells which workloads became slower: a row of
# ours whose ratio to SQLite is over 5 % worse in all three rounds. Of more than a hundred rows some look so by chance on a
# machine whose speed changes, so the workloads of these rows are measured again, one by one, in as many rounds. What is
# worse there too ends it with 1.
#
# BASE names the earlier commit: without it the one where this branch left the main one, or else the commit before.
# SIZES, FILTER and MINUTES bound each of the runs, ROUNDS says how many rounds. Do nothing else with the machine meanwhile.
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
before=$tree/Benchmarks/.build/release/satchel-benchmark
after=Benchmarks/.build/release/satchel-benchmark

status=0
files=()
measure() { # before or after, program, name of the run, filter
  local output=$work/$3-$1
  rm -rf "$output"
  echo "$3, $1"
  "$2" run --quiet --minutes "${MINUTES:-22}" --output "$output" --scratch "$work/stores" \
    ${SIZES:+--sizes "$SIZES"} ${4:+--filter "$4"} || status=1
  [ -f "$output/results.json" ] || { echo "bench-compare: the run has measured nothing" >&2; exit 1; }
  files+=("$output/results.json")
}
compare() { # name of the rounds, filter
  local all=()
  for round in $(seq "$rounds"); do
    files=()
    # By turns who is first: what a run leaves to the disk slows the next one down.
    if ((round % 2)); then
      measure before "$before" "$1-$round" "$2"
      measure after "$after" "$1-$round" "$2"
      all+=("${files[@]}")
    else
      measure after "$after" "$1-$round" "$2"
      measure before "$before" "$1-$round" "$2"
      all+=("${files[1]}" "${files[0]}")
    fi
  done
  files=("${all[@]}")
}

compare round "${FILTER:-}"
if "$after" judge "${files[@]}"; then exit "$status"; fi
worse=$("$after" judge --names "${files[@]}") || true
[ -n "$worse" ] || exit 1
for workload in $worse; do
  echo "again: $workload"
  compare "again-${workload//\//-}" "$workload"
  "$after" judge --only "$workload" "${files[@]}" || status=1
done
exit "$status"
