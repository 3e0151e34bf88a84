#!/usr/bin/env python3
"""Writes Sources/SatchelSearch/Terms/UnspacedScripts+Table.swift from Unicode's Scripts.txt and UnicodeData.txt: the letters of the scripts
whose words are not separated by spaces, or are often not looked for as wholes.

Usage: Scripts/generate-unspaced-scripts.py [/usr/share/unicode]

The files are those of Debian's package unicode-data, or of https://www.unicode.org/Public/. The same files give the same result.
"""
import pathlib
import re
import sys

data = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode")
root = pathlib.Path(__file__).parent.parent
SCRIPTS = {
    "Han", "Hiragana", "Katakana", "Hangul", "Thai", "Lao", "Khmer", "Myanmar", "Tai_Le", "New_Tai_Lue", "Tai_Tham", "Tai_Viet",
}
# Letters that Han, kana or both use, of no script.
COMMON = [0x3006, 0x3031, 0x3032, 0x3033, 0x3034, 0x3035, 0x303C, 0x30FC, 0xFF70, 0xFF9E, 0xFF9F]
# Letters, the vowel signs that folding leaves, and numbers that are letters. Digits are numbers, as everywhere.
CATEGORIES = {"Lu", "Ll", "Lt", "Lm", "Lo", "Mc", "Nl"}

scripts = (data / "Scripts.txt").read_text(encoding="utf-8")
version = re.search(r"-(\d+\.\d+\.\d+)\.txt", scripts).group(1)
categories = {}
begin = None
for line in (data / "UnicodeData.txt").read_text(encoding="utf-8").splitlines():
    fields = line.split(";")
    scalar = int(fields[0], 16)
    if fields[1].endswith(", First>"):
        begin = scalar
    for each in range(begin if fields[1].endswith(", Last>") else scalar, scalar + 1):
        categories[each] = fields[2]
letters = set(COMMON)
for line in scripts.splitlines():
    fields = [field.strip() for field in line.partition("#")[0].split(";")]
    if len(fields) == 2 and fields[1] in SCRIPTS:
        first, _, last = fields[0].partition("..")
        letters |= {s for s in range(int(first, 16), int(last or first, 16) + 1) if categories.get(s) in CATEGORIES}
runs = []
for scalar in sorted(letters):
    if runs and runs[-1][1] == scalar - 1:
        runs[-1][1] = scalar
    else:
        runs.append([scalar, scalar])
text, line = "", "   "
for bound in (f" 0x{bound:X}," for run in runs for bound in run):
    if len(line + bound) > 106:
        text, line = text + line + "\n", "   "
    line += bound
out = root / "Sources/SatchelSearch/Terms/UnspacedScripts+Table.swift"
out.write_text(f"""// Written by Scripts/generate-unspaced-scripts.py from Unicode's data; do not edit. Documentation/UnicodeData.md has its licence.

extension UnspacedScripts {{
  /// The version of Unicode that the table is of.
  package static let unicodeVersion = "{version}"

  /// Runs of letters, ascending: the first and the last of each.
  package static let runs: [UInt32] = [
{text}{line}
  ]
}}
""", encoding="utf-8")
