#!/usr/bin/env python3
"""Writes Sources/SatchelText/Forms/CaseFolding+Table.swift from Unicode's CaseFolding.txt.

Usage: Scripts/generate-case-folding.py [/usr/share/unicode/CaseFolding.txt]

Simple case folding is the mappings of status C (common) and S (simple). Neighbouring scalars that move by the same
distance become one run; alternating pairs of capital and small letters are runs with a step of 2.
"""
import pathlib
import sys

source = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode/CaseFolding.txt")
target = pathlib.Path(__file__).parent.parent / "Sources/SatchelText/Forms/CaseFolding+Table.swift"
lines = source.read_text(encoding="utf-8").splitlines()
version = lines[0].removeprefix("# CaseFolding-").removesuffix(".txt")
mappings = []
for line in lines:
    fields = [field.strip() for field in line.partition("#")[0].split(";")]
    if len(fields) >= 3 and fields[1] in ("C", "S"):
        mappings.append((int(fields[0], 16), int(fields[2], 16)))
mappings.sort()

runs = []  # [first, last, step, distance]
for scalar, folded in mappings:
    distance = folded - scalar
    if runs:
        run = runs[-1]
        gap = scalar - run[1]
        if distance == run[3] and gap in (1, 2) and (run[0] == run[1] or gap == run[2]):
            run[1], run[2] = scalar, gap
            continue
    runs.append([scalar, scalar, 1, distance])

words = [f"0x{first:X}, 0x{last:X}, {step}, {distance}" for first, last, step, distance in runs]
rows, row = [], ""
for word in words:
    if len(row) + len(word) > 100:
        rows.append("    " + row.rstrip())
        row = ""
    row += word + ", "
rows.append("    " + row.rstrip().rstrip(","))
target.write_text(f"""// Written by Scripts/generate-case-folding.py from CaseFolding.txt; do not edit.

extension CaseFolding {{
  /// The version of Unicode that the table is of.
  package static let unicodeVersion = "{version}"

  /// Runs of scalars that fold by the same distance, ascending: first, last, step, distance.
  static let runs: [Int32] = [
""" + "\n".join(rows) + """
  ]
}
""", encoding="utf-8")
print(f"{len(mappings)} mappings in {len(runs)} runs, Unicode {version}")
