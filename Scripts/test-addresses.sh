#!/usr/bin/env bash
# Runs all tests, or those that match the argument, under the address sanitizer: reads and writes outside what was
# allocated, and of what was freed. Every report fails the run: nothing is suppressed. A small program shows first that a
# read behind the end of an allocation is found.
#
# The tests are optimised: without, some loads are calls of the standard library's, which the sanitizer does not see.
#
# What is still allocated when a process ends is not looked at: the tests end with stores open, on purpose.
set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
scratch=${SCRATCH:-.build/addresses}
flags=(-c release --disable-xctest --sanitize=address --scratch-path "$scratch")
mkdir -p "$scratch"
export ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS:-} SATCHEL_SANITIZER=address

cat >"$scratch/outside.swift" <<'END'
@main struct Outside {
  static func main() {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 24, alignment: 8)
    bytes.initializeMemory(as: UInt8.self, repeating: 1)
    let offset = CommandLine.arguments.contains("outside") ? 24 : 23
    print(bytes.baseAddress!.load(fromByteOffset: offset, as: UInt8.self))
  }
}
END
"${swift}c" -O -parse-as-library -sanitize=address -g "$scratch/outside.swift" -o "$scratch/outside" 2>"$scratch/outside.log" ||
  { cat "$scratch/outside.log" >&2; exit 1; }
"$scratch/outside" >"$scratch/outside.log" 2>&1 ||
  { cat "$scratch/outside.log" >&2; echo "the sanitizer takes a read inside an allocation for one outside" >&2; exit 1; }
if "$scratch/outside" outside >"$scratch/outside.log" 2>&1 || ! grep -q heap-buffer-overflow "$scratch/outside.log"; then
  echo "the sanitizer does not find a read behind the end of an allocation" >&2
  exit 1
fi

"$swift" build --build-tests "${flags[@]}"
Scripts/record-tests.sh addresses "asan${1:+ TESTS='$1'}" -- \
  "$swift" test --skip-build "${flags[@]}" --disable-testable-imports --no-parallel ${1:+--filter "$1"}
