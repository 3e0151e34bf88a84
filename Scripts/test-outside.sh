#!/usr/bin/env bash
# Makes a package outside the repository that depends on this one by path, builds README's five-minute example in it as
# it stands, optimised, and checks what it prints.
set -euo pipefail

repository=$(cd "$(dirname "$0")/.." && pwd)
outside=$(mktemp -d)
trap 'rm -rf "$outside"' EXIT
mkdir -p "$outside/Sources/Example"

awk '/<!-- example:/ { inside = 1; next } /<!-- end of example -->/ { inside = 0 } inside && !/^```/' \
  "$repository/README.md" >"$outside/Sources/Example/main.swift"
[ -s "$outside/Sources/Example/main.swift" ] || { echo "README.md has no example" >&2; exit 1; }

cat >"$outside/Package.swift" <<EOF
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Example",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "satchel", path: "$repository")],
  targets: [
    .executableTarget(name: "Example", dependencies: [.product(name: "Satchel", package: "satchel")])
  ]
)
EOF

cd "$outside"
swift build -c release --product Example >build.log 2>&1 || { cat build.log >&2; exit 1; }
.build/release/Example | tee output.log
for expected in 'bob Sure, see you there.' 'alice Noon?' 'unread: 1' 'this week: 2' 'unread: 0'; do
  grep -qxF "$expected" output.log || { echo "README's example did not print: $expected" >&2; exit 1; }
done
echo "README's example builds and runs outside the repository"

# The same build directory: what the examples share with the package above is built once.
"$repository/Scripts/test-examples.sh" "$outside/.build"
