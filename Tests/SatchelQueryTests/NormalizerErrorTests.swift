import SatchelModel
import SatchelQuery
import Testing

@Suite struct NormalizerErrorTests {
  @Test(arguments: [
    (ObjectKind.messages, "colour = 1", SatchelError.Code.unqueryableProperty),
    (.messages, "sender = 'x'", .unqueryableProperty),
    (.messages, "parts = 'x'", .unqueryableProperty),
    (.announcements, "conversation = 'x'", .unqueryableProperty),
    (.messages, "metadata.#x = 1", .syntaxError), (.messages, "metadata.'' = 'x'", .unqueryableProperty),
    (.messages, "isUnread < TRUE", .unsupportedPredicate),
    (.messages, "isUnread BETWEEN {TRUE, FALSE}", .unsupportedPredicate),
    (.messages, "position LIKE '5%'", .unsupportedPredicate),
    (.messages, "position CONTAINS 5", .unsupportedPredicate),
    (.messages, "sentAt BEGINSWITH '2026'", .unsupportedPredicate),
    (.messages, "position AUTOCOMPLETE '5'", .unsupportedPredicate),
    (.conversations, "participants AUTOCOMPLETE 'a'", .unsupportedPredicate),
    (.messages, "identifier AUTOCOMPLETE sender.userID", .unsupportedPredicate),
    (.messages, "parts.text AUTOCOMPLETE 5", .invalidValue),
    (.messages, "metadata.a AUTOCOMPLETE TRUE", .invalidValue),
    (.messages, "metadata IN {'x'}", .unsupportedPredicate),
    (.messages, "metadata < { }", .unsupportedPredicate),
    (.messages, "recipientStatus.bob > 'sent'", .unsupportedPredicate),
    (.conversations, "participants < {'a'}", .unsupportedPredicate),
    (.conversations, "participants LIKE 'a'", .unsupportedPredicate),
    (.conversations, "participants CONTAINS[c] 'a'", .unsupportedPredicate),
    (.conversations, "participants BETWEEN {'a','b'}", .unsupportedPredicate),
    (.messages, "'x' IN identifier", .unsupportedPredicate),
    (.messages, "ANY isUnread = TRUE", .unsupportedPredicate),
    (.conversations, "ANY participants = 'bob'", .unsupportedPredicate),
    (.messages, "ANY parts (isUnread AND size > 5)", .unqueryableProperty),
    (.messages, "ANY parts (size > 5 AND mimeType > 5)", .invalidValue),
    (.messages, "ANY parts (size > 5 AND size LIKE 'a')", .unsupportedPredicate),
    (.messages, "ANY parts (size > 5 AND ANY mimeType = 'a')", .unsupportedPredicate),
    (.messages, "ANY parts (ANY parts (size > 5))", .unsupportedPredicate),
    (.messages, "ALL sender (userID = 'bob')", .unsupportedPredicate),
    (.messages, "NONE metadata.tags (size > 5)", .unsupportedPredicate),
    (.conversations, "ANY lastMessage.parts (size > 5)", .unsupportedPredicate),
    (.parts, "ANY parts (size > 5)", .unsupportedPredicate),
    (.messages, "position", .invalidValue),
    (.messages, "position = 'five'", .invalidValue), (.messages, "position = TRUE", .invalidValue),
    (.messages, "position = 2026-01-01T00:00:00Z", .invalidValue), (.messages, "isUnread = 1", .invalidValue),
    (.messages, "isUnread = 'true'", .invalidValue), (.messages, "sentAt = 5", .invalidValue),
    (.messages, "sentAt = 'today'", .invalidValue),
    (.messages, "sentAt > '2026-02-29T00:00:00Z'", .invalidValue),
    (.messages, "identifier = 5", .invalidValue),
    (.messages, "metadata = 'x'", .invalidValue), (.messages, "metadata.a = {1, 2}", .invalidValue),
    (.messages, "metadata.a = {'x', 5}", .invalidValue),
    (.messages, "metadata.a < {'b': 'c'}", .invalidValue),
    (.messages, "metadata.a IN {1, 'b'}", .invalidValue),
    (.messages, "metadata.a IN {1, nil}", .invalidValue),
    (.messages, "metadata.a IN {TRUE, 1}", .invalidValue), (.messages, "metadata.a IN 5", .invalidValue),
    (.messages, "metadata.a BETWEEN {1, 2026-01-01T00:00:00Z}", .invalidValue),
    (.messages, "metadata.a BETWEEN {1, nil}", .invalidValue),
    (.messages, "metadata.a BETWEEN {1}", .invalidValue), (.messages, "metadata.a < nil", .invalidValue),
    (.messages, "metadata.a LIKE 5", .invalidValue), (.messages, "metadata.a CONTAINS TRUE", .invalidValue),
    (.messages, "metadata.a BEGINSWITH 2026-01-01T00:00:00Z", .invalidValue),
    (.messages, "metadata.a < TRUE", .unsupportedPredicate),
    (.messages, "metadata.a >= FALSE", .unsupportedPredicate),
    (.messages, "metadata.a BETWEEN {FALSE, TRUE}", .unsupportedPredicate),
    (.messages, "metadata = {'a': NAN}", .invalidValue),
    (.messages, "metadata = {'a': 1e999}", .invalidValue),
    (.messages, "metadata = {'a'}", .invalidValue),
    (.messages, "metadata = {'': 'x'}", .invalidValue),
    (.messages, "recipientStatus.bob = 'seen'", .invalidValue),
    (.messages, "recipientStatus.bob = 3", .invalidValue), (.messages, "position IN 5", .invalidValue),
    (.messages, "position = {5}", .invalidValue),
    (.messages, "position IN {5, 'x'}", .invalidValue), (.messages, "position BETWEEN {5}", .invalidValue),
    (.messages, "position BETWEEN 5", .invalidValue),
    (.messages, "position < nil", .invalidValue), (.messages, "position IN {nil}", .invalidValue),
    (.messages, "position IN nil", .invalidValue),
    (.messages, "isUnread = nil", .invalidValue), (.messages, "identifier != nil", .invalidValue),
    (.messages, "metadata = nil", .invalidValue),
    (.conversations, "participants = nil", .invalidValue),
    (.conversations, "participants = {5}", .invalidValue),
    (.conversations, "participants = {'a': 'b'}", .invalidValue),
    (.messages, "identifier LIKE {'x'}", .invalidValue),
    (.messages, "identifier = position", .invalidValue), (.messages, "sentAt > isUnread", .invalidValue),
    (.messages, "sentAt = recipientStatus.bob", .invalidValue),
    (.messages, "metadata = conversation.metadata", .invalidValue),
    (.messages, "sender.userID IN conversation.identifier", .invalidValue),
    (.messages, "conversation.participants = sender.userID", .invalidValue),
    (.messages, "isUnread < isSent", .unsupportedPredicate),
    (.messages, "sender.displayName LIKE sender.userID", .unsupportedPredicate),
    (.messages, "metadata.a CONTAINS metadata.b", .unsupportedPredicate),
    (.messages, "identifier = colour", .unqueryableProperty),
    (.messages, "parts.text MATCHES-TEXT 'x OR'", .syntaxError),
    (.messages, "identifier MATCHES-TEXT '😀'", .syntaxError),
    (.messages, "parts.text MATCHES-TEXT ''", .syntaxError),
    (.messages, "metadata.a MATCHES-TEXT ' '", .syntaxError),
    (.messages, "position MATCHES-TEXT '5'", .unsupportedPredicate),
    (.conversations, "participants MATCHES-TEXT 'a'", .unsupportedPredicate),
    (.messages, "identifier MATCHES-TEXT sender.userID", .unsupportedPredicate),
    (.messages, "parts.text MATCHES-TEXT 5", .invalidValue),
    (.messages, "parts.text MATCHES-TEXT nil", .invalidValue),
    (.messages, "metadata.a MATCHES-TEXT {'a'}", .invalidValue),
    (.messages, "ANY parts.size = nil", .notAvailable),
    (.messages, "ANY metadata.a = nil", .invalidValue), (.messages, "ALL metadata.a != nil", .invalidValue),
    (.messages, "ANY metadata.a = {'x'}", .invalidValue), (.messages, "NONE metadata.a != {}", .invalidValue),
    (.messages, "ALL metadata.a IN {1, 'x'}", .invalidValue),
    (.messages, "ANY metadata.a < TRUE", .unsupportedPredicate),
    (.messages, "ANY metadata = { }", .unsupportedPredicate),
  ])
  func refuses(_ kind: ObjectKind, _ text: String, _ code: SatchelError.Code) throws {
    let error = try #require(throws: SatchelError.self) {
      try Normalizer(kind: kind, user: "alice").condition(for: QueryPredicate(format: text))
    }
    #expect(error.code == code, "\(error)")
    if code != .syntaxError { #expect(error.context["property"]?.isEmpty == false) }
    switch code {
    // Conditions in parentheses have a quantifier and no operator.
    case .unsupportedPredicate where !text.contains("(") || error.context["operator"] != nil:
      #expect(error.context["operator"] != nil)
      #expect(error.context["accepted"]?.contains("=") == true)
    case .invalidValue:
      #expect(error.context["expected"] != nil)
      #expect(error.context["value"] != nil)
    default: break
    }
  }

