#!/usr/bin/env bash
# Lets libFuzzer look for bytes that a decoder traps on, reads behind the end of, or treats as it should not. `make test` runs
# the corpus and mutations of it; this looks for new paths through the decoders.
#
#   DECODER="line key"  these decoders instead of all
#   MINUTES=1           for each of them; RUNS=5000000 instead: until each has been run that often, over all calls of this
#   JOBS=2              decoders at a time
#   SANITIZE=none       without the address sanitizer, three times as fast: finds traps and broken promises, but not each read
#                       behind the end of something
#   SEED=1              of libFuzzer's choices; a random one without, which is told. With the same corpora it makes the same inputs
#   CONFIGURATION=debug without optimisation, where the standard library checks more
#   MINIMISE=1          in the end writes the smallest corpus that reaches what was reached into the repository
#
# What it finds is in .build/fuzz/found, and stays a failure as long as it is there; an input that failed belongs into
# Tests/FuzzingTests/Corpus/DECODER, with the mend. Each run of a decoder is a line of .build/fuzz/runs.tsv; their sums are in
# .build/torture/fuzz.json, where `make torture` finds them for RELIABILITY.md.
#
# Decoders that fail on some inputs are planted first: where these are not found, nothing would be.
set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
configuration=${CONFIGURATION:-release}
sanitize=${SANITIZE:-address}
case $sanitize in
address) sanitizers=fuzzer,address options=(--sanitize address) controls="plantedRead plantedTrap plantedViolation" ;;
none) sanitizers=fuzzer options=() controls="plantedTrap plantedViolation" ;;
*) echo "fuzz: SANITIZE=$sanitize is neither address nor none" >&2 && exit 1 ;;
esac
scratch=${SCRATCH:-.build/fuzz/$sanitize}
if [ -n "${MINUTES:-}" ]; then
  seconds=$(awk -v minutes="$MINUTES" 'BEGIN { printf "%d", minutes * 60 }')
else
  seconds=$([ -n "${RUNS:-}" ] && echo 0 || echo 60)
fi
wanted=${RUNS:-0}
seed=${SEED:-$((RANDOM * 32768 + RANDOM))}
command="make fuzz${MINUTES:+ MINUTES=$MINUTES}${RUNS:+ RUNS=$RUNS}${DECODER:+ DECODER='$DECODER'}${SANITIZE:+ SANITIZE=$SANITIZE} SEED=$seed"
runs=.build/fuzz/runs.tsv
corpora=.build/fuzz/corpus
found=.build/fuzz/found
limit=24576 # bytes of a decoder's corpus in the repository
files=64    # and its inputs
mkdir -p "$corpora" "$found" .build/torture
touch "$runs"

SATCHEL_FUZZ=$sanitizers "$swift" build -c "$configuration" --product Fuzzer ${options[@]+"${options[@]}"} \
  --scratch-path "$scratch" >.build/fuzz/build.log 2>&1 || { grep -E 'error:' .build/fuzz/build.log >&2; exit 1; }
fuzzer=$scratch/$configuration/Fuzzer
log=$(mktemp -d)
# What the decoders put into files of their own goes with the rest.
export TMPDIR=$log
# The handler of Swift's runtime would come before libFuzzer's, which writes the input that failed.
export SWIFT_BACKTRACE=enable=no
trap 'rm -rf "$log"' EXIT

# Notes a run.
note() { # decoder, executions, seconds, status of libFuzzer
  printf '%s\t%s\t%s\t%s\t%d\t%d\t%d\n' "$(date -u +%FT%TZ)" "$1" "$sanitize" "$configuration" "$2" "$3" "$4" >>"$runs"
}

for control in $controls; do
  if SATCHEL_FUZZ_TARGET=$control "$fuzzer" -max_total_time=120 -max_len=64 -artifact_prefix="$log/$control-" >"$log/$control" 2>&1 ||
    ! compgen -G "$log/$control-crash-*" >/dev/null ||
    { [ "$control" = plantedRead ] && ! grep -q 'AddressSanitizer: heap-buffer-overflow' "$log/$control"; }; then
    tail -n 20 "$log/$control" >&2
    echo "fuzz: $control was not found" >&2
    exit 1
  fi
  note "$control" 0 0 1
  echo "$control: found, as it has to be"
done

# The executions of a decoder in all runs so far.
executions() { # decoder
  awk -F '\t' -v decoder="$1" '$2 == decoder { sum += $5 } END { printf "%.0f", sum }' "$runs"
}

# Runs libFuzzer on a decoder, and notes what came of it; fails where an input was found that should not be.
fuzz() { # decoder
  local decoder=$1 status=0 executed length start
  local checked_in=Tests/FuzzingTests/Corpus/$decoder
  mkdir -p "$corpora/$decoder" "$checked_in" "$log/seeds/$decoder"
  length=$(SATCHEL_FUZZ_TARGET="length $decoder" "$fuzzer" 2>/dev/null)
  local arguments=(-seed="$seed" -max_len="$length" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 -print_funcs=0)
  [ -f "Tests/Fuzzer/Dictionaries/$decoder.dict" ] && arguments+=("-dict=Tests/Fuzzer/Dictionaries/$decoder.dict")
  [ "$seconds" -gt 0 ] && arguments+=(-max_total_time="$seconds")
  if [ "$wanted" -gt 0 ]; then
    local left=$((wanted - $(executions "$decoder")))
    [ "$left" -gt 0 ] || return 0
    arguments+=(-runs="$left")
  fi
  start=$(date +%s)
  SATCHEL_FUZZ_TARGET=$decoder SATCHEL_FUZZ_SEEDS=$log/seeds/$decoder "$fuzzer" "${arguments[@]}" \
    -artifact_prefix="$found/$decoder-" "$corpora/$decoder" "$checked_in" "$log/seeds/$decoder" >"$log/$decoder" 2>&1 ||
    status=$?
  executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log/$decoder" | tail -n 1)
  note "$decoder" "${executed:-0}" $(($(date +%s) - start)) "$status"
  printf '%-16s %10d executions in %4d s, %10d in all, %5d inputs, %s\n' "$decoder" "${executed:-0}" \
    $(($(date +%s) - start)) "$(executions "$decoder")" "$(find "$corpora/$decoder" -type f | wc -l)" \
    "$([ "$status" -eq 0 ] && echo "no failure" || echo "FAILED: $found")"
  if [ "$status" -ne 0 ]; then
    grep -E 'Fatal error|^fuzzer: |ERROR:|SUMMARY|Test unit written' "$log/$decoder" >&2 || tail -n 20 "$log/$decoder" >&2
    return 1
  fi
}

