import SatchelModel
import SatchelQuery
import TestSupport
import Testing

@Suite struct PredicateTests {
  /// A random predicate of every shape that the language has.
  private func randomPredicate(_ depth: Int, _ random: inout SeededGenerator) -> QueryPredicate {
    switch depth == 0 ? 9 : Int.random(in: 0...9, using: &random) {
    case 0...1:
      .and((0..<Int.random(in: 0...3, using: &random)).map { _ in randomPredicate(depth - 1, &random) })
    case 2...3:
      .or((0..<Int.random(in: 0...3, using: &random)).map { _ in randomPredicate(depth - 1, &random) })
    case 4...5: .not(randomPredicate(depth - 1, &random))
    case 6: Bool.random(using: &random) ? .true : .false
    case 7:
      .elements(
        QueryPredicate.Quantifier.allCases.randomElement(using: &random) ?? .any, of: randomPath(&random),
        randomPredicate(depth - 1, &random))
    default: .comparison(randomComparison(&random))
    }
  }

  private func randomComparison(_ random: inout SeededGenerator) -> QueryPredicate.Comparison {
    let `operator` = QueryPredicate.Operator.allCases.randomElement(using: &random) ?? .equal
    let quantifiers: [QueryPredicate.Quantifier?] = [nil, nil, nil] + QueryPredicate.Quantifier.allCases
    let operand: QueryPredicate.Operand =
      switch Int.random(in: 0...5, using: &random) {
      case 0: .list((0..<Int.random(in: 0...3, using: &random)).map { _ in randomConstant(&random) })
      case 1: .dictionary(randomMetadata(2, &random))
      case 2: .path(randomPath(&random))
      default: .constant(randomConstant(&random))
      }
    return QueryPredicate.Comparison(
      randomPath(&random), `operator`, operand,
      options: `operator`.takesOptions
        ? QueryPredicate.Options(rawValue: .random(in: 0...3, using: &random)) : [],
      quantifier: quantifiers.randomElement(using: &random) ?? nil)
  }

  private func randomConstant(_ random: inout SeededGenerator) -> QueryPredicate.Constant {
    switch Int.random(in: 0...8, using: &random) {
    case 0: .null
    case 8: .reference(randomReference(&random))
    case 1: .boolean(Bool.random(using: &random))
    case 2: .integer(Int64(bitPattern: random.next() >> UInt64.random(in: 0...63, using: &random)))
    case 3: .number(Double(bitPattern: random.next()))
    case 4:
      .number(
        [0, -0.0, 5, 0.1, .infinity, -.infinity, .nan, 0x1p63, 1e300].randomElement(using: &random) ?? 0)
    case 5:
      .date(
        Timestamp(microseconds: Int64(bitPattern: random.next()) >> Int64.random(in: 0...40, using: &random)))
    default: .text(randomText(&random))
    }
  }

  private func randomReference(_ random: inout SeededGenerator) -> Reference {
    Reference(type: randomText(&random), name: randomText(&random))
  }

