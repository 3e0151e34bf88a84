extension WrongQuery {
  /// ANY, ALL and NONE, with and without conditions in parentheses, where they do not go.
  static let groups: [WrongQuery] = [
    WrongQuery(
      .messages, "ANY isUnread = TRUE", .unsupportedPredicate,
      "ANY, ALL and NONE go with properties that a message has several of, such as parts.mimeType, and with values of metadata",
      "accepted: = != IN NOT IN, operator: =, property: isUnread, quantifier: ANY"),
    WrongQuery(
      .messages, "ALL position > 5", .unsupportedPredicate,
      "ANY, ALL and NONE go with properties that a message has several of, such as parts.mimeType, and with values of metadata",
      "accepted: = != < <= > >= IN NOT IN BETWEEN, operator: >, property: position, quantifier: ALL"),
    WrongQuery(
      .messages, "ANY metadata = {}", .unsupportedPredicate,
      "ANY, ALL and NONE go with properties that a message has several of, such as parts.mimeType, and with values of metadata",
      "accepted: = !=, operator: =, property: metadata, quantifier: ANY"),
    WrongQuery(
      .messages, "ANY parts.size = nil", .notAvailable,
      "ANY, ALL and NONE of nil ask for one and the same part, in parentheses: ANY parts (size = nil)",
      "operator: =, property: parts.size"),
    WrongQuery(
      .messages, "ANY metadata.a = nil", .invalidValue,
      "expected: a value, because elements are never missing: leave ANY out, operator: =, property: metadata.a, value: nil"
    ),
    WrongQuery(
      .messages, "ANY metadata.a = {'x'}", .invalidValue,
      "expected: a single text, number, date or Boolean, operator: =, property: metadata.a, value: {'x'}"),
    WrongQuery(
      .messages, "ALL metadata.a IN {1, 'x'}", .invalidValue,
      "expected: values of one type: texts, numbers, dates or Booleans, operator: IN, property: metadata.a, value: {1, 'x'}"
    ),
    WrongQuery(
      .messages, "ANY parts (isUnread AND size > 5)", .unqueryableProperty, "property: parts.isUnread"),
    WrongQuery(.messages, "ANY parts (parts.size > 5)", .unqueryableProperty, "property: parts.parts.size"),
    WrongQuery(
      .messages, "ANY parts (size > 5 AND mimeType > 5)", .invalidValue,
      "expected: a text, operator: >, property: parts.mimeType, value: 5"),
    WrongQuery(
      .messages, "ANY parts (size > 5 AND size LIKE 'a')", .unsupportedPredicate,
      "accepted: = != < <= > >= IN NOT IN BETWEEN, operator: LIKE, property: parts.size"),
    WrongQuery(
      .messages, "ANY parts (size > 5 AND ANY mimeType = 'a')", .unsupportedPredicate,
      "The conditions of one element have no ANY, ALL or NONE in them: groups do not nest",
      "accepted: = != < <= > >= IN NOT IN BETWEEN LIKE BEGINSWITH ENDSWITH CONTAINS AUTOCOMPLETE MATCHES-TEXT, operator: =, property: parts.mimeType, quantifier: ANY"
    ),
    WrongQuery(
      .messages, "ANY parts (ANY parts (size > 5))", .unsupportedPredicate,
      "The conditions of one element have no ANY, ALL or NONE in them: groups do not nest",
      "property: parts.parts"),
    WrongQuery(
      .messages, "NOT ALL parts (size > 5 OR NONE parts (size > 5))", .unsupportedPredicate,
      "The conditions of one element have no ANY, ALL or NONE in them: groups do not nest",
      "property: parts.parts"),
    WrongQuery(
      .messages, "ALL sender (userID = 'bob')", .unsupportedPredicate,
      "Conditions in parentheses behind ANY, ALL and NONE go with the parts of a message",
      "expected: parts, of messages or announcements, property: sender, quantifier: ALL"),
    WrongQuery(
      .messages, "NONE metadata.tags (size > 5)", .unsupportedPredicate,
      "Conditions in parentheses behind ANY, ALL and NONE go with the parts of a message",
      "expected: parts, of messages or announcements, property: metadata.tags, quantifier: NONE"),
    WrongQuery(
      .messages, "ANY parts (mimeType = nil)", .invalidValue,
      "expected: a value, because this property is never missing: leave the comparison with nil out, which holds for no object, operator: =, property: parts.mimeType, value: nil"
    ),
    WrongQuery(
      .messages, "ANY parts (text = noon)", .unqueryableProperty,
      "expected: a text needs quotes: 'noon', property: parts.noon"),
    WrongQuery(
      .messages, "ANY parts (size = size)", .notAvailable,
      "Two properties of one and the same part do not compare, because its MIME type, size, text and transfer status are of four kinds: compare each with a value",
      "operator: =, property: parts.size"),
    WrongQuery(
      .conversations, "ANY participants = 'bob'", .unsupportedPredicate,
      "ANY, ALL and NONE go with properties that a message has several of, such as parts.mimeType, and with values of metadata",
      "accepted: = != IN NOT IN CONTAINS RELATED, operator: =, property: participants, quantifier: ANY"),
    WrongQuery(
      .conversations, "ANY messages (isUnread)", .unsupportedPredicate,
      "Conditions in parentheses behind ANY, ALL and NONE go with the parts of a message",
      "expected: parts, of messages or announcements, property: messages, quantifier: ANY"),
    WrongQuery(
      .conversations, "ANY lastMessage.parts (size > 5)", .unsupportedPredicate,
      "Conditions in parentheses behind ANY, ALL and NONE go with the parts of a message",
      "expected: parts, of messages or announcements, property: lastMessage.parts, quantifier: ANY"),
    WrongQuery(
      .parts, "ANY parts (size > 5)", .unsupportedPredicate,
      "Conditions in parentheses behind ANY, ALL and NONE go with the parts of a message",
      "expected: message.parts, property: parts, quantifier: ANY"),
    WrongQuery(
      .parts, "ANY size > 5", .unsupportedPredicate,
      "ANY, ALL and NONE go with properties that a message has several of, such as parts.mimeType, and with values of metadata",
      "accepted: = != < <= > >= IN NOT IN BETWEEN, operator: >, property: size, quantifier: ANY"),
    WrongQuery(
      .identities, "ANY displayName = 'x'", .unsupportedPredicate,
      "ANY, ALL and NONE go with properties that a message has several of, such as parts.mimeType, and with values of metadata",
      "accepted: = != < <= > >= IN NOT IN BETWEEN LIKE BEGINSWITH ENDSWITH CONTAINS AUTOCOMPLETE MATCHES-TEXT, operator: =, property: displayName, quantifier: ANY"
    ),
  ]
}