# Writes the smallest corpus that reaches what was reached into the repository.
minimise() { # decoder
  local decoder=$1 length size=0 file step
  local checked_in=Tests/FuzzingTests/Corpus/$decoder
  length=$(SATCHEL_FUZZ_TARGET="length $decoder" "$fuzzer" 2>/dev/null)
  mkdir -p "$corpora/$decoder" "$checked_in" "$log/seeds/$decoder" "$log/small/$decoder"
  SATCHEL_FUZZ_TARGET=$decoder SATCHEL_FUZZ_SEEDS=$log/seeds/$decoder "$fuzzer" -merge=1 -max_len="$length" \
    "$log/small/$decoder" "$checked_in" "$corpora/$decoder" "$log/seeds/$decoder" >"$log/$decoder.merge" 2>&1 ||
    { tail -n 20 "$log/$decoder.merge" >&2; return 1; }
  # Of many some of each length, the shortest first, as far as there is room; what failed once stays.
  find "$checked_in" -type f ! -name 'failed-*' -delete
  step=$(($(find "$log/small/$decoder" -type f | wc -l) / files + 1))
  for file in $(find "$log/small/$decoder" -type f -printf '%s %p\n' | sort -n | awk -v step="$step" 'NR % step == 0 { print $2 }'); do
    size=$((size + $(stat -c %s "$file")))
    [ "$size" -gt "$limit" ] && break
    cp "$file" "$checked_in/$(basename "$file" | cut -c 1-12)"
  done
  printf '%-16s %d inputs checked in\n' "$decoder" "$(find "$checked_in" -type f | wc -l)"
}

# The sums of all runs, as the parts of the torture write theirs.
report() {
  local failures
  failures=$(find "$found" -type f -exec basename {} \; | sort | awk '{ printf "%s\"%s\"", (NR > 1 ? ", " : ""), $0 }')
  SATCHEL_FUZZ_TARGET=names "$fuzzer" 2>/dev/null | tr ' ' '\n' | awk -F '\t' -v date="$(date -u +%F)" -v runs="$runs" \
    -v failures="$failures" -v seed="$seed" -v command="$command" -v failed="$(find "$found" -type f | wc -l)" '
    BEGIN {
      control["plantedRead"] = "a decoder that reads behind the end of an input"
      control["plantedTrap"] = "a decoder that traps"
      control["plantedViolation"] = "a decoder that accepts too much"
    }
    NF { decoders++; sums[$1] = 0 }
    END {
      while ((getline line < runs) > 0) {
        split(line, field, "\t")
        if (field[2] in control) planted[field[2]]++
        if (!(field[2] in sums)) continue
        sums[field[2]] += field[5]; total += field[5]; seconds += field[6]
        if (field[3] == "address") checked += field[5]
      }
      least = -1
      for (decoder in sums) if (least < 0 || sums[decoder] < least) least = sums[decoder]
      printf "{\n  \"part\": \"fuzz\", \"seed\": %d, \"command\": \"%s\", \"date\": \"%s\", \"seconds\": %d,\n", seed, command, date, seconds
      split("executions in all|of them with the address sanitizer|decoders|executions of the decoder with the fewest", name, "|")
      count[1] = total; count[2] = checked; count[3] = decoders; count[4] = least
      printf "  \"figures\": ["
      for (i = 1; i <= 4; i++) printf "%s\"%s\"", (i > 1 ? ", " : ""), name[i]
      printf "],\n  \"counts\": {"
      for (i = 1; i <= 4; i++) printf "%s\"%s\": %.0f", (i > 1 ? ", " : ""), name[i], count[i]
      printf "},\n  \"controls\": ["
      for (key in planted) {
        printf "%s{\"name\": \"%s\", \"tried\": %d, \"found\": %d}", separator, control[key], planted[key], planted[key]
        separator = ", "
      }
      printf "],\n  \"failures\": [%s], \"failureCount\": %d, \"rows\": [], \"skipped\": []\n}\n", failures, failed
    }' >"$log/report"
  mv "$log/report" .build/torture/fuzz.json
}

failed=0
echo "fuzz: SEED=$seed"
decoders=${DECODER:-$(SATCHEL_FUZZ_TARGET=names "$fuzzer" 2>/dev/null)}
if [ "$seconds" -gt 0 ] || [ "$wanted" -gt 0 ]; then
  running=0
  for decoder in $decoders; do
    if [ "$running" -ge "${JOBS:-1}" ]; then
      wait -n || failed=1
      report
      running=$((running - 1))
    fi
    fuzz "$decoder" &
    running=$((running + 1))
  done
  while [ "$running" -gt 0 ]; do
    wait -n || failed=1
    running=$((running - 1))
  done
  report
fi
if [ -n "${MINIMISE:-}" ]; then
  for decoder in $decoders; do minimise "$decoder"; done
fi
[ -n "$(find "$found" -type f)" ] && failed=1
exit "$failed"
