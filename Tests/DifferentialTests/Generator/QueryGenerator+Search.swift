import TestSupport

extension QueryGenerator {
  /// A pattern of full-text search: of words, beginnings, ends, parts and pieces of a text, joined and negated.
  mutating func searchPattern(about text: ByteString) -> ByteString {
    var pattern = searchLeaf(about: text)
    for _ in 0..<(random.percent(55) ? 0 : 1 + random.below(3)) {
      let joint = random.pick([" ", " ", " AND ", " OR ", " OR ", " OR -", " -", " NOT ", "\n"])
      pattern += joint + searchLeaf(about: text)
      if random.percent(25) { pattern = random.pick(["(", "-("]) + pattern + ")" }
      // What is in parentheses stands behind something as well.
      if random.percent(20) {
        pattern = searchLeaf(about: text) + random.pick([" ", " -", " OR "]) + "(" + pattern + ")"
      }
    }
    if random.percent(15) {
      pattern = random.pick(["-", "NOT ", "--"]) + (pattern.contains(" ") ? "(\(pattern))" : pattern)
    }
    return ByteString(pattern)
  }

  /// Now and then, a search that asks for words of other texts of the object, too.
  mutating func naming(fieldsIn comparison: Predicate.Comparison) throws -> Predicate.Comparison {
    guard comparison.operation == .matchesText, comparison.quantifier != .everyElement, random.percent(30),
      case .string(var pattern) = comparison.operand, let (name, path) = try textOfAnotherName()
    else { return comparison }
    let text: ByteString = text(of: try snapshot.column(of: kind, path))
    let words =
      random.percent(60) ? ByteString(searchLeaf(about: text)) : ByteString("(\(searchPattern(about: text)))")
    let field = random.pick(["", "", "", "-", "NOT "]) + "\(name):\(words)"
    let joint = random.pick([" ", " ", " AND ", " OR "])
    switch random.below(4) {
    case 0: pattern = ByteString(field)
    case 1: pattern = ByteString("\(field)\(joint)(\(pattern))")
    case 2: pattern = ByteString("-(\(pattern)\(joint)\(field))")
    default: pattern = ByteString("\(pattern)\(joint)\(field)")
    }
    var made = comparison
    made.operand = .string(pattern)
    return made
  }

  /// A text of the current kind by a name that a pattern may have for it, and its path; nil if none was found.
  private mutating func textOfAnotherName() throws -> (name: String, path: PropertyPath)? {
    for _ in 0..<20 {
      let path = path()
      let names = path.components.map(\.string)
      let column = try snapshot.column(of: kind, path)
      let isPlain = names.allSatisfy { name in
        name.unicodeScalars.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || $0 == "_") }
      }
      guard isPlain, [.text, .exact, .custom].contains(column.type) else { continue }
      if kind.isOfRecords, column.type == .custom {
        guard let type = snapshot.declaredField(of: kind, path)?.type, type == "text" || type == "texts"
        else { continue }
      }
      let name = names.joined(separator: ".")
      let short = ["metadata.title": "title", "parts.text": "text", "displayName": "name"][name]
      let hasShort =
        kind == .conversations || kind == .messages || kind == .announcements || kind == .identities
      let isShort = hasShort && (name != "metadata.title" || kind == .conversations) && random.oneIn(2)
      return (isShort ? short ?? name : name, path)
    }
    return nil
  }

  /// One word, phrase or part, which has a letter or a number.
  private mutating func searchLeaf(about text: ByteString) -> String {
    let seen = SearchText(variant(of: text))
    var scalars: [Unicode.Scalar]
    var stars = (before: false, behind: false)
    if let token = seen.tokens.isEmpty ? nil : random.pick(seen.tokens) {
      let word = seen[token]
      switch random.below(8) {
      case 0, 1: scalars = word
      case 2:
        scalars = Array(word.prefix(1 + random.below(word.count)))
        stars.behind = true
      case 3:
        scalars = Array(word.suffix(1 + random.below(word.count)))
        stars.before = true
      case 4:
        scalars = Array(word[random.below(word.count)...].prefix(1 + random.below(4)))
        stars = (true, true)
      default:
        // A piece of the text as it stands, from a word on, mostly.
        let given = text.scalars
        let start =
          random.percent(70) && given.count == seen.scalars.count
          ? token.range.lowerBound : random.below(max(given.count, 1))
        scalars = Array(given.dropFirst(start).prefix(1 + random.below(random.percent(30) ? 40 : 12)))
        stars = (random.oneIn(6), random.oneIn(5))
      }
    } else {
      scalars = Array(random.pick(["a", "noon", "東京", "z1"]).unicodeScalars)
      stars = (random.oneIn(4), random.oneIn(4))
    }
    if SearchQuestion.Leaf(ByteString(scalars: scalars), starBefore: stars.before, starBehind: stars.behind)
      == nil
    {
      scalars = ["a"]
    }
    return (stars.before ? "*" : "") + spelled(scalars) + (stars.behind ? "*" : "")
  }

  /// A word as it is, or in quotation marks, which it needs if it could be read as something else.
  private mutating func spelled(_ scalars: [Unicode.Scalar]) -> String {
    let isPlain = scalars.allSatisfy { $0.properties.isAlphabetic || $0.properties.numericType == .decimal }
    let word = String(String.UnicodeScalarView(scalars))
    if isPlain, !["OR", "AND", "NOT"].contains(word), random.percent(70) { return word }
    var quoted = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in scalars {
      // Before a typographic mark a backslash may stand.
      let isEscaped =
        ["\"", "\\"].contains(scalar) || ["“", "”", "„"].contains(scalar) && random.percent(50)
      if isEscaped { quoted.append("\\") }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }
}
