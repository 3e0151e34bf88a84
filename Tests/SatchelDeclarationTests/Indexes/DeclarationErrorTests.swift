import Satchel
import SatchelModel
import SatchelScenes
import TestSupport
import Testing

/// Declarations that are refused: each error names what was wrong, and nothing has changed.
@Suite struct DeclarationErrorTests {
  struct Wrong: Sendable, CustomTestStringConvertible {
    let kind: ObjectKind
    let predicate: String?
    let columns: [String]
    let code: SatchelError.Code
    let context: [String: String]
    var name = "x"
    let text: String

    var testDescription: String { "\(kind) \(predicate ?? "") \(columns)" }
  }

  private static let through =
    "An index has only properties of the object itself: another object may change without this one"
  private static let order =
    "A column of an index is a text, an identifier, a number, a date, a Boolean, a reference or a status: participants have an index of their own, and of metadata a key path can be a column"
  private static let elements =
    "Only a property of parts, a value of metadata and a field of records can have several elements"
  private static let bodies =
    "An index has no texts of parts, which may be large: give messages a value of metadata, or declare an index of the words of the texts"
  private static let words =
    "Words are those of texts: of parts, of names, of a value of metadata or of a field of records"

  private static func through(_ kind: ObjectKind, _ path: String) -> [Wrong] {
    [
      Wrong(
        kind: kind, predicate: nil, columns: [path], code: .unsupportedPredicate,
        context: ["index": "x", "property": path], text: through),
      Wrong(
        kind: kind, predicate: "\(path) = 'a'", columns: ["identifier"], code: .unsupportedPredicate,
        context: ["index": "x", "property": path], text: through),
    ]
  }

