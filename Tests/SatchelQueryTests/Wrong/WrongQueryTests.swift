import SatchelModel
import SatchelQuery
import Testing

/// Queries as users get them wrong, each with its error: the code, the message, and the values that say where and what would be right.
@Suite struct WrongQueryTests {
  private static func error(_ kind: ObjectKind, _ text: String) -> SatchelError? {
    #expect(throws: SatchelError.self, "\(text)") {
      try Normalizer(kind: kind, user: "alice").condition(for: QueryPredicate(format: text))
    }
  }

  @Test func errorsAreExact() {
    let all =
      WrongQuery.names + WrongQuery.values + WrongQuery.operators + WrongQuery.pairs + WrongQuery.groups
      + WrongQuery.records
    for wrong in all {
      let error = Self.error(wrong.kind, wrong.text)
      #expect(error?.code == wrong.code, "\(wrong.text)")
      #expect(error?.message == wrong.message, "\(wrong.text)")
      var context = error?.context ?? [:]
      if wrong.code == .unqueryableProperty {
        #expect(context.removeValue(forKey: "kind") == wrong.kind.rawValue, "\(wrong.text)")
        // The names that there are have a test of their own.
        context["available"] = nil
      } else if context["quantifier"] != nil, context["operator"] == nil {
        #expect(context.removeValue(forKey: "kind") == wrong.kind.rawValue, "\(wrong.text)")
      }
      let line = context.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
      #expect(line == wrong.context, "\(wrong.text)")
    }
    #expect(all.count + WrongText.all.count >= 300)
  }

  @Test func errorsOfTextsAreExact() {
    for wrong in WrongText.all {
      let error = #expect(throws: SatchelError.self, "\(wrong.text)") {
        try QueryPredicate(format: wrong.text)
      }
      #expect(error?.code == .syntaxError, "\(wrong.text)")
      #expect(error?.message == "The text does not follow the predicate language")
      let context = ["column": String(wrong.column), "found": wrong.found, "expected": wrong.expected]
      #expect(error?.context == context, "\(wrong.text)")
    }
  }

  /// The names of an error are those that may stand where the path goes wrong.
  @Test func namesThatThereAre() {
    let ofMessage =
      "identifier remoteID conversation position sentAt receivedAt editedAt deletedAt updatedAt isSent isUnread metadata "
      + "sender.userID sender.displayName parts.NAME conversation.NAME recipientStatus.USER metadata.KEY"
    for (kind, text, available) in [
      (.messages, "colour = 1", ofMessage), (.messages, "position.value = 1", ofMessage),
      (.messages, "sender.userID = alice", ofMessage), (.messages, "metaData.title = 'x'", ofMessage),
      (.messages, "sender.userId = 'bob'", "sender.userID sender.displayName"),
      (.messages, "sender = 'bob'", "sender.userID sender.displayName"),
      (
        .messages, "parts.type = 'x'", "parts.mimeType parts.size parts.text parts.transferStatus"
      ),
      (.messages, "parts = 'x'", "parts.mimeType parts.size parts.text parts.transferStatus"),
      (.messages, "ANY parts (kind = 'x')", "parts.mimeType parts.size parts.text parts.transferStatus"),
      (.messages, "recipientStatus = 'read'", "recipientStatus.USER"),
      (.messages, "conversation.lastMessage.sender = 'bob'", "conversation.lastMessage.sender.userID"),
      (
        .conversations, "lastMessage.text = 'x'",
        "lastMessage.position lastMessage.sentAt lastMessage.receivedAt lastMessage.isUnread lastMessage.sender.userID"
      ),
      (.records, "owner.x = 1", "identifier createdAt updatedAt owner createdBy updatedBy FIELD"),
    ] as [(ObjectKind, String, String)] {
      #expect(Self.error(kind, text)?.context["available"] == available, "\(text)")
    }
  }

  @Test func arguments() {
    struct Other: Sendable {}
    func refused(_ format: String, _ arguments: (any Sendable)?...) -> SatchelError? {
      #expect(throws: SatchelError.self, "\(format)") {
        try QueryPredicate(format: format, arguments: arguments)
      }
    }
    let value = "a string, number, Boolean, date, identifier, reference, metadata, list or set for %@"
    for (error, context) in [
      (refused("a = %@", Other()), ["argument": "Other", "expected": value]),
      (
        refused("a IN %@", [[1]]),
        [
          "argument": "Array<Int>",
          "expected": "a string, number, Boolean, date, identifier or reference within a list",
        ]
      ),
      (
        refused("%K = 1", 5), ["argument": "Int", "expected": "a key path: a text or a list of texts for %K"]
      ),
      (
        refused("%K = 1", nil),
        ["argument": "nil", "expected": "a key path: a text or a list of texts for %K"]
      ),
    ] {
      #expect(error?.code == .invalidValue)
      #expect(error?.message == "The argument is not a value that a predicate can hold")
      #expect(error?.context == context)
    }
    for (error, context) in [
      (refused("a = 1", 5), ["column": "6", "found": "the end", "expected": "a %@ or %K for each argument"]),
      (
        refused("a = %@ AND b = %@", 5),
        ["column": "16", "found": "%@", "expected": "an argument for each %@"]
      ),
      (
        refused("%K = 1 AND %K = 2", "a"),
        ["column": "12", "found": "%K", "expected": "an argument for each %K"]
      ),
      (
        refused("a IN {%@, %@}", 1, ["x": "y"]),
        ["column": "11", "found": "%@", "expected": "a single value for %@ within a list"]
      ),
    ] {
      #expect(error?.code == .syntaxError)
      #expect(error?.context == context)
    }
  }

  @Test func sortKeys() {
    let normalizer = Normalizer(kind: .messages, user: "alice")
    for (key, type) in [
      ("parts.size", "number"), ("parts.text", "text"), ("-parts.mimeType", "identifier or MIME type"),
      ("metadata", "metadata"), ("recipientStatus.bob", "recipient status"),
      ("conversation.participants", "participants"),
    ] {
      let error = #expect(throws: SatchelError.self) { try normalizer.sort(for: SortKey.keys(key)) }
      #expect(error?.code == .unsupportedSort)
      #expect(
        error?.message
          == "Results sort by texts, identifiers, numbers, dates and Booleans that an object has one of")
      let property = String(key.drop { $0 == "-" })
      #expect(error?.context == ["property": property, "type": type], "\(key)")
    }
    let unknown = #expect(throws: SatchelError.self) { try normalizer.sort(for: [SortKey("-sendAt")]) }
    #expect(unknown?.code == .unqueryableProperty)
    #expect(unknown?.context["property"] == "sendAt")
    for text in ["sentAt desc", "sentAt DESC, position", "", "position,", "-", "5"] {
      let error = #expect(throws: SatchelError.self) { try SortKey.keys(text) }
      #expect(error?.code == .syntaxError)
      #expect(error?.message == "The text is not a sort key")
      #expect(
        error?.context == ["found": text, "expected": "a property or, to sort descending, - and a property"],
        "\(text)")
    }
  }
}
