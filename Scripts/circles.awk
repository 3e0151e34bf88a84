# Reads the paths of a target's files, relative to the target, and prints which of its folders use each other's types in a circle:
# two of them both ways, or several along a way that comes back. A line for each use on such a way, or between two of them, with
# the first file and the type that it names. Files beside the folders count as those of one more folder.
#
#   (cd Sources/LMDB && find . -name '*.swift' | sort | awk -f ../../Scripts/circles.awk -v target=LMDB)
#
# A type is used where its name stands in code: not in a comment, and not in a string without code in it. An extension of a type
# uses it. Members of extensions are not looked for, so that a call of a function that another folder adds to a type is not seen.

# Returns the code of a line. Lines of a string over several lines are none.
function code(line) {
  if (inText) {
    if (line ~ /"""/) inText = 0
    return ""
  }
  if (line ~ /"""/) {
    inText = line !~ /""".*"""/
    return ""
  }
  gsub(/"([^"\\]|\\[^(])*"/, " ", line)
  sub(/\/\/.*/, "", line)
  return line
}

# Notes the name of the type that a line of code declares in a file, if it stands at its outermost level.
function note(line, folder, words, count) {
  while (sub(/^@[A-Za-z]+(\([^)]*\))? /, "", line)) {}
  if (!match(line, /^((public|package|internal|final|indirect|nonisolated) )*(struct|class|enum|protocol|actor|typealias) [A-Z][A-Za-z0-9]*/)) return
  count = split(substr(line, 1, RLENGTH), words, " ")
  home[words[count]] = folder
}

{
  path = $0
  sub(/^\.\//, "", path)
  folder = path ~ /\// ? substr(path, 1, index(path, "/") - 1) : "(beside the folders)"
  file[++files] = path
  place[files] = folder
  isFolder[folder] = 1
  inText = 0
  while ((getline line < path) > 0) {
    line = code(line)
    if (line ~ /^[@a-z]/) note(line, folder)
    gsub(/[^A-Za-z0-9_]+/, " ", line)
    text[files] = text[files] " " line
  }
  close(path)
}

END {
  for (i = 1; i <= files; i++) {
    count = split(text[i], words, " ")
    for (w = 1; w <= count; w++) {
      if (!(words[w] in home) || home[words[w]] == place[i]) continue
      edge = place[i] SUBSEP home[words[w]]
      if (!(edge in use)) use[edge] = file[i] " names " words[w]
    }
  }
  # A folder that uses nothing that is left is on no way back, nor is one that nothing uses.
  do {
    hasChanged = 0
    for (folder in isFolder) {
      uses = used = 0
      for (edge in use) {
        split(edge, ends, SUBSEP)
        if (ends[1] == folder) uses = 1
        if (ends[2] == folder) used = 1
      }
      if (uses && used) continue
      for (edge in use) {
        split(edge, ends, SUBSEP)
        if (ends[1] == folder || ends[2] == folder) { delete use[edge]; hasChanged = 1 }
      }
      delete isFolder[folder]
    }
  } while (hasChanged)
  for (edge in use) {
    split(edge, ends, SUBSEP)
    print target ": " ends[1] " uses " ends[2] ", as " use[edge]
  }
}
