#!/usr/bin/env bash
# Makes a package outside the repository that depends on this one by path, builds README's five-minute example in it as
# it stands, optimised, and checks what it prints. The programs of Tests/Outside are built in it and run, too: first
# unoptimised, as whoever writes a program builds it, then optimised.
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

programs=
targets=
# adds NAME: a program whose sources are there.
adds() {
  targets="$targets
    .executableTarget(
      name: \"$1\",
      dependencies: [
        .product(name: \"Satchel\", package: \"satchel\"), .product(name: \"SatchelFoundation\", package: \"satchel\"),
        .product(name: \"SatchelInterchange\", package: \"satchel\"),
      ]),"
}

for file in "$repository"/Tests/Outside/*.swift; do
  name=$(basename "$file" .swift)
  mkdir "$outside/Sources/$name"
  cp "$file" "$outside/Sources/$name/main.swift"
  programs="$programs $name"
  adds "$name"
done

# What a program becomes in an asynchronous function.
awaiting() { sed -E 's/\btry ((store|copy|controller|list|consumer|inbox|messages)\.)/try await \1/g'; }
# The program of standard input as the body of a function; what it imports stays outside.
within() { awk -v head="$1" '/^import / { print; next } { body = body "\n  " $0 } END { print head body "\n}" }'; }

built=
for name in Example Forms Find Inbox Scrollback; do
  source=$outside/Sources/$name/main.swift
  [ -f "$source" ] || source=$repository/Examples/Sources/$name/main.swift
  for kind in Synchronous Asynchronous Main Forgetful; do
    # No synchronous function follows changes.
    if [ $kind = Synchronous ] && grep -q 'for await' "$source"; then continue; fi
    mkdir "$outside/Sources/$name$kind"
    case $kind in
      Synchronous) { within 'func program() throws {'; echo 'try program()'; } ;;
      Asynchronous) { awaiting | within 'func program() async throws {'; echo 'try await program()'; } ;;
      Main) { awaiting | within '@main struct Program { static func main() async throws {'; echo '}'; } ;;
      Forgetful) { within 'func program() async throws {'; echo 'try await program()'; } ;;
    esac <"$source" >"$outside/Sources/$name$kind/$([ $kind = Main ] && echo Program || echo main).swift"
    adds "$name$kind"
    case $name$kind in
      *Forgetful) ;;
      Example* | Forms*) programs="$programs $name$kind" ;;
      *) built="$built $name$kind" ;;
    esac
  done
done

cat >"$outside/Package.swift" <<EOF
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Example",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "satchel", path: "$repository")],
  targets: [
    .executableTarget(name: "Example", dependencies: [.product(name: "Satchel", package: "satchel")]),$targets
  ],
  swiftLanguageModes: [.v6]
)
EOF

cd "$outside"
swift build -c release --product Example >build.log 2>&1 || { cat build.log >&2; exit 1; }
.build/release/Example | tee output.log
for expected in 'bob Sure, see you there.' 'alice Noon?' 'unread: 1' 'this week: 2' 'unread: 0'; do
  grep -qxF "$expected" output.log || { echo "README's example did not print: $expected" >&2; exit 1; }
done
echo "README's example builds and runs outside the repository"

# builds CONFIGURATION NAME: without a warning.
builds() {
  swift build -c "$1" --product "$2" >build.log 2>&1 || { cat build.log >&2; exit 1; }
  if grep -F "/Sources/$2/" build.log | grep -q 'warning:'; then cat build.log >&2; exit 1; fi
}

for name in $built; do builds debug "$name"; done
for configuration in debug release; do
  for name in $programs; do
    builds $configuration "$name"
    ".build/$configuration/$name" >output.log 2>&1 || { cat output.log >&2; exit 1; }
    grep -qE 'done$|^unread: 0$' output.log || { echo "$name did not come to its end" >&2; exit 1; }
  done
done
# Whoever moves a program and adds no `await` is told of nothing else, and each time where it belongs.
for name in Example Forms Find Inbox Scrollback; do
  name=${name}Forgetful
  if swift build --product "$name" >build.log 2>&1; then echo "$name builds without an await" >&2; exit 1; fi
  if grep 'error:' build.log | grep -vE "is 'async' but is not marked with 'await'|fatalError|emit-module"; then cat build.log >&2; exit 1; fi
  grep -q "is 'async' but is not marked with 'await'" build.log
done
echo "the programs of Tests/Outside build and run outside the repository:$programs"

# The same build directory: what the examples share with the package above is built once.
"$repository/Scripts/test-examples.sh" "$outside/.build"
