#!/usr/bin/env bash
# Prints the structure of the sources: targets and what they import, files and their lengths, and six numbers that have to be 0:
#   targets of more than 6,000 lines, but RankedIndex, which is one idea,
#   folders of a target that use each other's types in a circle (circles.awk),
#   public symbols without documentation,
#   types of one name in two targets,
#   bare numbers as indexes into the rows of indexes, outside of the targets that define these rows,
#   paths that CONTRIBUTING.md names and that do not exist.
set -euo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}

# Top-level declarations of types: the name, after what may stand before it.
declaration='^((public|package|internal|final|indirect|nonisolated) )*(struct|class|enum|protocol|actor|typealias) [A-Z][A-Za-z0-9]*'

names() { # files
  grep -hoE "$declaration" "$@" 2>/dev/null | awk '{ print $NF }' | sort -u
}

echo "targets"
for target in Sources/*/; do
  name=$(basename "$target")
  find "$target" -name '*.swift' -print0 | grep -qz . || continue
  imports=$(grep -rhoE '^(@_exported )?((public|package|internal) )?import [A-Z][A-Za-z]*' "$target" | awk '{ print $NF }' | sort -u |
    while read -r import; do [ -d "Sources/$import" ] && printf ' %s' "$import"; done || true)
  find "$target" -name '*.swift' -exec wc -l {} \; | awk '{ print $1 }' | sort -n |
    awk -v name="$name" -v imports="${imports:- nothing}" \
      '{ lines[NR] = $1; sum += $1 }
       END { printf "  %-20s %3d files, %6d lines, median %3d, longest %4d; imports%s\n",
             name, NR, sum, lines[int((NR + 1) / 2)], lines[NR], imports }'
done

status=0
zero() { # what, lines
  local count
  count=$(printf '%s' "$2" | grep -c . || true)
  echo
  echo "$1: $count"
  if [ "$count" -ne 0 ]; then
    printf '%s\n' "$2" | sed 's/^/  /'
    status=1
  fi
}

zero "targets of more than 6,000 lines" "$(for target in Sources/*/; do
  count=$(find "$target" -name '*.swift' -exec cat {} + | wc -l)
  [ "$count" -le 6000 ] || [ "$target" = Sources/RankedIndex/ ] || echo "$target: $count"
done)"

zero "uses between folders of a target that go in a circle" "$(for target in Sources/*/; do
  (cd "$target" && find . -name '*.swift' | sort |
    awk -f ../../Scripts/circles.awk -v target="$(basename "$target")")
done | sort)"

zero "public symbols without documentation" "$("$swift" format lint --recursive --parallel Sources 2>&1 |
  grep AllPublicDeclarationsHaveDocumentation || true)"

zero "types of one name in two targets" "$(for target in Sources/*/; do
  files=$(find "$target" -name '*.swift')
  [ -z "$files" ] || names $files | sed "s/\$/ $(basename "$target")/"
done | awk '{ targets[$1] = targets[$1] " " $2; count[$1]++ }
  END { for (name in count) if (count[name] > 1) print name ":" targets[name] }')"

zero "bare numbers as indexes into rows" "$(grep -rnE '\b(words|row|place|entry)\[[0-9]+\]' Sources --include='*.swift' |
  grep -vE '^Sources/(SatchelIndexing|RankedIndex|LMDB|LMDBPages|StoreFiles)/' || true)"

zero "paths in CONTRIBUTING.md that do not exist" "$(grep -oE '`[^` ]*[/.][^` ]*`|\]\([^)#]+' CONTRIBUTING.md | tr -d '`](' |
  grep -E '/|\.(md|swift|dict)$' | sort -u | while read -r path; do [ -e "$path" ] || echo "$path"; done)"

exit "$status"
