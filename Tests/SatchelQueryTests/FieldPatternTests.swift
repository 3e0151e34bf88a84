import SatchelModel
import SatchelQuery
import SatchelRecords
import Testing

/// Patterns that name fields come to the conditions that a predicate spells out.
@Suite struct FieldPatternTests {
  private static let list = RecordType("list") {
    $0.text("title")
    $0.integer("size")
  }
  private static let todo = RecordType("todo") {
    $0.text("title")
    $0.text("to do")
    $0.texts("tags")
    $0.integer("order")
    $0.reference("list", to: list)
  }

  private func condition(_ text: String, _ kind: ObjectKind) throws -> Condition {
    let queried =
      kind == .records ? QueriedType(Self.todo, among: [Self.todo, Self.list]) : QueriedType(kind)
    return try Normalizer(queried, user: "alice").condition(for: QueryPredicate(format: text))
  }

  @Test(
    arguments: [
      (
        .records, "title MATCHES-TEXT 'title:work AND milk'",
        "title MATCHES-TEXT 'milk' AND title MATCHES-TEXT 'work'"
      ),
      (
        .records, "title MATCHES-TEXT 'tags:work AND milk'",
        "title MATCHES-TEXT 'milk' AND tags MATCHES-TEXT 'work'"
      ),
      (
        .records, "title MATCHES-TEXT 'a tags:(b OR c) d'",
        "title MATCHES-TEXT 'a d' AND tags MATCHES-TEXT 'b OR c'"
      ),
      (.records, "title MATCHES-TEXT 'a OR tags:b'", "title MATCHES-TEXT 'a' OR tags MATCHES-TEXT 'b'"),
      (.records, "title MATCHES-TEXT 'a -tags:b'", "title MATCHES-TEXT 'a' AND NOT tags MATCHES-TEXT 'b'"),
      (.records, "title MATCHES-TEXT 'tags:(-b)'", "tags MATCHES-TEXT '-b'"),
      (
        .records, "NOT title MATCHES-TEXT 'a tags:b'",
        "NOT (title MATCHES-TEXT 'a' AND tags MATCHES-TEXT 'b')"
      ),
      (.records, "title MATCHES-TEXT '\"to do\":a*'", "#'to do' MATCHES-TEXT 'a*'"),
      (
        .records, "title MATCHES-TEXT 'list.title:home a'",
        "title MATCHES-TEXT 'a' AND list.title MATCHES-TEXT 'home'"
      ),
      (.records, "title MATCHES-TEXT 'owner.displayName:bob'", "owner.displayName MATCHES-TEXT 'bob'"),
      (
        .records, "NONE tags MATCHES-TEXT 'a title:b'",
        "NOT (ANY tags MATCHES-TEXT 'a' AND title MATCHES-TEXT 'b')"
      ),
      (
        .messages, "parts.text MATCHES-TEXT 'text:a b'",
        "parts.text MATCHES-TEXT 'b' AND parts.text MATCHES-TEXT 'a'"
      ),
      (.messages, "parts.text MATCHES-TEXT 'text:(a b)'", "parts.text MATCHES-TEXT 'a b'"),
      (
        .messages, "ANY parts.text MATCHES-TEXT 'sender.displayName:bob noon'",
        "ANY parts.text MATCHES-TEXT 'noon' AND sender.displayName MATCHES-TEXT 'bob'"
      ),
      (
        .messages, "parts.text MATCHES-TEXT 'conversation.metadata.title:lunch OR noon'",
        "parts.text MATCHES-TEXT 'noon' OR conversation.metadata.title MATCHES-TEXT 'lunch'"
      ),
      (
        .messages, "ANY parts (text MATCHES-TEXT 'mimeType:plain noon' AND size > 5)",
        "ANY parts (text MATCHES-TEXT 'noon' AND mimeType MATCHES-TEXT 'plain' AND size > 5)"
      ),
      (.announcements, "parts.text MATCHES-TEXT 'text:(a b)'", "parts.text MATCHES-TEXT 'a b'"),
      (.parts, "text MATCHES-TEXT 'mimeType:plain'", "mimeType MATCHES-TEXT 'plain'"),
      (
        .conversations, "metadata.topic MATCHES-TEXT 'title:lunch food'",
        "metadata.topic MATCHES-TEXT 'food' AND metadata.title MATCHES-TEXT 'lunch'"
      ),
      (
        .identities, "emailAddress MATCHES-TEXT 'name:bob OR firstName:bob'",
        "displayName MATCHES-TEXT 'bob' OR firstName MATCHES-TEXT 'bob'"
      ),
      (.messages, "parts.text MATCHES-TEXT '10:30'", "parts.text MATCHES-TEXT '\"10:30\"'"),
      (.messages, "parts.text MATCHES-TEXT 'http://x'", "parts.text MATCHES-TEXT '\"http://x\"'"),
    ] as [(ObjectKind, String, String)])
  func namesOfFields(_ kind: ObjectKind, _ pattern: String, _ spelledOut: String) throws {
    #expect(try condition(pattern, kind) == condition(spelledOut, kind))
  }

