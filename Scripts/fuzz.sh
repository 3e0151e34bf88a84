#!/usr/bin/env bash
# Lets libFuzzer look for bytes that a decoder traps on, reads behind the end of, or treats as it should not: MINUTES for
# each of the decoders that DECODER names (all without it). `make test` runs the corpus and mutations of it; this looks for
# new paths through the decoders.
#
# What it finds is in .build/fuzz/found; an input that failed belongs into Tests/FuzzingTests/Corpus/DECODER, with the mend.
# Executions are added up over all runs in .build/torture/fuzz.json. CONFIGURATION=debug builds without optimisation, where
# more is checked by the standard library and less is run. MINIMISE=1 writes the smallest corpus that reaches what was
# reached into the repository.
#
# A decoder that reads behind the end of some inputs is planted first: where that is not found, nothing would be.
set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
configuration=${CONFIGURATION:-release}
scratch=${SCRATCH:-.build/fuzz/build}
seconds=$(awk -v minutes="${MINUTES:-1}" 'BEGIN { printf "%d", minutes * 60 }')
results=.build/torture/fuzz.json
corpora=.build/fuzz/corpus
limit=24576 # bytes of a decoder's corpus in the repository
mkdir -p "$corpora" .build/fuzz/found .build/torture

# The compiler takes the last option of these only, which has to name both.
SATCHEL_FUZZ=1 "$swift" build -c "$configuration" --product Fuzzer --sanitize address --sanitize fuzzer \
  -Xswiftc -sanitize=fuzzer,address --scratch-path "$scratch" >.build/fuzz/build.log 2>&1 || { grep -E 'error:' .build/fuzz/build.log >&2; exit 1; }
fuzzer=$scratch/$configuration/Fuzzer
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT

if SATCHEL_FUZZ_TARGET=planted "$fuzzer" -max_total_time=120 -artifact_prefix="$log/" >"$log/planted" 2>&1 ||
  ! grep -q 'AddressSanitizer: heap-buffer-overflow' "$log/planted"; then
  tail -n 20 "$log/planted" >&2
  echo "fuzz: a planted read behind the end of an input was not found" >&2
  exit 1
fi

# The line of a decoder in the results, or of none so far.
field() { # decoder, field
  [ -f "$results" ] && sed -n "s/.*\"decoder\": \"$1\".*\"$2\": \([0-9]*\).*/\1/p" "$results" | grep . || echo 0
}

failed=0
decoders=${DECODER:-$(SATCHEL_FUZZ_TARGET=names "$fuzzer" 2>/dev/null)}
for decoder in $decoders; do
  checked_in=Tests/FuzzingTests/Corpus/$decoder
  mkdir -p "$corpora/$decoder" "$checked_in" "$log/seeds/$decoder"
  export SATCHEL_FUZZ_TARGET=$decoder SATCHEL_FUZZ_SEEDS=$log/seeds/$decoder
  dictionary=()
  [ -f "Tests/Fuzzer/Dictionaries/$decoder.dict" ] && dictionary=("-dict=Tests/Fuzzer/Dictionaries/$decoder.dict")
  length=$(SATCHEL_FUZZ_TARGET="length $decoder" "$fuzzer" 2>/dev/null)
  status=0
  if [ "$seconds" -gt 0 ]; then
    "$fuzzer" -max_total_time="$seconds" -max_len="$length" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
      -artifact_prefix=".build/fuzz/found/$decoder-" ${dictionary[@]+"${dictionary[@]}"} \
      "$corpora/$decoder" "$checked_in" "$log/seeds/$decoder" >"$log/$decoder" 2>&1 || status=$?
    executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log/$decoder" | tail -n 1)
    executed=${executed:-0}
    if [ "$status" -ne 0 ]; then
      failed=1
      grep -E 'Fatal error|ERROR:|SUMMARY|Test unit written' "$log/$decoder" >&2 || tail -n 20 "$log/$decoder" >&2
    fi
    count=$(find "$corpora/$decoder" -type f | wc -l | tr -d ' ')
    total=$(($(field "$decoder" executions) + executed))
    failures=$(($(field "$decoder" failures) + (status != 0)))
    spent=$(($(field "$decoder" seconds) + seconds))
    line="  {\"decoder\": \"$decoder\", \"executions\": $total, \"failures\": $failures, \"corpus\": $count, \"seconds\": $spent}"
    {
      [ -f "$results" ] && grep '"decoder"' "$results" | grep -v "\"$decoder\"" | sed 's/,$//'
      echo "$line"
    } | sort | sed '$!s/$/,/' >"$log/lines"
    { echo '['; cat "$log/lines"; echo ']'; } >"$results"
    printf '%-16s %10d executions in %d s, %12d in all, %5d inputs, %s\n' "$decoder" "$executed" "$seconds" "$total" \
      "$count" "$([ "$status" -eq 0 ] && echo "no failure" || echo "FAILED: .build/fuzz/found")"
  fi
  if [ -n "${MINIMISE:-}" ]; then
    mkdir -p "$log/small/$decoder"
    "$fuzzer" -merge=1 -max_len="$length" "$log/small/$decoder" "$checked_in" "$corpora/$decoder" \
      "$log/seeds/$decoder" >"$log/$decoder.merge" 2>&1 || { tail -n 20 "$log/$decoder.merge" >&2; exit 1; }
    # The shortest first, as far as there is room; what failed once stays.
    find "$checked_in" -type f ! -name 'failed-*' -delete
    size=0
    for file in $(find "$log/small/$decoder" -type f -printf '%s %p\n' | sort -n | cut -d ' ' -f 2); do
      size=$((size + $(stat -c %s "$file")))
      [ "$size" -gt "$limit" ] && break
      cp "$file" "$checked_in/$(basename "$file" | cut -c 1-12)"
    done
    printf '%-16s %d inputs checked in\n' "$decoder" "$(find "$checked_in" -type f | wc -l)"
  fi
done
exit "$failed"
