#!/usr/bin/env bash
# Makes a package outside the repository that depends on this one by path, builds README's five-minute example in it as
# it stands, and checks what it prints. The programs of Tests/Outside are built in it and run, too: first unoptimised, as
# whoever writes a program builds it, then optimised; all of a kind at once.
#
# The example, and the program that uses every function with two forms (Forms), are built and run in every kind of code besides: in a
# synchronous function, in an asynchronous one and in an asynchronous `main`. Nothing but an `await` is added for these two. The small
# programs of Examples are built in these as well.
set -euo pipefail

repository=$(cd "$(dirname "$0")/.." && pwd)
outside=$(mktemp -d)
trap 'rm -rf "$outside"' EXIT
mkdir -p "$outside/Sources/Example"

awk '/<!-- example:/ { inside = 1; next } /<!-- end of example -->/ { inside = 0 } inside && !/^```/' \
  "$repository/README.md" >"$outside/Sources/Example/main.swift"
[ -s "$outside/Sources/Example/main.swift" ] || { echo "README.md has no example" >&2; exit 1; }

# What is built and run, and what is only built.
programs=Example
built=
for file in "$repository"/Tests/Outside/*.swift; do
  name=$(basename "$file" .swift)
  mkdir "$outside/Sources/$name"
  cp "$file" "$outside/Sources/$name/main.swift"
  programs="$programs $name"
done

# What a program becomes in an asynchronous function.
awaiting() { sed -E 's/\btry ((store|copy|controller|list|consumer|inbox|messages)\.)/try await \1/g'; }
# The program of standard input as the body of a function; what it imports stays outside.
within() { awk -v head="$1" '/^import / { print; next } { body = body "\n  " $0 } END { print head body "\n}" }'; }

moved="Example Forms Find Inbox Scrollback ToDo"
for name in $moved; do
  source=$outside/Sources/$name/main.swift
  [ -f "$source" ] || source=$repository/Examples/Sources/$name/main.swift
  within 'func program() async throws {' <"$source" >"$outside/$name.swift"
  echo 'try await program()' >>"$outside/$name.swift"
  for kind in Synchronous Asynchronous Main; do
    # No synchronous function follows changes.
    if [ $kind = Synchronous ] && grep -q 'for await' "$source"; then continue; fi
    mkdir "$outside/Sources/$name$kind"
    case $kind in
      Synchronous) { within 'func program() throws {'; echo 'try program()'; } ;;
      Asynchronous) { awaiting | within 'func program() async throws {'; echo 'try await program()'; } ;;
      Main) { awaiting | within '@main struct Program { static func main() async throws {'; echo '}'; } ;;
    esac <"$source" >"$outside/Sources/$name$kind/$([ $kind = Main ] && echo Program || echo main).swift"
    case $name in
      Example | Forms) programs="$programs $name$kind" ;;
      *) built="$built $name$kind" ;;
    esac
  done
done

# package NAME...: the package with these programs.
package() {
  cat <<EOF
// swift-tools-version: 6.2
import PackageDescription

let satchel: [Target.Dependency] = [
  .product(name: "Satchel", package: "satchel"), .product(name: "SatchelFoundation", package: "satchel"),
  .product(name: "SatchelInterchange", package: "satchel"),
  .product(name: "SatchelResponses", package: "satchel"),
  .product(name: "SatchelRelations", package: "satchel"),
  .product(name: "SatchelRelevance", package: "satchel"),
]
let package = Package(
  name: "Example",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "satchel", path: "$repository")],
  targets: [
$(printf '    .executableTarget(name: "%s", dependencies: satchel),\n' "$@")
  ],
  swiftLanguageModes: [.v6]
)
EOF
}

cd "$outside"
# builds CONFIGURATION NAME...: these programs, without a warning.
builds() {
  configuration=$1
  shift
  package "$@" >Package.swift
  swift build -c "$configuration" >build.log 2>&1 || { cat build.log >&2; exit 1; }
  if grep -F "$outside/Sources/" build.log | grep -q 'warning:'; then cat build.log >&2; exit 1; fi
}
# runs CONFIGURATION: every program, to its end.
runs() {
  for name in $programs; do
    ".build/$1/$name" >"$name.log" 2>&1 || { cat "$name.log" >&2; exit 1; }
    grep -qE 'done$|^unread: 0$' "$name.log" || { echo "$name did not come to its end" >&2; exit 1; }
  done
}

# shellcheck disable=SC2086
builds debug $programs $built
runs debug

# Whoever moves a program and adds no `await` is told of nothing else, and each time where it belongs.
for name in $moved; do
  if swiftc -typecheck -swift-version 6 -I .build/debug/Modules -Xcc "-fmodule-map-file=$repository/Sources/CLMDB/module.modulemap" \
    -Xcc "-fmodule-map-file=$repository/Sources/CSystem/module.modulemap" "$name.swift" >build.log 2>&1; then
    echo "$name builds in an asynchronous function without an await" >&2
    exit 1
  fi
  if grep 'error:' build.log | grep -v "is 'async' but is not marked with 'await'"; then cat build.log >&2; exit 1; fi
  grep -q "is 'async' but is not marked with 'await'" build.log
done

# shellcheck disable=SC2086
builds release $programs
runs release
cat Example.log
for expected in 'bob Sure, see you there.' 'alice Noon?' 'unread: 1' 'this week: 2' 'unread: 0'; do
  grep -qxF "$expected" Example.log || { echo "README's example did not print: $expected" >&2; exit 1; }
done
echo "README's example and the programs of Tests/Outside build and run outside the repository: $programs"

# The same build directory: what the examples share with the package above is built once.
"$repository/Scripts/test-examples.sh" "$outside/.build"