  /// Where a name is that of no property, a number behind it is a port.
  @Test(
    arguments: [
      (.messages, "localhost:8080", "\"localhost:8080\""),
      (.messages, "noon localhost:80", "noon \"localhost:80\""),
      (.messages, "-db.example.org:5432 OR a", "-\"db.example.org:5432\" OR a"),
      (.messages, "localhost:8080/a?b=1", "\"localhost:8080/a?b=1\""),
      (.messages, "localhost:80*", "\"localhost:80\"*"),
      (.messages, "text:(a localhost:8080)", "text:(a \"localhost:8080\")"),
      (.records, "localhost:8080 tags:2024", "\"localhost:8080\" tags:2024"),
      (.conversations, "step:3 metadata.topic:5", "\"step:3\" metadata.topic:5"),
    ] as [(ObjectKind, String, String)])
  func portsAreWords(_ kind: ObjectKind, _ pattern: String, _ quoted: String) throws {
    let property = [ObjectKind.messages: "parts.text", .records: "title"][kind] ?? "metadata.title"
    let (found, expected) = try (
      condition("\(property) MATCHES-TEXT '\(pattern)'", kind),
      condition("\(property) MATCHES-TEXT '\(quoted)'", kind)
    )
    #expect(found == expected)
    if !quoted.contains(" ") {
      _ = try condition("ALL parts.text MATCHES-TEXT '\(pattern)'", .messages)
      _ = try condition("ANY parts (text MATCHES-TEXT '\(pattern)' AND size > 5)", .messages)
    }
  }

  /// A name that is a property's, or a short one of some objects, is none of a computer; nor is one with anything but a port behind it.
  @Test(
    arguments: [
      (.messages, "titel:milk", "titel"), (.messages, "position:5", "position"),
      (.messages, "title:1984", "title"),
      (.messages, "localhost:65536", "localhost"), (.messages, "localhost:8080a", "localhost"),
      (.messages, "localhost:*80", "localhost"), (.messages, "localhost:(80 81)", "localhost"),
      (.messages, "host:localhost:80", "host"), (.records, "order:1", "order"),
      (.records, "list.size:1", "list.size"),
      (.records, "createdAt:2024", "createdAt"), (.identities, "text:5", "text"),
    ] as [(ObjectKind, String, String)])
  func otherNumbersAreNoPorts(_ kind: ObjectKind, _ pattern: String, _ field: String) throws {
    let property = [ObjectKind.messages: "parts.text", .records: "title"][kind] ?? "displayName"
    let error = #expect(throws: SatchelError.self) {
      try condition("\(property) MATCHES-TEXT '\(pattern)'", kind)
    }
    #expect(
      error?.code == .unqueryableProperty && error?.context["field"] == field, "\(String(describing: error))")
  }

  /// Of a declared type, only what is declared as a text is a field; the error says which are.
  @Test(arguments: [
    "titel", "order", "list", "titel.x", "createdAt", "list.title.x", "list.titel", "list.size", "owner.seen",
  ])
  func fieldsThatThereAreNot(_ name: String) throws {
    let error = #expect(throws: SatchelError.self) {
      try condition("title MATCHES-TEXT 'milk OR \(name):work'", .records)
    }
    #expect(
      error?.code == .unqueryableProperty && error?.context["field"] == name
        && error?.context["available"] == "tags, title, to do" && error?.context["kind"] == "todo"
        && error?.context["expected"]?.hasPrefix("tags:noon") == true, "\(String(describing: error))")
  }
}