  static let wrong: [Wrong] =
    through(.messages, "sender.displayName") + through(.messages, "conversation.metadata.team")
    + through(.messages, "conversation.lastMessage.sender.userID")
    + through(.messages, "conversation.identifier")
    + through(.conversations, "lastMessage.sender.userID") + through(.conversations, "lastMessage")
    + through(.announcements, "sender.displayName")
    + [
      Wrong(
        kind: .conversations, predicate: nil, columns: ["lastMessage.sentAt"], code: .unsupportedPredicate,
        context: ["index": "x", "property": "lastMessage.sentAt"], text: through),
      Wrong(
        kind: .messages, predicate: nil, columns: ["parts.text"], code: .unsupportedPredicate,
        context: ["index": "x", "property": "parts.text"], text: bodies),
      Wrong(
        kind: .messages, predicate: "parts.text CONTAINS 'a'", columns: ["sentAt"],
        code: .unsupportedPredicate,
        context: ["index": "x", "property": "parts.text"], text: bodies),
      Wrong(
        kind: .messages, predicate: "isUnread = TRUE AND NOT (parts.text LIKE 'a%')", columns: ["sentAt"],
        code: .unsupportedPredicate, context: ["index": "x", "property": "parts.text"], text: bodies),
      Wrong(
        kind: .messages, predicate: "parts.text CONTAINS 'a'", columns: ["words parts.text"],
        code: .unsupportedPredicate,
        context: ["index": "x", "property": "parts.text"], text: bodies),
      Wrong(
        kind: .messages, predicate: nil, columns: ["words parts.mimeType"], code: .invalidValue,
        context: ["index": "x", "property": "parts.mimeType"], text: words),
      Wrong(
        kind: .messages, predicate: nil, columns: ["words sentAt"], code: .invalidValue,
        context: ["index": "x", "property": "sentAt"], text: words),
      Wrong(
        kind: .identities, predicate: nil, columns: ["words userID"], code: .invalidValue,
        context: ["index": "x", "property": "userID"], text: words),
      Wrong(
        kind: .conversations, predicate: nil, columns: ["words participants"], code: .invalidValue,
        context: ["index": "x", "property": "participants"], text: words),
      Wrong(
        kind: .messages, predicate: nil, columns: ["words conversation.metadata.title"],
        code: .unsupportedPredicate,
        context: ["index": "x", "property": "conversation.metadata.title"], text: through),
      Wrong(
        kind: .messages, predicate: nil, columns: ["words metadata.title", "sentAt"], code: .invalidValue,
        context: ["index": "x", "columns": "words metadata.title, sentAt"],
        text: "An index of words has no other column: declare an index for each"),
      Wrong(
        kind: .messages, predicate: nil, columns: ["words metadata.a", "words metadata.b"],
        code: .invalidValue,
        context: ["index": "x", "columns": "words metadata.a, words metadata.b"],
        text: "An index of words has no other column: declare an index for each"),
      Wrong(
        kind: .identities, predicate: nil, columns: ["words -displayName"], code: .invalidValue,
        context: ["index": "x", "column": "words -displayName"],
        text: "Words have no direction and are those of all values: words metadata.title"),
      Wrong(
        kind: .conversations, predicate: nil, columns: ["participants"], code: .unsupportedSort,
        context: ["index": "x", "property": "participants"], text: order),
      Wrong(
        kind: .conversations, predicate: nil, columns: ["metadata"], code: .unsupportedSort,
        context: ["index": "x", "property": "metadata"], text: order),
      Wrong(
        kind: .identities, predicate: nil, columns: ["displayName", "metadata"], code: .unsupportedSort,
        context: ["index": "x", "property": "metadata"], text: order),
      Wrong(
        kind: .messages, predicate: nil, columns: ["each sentAt"], code: .invalidValue,
        context: ["index": "x", "property": "sentAt"], text: elements),
      Wrong(
        kind: .identities, predicate: nil, columns: ["each displayName"], code: .invalidValue,
        context: ["index": "x", "property": "displayName"], text: elements),
      Wrong(
        kind: .messages, predicate: nil, columns: ["each metadata.a", "each metadata.b"], code: .invalidValue,
        context: ["index": "x", "properties": "metadata.a, metadata.b"],
        text: "An index has one column at most in which an object has several values"),
      Wrong(
        kind: .messages, predicate: nil, columns: ["parts.size", "sentAt", "parts.mimeType"],
        code: .invalidValue,
        context: ["index": "x", "properties": "parts.size, parts.mimeType"],
        text: "An index has one column at most in which an object has several values"),
      Wrong(
        kind: .messages, predicate: nil, columns: ["sentAt", "-sentAt"], code: .invalidValue,
        context: ["index": "x", "property": "sentAt"], text: "A property can be one column of an index"),
      Wrong(
        kind: .messages, predicate: nil, columns: ["parts.mimeType", "parts.MIMEType"], code: .invalidValue,
        context: ["index": "x", "property": "parts.mimeType"],
        text: "A property can be one column of an index"),
      Wrong(
        kind: .messages, predicate: nil, columns: [], code: .invalidValue,
        context: ["index": "x", "columns": "0"], text: "An index has 1 to 8 columns"),
      Wrong(
        kind: .messages, predicate: nil, columns: (1...9).map { "metadata.a\($0)" }, code: .invalidValue,
        context: ["index": "x", "columns": "9"], text: "An index has 1 to 8 columns"),
      Wrong(
        kind: .parts, predicate: nil, columns: ["size"], code: .invalidValue,
        context: ["index": "x", "kind": "parts"],
        text:
          "An index is of messages, announcements, conversations, identities or the records of a type: one of messages may have properties of their parts"
      ),
      Wrong(
        kind: .messages, predicate: nil, columns: ["sentAt"], code: .invalidValue, context: ["index": ""],
        name: "",
        text: "The name of an index has 1 to 256 bytes, and no NUL"),
      Wrong(
        kind: .messages, predicate: nil, columns: ["sentAt"], code: .invalidValue, context: ["index": "a\0b"],
        name: "a\0b", text: "The name of an index has 1 to 256 bytes, and no NUL"),
      Wrong(
        kind: .messages, predicate: nil, columns: ["color"], code: .unqueryableProperty, context: [:],
        text: "There is no such queryable property"),
      Wrong(
        kind: .announcements, predicate: nil, columns: ["conversation"], code: .unqueryableProperty,
        context: [:],
        text: "There is no such queryable property"),
      Wrong(
        kind: .identities, predicate: nil, columns: ["sentAt"], code: .unqueryableProperty, context: [:],
        text: "There is no such queryable property"),
      Wrong(
        kind: .messages, predicate: "color = 1", columns: ["sentAt"], code: .unqueryableProperty,
        context: [:],
        text: "There is no such queryable property"),
      Wrong(
        kind: .messages, predicate: "position LIKE 'a'", columns: ["sentAt"], code: .unsupportedPredicate,
        context: [:], text: "The property does not support the operator"),
      Wrong(
        kind: .messages, predicate: "sentAt = 5", columns: ["sentAt"], code: .invalidValue, context: [:],
        text: "The property and the operator do not take the value"),
    ]

  @Test func thereAreManyOfThem() { #expect(Self.wrong.count >= 30) }

  @Test(arguments: wrong) func isRefused(_ wrong: Wrong) throws {
    let store = try Scratch().store
    let index = Index(
      named: wrong.name, kind: wrong.kind,
      where: try wrong.predicate.map { try QueryPredicate(format: $0) } ?? .true,
      columns: try wrong.columns.map { try IndexColumn($0) })
    let sequence = try store.read { $0.sequence }
    let error = #expect(throws: SatchelError.self) { try store.declare(index) }
    #expect(error?.code == wrong.code, "\(error.map(String.init(describing:)) ?? "")")
    #expect(error?.message.hasPrefix(wrong.text) == true, "\(error?.message ?? "")")
    for (key, value) in wrong.context { #expect(error?.context[key] == value, "\(error?.context ?? [:])") }
    let after = try store.read { $0.sequence }
    #expect(after == sequence)
    #expect(try store.indexes().isEmpty)
  }
}
