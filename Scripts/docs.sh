#!/usr/bin/env bash
# Builds the documentation of everything that `import Satchel` makes available: .build/docs/Satchel.doccarchive. Warnings
# are errors. Before that, checks by the same symbols that what reads or writes has a synchronous and an asynchronous form
# (forms.swift).
#
# The symbols come from the built modules: those of Satchel and those that it re-exports, as one module, which is how a
# program sees them. So neither a plugin nor a dependency is needed.
set -euo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
configuration=${CONFIGURATION:-release}
output=.build/docs

"$swift" build -c "$configuration" --target SatchelInterchange
"$swift" build -c "$configuration" --target SatchelResponses
"$swift" build -c "$configuration" --target SatchelRelations
"$swift" build -c "$configuration" --target SatchelRelevance
modules=$("$swift" build -c "$configuration" --show-bin-path)/Modules
reexported=$(awk '$1 == "@_exported" { print $3 }' Sources/Satchel/Exports.swift | paste -sd , -)
triple=$("$swift" -print-target-info | sed -n 's/^ *"triple": "\(.*\)",$/\1/p' | head -n 1)
if [ "$(uname)" = Darwin ]; then
  docc=${DOCC:-$(xcrun --find docc)}
  system=(-sdk "$(xcrun --show-sdk-path)")
else
  # It comes with the compiler, whose folder need not be searched for commands.
  docc=${DOCC:-$(dirname "$(readlink -f "$(command -v "$swift")")")/docc}
  system=()
fi
read -ra headers <<<"$(pkg-config --cflags-only-I lmdb 2>/dev/null || true)"

rm -rf "$output"
# symbols MODULE FOLDER OPTION...
symbols() {
  local module=$1 folder=$2
  shift 2
  mkdir -p "$output/$folder"
  "$swift" symbolgraph-extract -module-name "$module" "$@" \
    -target "$triple" ${system[@]+"${system[@]}"} -I "$modules" -I Sources/CLMDB -I Sources/CSystem \
    ${headers[@]+"${headers[@]}"} -minimum-access-level public -skip-synthesized-members -output-dir "$output/$folder"
}
symbols Satchel symbols -experimental-allowed-reexported-modules="$reexported"
symbols SatchelInterchange interchange
symbols SatchelResponses responses
symbols SatchelRelations relations
symbols SatchelRelevance relevance

"${swift}c" -swift-version 6 Scripts/forms.swift -o "$output/forms"
"$output/forms" Tests/Outside/Forms.swift "$output/symbols" "$output/interchange" "$output/responses" \
  "$output/relations" "$output/relevance"

"$docc" convert Sources/Satchel/Satchel.docc --additional-symbol-graph-dir "$output/symbols" \
  --output-path "$output/Satchel.doccarchive" --warnings-as-errors
echo "$output/Satchel.doccarchive: open it in Xcode, or serve it with a web server"
