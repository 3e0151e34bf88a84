extension WrongQuery {
  /// Values that a property or an operator does not take.
  static let values: [WrongQuery] = [
    WrongQuery(
      .messages, "position = 'five'", .invalidValue,
      "expected: a number, operator: =, property: position, value: 'five'"),
    WrongQuery(
      .messages, "position = '5'", .invalidValue,
      "expected: a number, operator: =, property: position, value: '5'"),
    WrongQuery(
      .messages, "position = TRUE", .invalidValue,
      "expected: a number; a property alone means = TRUE, operator: =, property: position, value: TRUE"),
    WrongQuery(
      .messages, "position", .invalidValue,
      "expected: a number; a property alone means = TRUE, operator: =, property: position, value: TRUE"),
    WrongQuery(
      .messages, "NOT position", .invalidValue,
      "expected: a number; a property alone means = TRUE, operator: =, property: position, value: TRUE"),
    WrongQuery(
      .messages, "position > nil", .invalidValue,
      "expected: a value: only = and != take nil, operator: >, property: position, value: nil"),
    WrongQuery(
      .messages, "position IN 5", .invalidValue,
      "expected: a list whose values are each a number, operator: IN, property: position, value: 5"),
    WrongQuery(
      .messages, "position IN nil", .invalidValue,
      "expected: a value: only = and != take nil, operator: IN, property: position, value: nil"),
    WrongQuery(
      .messages, "position IN {1, 'two'}", .invalidValue,
      "expected: a number, operator: IN, property: position, value: {1, 'two'}"),
    WrongQuery(
      .messages, "position IN {1, nil}", .invalidValue,
      "expected: a number, operator: IN, property: position, value: {1, nil}"),
    WrongQuery(
      .messages, "position BETWEEN 5", .invalidValue,
      "expected: a list of two bounds, each a number, operator: BETWEEN, property: position, value: 5"),
    WrongQuery(
      .messages, "position BETWEEN {}", .invalidValue,
      "expected: a list of two bounds, each a number, operator: BETWEEN, property: position, value: { }"),
    WrongQuery(
      .messages, "position BETWEEN {1}", .invalidValue,
      "expected: a list of two bounds, each a number, operator: BETWEEN, property: position, value: {1}"),
    WrongQuery(
      .messages, "position BETWEEN {1, 5, 9}", .invalidValue,
      "expected: a list of two bounds, each a number, operator: BETWEEN, property: position, value: {1, 5, 9}"
    ),
    WrongQuery(
      .messages, "position BETWEEN {1, nil}", .invalidValue,
      "expected: a number, operator: BETWEEN, property: position, value: {1, nil}"),
    WrongQuery(
      .messages, "position BETWEEN {'a', 'b'}", .invalidValue,
      "expected: a number, operator: BETWEEN, property: position, value: {'a', 'b'}"),
    WrongQuery(
      .messages, "position = {5}", .invalidValue,
      "expected: a single number, operator: =, property: position, value: {5}"),
    WrongQuery(
      .messages, "sentAt = 5", .invalidValue,
      "expected: a date, or a text in RFC 3339 such as 2026-01-31T09:30:00Z, operator: =, property: sentAt, value: 5"
    ),
    WrongQuery(
      .messages, "sentAt > 1769850000", .invalidValue,
      "expected: a date, or a text in RFC 3339 such as 2026-01-31T09:30:00Z, operator: >, property: sentAt, value: 1769850000"
    ),
    WrongQuery(
      .messages, "sentAt > '2026-01-31'", .invalidValue,
      "expected: a date, or a text in RFC 3339 such as 2026-01-31T09:30:00Z, operator: >, property: sentAt, value: '2026-01-31'"
    ),
    WrongQuery(
      .messages, "sentAt > '31.01.2026'", .invalidValue,
      "expected: a date, or a text in RFC 3339 such as 2026-01-31T09:30:00Z, operator: >, property: sentAt, value: '31.01.2026'"
    ),
    WrongQuery(
      .messages, "sentAt > '2026-02-29T00:00:00Z'", .invalidValue,
      "expected: a date, or a text in RFC 3339 such as 2026-01-31T09:30:00Z, operator: >, property: sentAt, value: '2026-02-29T00:00:00Z'"
    ),
    WrongQuery(
      .messages, "sentAt = TRUE", .invalidValue,
      "expected: a date, or a text in RFC 3339 such as 2026-01-31T09:30:00Z; a property alone means = TRUE, operator: =, property: sentAt, value: TRUE"
    ),
    WrongQuery(
      .messages, "sentAt BETWEEN {2026-01-01T00:00:00Z}", .invalidValue,
      "expected: a list of two bounds, each a date, or a text in RFC 3339 such as 2026-01-31T09:30:00Z, operator: BETWEEN, property: sentAt, value: {2026-01-01T00:00:00Z}"
    ),
    WrongQuery(
      .messages, "isUnread = 1", .invalidValue,
      "expected: a Boolean: TRUE or FALSE, operator: =, property: isUnread, value: 1"),
    WrongQuery(
      .messages, "isUnread = 'true'", .invalidValue,
      "expected: a Boolean: TRUE or FALSE, operator: =, property: isUnread, value: 'true'"),
    WrongQuery(
      .messages, "isUnread = nil", .invalidValue,
      "expected: a value, because this property is never missing: leave the comparison with nil out, which holds for no object, operator: =, property: isUnread, value: nil"
    ),
    WrongQuery(
      .messages, "isUnread IN {TRUE, 0}", .invalidValue,
      "expected: a Boolean: TRUE or FALSE, operator: IN, property: isUnread, value: {TRUE, 0}"),
    WrongQuery(
      .messages, "isUnread IN TRUE", .invalidValue,
      "expected: a list whose values are each a Boolean: TRUE or FALSE, operator: IN, property: isUnread, value: TRUE"
    ),
    WrongQuery(
      .messages, "identifier = 5", .invalidValue,
      "expected: a text, operator: =, property: identifier, value: 5"),
    WrongQuery(
      .messages, "identifier = nil", .invalidValue,
      "expected: a value, because this property is never missing: leave the comparison with nil out, which holds for no object, operator: =, property: identifier, value: nil"
    ),
    WrongQuery(
      .messages, "identifier != nil", .invalidValue,
      "expected: a value, because this property is never missing: leave the comparison with nil out, which holds for every object, operator: !=, property: identifier, value: nil"
    ),
    WrongQuery(
      .messages, "identifier IN 'm'", .invalidValue,
      "expected: a list whose values are each a text, operator: IN, property: identifier, value: 'm'"),
    WrongQuery(
      .messages, "identifier LIKE {'x'}", .invalidValue,
      "expected: a single text, operator: LIKE, property: identifier, value: {'x'}"),
    WrongQuery(
      .messages, "sender.userID = 12345", .invalidValue,
      "expected: a text, operator: =, property: sender.userID, value: 12345"),
    WrongQuery(
      .messages, "sender.userID = {'bob'}", .invalidValue,
      "expected: a single text, operator: =, property: sender.userID, value: {'bob'}"),
    WrongQuery(
      .messages, "sender.userID IN {1, 2}", .invalidValue,
      "expected: a text, operator: IN, property: sender.userID, value: {1, 2}"),
    WrongQuery(
      .messages, "parts.size > '100'", .invalidValue,
      "expected: a number, operator: >, property: parts.size, value: '100'"),
    WrongQuery(
      .messages, "parts.text LIKE 5", .invalidValue,
      "expected: a text, operator: LIKE, property: parts.text, value: 5"),
    WrongQuery(
      .messages, "recipientStatus.bob = 'seen'", .invalidValue,
      "expected: a text: 'pending', 'sent', 'delivered' or 'read', operator: =, property: recipientStatus.bob, value: 'seen'"
    ),
    WrongQuery(
      .messages, "recipientStatus.bob = 3", .invalidValue,
      "expected: a text: 'pending', 'sent', 'delivered' or 'read', operator: =, property: recipientStatus.bob, value: 3"
    ),
    WrongQuery(
      .messages, "recipientStatus.bob IN {'read', 'seen'}", .invalidValue,
      "expected: a text: 'pending', 'sent', 'delivered' or 'read', operator: IN, property: recipientStatus.bob, value: {'read', 'seen'}"
    ),
    WrongQuery(
      .messages, "metadata = 'x'", .invalidValue,
      "expected: a dictionary of values of metadata, operator: =, property: metadata, value: 'x'"),
    WrongQuery(
      .messages, "metadata = nil", .invalidValue,
      "expected: a value, because this property is never missing: leave the comparison with nil out, which holds for no object, operator: =, property: metadata, value: nil"
    ),
    WrongQuery(
      .messages, "metadata = {'a'}", .invalidValue,
      "expected: a dictionary of values of metadata, operator: =, property: metadata, value: {'a'}"),
    WrongQuery(
      .messages, "metadata = {'a': NAN}", .invalidValue,
      "expected: A number of metadata is finite (keyPath: a, value: nan), operator: =, property: metadata, value: {'a': NAN}"
    ),
    WrongQuery(
      .messages, "metadata = {'': 'x'}", .invalidValue,
      "expected: A metadata key has 1 to 256 UTF-8 bytes and no NUL, a key path 1 to 64 keys (found: an empty key, keyPath: ''), operator: =, property: metadata, value: {'': 'x'}"
    ),
    WrongQuery(
      .messages, "metadata.a = {1, 2}", .invalidValue,
      "expected: a list of texts, or a single text, number, date or Boolean, operator: =, property: metadata.a, value: {1, 2}"
    ),
    WrongQuery(
      .messages, "metadata.a = {'x', 5}", .invalidValue,
      "expected: a list of texts, or a single text, number, date or Boolean, operator: =, property: metadata.a, value: {'x', 5}"
    ),
    WrongQuery(
      .messages, "metadata.a IN {1, 'b'}", .invalidValue,
      "expected: values of one type: texts, numbers, dates or Booleans, operator: IN, property: metadata.a, value: {1, 'b'}"
    ),
    WrongQuery(
      .messages, "metadata.a IN {TRUE, 1}", .invalidValue,
      "expected: values of one type: texts, numbers, dates or Booleans, operator: IN, property: metadata.a, value: {TRUE, 1}"
    ),
    WrongQuery(
      .messages, "metadata.a IN {1, nil}", .invalidValue,
      "expected: a text, number, date or Boolean, operator: IN, property: metadata.a, value: {1, nil}"),
    WrongQuery(
      .messages, "metadata.a IN 'x'", .invalidValue,
      "expected: a list whose values are each a text, number, date or Boolean, operator: IN, property: metadata.a, value: 'x'"
    ),
    WrongQuery(
      .messages, "metadata.a BETWEEN {1, 'b'}", .invalidValue,
      "expected: values of one type: texts, numbers, dates or Booleans, operator: BETWEEN, property: metadata.a, value: {1, 'b'}"
    ),
    WrongQuery(
      .messages, "metadata.a > nil", .invalidValue,
      "expected: a value: only = and != take nil, operator: >, property: metadata.a, value: nil"),
    WrongQuery(
      .messages, "metadata.a < {'b': 'c'}", .invalidValue,
      "expected: a single text, number, date or Boolean, operator: <, property: metadata.a, value: {'b': 'c'}"
    ),
    WrongQuery(
      .messages, "metadata.a LIKE 5", .invalidValue,
      "expected: a text, operator: LIKE, property: metadata.a, value: 5"),
    WrongQuery(
      .messages, "metadata.a CONTAINS TRUE", .invalidValue,
      "expected: a text, operator: CONTAINS, property: metadata.a, value: TRUE"),
    WrongQuery(
      .messages, "metadata.a BEGINSWITH 2026-01-01T00:00:00Z", .invalidValue,
      "expected: a text, operator: BEGINSWITH, property: metadata.a, value: 2026-01-01T00:00:00Z"),
    WrongQuery(
      .conversations, "participants = 5", .invalidValue,
      "expected: a set of user ids, operator: =, property: participants, value: 5"),
    WrongQuery(
      .conversations, "participants = {5}", .invalidValue,
      "expected: a set of user ids, operator: =, property: participants, value: {5}"),
    WrongQuery(
      .conversations, "participants = {'a': 'b'}", .invalidValue,
      "expected: a set of user ids, operator: =, property: participants, value: {'a': 'b'}"),
    WrongQuery(
      .conversations, "participants = nil", .invalidValue,
      "expected: a value, because this property is never missing: leave the comparison with nil out, which holds for no object, operator: =, property: participants, value: nil"
    ),
    WrongQuery(
      .conversations, "5 IN participants", .invalidValue,
      "expected: a set of user ids, operator: IN, property: participants, value: 5"),
    WrongQuery(
      .conversations, "unreadCount != nil", .invalidValue,
      "expected: a value, because this property is never missing: leave the comparison with nil out, which holds for every object, operator: !=, property: unreadCount, value: nil"
    ),
    WrongQuery(
      .conversations, "messageCount > 'ten'", .invalidValue,
      "expected: a number, operator: >, property: messageCount, value: 'ten'"),
    WrongQuery(
      .conversations, "isDistinct = 'x'", .invalidValue,
      "expected: a Boolean: TRUE or FALSE, operator: =, property: isDistinct, value: 'x'"),
    WrongQuery(
      .parts, "transferStatus = 'done'", .invalidValue,
      "expected: a text: 'awaitingUpload', 'uploading', 'readyForDownload', 'downloading' or 'complete', operator: =, property: transferStatus, value: 'done'"
    ),
    WrongQuery(
      .parts, "index = '0'", .invalidValue, "expected: a number, operator: =, property: index, value: '0'"),
    WrongQuery(
      .identities, "presenceStatus = 'online'", .invalidValue,
      "expected: a text: 'offline', 'available', 'busy', 'away' or 'invisible', operator: =, property: presenceStatus, value: 'online'"
    ),
    WrongQuery(
      .identities, "displayName = 5", .invalidValue,
      "expected: a text, operator: =, property: displayName, value: 5"),
  ]
}
