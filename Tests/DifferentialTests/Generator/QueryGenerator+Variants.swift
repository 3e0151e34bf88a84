/// Values near given ones: equal in another spelling, or just not equal.
extension QueryGenerator {
  mutating func variant(of text: ByteString) -> ByteString {
    switch random.below(100) {
    case 0..<62: return text
    case 62..<70: return text.decomposed
    case 70..<76: return caseVariant(of: text)
    case 76..<82: return ByteString(text.string + random.pick(["a", " ", "\u{301}", "z", "\u{10FFFD}", "0"]))
    case 82..<90: return ByteString(scalars: text.scalars.dropLast())
    case 90..<94: return text.composed
    case 94..<96: return ""
    default:
      var scalars = text.scalars
      guard !scalars.isEmpty else { return "x" }
      scalars[random.below(scalars.count)] = random.pick(["x", "é", "Я", "🙂", "\u{1}"])
      return ByteString(scalars: scalars)
    }
  }

  private mutating func caseVariant(of text: ByteString) -> ByteString {
    ByteString(random.percent(50) ? text.string.uppercased() : text.string.lowercased())
  }

  /// A piece of a text such as the operator looks for, and now and then a variant of it.
  mutating func fragment(of text: ByteString, for operation: Predicate.Operation) -> ByteString {
    let scalars = text.scalars
    let length = min(scalars.count, 1 + random.below(random.percent(70) ? 5 : 30))
    let start: Int =
      switch operation {
      case .beginsWith: 0
      case .endsWith: scalars.count - length
      default: random.below(scalars.count - length + 1)
      }
    let piece = ByteString(scalars: Array(scalars[start..<(start + length)]))
    switch random.below(10) {
    case 0...1: return caseVariant(of: piece)
    case 2: return variant(of: piece)
    case 3: return piece.withoutMarks
    default: return piece
    }
  }

  /// A pattern that mostly matches the text: some of its scalars replaced by `_`, some of its runs by `%`.
  mutating func likePattern(_ text: ByteString) -> ByteString {
    var source = random.percent(70) ? text : caseVariant(of: text)
    if random.percent(10) { source = source.decomposed }
    let scalars = Array(source.scalars.prefix(120))
    var pattern: [Unicode.Scalar] = []
    var index = 0
    if random.percent(35), !scalars.isEmpty {
      index = random.below(scalars.count)
      pattern.append("%")
    }
    let end = random.percent(45) ? min(scalars.count, index + 1 + random.below(8)) : scalars.count
    while index < end {
      switch random.below(30) {
      case 0: pattern.append("_")
      case 1:
        pattern.append("%")
        index += random.below(6)
      default:
        let scalar = scalars[index]
        let isSpecial = scalar == "%" || scalar == "_" || scalar == "\\"
        if isSpecial ? !random.percent(15) : random.percent(2) { pattern.append("\\") }
        pattern.append(scalar)
      }
      index += 1
    }
    if end < scalars.count || source.scalars.count > scalars.count || random.percent(8) {
      pattern.append("%")
    }
    if random.percent(2) { pattern.append("\\") }
    return ByteString(scalars: pattern)
  }

  mutating func number(near value: Int64?) -> Predicate.Literal {
    let value = value ?? Int64(random.below(20))
    let isSmall = value.magnitude < 1 << 50
    switch random.below(100) {
    case 0..<50: return .integer(value)
    case 50..<60: return .integer(value &+ 1)
    case 60..<70: return .integer(value &- 1)
    case 70..<78: return isSmall ? .double(Double(value)) : .integer(value)
    case 78..<90: return isSmall ? .double(Double(value) + random.pick([0.5, -0.5, 0.25])) : .integer(value)
    case 90..<95: return .integer(Int64(random.below(10)))
    case 95..<97: return .integer(-1)
    default: return .integer(random.pick([Int64.max, Int64.min, 0]))
    }
  }

  /// RFC 3339, now and then at another offset from UTC or with more digits than are kept.
  mutating func date(near value: Int64?) -> ByteString {
    let day: Int64 = 86_400_000_000
    let base = value ?? 1_700_000_000_000_000
    let date: Int64 =
      switch random.below(100) {
      case 0..<50: base
      case 50..<58: base + 1
      case 58..<66: base - 1
      case 66..<76: base - base % day
      case 76..<84: base - 7 * day
      case 84..<92: base + Int64(random.below(1_000_000)) * 1_000_000
      default: base - Int64(random.below(1_000_000)) * 1_000
      }
    if random.percent(8) {
      return ByteString(Timestamp.format(date, offsetMinutes: random.pick([120, -330, 1])))
    }
    let text = Timestamp.format(date)
    if random.percent(8) {
      let digits = text.firstIndex(of: ".").map { text[text.index(after: $0)...].dropLast() } ?? ""
      let whole = text.prefix { $0 != "." && $0 != "Z" }
      return ByteString(
        "\(whole).\(digits)\(String(repeating: "0", count: 6 - digits.count))\(random.pick(["4", "0", "2999"]))Z"
      )
    }
    return ByteString(text)
  }
}
