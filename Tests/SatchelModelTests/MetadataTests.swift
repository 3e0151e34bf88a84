import SatchelModel
import TestSupport
import Testing

/// Metadata of many keys, built and edited at once, against one step after the other.
@Suite struct MetadataTests {
  private static func key(_ number: Int) -> String { "k\(number)" }

  /// Few keys, some of which have what key paths are joined by, or are equal to another but for their bytes.
  private static func oddKey(_ number: Int) -> String {
    ["k", "k.k", "k\\.k", "caf\u{E9}", "cafe\u{301}"][number]
  }

  @Test func pairsInAnyOrder() {
    var random = SeededGenerator()
    for _ in 0..<TestEnvironment.rounds(2000) / 4 {
      let pairs = (0..<Int.random(in: 0...30, using: &random)).map { index in
        (Self.key(Int.random(in: 0...20, using: &random)), MetadataValue.text("\(index)"))
      }
      var expected = Metadata()
      for (key, value) in pairs { expected.set(value, forKey: key) }
      let found = Metadata(pairs)
      #expect(found == expected)
      #expect(found.entries.map(\.key) == expected.entries.map(\.key))
    }
  }

  @Test func editsTogetherAreAsEachAlone() throws {
    var random = SeededGenerator()
    func value(_ random: inout SeededGenerator) -> MetadataValue {
      let number = random.below(3)
      let values: [MetadataValue] = [
        .text("\(number)"), .integer(Int64(number)), .number(Double(number)), .number(-Double(number)),
        .boolean(number == 1), .date(Timestamp(microseconds: Int64(number))),
      ]
      return values[random.below(values.count)]
    }
    func dictionary(_ random: inout SeededGenerator, depth: Int) -> Metadata {
      Metadata(
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
          let isDeep = depth > 0 && Bool.random(using: &random)
          return (
            Self.oddKey(Int.random(in: 0...4, using: &random)),
            isDeep ? .dictionary(dictionary(&random, depth: depth - 1)) : value(&random)
          )
        })
    }
    var changed = 0
    for _ in 0..<TestEnvironment.rounds(2000) / 2 {
      let start = dictionary(&random, depth: 3)
      let edits = (0..<Int.random(in: 0...12, using: &random)).map { _ -> MetadataEdit in
        let path = (0..<Int.random(in: 1...3, using: &random))
          .map { _ in Self.oddKey(Int.random(in: 0...4, using: &random)) }
        let keyPath = MetadataPath(path)
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<3: return .set(value(&random), at: keyPath)
        case 3: return .set(.dictionary(dictionary(&random, depth: 2)), at: keyPath)
        case 4, 5: return .remove(at: keyPath)
        case 6: return .merge(dictionary(&random, depth: 2))
        default:
          return Bool.random(using: &random) ? .replace(dictionary(&random, depth: 2)) : .remove(at: keyPath)
        }
      }
      var expected = start
      let tree = MetadataTree(start)
      for edit in edits {
        let before = expected
        switch edit {
        case .set(let value, let path): try expected.set(value, at: path.keys)
        case .remove(let path): try expected.remove(at: path.keys)
        case .merge(let other): expected = Self.merged(expected, other)
        case .replace(let other): expected = other
        }
        try edit.validate(.any)
        #expect(tree.apply(edit) == !before.hasSameBytes(as: expected), "\(before) \(edit)")
        if Int.random(in: 0..<8, using: &random) == 0 { #expect(tree.metadata().hasSameBytes(as: expected)) }
      }
      let found = tree.metadata()
      #expect(found == expected && found.hasSameBytes(as: expected), "\(start) \(edits)")
      if found != start { changed += 1 }
    }
    #expect(changed > 0)
  }

  /// What merging is defined as.
  private static func merged(_ old: Metadata, _ new: Metadata) -> Metadata {
    var result = old
    for entry in new.entries {
      if case .dictionary(let inner) = entry.value,
        case .dictionary(let before)? = result.value(forKey: entry.key)
      {
        result.set(.dictionary(merged(before, inner)), forKey: entry.key)
      } else {
        result.set(entry.value, forKey: entry.key)
      }
    }
    return result
  }

  /// Keys that descend, as a stranger would send them.
  @Test func manyKeysCostStepsOfASort() throws {
    let built = Growth(2000) { count in
      let pairs = (0..<count).reversed().map { (Self.key(1_000_000 + $0), MetadataValue.text("x")) }
      return CountedSteps.of { _ = Metadata(pairs, counting: &$0) }
    }
    #expect(built.isOfASort, "\(built)")
    let edited = Growth(2000) { count in
      let edits = (0..<count).reversed().flatMap { number in
        let key = Self.key(1_000_000 + number)
        return [
          MetadataEdit.set("x", at: MetadataPath([key])), .set("y", at: MetadataPath(["deep", "er", key])),
          .merge(["deep": ["er": ["z": "1"]]]),
          .remove(at: MetadataPath(["deep", "none", key])),
        ]
      }
      return CountedSteps.of { steps in
        let tree = MetadataTree(["k": "v"])
        for edit in edits { _ = tree.apply(edit) }
        _ = tree.metadata(counting: &steps)
      }
    }
    #expect(edited.isOfASort, "\(edited)")
  }

  @Test func pathsOfManyKeysAreRefused() {
    let long = Array(repeating: "a", count: 100_000).joined(separator: ".")
    let error = #expect(throws: SatchelError.self) { try MetadataPath(dotted: long).check(.any) }
    #expect(error?.code == .invalidKey)
    #expect((error?.description.utf8.count ?? 0) < 1000)
    #expect(MetadataPath(dotted: String(long.prefix(129))).fault(.stored) == "more than 64 keys")
    #expect(MetadataPath(stored: long) == nil)
    #expect(MetadataPath(stored: String(long.prefix(127)))?.keys.count == 64)
  }

  @Test func textsAreEqualInTheirCanonicalForm() {
    let composed: Metadata = ["a": "\u{E9}\u{323}", "b": ["c": "x"]]
    let decomposed: Metadata = ["a": "e\u{323}\u{301}", "b": ["c": "x"]]
    #expect(composed == decomposed)
    #expect(composed.hashValue == decomposed.hashValue)
    #expect(composed != ["a": "e\u{301}", "b": ["c": "x"]])
    #expect(composed != ["a": "\u{E9}\u{323}", "b": ["d": "x"]])
  }

  @Test func numbersAreEqualByTheirValues() {
    #expect(["a": 5] as Metadata == ["a": 5.0])
    #expect((["a": 5] as Metadata).hashValue == (["a": 5.0] as Metadata).hashValue)
    #expect(["a": 0.0] as Metadata == ["a": -0.0])
    #expect(!(["a": 5] as Metadata).hasSameBytes(as: ["a": 5.0]))
    #expect(!(["a": 0.0] as Metadata).hasSameBytes(as: ["a": -0.0]))
    #expect(["a": 9_007_199_254_740_993] as Metadata != ["a": 9_007_199_254_740_992.0])
    #expect(["a": true] as Metadata != ["a": 1])
    #expect(["a": "5"] as Metadata != ["a": 5])
    #expect(["a": Timestamp(microseconds: 5)] as Metadata != ["a": 5])
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func numbersThatAreNotFiniteAreRefused(_ number: Double) {
    var metadata: Metadata = ["a": ["b": 1]]
    let error = #expect(throws: SatchelError.self) { try metadata.set(number, at: "a.c") }
    #expect(error?.code == .invalidValue)
    #expect(error?.context["keyPath"] == "a.c")
    #expect(metadata == ["a": ["b": 1]])
    #expect(throws: SatchelError.self) { try metadata.merge(["a": ["c": number]]) }
    #expect(throws: SatchelError.self) {
      try MetadataEdit.set(.number(number), at: MetadataPath(["a"])).validate(.any)
    }
  }
}
