#!/usr/bin/env bash
# Runs the tests of controllers, or those that match the argument, under the thread sanitizer. Every report is a race and
# fails the run: nothing is suppressed. `.` as the argument runs all tests; they are optimised, because all of them would
# take hours otherwise.
#
# On Linux the sanitizer by itself takes what a contended Synchronization.Mutex guards for a race; mutex-order.c, loaded
# into the tests, tells it the order. Two small programs show first that both work: a race is found, a mutex is none.
set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
scratch=${SCRATCH:-.build/threads}
controllers='Delegate|Lifetime|Window|Section|ChangeSequence|UpdatableProperties|Observation|Atlas|Layer|Stream|QueryController'
filter=${1:-"SatchelLiveTests.($controllers)[A-Za-z]*Tests"}
flags=(-c release --disable-xctest --sanitize=thread --scratch-path "$scratch")
mkdir -p "$scratch"
export SATCHEL_SANITIZER=thread

preload=()
if [ "$(uname)" = Linux ]; then
  # The compiler that comes with Swift: others do not know its calling convention.
  clang=$(dirname "$(readlink -f "$(command -v "$swift")")")/clang
  "$clang" -O1 -shared -fPIC Scripts/mutex-order.c -o "$scratch/mutex-order.so" -ldl
  preload=(env "LD_PRELOAD=$(cd "$scratch" && pwd)/mutex-order.so")
fi

cat >"$scratch/race.swift" <<'END'
import Synchronization

final class Counter: @unchecked Sendable {
  let guarded = Mutex(0)
  var unguarded = 0
}

@main struct Race {
  static func main() async {
    let counter = Counter()
    let races = CommandLine.arguments.contains("race")
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<20_000 {
            counter.guarded.withLock { $0 += 1 }
            if races { counter.unguarded += 1 }
          }
        }
      }
    }
  }
}
END
"${swift}c" -O -parse-as-library -sanitize=thread -g "$scratch/race.swift" -o "$scratch/race"
${preload[@]+"${preload[@]}"} "$scratch/race" 2>"$scratch/race.log" ||
  { cat "$scratch/race.log" >&2; echo "the sanitizer takes a mutex for a race" >&2; exit 1; }
if ${preload[@]+"${preload[@]}"} "$scratch/race" race 2>"$scratch/race.log"; then
  echo "the sanitizer does not find a race" >&2
  exit 1
fi

"$swift" build --build-tests "${flags[@]}"
Scripts/record-tests.sh threads "tsan${1:+ TESTS='$1'}" -- \
  ${preload[@]+"${preload[@]}"} "$swift" test --skip-build "${flags[@]}" --disable-testable-imports --no-parallel --filter "$filter"
