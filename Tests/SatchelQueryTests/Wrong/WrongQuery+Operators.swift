extension WrongQuery {
  private static let wrongField =
    "A pattern looks for words in a field that is no text of the searched objects"

  /// Operators that a property does not have.
  static let operators: [WrongQuery] = [
    WrongQuery(
      .messages, "position LIKE '5%'", .unsupportedPredicate,
      "accepted: = != < <= > >= IN NOT IN BETWEEN, operator: LIKE, property: position"),
    WrongQuery(
      .messages, "position CONTAINS 5", .unsupportedPredicate,
      "accepted: = != < <= > >= IN NOT IN BETWEEN, operator: CONTAINS, property: position"),
    WrongQuery(
      .messages, "sentAt LIKE '2026%'", .unsupportedPredicate,
      "accepted: = != < <= > >= IN NOT IN BETWEEN, operator: LIKE, property: sentAt"),
    WrongQuery(
      .messages, "sentAt BEGINSWITH '2026'", .unsupportedPredicate,
      "accepted: = != < <= > >= IN NOT IN BETWEEN, operator: BEGINSWITH, property: sentAt"),
    WrongQuery(
      .messages, "isUnread > FALSE", .unsupportedPredicate,
      "accepted: = != IN NOT IN, operator: >, property: isUnread"),
    WrongQuery(
      .messages, "isUnread BETWEEN {FALSE, TRUE}", .unsupportedPredicate,
      "accepted: = != IN NOT IN, operator: BETWEEN, property: isUnread"),
    WrongQuery(
      .messages, "recipientStatus.bob > 'sent'", .unsupportedPredicate,
      "accepted: = != IN NOT IN, operator: >, property: recipientStatus.bob"),
    WrongQuery(
      .messages, "recipientStatus.bob LIKE 'r%'", .unsupportedPredicate,
      "accepted: = != IN NOT IN, operator: LIKE, property: recipientStatus.bob"),
    WrongQuery(
      .messages, "parts.size LIKE '1%'", .unsupportedPredicate,
      "accepted: = != < <= > >= IN NOT IN BETWEEN, operator: LIKE, property: parts.size"),
    WrongQuery(
      .messages, "'x' IN identifier", .unsupportedPredicate,
      "A value is IN a property with several: participants, one of parts, or a value of metadata",
      "accepted: = != < <= > >= IN NOT IN BETWEEN LIKE BEGINSWITH ENDSWITH CONTAINS AUTOCOMPLETE MATCHES-TEXT, operator: IN, property: identifier"
    ),
    WrongQuery(
      .messages, "5 IN position", .unsupportedPredicate,
      "A value is IN a property with several: participants, one of parts, or a value of metadata",
      "accepted: = != < <= > >= IN NOT IN BETWEEN, operator: IN, property: position"),
    WrongQuery(
      .messages, "metadata LIKE 'x'", .unsupportedPredicate,
      "accepted: = !=, operator: LIKE, property: metadata"),
    WrongQuery(
      .messages, "metadata CONTAINS 'title'", .unsupportedPredicate,
      "accepted: = !=, operator: CONTAINS, property: metadata"),
    WrongQuery(
      .messages, "metadata IN {'x'}", .unsupportedPredicate,
      "accepted: = !=, operator: IN, property: metadata"),
    WrongQuery(
      .messages, "metadata > {}", .unsupportedPredicate, "accepted: = !=, operator: >, property: metadata"),
    WrongQuery(
      .messages, "metadata.a < TRUE", .unsupportedPredicate, "Booleans are compared by =, !=, IN and NOT IN",
      "accepted: = != IN NOT IN, operator: <, property: metadata.a"),
    WrongQuery(
      .messages, "metadata.a BETWEEN {FALSE, TRUE}", .unsupportedPredicate,
      "Booleans are compared by =, !=, IN and NOT IN",
      "accepted: = != IN NOT IN, operator: BETWEEN, property: metadata.a"),
    WrongQuery(
      .messages, "ALL parts.text MATCHES-TEXT 'sender.userID:bob noon'", .unsupportedPredicate,
      "A pattern that names fields is about an object, not about each of its texts: leave ALL out",
      "accepted: = != < <= > >= IN NOT IN BETWEEN LIKE BEGINSWITH ENDSWITH CONTAINS AUTOCOMPLETE MATCHES-TEXT, operator: MATCHES-TEXT, property: parts.text, quantifier: ALL"
    ),
    WrongQuery(
      .messages, "parts.text MATCHES-TEXT 'noon title:lunch'", .unqueryableProperty, wrongField,
      "expected: text:noon, or quotation marks, if it is no field: \"title:…\", field: title, operator: MATCHES-TEXT, property: parts.text"
    ),
    WrongQuery(
      .messages, "parts.text MATCHES-TEXT 'NOT (a position:5)'", .unqueryableProperty, wrongField,
      "expected: text:noon, or quotation marks, if it is no field: \"position:…\", field: position, operator: MATCHES-TEXT, property: parts.text"
    ),
    WrongQuery(
      .messages, "ANY parts (text MATCHES-TEXT 'sender.userID:bob')", .unqueryableProperty, wrongField,
      "expected: text:noon, or quotation marks, if it is no field: \"sender.userID:…\", field: sender.userID, operator: MATCHES-TEXT, property: parts.text"
    ),
    WrongQuery(
      .messages, "parts.text MATCHES-TEXT 'a OR'", .syntaxError,
      "The text does not follow the search language",
      "column: 5, expected: a word, found: the end, operator: MATCHES-TEXT, property: parts.text, value: 'a OR'"
    ),
    WrongQuery(
      .conversations, "participants < {'a'}", .unsupportedPredicate,
      "accepted: = != IN NOT IN CONTAINS RELATED, operator: <, property: participants"),
    WrongQuery(
      .conversations, "participants LIKE 'b%'", .unsupportedPredicate,
      "accepted: = != IN NOT IN CONTAINS RELATED, operator: LIKE, property: participants"),
    WrongQuery(
      .conversations, "participants CONTAINS[c] 'bob'", .unsupportedPredicate,
      "Options go with LIKE, BEGINSWITH, ENDSWITH, CONTAINS and AUTOCOMPLETE of texts only",
      "accepted: = != IN NOT IN CONTAINS RELATED, operator: CONTAINS, property: participants"),
    WrongQuery(
      .conversations, "participants BETWEEN {'a', 'b'}", .unsupportedPredicate,
      "accepted: = != IN NOT IN CONTAINS RELATED, operator: BETWEEN, property: participants"),
    WrongQuery(
      .parts, "transferStatus > 'complete'", .unsupportedPredicate,
      "accepted: = != IN NOT IN, operator: >, property: transferStatus"),
    WrongQuery(
      .identities, "presenceStatus < 'away'", .unsupportedPredicate,
      "accepted: = != IN NOT IN, operator: <, property: presenceStatus"),
  ]

  /// Two properties that do not compare.
  static let pairs: [WrongQuery] = [
    WrongQuery(
      .messages, "identifier = position", .invalidValue,
      "expected: a property that is a text, an identifier or a MIME type, or a value of metadata, operator: =, property: identifier, value: position"
    ),
    WrongQuery(
      .messages, "sentAt > isUnread", .invalidValue,
      "expected: a property that has an order: a text, an identifier, a number or a date, operator: >, property: sentAt, value: isUnread"
    ),
    WrongQuery(
      .messages, "sentAt = recipientStatus.bob", .invalidValue,
      "expected: a property that is a date, or a value of metadata, operator: =, property: sentAt, value: recipientStatus.bob"
    ),
    WrongQuery(
      .messages, "recipientStatus.bob = isSent", .invalidValue,
      "expected: a property that is a recipient status, operator: =, property: recipientStatus.bob, value: isSent"
    ),
    WrongQuery(
      .messages, "metadata = conversation.metadata", .invalidValue,
      "expected: a dictionary of values of metadata: a property does not compare with whole metadata, operator: =, property: metadata, value: conversation.metadata"
    ),
    WrongQuery(
      .messages, "sender.userID IN conversation.identifier", .invalidValue,
      "expected: values in braces, or a property with several: participants, one of parts, or a value of metadata, operator: IN, property: sender.userID, value: conversation.identifier"
    ),
    WrongQuery(
      .messages, "conversation.participants = sender.userID", .invalidValue,
      "expected: a value, or with participants IN: a user id IN participants, operator: =, property: conversation.participants, value: sender.userID"
    ),
    WrongQuery(
      .messages, "isUnread < isSent", .unsupportedPredicate,
      "accepted: = != IN NOT IN, operator: <, property: isUnread"),
    WrongQuery(
      .messages, "recipientStatus.bob < recipientStatus.carol", .unsupportedPredicate,
      "accepted: = != IN NOT IN, operator: <, property: recipientStatus.bob"),
    WrongQuery(
      .messages, "sender.displayName LIKE sender.userID", .unsupportedPredicate,
      "Two properties are compared by =, !=, <, <=, >, >=, IN and NOT IN, and participants by CONTAINS; other operators take a value",
      "accepted: = != < <= > >= IN NOT IN, operator: LIKE, property: sender.displayName"),
    WrongQuery(
      .messages, "metadata.a CONTAINS metadata.b", .unsupportedPredicate,
      "Two properties are compared by =, !=, <, <=, >, >=, IN and NOT IN, and participants by CONTAINS; other operators take a value",
      "accepted: = != < <= > >= IN NOT IN, operator: CONTAINS, property: metadata.a"),
    WrongQuery(
      .messages, "position BETWEEN conversation.messageCount", .unsupportedPredicate,
      "Two properties are compared by =, !=, <, <=, >, >=, IN and NOT IN, and participants by CONTAINS; other operators take a value",
      "accepted: = != < <= > >= IN NOT IN, operator: BETWEEN, property: position"),
  ]
}
