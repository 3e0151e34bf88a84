#!/usr/bin/env python3
"""Writes what the words of a text are found by, from Unicode's data:

- Sources/SatchelText/Words/WordProperty+Table.swift, from auxiliary/WordBreakProperty.txt, emoji/emoji-data.txt,
  DerivedCoreProperties.txt and UnicodeData.txt;
- Tests/SatchelTextTests/WordBreakCases.swift, from auxiliary/WordBreakTest.txt.

Usage: Scripts/generate-word-breaks.py [/usr/share/unicode]

The files are those of Debian's package unicode-data, or of https://www.unicode.org/Public/. The same files give the same result.
"""
import pathlib
import re
import sys

data = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode")
root = pathlib.Path(__file__).parent.parent
END = 0x110000

# The values of Word_Break in the order of their numbers in `WordProperty`.
CLASSES = [
    "Other", "CR", "LF", "Newline", "Extend", "ZWJ", "Format", "Regional_Indicator", "Katakana", "Hebrew_Letter",
    "ALetter", "Single_Quote", "Double_Quote", "MidNumLet", "MidLetter", "MidNum", "Numeric", "ExtendNumLet", "WSegSpace",
]
IS_PICTOGRAPHIC, MAKES_WORD = 0x20, 0x40


def lines(name):
    return (data / name).read_text(encoding="utf-8").splitlines()


def version(name):
    return re.search(r"-(\d+\.\d+\.\d+)\.txt", lines(name)[0]).group(1)


def ranges(name, value=None):
    """The ranges of a property file: (first, last, value)."""
    for line in lines(name):
        fields = [field.strip() for field in line.partition("#")[0].split(";")]
        if len(fields) >= 2 and value in (None, fields[1]):
            first, _, last = fields[0].partition("..")
            yield int(first, 16), int(last or first, 16), fields[1]


unicode_version = version("auxiliary/WordBreakProperty.txt")
for other in ("auxiliary/WordBreakTest.txt", "DerivedCoreProperties.txt"):
    assert version(other) == unicode_version, other
assert f"Version {unicode_version[:-2]}" in "\n".join(lines("emoji/emoji-data.txt")[:12])

properties = bytearray(END)
for first, last, value in ranges("auxiliary/WordBreakProperty.txt"):
    for scalar in range(first, last + 1):
        properties[scalar] = CLASSES.index(value)
for first, last, _ in ranges("emoji/emoji-data.txt", "Extended_Pictographic"):
    for scalar in range(first, last + 1):
        properties[scalar] |= IS_PICTOGRAPHIC

# What makes a word of a segment: letters and numbers, but no marks.
categories = ["Cn"] * END
begin = None
for line in lines("UnicodeData.txt"):
    fields = line.split(";")
    scalar = int(fields[0], 16)
    if fields[1].endswith(", First>"):
        begin = scalar
        continue
    for each in range(begin if fields[1].endswith(", Last>") else scalar, scalar + 1):
        categories[each] = fields[2]
    begin = None
alphabetic = bytearray(END)
for first, last, _ in ranges("DerivedCoreProperties.txt", "Alphabetic"):
    for scalar in range(first, last + 1):
        alphabetic[scalar] = 1
for scalar in range(END):
    if categories[scalar][0] == "N" or (alphabetic[scalar] and categories[scalar][0] != "M"):
        properties[scalar] |= MAKES_WORD

runs = []
for scalar in range(0x80, END):
    if scalar == 0x80 or properties[scalar] != properties[scalar - 1]:
        runs.append(scalar << 8 | properties[scalar])


def rows(words, width=100):
    result, row = [], ""
    for word in words:
        if row and len(row) + len(word) > width:
            result.append("    " + row.rstrip())
            row = ""
        row += word + " "
    return "\n".join(result + ["    " + row.rstrip()])


def listed(words):
    return rows([word + "," for word in words])


(root / "Sources/SatchelText/Words/WordProperty+Table.swift").write_text(f"""\
// Written by Scripts/generate-word-breaks.py from Unicode's data; do not edit. Documentation/UnicodeData.md has its licence.

extension WordProperty {{
  /// The version of Unicode that the tables are of.
  package static let unicodeVersion = "{unicode_version}"

  /// The properties of the scalars of ASCII.
  static let ascii: [UInt8] = [
{listed(str(properties[scalar]) for scalar in range(0x80))}
  ]

  /// Runs of the other scalars that have the same properties, ascending: the first scalar × 256 + the properties.
  static let runs: [UInt32] = [
{listed(f"0x{run:X}" for run in runs)}
  ]
}}
""", encoding="utf-8")

# The cases with a letter for each scalar.
cases = [line.partition("#")[0].split() for line in lines("auxiliary/WordBreakTest.txt") if line.startswith("÷")]
scalars = sorted({int(field, 16) for case in cases for field in case if field not in "÷×"})
names = dict(zip(scalars, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
assert len(names) == len(scalars)
written = ["".join("|" if field == "÷" else "" if field == "×" else names[int(field, 16)] for field in case)[1:-1]
           for case in cases]
(root / "Tests/SatchelTextTests/WordBreakCases.swift").write_text(f"""\
// Written by Scripts/generate-word-breaks.py from Unicode's WordBreakTest.txt, in a shorter form; do not edit.
// Documentation/UnicodeData.md has its licence.

/// The {len(cases)} cases with which Unicode {unicode_version} tests word boundaries.
enum WordBreakCases {{
  /// The scalars of the cases; each is called a to z, A to Z in this order.
  static let scalars: [UInt32] = [
{listed(f"0x{scalar:X}" for scalar in scalars)}
  ]

  /// The cases, between spaces or line breaks: the names of the scalars with | at each boundary but the first and the last.
  static let cases = \"\"\"
{rows(written)}
    \"\"\"
}}
""", encoding="utf-8")
print(f"{len(runs)} runs, {len(cases)} cases, Unicode {unicode_version}")