  private func randomText(_ random: inout SeededGenerator) -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "B", "5", "-", "_", ".", "'", "\"", "\\", "%", "@", "K", "\n", "\r", "\t", "\0", "\u{7F}",
      "\u{301}", "é",
      "{", "}", ",", " ", "#", "😀", "\u{200D}", "\u{2028}",
    ]
    var view = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      view.append(scalars.randomElement(using: &random) ?? "a")
    }
    return String(view)
  }

  private func randomPath(_ random: inout SeededGenerator) -> [String] {
    let names = [
      "position", "metadata", "in", "NOT", "nil", "12", "a-b", "_", "-x", "größe", "true", "", "reference",
    ]
    return (0..<Int.random(in: 0...3, using: &random)).map { _ in
      Bool.random(using: &random) ? names.randomElement(using: &random) ?? "a" : randomText(&random)
    }
  }

  private func randomValue(_ random: inout SeededGenerator) -> MetadataValue {
    switch random.below(8) {
    case 0: return .integer(Int64(bitPattern: random.next()))
    case 1:
      let number = Double(bitPattern: random.next())
      return .number(number.isFinite ? number : -0.0)
    case 2: return .boolean(random.oneIn(2))
    case 3: return .date(Timestamp(microseconds: Int64(random.below(1 << 51)) - 1 << 49))
    case 4: return .reference(randomReference(&random))
    default: return .text(randomText(&random))
    }
  }

  private func randomMetadata(_ depth: Int, _ random: inout SeededGenerator) -> Metadata {
    var metadata = Metadata()
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let value: MetadataValue =
        depth > 0 && Bool.random(using: &random)
        ? .dictionary(randomMetadata(depth - 1, &random)) : randomValue(&random)
      metadata.set(value, forKey: ["a", "b-c", "in"].randomElement(using: &random) ?? "a")
    }
    return metadata
  }

  @Test func printedTextParsesBack() throws {
    var random = SeededGenerator()
    for _ in 0..<TestEnvironment.rounds(2000) {
      let predicate = randomPredicate(4, &random)
      let text = predicate.description
      let parsed = try QueryPredicate(format: text)
      #expect(parsed == predicate, "\(text)")
      #expect(parsed.hashValue == predicate.hashValue)
      #expect(parsed.description.utf8.elementsEqual(text.utf8))
    }
  }

  /// Whatever is cut out of or put into a text, parsing gives a predicate or a syntax error.
  @Test func damagedTexts() throws {
    var random = SeededGenerator()
    let pieces: [Unicode.Scalar] = [
      "'", "\\", "(", ")", "{", "%", "[", "-", ".", "\u{301}", "5", "#", "!", "e", "\0",
    ]
    for _ in 0..<TestEnvironment.rounds(2000) {
      var scalars = Array(randomPredicate(2, &random).description.unicodeScalars)
      for _ in 0..<Int.random(in: 1...3, using: &random) where !scalars.isEmpty {
        let index = scalars.indices.randomElement(using: &random) ?? 0
        if Bool.random(using: &random) {
          scalars.remove(at: index)
        } else {
          scalars.insert(pieces.randomElement(using: &random) ?? "(", at: index)
        }
      }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      do {
        let predicate = try QueryPredicate(format: String(text))
        #expect(try QueryPredicate(format: predicate.description) == predicate)
      } catch let error as SatchelError {
        #expect(error.code == .syntaxError)
        let column = try #require(error.context["column"].flatMap { Int($0) })
        #expect((1...scalars.count + 1).contains(column), "\(error)")
      }
    }
  }

  @Test func equalityIsOfBytes() throws {
    let composed = try QueryPredicate(format: "a = '\u{E9}'")
    let decomposed = try QueryPredicate(format: "a = 'e\u{301}'")
    #expect(composed != decomposed)
    #expect(
      try QueryPredicate(format: "metadata = {'a': '\u{E9}'}")
        != QueryPredicate(format: "metadata = {'a': 'e\u{301}'}")
    )
    #expect(try QueryPredicate(format: "#'\u{E9}' = 1") != QueryPredicate(format: "#'e\u{301}' = 1"))
    #expect(Set([composed, decomposed]).count == 2)
    #expect(try QueryPredicate(format: "a = 5") != QueryPredicate(format: "a = 5.0"))
  }

  @Test func constantsAndSingleElements() {
    #expect(QueryPredicate.and([]) == .true)
    #expect(QueryPredicate.or([]) == .false)
    #expect(QueryPredicate.and([.false]) == .false)
    let comparison = QueryPredicate.comparison(.init(["a"], .equal, .dictionary(Metadata())))
    #expect(comparison == .comparison(.init(["a"], .equal, .list([]))))
  }

  // MARK: Limits

  @Test func levelsOfText() throws {
    let levels = QueryPredicate.maximumDepth
    func nested(_ open: String, _ count: Int) -> String {
      String(repeating: open, count: count) + "a = 1"
        + String(repeating: open == "(" ? ")" : "", count: count)
    }
    for open in ["(", "NOT ", "!"] {
      _ = try QueryPredicate(format: nested(open, levels))
      let error = try #require(throws: SatchelError.self) {
        try QueryPredicate(format: nested(open, levels + 1))
      }
      #expect(error.code == .syntaxError)
      #expect(error.context["column"] == String(levels * open.count + 1))
      _ = #expect(throws: SatchelError.self) { try QueryPredicate(format: nested(open, 1_000_000)) }
    }
    let alternating =
      String(repeating: "a AND (b OR (", count: levels / 2) + "c" + String(repeating: "))", count: levels / 2)
    let predicate = try QueryPredicate(format: alternating)
    #expect(try QueryPredicate(format: predicate.description) == predicate)
    #expect(throws: SatchelError.self) {
      try QueryPredicate(format: "a = " + String(repeating: "{", count: 1_000_000))
    }
    #expect(throws: SatchelError.self) {
      try QueryPredicate(format: "a = " + String(repeating: "{'a':", count: 1_000_000))
    }
  }

  @Test func nodesOfText() throws {
    let most = Array(repeating: "a = 1", count: QueryPredicate.maximumNodes - 1)
    let predicate = try QueryPredicate(format: most.joined(separator: " AND "))
    #expect(try QueryPredicate(format: predicate.description) == predicate)
    let error = try #require(throws: SatchelError.self) {
      try QueryPredicate(format: (most + ["a = 1"]).joined(separator: " OR "))
    }
    #expect(error.code == .syntaxError)
    let list = "a IN {" + Array(repeating: "1", count: 50_000).joined(separator: ",") + "}"
    _ = try QueryPredicate(format: list)
  }

  /// A predicate that grows without end is refused when it is asked, and never overflows the stack before.
  @Test func deepTreesOfCalls() throws {
    let leaf = QueryPredicate.comparison(.init(["isUnread"], .equal, .boolean(true)))
    var deep = leaf
    for _ in 0..<100_000 { deep = !deep }
    var wide = leaf
    for _ in 0..<20_000 { wide = wide || leaf }
    var mixed = leaf
    for _ in 0..<100_000 { mixed = .and([leaf, .or([leaf, mixed])]) }
    var grouped = leaf
    for _ in 0..<100_000 { grouped = .elements(.any, of: ["parts"], grouped) }
    for predicate in [deep, wide, mixed, grouped] {
      #expect(predicate.hashValue == predicate.hashValue)
      #expect(!predicate.description.isEmpty)
      let error = try #require(throws: SatchelError.self) {
        try Normalizer(kind: .messages, user: "alice").condition(for: predicate)
      }
      #expect(error.code == .unsupportedPredicate)
    }
    var deepest = leaf
    for _ in 0..<QueryPredicate.maximumDepth { deepest = !deepest }
    #expect(try QueryPredicate(format: deepest.description) == deepest)
    // The parentheses of a group are a level, too.
    let open = QueryPredicate.maximumDepth
    let levels = String(repeating: "ANY parts (", count: open) + "a = 1" + String(repeating: ")", count: open)
    #expect(try QueryPredicate(format: levels).description == levels)
    #expect(throws: SatchelError.self) { try QueryPredicate(format: "ALL parts (" + levels + ")") }
    _ = try Normalizer(kind: .messages, user: "alice").condition(for: deepest)
  }
}
