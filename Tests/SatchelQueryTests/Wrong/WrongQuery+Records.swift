extension WrongQuery {
  /// Fields of records, references, and where references do not go.
  static let records: [WrongQuery] = ofRecords + ofOthers + keys

  private static let ofEveryRecord =
    "accepted: = != < <= > >= IN NOT IN BETWEEN LIKE BEGINSWITH ENDSWITH CONTAINS AUTOCOMPLETE MATCHES-TEXT RELATED"
  private static let group: (message: String, expected: String) = (
    "Conditions in parentheses behind ANY, ALL and NONE go with the parts of a message",
    "expected: one condition on the texts of a field: "
  )

  private static let ofRecords: [WrongQuery] = [
    WrongQuery(.records, "owner.x = 1", .unqueryableProperty, "property: owner.x"),
    WrongQuery(.records, "createdAt.day = 1", .unqueryableProperty, "property: createdAt.day"),
    WrongQuery(
      .records, "title = owner.name", .unqueryableProperty,
      "expected: a text needs quotes: 'owner.name', property: owner.name"),
    WrongQuery(
      .records, "title > nil", .invalidValue,
      "expected: a value: only = and != take nil, operator: >, property: title, value: nil"),
    WrongQuery(
      .records, "title LIKE nil", .invalidValue,
      "expected: a value: only = and != take nil, operator: LIKE, property: title, value: nil"),
    WrongQuery(
      .records, "list < REFERENCE('list', 'work')", .unsupportedPredicate,
      "References are compared by =, !=, IN and NOT IN",
      "accepted: = != IN NOT IN, operator: <, property: list"),
    WrongQuery(
      .records, "list BETWEEN {REFERENCE('list', 'a'), REFERENCE('list', 'b')}", .unsupportedPredicate,
      "References are compared by =, !=, IN and NOT IN",
      "accepted: = != IN NOT IN, operator: BETWEEN, property: list"),
    WrongQuery(
      .records, "ANY list >= REFERENCE('list', 'work')", .unsupportedPredicate,
      "References are compared by =, !=, IN and NOT IN",
      "accepted: = != IN NOT IN, operator: >=, property: list, quantifier: ANY"),
    WrongQuery(
      .records, "done < TRUE", .unsupportedPredicate, "Booleans are compared by =, !=, IN and NOT IN",
      "accepted: = != IN NOT IN, operator: <, property: done"),
    WrongQuery(
      .records, "list LIKE REFERENCE('list', 'work')", .invalidValue,
      "expected: a text, operator: LIKE, property: list, value: REFERENCE('list', 'work')"),
    WrongQuery(
      .records, "list = REFERENCE('', 'work')", .invalidValue,
      "expected: a reference that names a type, and an object of it, found: '', which is no name of a type, operator: =, property: list, value: REFERENCE('', 'work')"
    ),
    WrongQuery(
      .records, "list IN {REFERENCE('list', 'a'), REFERENCE('two words', 'b')}", .invalidValue,
      "expected: a reference that names a type, and an object of it, found: 'two words', which is no name of a type, operator: IN, property: list, value: {REFERENCE('list', 'a'), REFERENCE('two words', 'b')}"
    ),
    WrongQuery(
      .records, "part = REFERENCE('parts', 'm/parts/0')", .invalidValue,
      "expected: a reference that names a type, and an object of it, found: parts, which is no name of a type, operator: =, property: part, value: REFERENCE('parts', 'm/parts/0')"
    ),
    WrongQuery(
      .records, "list != REFERENCE('list', '')", .invalidValue,
      "expected: a reference that names a type, and an object of it, found: an identifier that is empty or has NUL, operator: !=, property: list, value: REFERENCE('list', '')"
    ),
    WrongQuery(
      .records, "place = {'list': REFERENCE('', 'work')}", .invalidValue,
      "expected: A reference names a type, and an object of it (found: '', which is no name of a type, keyPath: list), operator: =, property: place, value: {'list': REFERENCE('', 'work')}"
    ),
    WrongQuery(
      .records, "list IN {REFERENCE('list', 'a'), 'b'}", .invalidValue,
      "expected: values of one type: texts, numbers, dates, Booleans or references, operator: IN, property: list, value: {REFERENCE('list', 'a'), 'b'}"
    ),
    WrongQuery(
      .records, "list IN REFERENCE('list', 'a')", .invalidValue,
      "expected: a list whose values are each a text, number, date, Boolean or reference, operator: IN, property: list, value: REFERENCE('list', 'a')"
    ),
    WrongQuery(
      .records, "list = {REFERENCE('list', 'a')}", .invalidValue,
      "expected: a list of texts, or a single text, number, date, Boolean or reference, operator: =, property: list, value: {REFERENCE('list', 'a')}"
    ),
    WrongQuery(
      .records, "ANY list = nil", .invalidValue,
      "expected: a value, because elements are never missing: leave ANY out, operator: =, property: list, value: nil"
    ),
    WrongQuery(
      .records, "owner = nil", .invalidValue,
      "expected: a value, because this property is never missing: leave the comparison with nil out, which holds for no object, operator: =, property: owner, value: nil"
    ),
    WrongQuery(
      .records, "createdAt = nil", .invalidValue,
      "expected: a value, because this property is never missing: leave the comparison with nil out, which holds for no object, operator: =, property: createdAt, value: nil"
    ),
    WrongQuery(
      .records, "updatedAt != nil", .invalidValue,
      "expected: a value, because this property is never missing: leave the comparison with nil out, which holds for every object, operator: !=, property: updatedAt, value: nil"
    ),
    WrongQuery(
      .records, "owner = REFERENCE('identities', 'bob')", .invalidValue,
      "expected: a text; a reference compares with a field of a record, operator: =, property: owner, value: REFERENCE('identities', 'bob')"
    ),
    WrongQuery(
      .records, "createdAt > 5", .invalidValue,
      "expected: a date, or a text in RFC 3339 such as 2026-01-31T09:30:00Z, operator: >, property: createdAt, value: 5"
    ),
    WrongQuery(
      .records, "ANY owner = 'bob'", .unsupportedPredicate,
      "ANY, ALL and NONE go with fields: what every record has is a single value",
      "\(ofEveryRecord), operator: =, property: owner, quantifier: ANY"),
    WrongQuery(
      .records, "'bob' IN owner", .unsupportedPredicate,
      "A value is IN a field: what every record has is a single value",
      "\(ofEveryRecord), operator: IN, property: owner"),
    WrongQuery(
      .records, "createdAt LIKE '2026%'", .unsupportedPredicate,
      "accepted: = != < <= > >= IN NOT IN BETWEEN, operator: LIKE, property: createdAt"),
    WrongQuery(
      .records, "ANY tags (size > 5)", .unsupportedPredicate, group.message,
      group.expected + "ANY tags = 'urgent', property: tags, quantifier: ANY"),
    WrongQuery(
      .records, "NONE parts (mimeType = 'image/png')", .unsupportedPredicate, group.message,
      group.expected + "NONE tags = 'urgent', property: parts, quantifier: NONE"),
    WrongQuery(
      .records, "owner = createdAt", .invalidValue,
      "expected: a property that is a text or an identifier, or a field, operator: =, property: owner, value: createdAt"
    ),
    WrongQuery(
      .records, "createdAt > owner", .invalidValue,
      "expected: a property that is a date, or a field, operator: >, property: createdAt, value: owner"),
    WrongQuery(
      .records, "title IN owner", .invalidValue,
      "expected: values in braces, or a field, operator: IN, property: title, value: owner"),
    WrongQuery(
      .records, "title LIKE owner", .unsupportedPredicate,
      "Two properties are compared by =, !=, <, <=, >, >=, IN and NOT IN, and participants by CONTAINS; other operators take a value",
      "accepted: = != < <= > >= IN NOT IN, operator: LIKE, property: title"),
  ]

  /// References beside properties of other objects, which have none.
  private static let ofOthers: [WrongQuery] = [
    WrongQuery(
      .messages, "metadata.list = REFERENCE('list', 'work')", .invalidValue,
      "expected: a text, number, date or Boolean; a reference compares with a field of a record, operator: =, property: metadata.list, value: REFERENCE('list', 'work')"
    ),
    WrongQuery(
      .messages, "metadata.list < REFERENCE('list', 'work')", .invalidValue,
      "expected: a text, number, date or Boolean; a reference compares with a field of a record, operator: <, property: metadata.list, value: REFERENCE('list', 'work')"
    ),
    WrongQuery(
      .messages, "ALL metadata.list NOT IN {REFERENCE('list', 'work')}", .invalidValue,
      "expected: a text, number, date or Boolean; a reference compares with a field of a record, operator: NOT IN, property: metadata.list, value: {REFERENCE('list', 'work')}"
    ),
    WrongQuery(
      .messages, "conversation = REFERENCE('conversations', 'c')", .invalidValue,
      "expected: a text; a reference compares with a field of a record, operator: =, property: conversation, value: REFERENCE('conversations', 'c')"
    ),
    WrongQuery(
      .messages, "position = REFERENCE('list', 'work')", .invalidValue,
      "expected: a number; a reference compares with a field of a record, operator: =, property: position, value: REFERENCE('list', 'work')"
    ),
    WrongQuery(
      .messages, "metadata = {'list': REFERENCE('list', 'work')}", .invalidValue,
      "expected: A reference is a field of a record, and no value of metadata (keyPath: list, value: list/work), operator: =, property: metadata, value: {'list': REFERENCE('list', 'work')}"
    ),
    WrongQuery(
      .conversations, "participants CONTAINS REFERENCE('identities', 'bob')", .invalidValue,
      "expected: a set of user ids; a reference compares with a field of a record, operator: CONTAINS, property: participants, value: REFERENCE('identities', 'bob')"
    ),
  ]

  /// Names that no field, and no key in one, may have.
  private static let keys: [WrongQuery] = [
    wrongKey("#'' = 1", "''", "an empty key"),
    wrongKey("place.'' = 1", "place.''", "an empty key"),
    wrongKey("#'a\\u{0}b' = 1", "'a\\u{0}b'", "a key with NUL: 'a\\u{0}b'"),
    wrongKey(
      String(repeating: "a", count: 257) + " = 1", String(repeating: "a", count: 257), "a key of 257 bytes"),
    wrongKey(
      Array(repeating: "a", count: 65).joined(separator: ".") + " = 1",
      Array(repeating: "a", count: 65).joined(separator: "."), "more than 64 keys"),
  ]

  private static func wrongKey(_ text: String, _ property: String, _ found: String) -> WrongQuery {
    WrongQuery(
      .records, text, .unqueryableProperty,
      "A metadata key has 1 to 256 UTF-8 bytes and no NUL, a key path 1 to 64 keys",
      "found: \(found), property: \(property)")
  }
}