  /// A text without quotes reads as a property. The error says so where it may have been meant as a text.
  @Test func aTextWithoutQuotes() throws {
    func error(_ text: String) throws -> SatchelError {
      try #require(throws: SatchelError.self) {
        try Normalizer(kind: .messages, user: "alice").condition(for: QueryPredicate(format: text))
      }
    }
    let bare = try error("sender.userID = alice")
    #expect(bare.code == .unqueryableProperty)
    #expect(Set(bare.context.keys) == ["available", "expected", "kind", "property"])
    #expect(bare.context["property"] == "alice")
    #expect(bare.context["expected"] == "a text needs quotes: 'alice'")
    #expect(
      try error("sender.userID = example.org").context["expected"] == "a text needs quotes: 'example.org'")
    // The left side is a property, and a property on the right is not a text.
    #expect(try error("alice = 'x'").context["expected"] == nil)
  }

  @Test func optionsOfOtherOperators() throws {
    let predicate = QueryPredicate.comparison(
      .init(["identifier"], .equal, .text("x"), options: .caseInsensitive))
    let error = try #require(throws: SatchelError.self) {
      try Normalizer(kind: .messages, user: "alice").condition(for: predicate)
    }
    #expect(error.code == .unsupportedPredicate)
  }

  /// A wrong comparison is an error wherever it stands, even where a constant decides already.
  @Test func nothingIsSkipped() {
    for text in [
      "FALSEPREDICATE AND colour = 1", "TRUEPREDICATE OR position = 'x'", "NOT (isUnread OR sentAt = 5)",
    ] {
      #expect(throws: SatchelError.self) {
        try Normalizer(kind: .messages, user: "alice").condition(for: QueryPredicate(format: text))
      }
    }
  }
}
