import SatchelModel
import SatchelQuery
import SatchelSearch
import SatchelText
import Testing

/// A test of a property, under a name that the testing library does not have too.
private typealias PropertyTest = SatchelQuery.Test

@Suite struct NormalizerTests {
  private func condition(_ text: String, _ kind: ObjectKind = .messages) throws -> Condition {
    try Normalizer(kind: kind, user: "alice").condition(for: QueryPredicate(format: text))
  }

  private func property(_ path: String, _ kind: ObjectKind = .messages) throws -> ObjectProperty {
    try ObjectProperty(path: path.split(separator: ".").map(String.init), of: kind)
  }

  /// The single test that a text comes to.
  private func test(_ text: String, _ kind: ObjectKind = .messages) throws -> PropertyTest {
    guard case .test(let test) = try condition(text, kind) else {
      throw SatchelError(.invalidValue, "Not a single test", ["text": text])
    }
    return test
  }

  @Test(arguments: [
    ("TRUEPREDICATE"), ("NOT FALSEPREDICATE"), ("position NOT IN {}"), ("position != 5.5"),
    ("position != NAN"),
    ("position = nil OR position != nil"), ("isUnread = TRUE OR isUnread = FALSE"),
    ("isUnread IN {TRUE, FALSE}"),
    ("position < 5 OR position >= 5 OR position = nil"), ("NOT (isUnread AND NOT isUnread)"),
    ("conversation.participants CONTAINS {}"), ("conversation.participants NOT IN {}"),
    ("parts.mimeType NOT IN {}"),
    ("position != 1e30"), ("isUnread OR TRUEPREDICATE"), ("sender.userID >= ''"),
    ("metadata.a != 5 OR metadata.a = 5"),
    ("NOT position = 5 OR position = 5"),
    ("recipientStatus.bob IN {'pending','sent','delivered','read'} OR recipientStatus.bob = nil"),
    ("identifier CONTAINS ''"), ("identifier LIKE '%%'"), ("NOT sender.displayName AUTOCOMPLETE ''"),
  ])
  func always(_ text: String) throws { #expect(try condition(text) == .always) }

  @Test(arguments: [
    ("FALSEPREDICATE"), ("position IN {}"), ("position = 5.5"), ("position = NAN"), ("position < NAN"),
    ("position > 1e999"), ("position < -1e999"), ("position > 9223372036854775807"),
    ("position = 9223372036854775808"),
    ("position < -9223372036854775808"), ("isUnread AND NOT isUnread"),
    ("isUnread = TRUE AND isUnread = FALSE"),
    ("position = 5 AND position = 6"), ("position BETWEEN {6, 5}"), ("position BETWEEN {5.1, 5.9}"),
    ("conversation.participants IN {}"), ("NOT conversation.participants CONTAINS {}"),
    ("parts.mimeType IN {}"),
    ("sender.userID < ''"), ("conversation = 'a' AND conversation = 'b'"),
    ("position = nil AND position = 5"),
    ("position IN {} AND isUnread"), ("identifier BETWEEN {'b', 'a'}"),
    ("parts.text AUTOCOMPLETE '?'"), ("identifier AUTOCOMPLETE ' '"), ("metadata.a AUTOCOMPLETE '😀'"),
  ])
  func never(_ text: String) throws { #expect(try condition(text) == .never) }

  @Test(
    arguments: [
      ("position = 5", [5...5], false), ("position = 5.0", [5...5], false),
      ("position != 5", [.min...4, 6 ... .max], true),
      ("NOT position = 5", [.min...4, 6 ... .max], true), ("NOT position != 5", [5...5], false),
      ("position < 5", [.min...4], false), ("position < 5.5", [.min...5], false),
      ("position <= 5.5", [.min...5], false),
      ("position > 5.5", [6 ... .max], false), ("position >= -5.5", [-5 ... .max], false),
      ("position < -5.5", [.min ... -6], false),
      ("position >= 5", [5 ... .max], false), ("NOT position >= 5", [.min...4], true),
      ("position < 1e30", [.min ... .max], false),
      ("position > -1e999", [.min ... .max], false),
      ("position >= -9223372036854775808.0", [.min ... .max], false),
      ("position IN {3, 1, 2, 9.0, 9.5}", [1...3, 9...9], false),
      ("position NOT IN {1}", [.min...0, 2 ... .max], true),
      ("position BETWEEN {1.5, 4}", [2...4], false), ("position BETWEEN {-1e999, 4}", [.min...4], false),
      ("position > 1 AND position < 9 AND position != 5", [2...4, 6...8], false),
      ("position = 1 OR position = 2 OR position > 7", [1...2, 8 ... .max], false),
      ("position != nil", [.min ... .max], false), ("position = nil", [], true),
      ("position = nil OR position = 3", [3...3], true),
      ("position != 3 AND position != nil", [.min...2, 4 ... .max], false), ("isUnread", [1...1], false),
      ("isUnread != TRUE", [0...0], false), ("NOT isUnread", [0...0], false),
      ("isUnread NOT IN {TRUE}", [0...0], false),
      ("conversation.lastMessage.isUnread != TRUE", [0...0], true),
      ("recipientStatus.bob = 'read'", [3...3], false),
      ("recipientStatus.bob != 'read'", [0...2], true),
      ("recipientStatus.bob IN {'sent', 'pending'}", [0...1], false),
      ("sentAt = '1970-01-01T00:00:01.0000005Z'", [1_000_001...1_000_001], false),
      ("sentAt > '1970-01-01T01:00:00+01:00'", [1 ... .max], false),
      ("sentAt > 1970-01-01T00:00:00Z", [1 ... .max], false),
      ("sentAt BETWEEN {'1970-01-01T00:00:00Z', '1970-01-01t00:00:01z'}", [0...1_000_000], false),
    ] as [(String, [ClosedRange<Int64>], Bool)])
  func integers(_ text: String, _ ranges: [ClosedRange<Int64>], missing: Bool) throws {
    #expect(try test(text).values == .integers(IntegerSet(ranges), missing: missing))
    #expect(try !test(text).isNegated)
  }

  @Test func texts() throws {
    func ranges(_ ranges: (String, String?)...) -> TextSet {
      .ranges(ByteRanges(ranges.map { ByteRange(lower: Array($0.utf8), upper: $1.map { Array($0.utf8) }) }))
    }
    let cases: [(String, TextSet, Bool)] = [
      ("metadata.a = 'x'", ranges(("\u{5}x", "\u{5}x\0")), false),
      ("metadata.a = 'e\u{301}'", ranges(("\u{5}\u{E9}", "\u{5}\u{E9}\0")), false),
      ("metadata.a < 'x'", ranges(("\u{5}", "\u{5}x")), false),
      ("metadata.a <= 'x'", ranges(("\u{5}", "\u{5}x\0")), false),
      ("metadata.a > 'x'", ranges(("\u{5}x\0", "\u{6}")), false),
      ("metadata.a BETWEEN {'b', 'd'}", ranges(("\u{5}b", "\u{5}d\0")), false),
      ("metadata.a BEGINSWITH 'ab'", ranges(("\u{5}ab", "\u{5}ac")), false),
      ("metadata.a BEGINSWITH ''", ranges(("\u{5}", "\u{6}")), false),
      ("metadata.a LIKE '%'", ranges(("\u{5}", "\u{6}")), false),
      (
        "metadata.a IN {'b', 'a'} OR metadata.a = 'c'",
        ranges(("\u{5}a", "\u{5}a\0"), ("\u{5}b", "\u{5}b\0"), ("\u{5}c", "\u{5}c\0")), false
      ),
      ("metadata.a = 5", .ranges(ByteRanges(point: [3, 0xC0, 0x14])), false),
      ("metadata.a > 5.0", .ranges(ByteRanges(from: [3, 0xC0, 0x14, 0], upTo: [4])), false),
      ("metadata.a <= 5", .ranges(ByteRanges(from: [3], upTo: [3, 0xC0, 0x14, 0])), false),
      ("metadata.a IN {5, 5.0}", .ranges(ByteRanges(point: [3, 0xC0, 0x14])), false),
      ("metadata.a BETWEEN {0, 5}", .ranges(ByteRanges(from: [3, 0x80], upTo: [3, 0xC0, 0x14, 0])), false),
      (
        "metadata.a < 1970-01-01T00:00:00Z",
        .ranges(ByteRanges(from: [4], upTo: [4, 0x80, 0, 0, 0, 0, 0, 0, 0])), false
      ),
      ("metadata.a = TRUE", ranges(("\u{2}", "\u{2}\0")), false),
      ("'x' IN metadata.a", ranges(("\u{5}x", "\u{5}x\0")), false),
      ("metadata.a = nil", ranges(), true),
      ("metadata.a != nil", ranges(("", nil)), false),
      ("sender.userID = 'e\u{301}'", ranges(("e\u{301}", "e\u{301}\0")), false),
      ("sender.userID != 'x'", ranges(("", "x"), ("x\0", nil)), false),
      ("metadata.a LIKE 'x%'", .pattern(.pattern(TextPattern(.like, "x%")), complement: false), false),
      (
        "metadata.a CONTAINS[cd] 'x'",
        .pattern(
          .pattern(TextPattern(.contains, "x", options: [.caseInsensitive, .diacriticInsensitive])),
          complement: false),
        false
      ),
      (
        "metadata.a BEGINSWITH[c] 'x'",
        .pattern(.pattern(TextPattern(.beginsWith, "x", options: .caseInsensitive)), complement: false), false
      ),
      (
        "metadata.a AUTOCOMPLETE 'x y'",
        .pattern(.pattern(TextPattern(.autocomplete, "x y")), complement: false), false
      ),
      (
        "NOT identifier AUTOCOMPLETE[c] 'x'",
        .pattern(.pattern(TextPattern(.autocomplete, "x")), complement: true),
        false
      ),
      (
        "metadata.a MATCHES-TEXT 'noon  -(place)'",
        .pattern(.search(SearchPattern(typed: "noon -place")), complement: false), false
      ),
      (
        "NOT identifier MATCHES-TEXT 'x'", .pattern(.search(SearchPattern(typed: "x")), complement: true),
        false
      ),
      (
        "NOT identifier ENDSWITH 'x'", .pattern(.pattern(TextPattern(.endsWith, "x")), complement: true),
        false
      ),
    ]
    for (text, set, missing) in cases {
      #expect(try test(text).values == .text(set, missing: missing), "\(text)")
    }
  }

  @Test func severalValues() throws {
    let mime = try property("parts.mimeType")
    let png = ValueSet.text(.ranges(ByteRanges(points: [Array("image/png".utf8)])), missing: false)
    let others = ValueSet.text(
      .ranges(ByteRanges(points: [Array("image/png".utf8)]).complement), missing: false)
    for (text, values, isNegated) in [
      ("parts.mimeType = 'image/png'", png, false), ("parts.mimeType != 'image/png'", png, true),
      ("parts.MIMEType = 'image/png'", png, false), ("NOT parts.mimeType = 'image/png'", png, true),
      ("NOT parts.mimeType != 'image/png'", png, false), ("'image/png' IN parts.mimeType", png, false),
      ("ANY parts.mimeType = 'image/png'", png, false), ("ANY parts.mimeType != 'image/png'", others, false),
      ("NONE parts.mimeType = 'image/png'", png, true), ("NONE parts.mimeType != 'image/png'", others, true),
      ("ALL parts.mimeType = 'image/png'", others, true), ("ALL parts.mimeType != 'image/png'", png, true),
      ("NOT ALL parts.mimeType = 'image/png'", others, false),
      ("NOT NONE parts.mimeType = 'image/png'", png, false),
    ] {
      #expect(try test(text) == PropertyTest(mime, values, isNegated: isNegated), "\(text)")
    }
    let size = try property("parts.size")
    let present = ValueSet.integers(.all, missing: false)
    #expect(try test("parts.size = nil") == PropertyTest(size, present, isNegated: true))
    #expect(try test("parts.size != nil") == PropertyTest(size, present))
    #expect(
      try test("ALL parts.size < 5")
        == PropertyTest(size, .integers(IntegerSet(5 ... .max), missing: true), isNegated: true))
    // Some part below 5 and some above 3 need not be one part; none of either is none of both.
    #expect(
      try condition("parts.size < 5 AND parts.size > 3")
        == .all([
          .test(PropertyTest(size, .integers(IntegerSet(.min...4), missing: false))),
          .test(PropertyTest(size, .integers(IntegerSet(4 ... .max), missing: false))),
        ]))
    #expect(
      try test("parts.size < 5 OR parts.size = 9").values
        == .integers(IntegerSet([.min...4, 9...9]), missing: false))
    #expect(
      try test("parts.size != 5 AND parts.size != 6")
        == PropertyTest(size, .integers(IntegerSet(5...6), missing: false), isNegated: true))
  }

  @Test func participants() throws {
    let cases: [(String, ParticipantTest, Bool)] = [
      ("participants = {'bob', 'bob'}", .equals(["alice", "bob"]), false),
      ("participants = 'bob'", .equals(["alice", "bob"]), false),
      ("participants = {}", .equals(["alice"]), false),
      ("participants != {'alice', 'bob'}", .equals(["alice", "bob"]), true),
      ("NOT participants != {'b'}", .equals(["alice", "b"]), false),
      ("participants IN {'c', 'b'}", .overlaps(["b", "c"]), false),
      ("participants IN 'b'", .overlaps(["b"]), false), ("participants NOT IN {'b'}", .overlaps(["b"]), true),
      ("participants CONTAINS 'b'", .containsAll(["b"]), false),
      ("participants CONTAINS {'c', 'b', 'b'}", .containsAll(["b", "c"]), false),
      ("'b' IN participants", .containsAll(["b"]), false),
      ("NOT {'b'} IN participants", .containsAll(["b"]), true),
    ]
    for (text, participants, isNegated) in cases {
      #expect(
        try test(text, .conversations)
          == PropertyTest(
            property("participants", .conversations), .participants(participants), isNegated: isNegated),
        "\(text)")
    }
  }

  @Test func metadata() throws {
    let whole = try property("metadata")
    #expect(try test("metadata = {'a': {'b': 'c'}}") == PropertyTest(whole, .metadata(["a": ["b": "c"]])))
    #expect(try test("metadata != { }") == PropertyTest(whole, .metadata([:]), isNegated: true))
    #expect(try test("NOT metadata != { }") == PropertyTest(whole, .metadata([:])))
  }

  @Test func shape() throws {
    let unread = Condition.test(try test("isUnread"))
    let sent = Condition.test(try test("isSent"))
    let position = Condition.test(try test("position > 5"))
    let notPosition = Condition.test(try test("NOT position > 5"))
    #expect(try condition("isUnread AND (isSent AND (position > 5))") == .all([unread, sent, position]))
    #expect(try condition("isUnread AND isSent AND isUnread AND TRUEPREDICATE") == .all([unread, sent]))
    #expect(try condition("isUnread OR (isSent OR FALSEPREDICATE)") == .any([unread, sent]))
    #expect(
      try condition("NOT (isUnread != TRUE OR (isSent != TRUE AND position > 5))")
        == .all([unread, .any([sent, notPosition])]))
    #expect(try condition("(isUnread OR isSent) AND (isUnread OR isSent)") == .any([unread, sent]))
    #expect(try condition("position > 1 AND isUnread AND position > 5") == .all([position, unread]))
    #expect(
      try condition("metadata.a LIKE 'x' AND metadata.a LIKE 'y'")
        == .all([.test(test("metadata.a LIKE 'x'")), .test(test("metadata.a LIKE 'y'"))]))
  }

  @Test func sorts() throws {
    let normalizer = Normalizer(kind: .conversations, user: "alice")
    #expect(
      try normalizer.sort(for: SortKey.keys("-lastMessage.position,metadata.a,isDistinct,lastMessage"))
        == [
          ResolvedSort(property("lastMessage.position", .conversations), descending: true),
          ResolvedSort(property("metadata.a", .conversations)),
          ResolvedSort(property("isDistinct", .conversations)),
          ResolvedSort(property("lastMessage", .conversations)),
        ])
    for key in ["participants", "metadata"] {
      let error = try #require(throws: SatchelError.self) { try normalizer.sort(for: SortKey.keys(key)) }
      #expect(error.code == .unsupportedSort)
      #expect(error.context["property"] == key)
    }
    let messages = Normalizer(kind: .messages, user: "alice")
    for (key, code) in [
      ("parts.size", SatchelError.Code.unsupportedSort), ("recipientStatus.bob", .unsupportedSort),
      ("colour", .unqueryableProperty), ("sender", .unqueryableProperty),
    ] {
      let error = try #require(throws: SatchelError.self) { try messages.sort(for: SortKey.keys(key)) }
      #expect(error.code == code)
    }
  }

  /// A group says what conditions of the object cannot say, and only that.
  @Test func conditionsOfOnePart() throws {
    let plain = [
      ("ANY parts (size > 5)", "parts.size > 5"), ("NONE parts (size > 5)", "NOT parts.size > 5"),
      ("ALL parts (size > 5)", "ALL parts.size > 5"),
      ("ANY parts (size > 5 OR mimeType = 'a/b')", "parts.size > 5 OR parts.mimeType = 'a/b'"),
      ("ANY parts (NOT (size <= 5 AND size != nil))", "ANY parts (size > 5 OR size = nil)"),
      ("ANY parts (size > 5 AND size < 9)", "parts.size BETWEEN {6, 8}"),
      ("ANY parts (size > 9 AND size < 5)", "FALSEPREDICATE"),
      ("ANY parts (text != nil)", "parts.text != nil"), ("NONE parts (text != nil)", "parts.text = nil"),
      ("ALL parts (TRUEPREDICATE)", "TRUEPREDICATE"), ("ANY parts (FALSEPREDICATE)", "FALSEPREDICATE"),
    ]
    for (group, other) in plain { #expect(try condition(group) == condition(other), "\(group)") }
    let grouped = [
      ("NOT ANY parts (size > 5 AND mimeType = 'a/b')", "NONE parts (size > 5 AND mimeType = 'a/b')"),
      (
        "NOT ALL parts (size > 5 OR mimeType = 'a/b')",
        "ANY parts (NOT size > 5 AND NOT mimeType = 'a/b')"
      ),
      (
        "ANY parts (text = nil AND (size > 5 OR mimeType = 'a/b') OR size = 3)",
        "ANY parts (text = nil AND (size > 5 OR mimeType = 'a/b')) OR parts.size = 3"
      ),
    ]
    for (left, right) in grouped { #expect(try condition(left) == condition(right), "\(left)") }
    guard case .elements(let some) = try condition("ANY parts (size > 5 AND mimeType = 'a/b')"),
      case .elements(let none) = try condition("NONE parts (size > 5 AND mimeType = 'a/b')")
    else {
      Issue.record("several conditions of one part are a group")
      return
    }
    #expect(some.relations == [.parts] && !some.isNegated && none.isNegated)
    #expect(
      try some.impliedTests.map { Condition.test($0) } == [
        condition("parts.size > 5"), condition("parts.mimeType = 'a/b'"),
      ])
    #expect(none.impliedTests.isEmpty)
  }
}
