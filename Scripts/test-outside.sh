#!/usr/bin/env bash
# Makes a package outside the repository that depends on this one by path, builds README's five-minute example in it as
# it stands, optimised, and checks what it prints. The programs of Tests/Outside are built in it and run, too: first
# unoptimised, as whoever writes a program builds it, then optimised.
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
for file in "$repository"/Tests/Outside/*.swift; do
  name=$(basename "$file" .swift)
  mkdir "$outside/Sources/$name"
  cp "$file" "$outside/Sources/$name/main.swift"
  programs="$programs $name"
  targets="$targets
    .executableTarget(
      name: \"$name\",
      dependencies: [
        .product(name: \"Satchel\", package: \"satchel\"), .product(name: \"SatchelFoundation\", package: \"satchel\"),
        .product(name: \"SatchelInterchange\", package: \"satchel\"),
      ]),"
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

for configuration in debug release; do
  for name in $programs; do
    swift build -c $configuration --product "$name" >build.log 2>&1 || { cat build.log >&2; exit 1; }
    if grep -F "/Sources/$name/" build.log | grep -q 'warning:'; then cat build.log >&2; exit 1; fi
    ".build/$configuration/$name" >output.log 2>&1 || { cat output.log >&2; exit 1; }
    grep -q 'done$' output.log || { echo "$name did not come to its end" >&2; exit 1; }
  done
done
echo "the programs of Tests/Outside build and run outside the repository:$programs"

# The same build directory: what the examples share with the package above is built once.
"$repository/Scripts/test-examples.sh" "$outside/.build"
