import Foundation
import Satchel
import Testing

/// The code of the article "The predicate language".
@Suite struct PredicateLanguageGuide {
  let chats: GuideStore
  let store: MessageStore

  init() throws {
    chats = try GuideStore()
    store = chats.store
    try store.enable(.relations)
    try chats.chat("lunch", metadata: ["theme": ["color": "red"]], messages: 3)
  }

  @Test func arguments() throws {
    let unread = try Query<Message>(format: "parts.mimeType BEGINSWITH %@ AND isUnread = %@", "text/", true)
    let users: Set<Identity.ID> = ["bob", "carol"]
    let theirs = try Query<Message>(format: "sender.userID IN %@", users)
    let red = try Query<Conversation>(format: "%K = %@", "metadata.theme.color", "red")
    #expect(try store.count(unread) == 3)
    #expect(try store.count(theirs) == 3)
    #expect(try store.identifiers(red) == ["lunch"])
  }

  /// The article has a row for each operator, whose example has it.
  @Test func operators() throws {
    let rows = try Repository.table("Operators", of: "PredicateLanguage")
    let written = rows.map { $0[0].first ?? "" }
    #expect(written == QueryPredicate.Operator.allCases.filter { $0 != .member }.map(\.rawValue))
    for row in rows {
      let text = try #require(row[2].first)
      let predicate = try QueryPredicate(format: text)
      guard case .comparison(let comparison) = predicate.form else {
        Issue.record("\(text) is no comparison")
        continue
      }
      #expect(comparison.operator.rawValue == row[0].first, "\(text)")
      let count = try store.count(Query<Message>(format: text))
      #expect(try store.count(Query<Message>(format: "NOT \(text)")) == 3 - count, "\(text)")
    }
    // The other spellings.
    for (other, text) in [("==", "="), ("<>", "!="), ("=<", "<="), ("=>", ">=")] {
      #expect(
        try QueryPredicate(format: "position \(other) 5") == QueryPredicate(format: "position \(text) 5"))
    }
  }

  @Test func literals() throws {
    let examples = [
      "TRUEPREDICATE",
      "isUnread",
      "NOT isUnread = TRUE && position >= 2",
      "position = -7 OR position = 2.5e3 OR position = nil",
      "sentAt > 2026-01-31T09:30:00Z AND sentAt < '2026-02-01T00:00:00+01:00'",
      "sender.userID = \"bob\" || sender.userID = 'd\\'Arc'",
      "position BETWEEN {1, 5}",
      "ALL parts.mimeType LIKE 'text/%'",
      "'image/png' IN parts.mimeType",
      "ANY parts (mimeType = 'image/png' AND size > 100000)",
      "ANY metadata.tags != 'urgent' AND NONE metadata.tags IN {'late', 'lost'}",
      "parts.text CONTAINS[cd] 'cafe'",
      "parts.text AUTOCOMPLETE 'caf' OR sender.displayName AUTOCOMPLETE 'mul bo'",
      "parts.text MATCHES-TEXT 'noon OR \"usual place\" lunc*' AND NOT parts.text MATCHES-TEXT 'late'",
      "recipientStatus.'Carol C.' != 'read'",
      "conversation.metadata.in = 'a key that is also a keyword'",
      "conversation.metadata.readAt.'alice@example.org' = nil",
      "metadata = {'theme': {'color': 'red'}, 'tag': 'new', 'priority': 5}",
      "metadata.priority >= 2.5 AND metadata.muted = FALSE AND metadata.due < 2026-01-31T09:30:00Z",
    ]
    for example in examples {
      let query = try Query<Message>(format: example)
      print(try store.count(query), example)
    }
    #expect(
      try examples.map { try store.count(Query<Message>(format: $0)) }
        == [3, 3, 0, 0, 0, 3, 3, 3, 0, 0, 0, 0, 0, 0, 3, 0, 3, 0, 0])
  }

  @Test func printing() throws {
    let predicate = try QueryPredicate(format: "isUnread == yes && position between {1, 5}")
    print(predicate)
    let same = try QueryPredicate(format: predicate.description)
    #expect(predicate.description == "isUnread = TRUE AND position BETWEEN {1, 5}")
    #expect(same == predicate)
  }

  @Test func errors() throws {
    do {
      _ = try QueryPredicate(format: "isUnread = = TRUE")
    } catch let error as SatchelError where error.code == .syntaxError {
      print(error.context["column"] ?? "", error.context["found"] ?? "", error.context["expected"] ?? "")
    }
    let error = #expect(throws: SatchelError.self) { try QueryPredicate(format: "isUnread = = TRUE") }
    #expect(error?.code == .syntaxError)
    #expect(error?.context["column"] == "12")
    #expect(error?.context["found"] == "=")
    #expect(error?.context["expected"] == "a value or a property")
  }

  @Test(arguments: [
    "isUnread = TRUE TRUE", "sentAt = 2026-01-31", "position BETWEEN 1, 5", "parts.text LIKE 'a\\q'",
    "isUnread =[c] TRUE", "(isUnread", "'bob'", "position = %@", "ANY isUnread",
  ])
  func refusedTexts(_ text: String) {
    let error = #expect(throws: SatchelError.self) { try QueryPredicate(format: text) }
    #expect(error?.code == .syntaxError)
  }

  @Test func fieldsOfRecords() throws {
    let todo = RecordType("todo")
    let work = Reference(type: "list", name: "work")
    let text = try QueryPredicate(format: "done = FALSE AND list = REFERENCE('list', 'work')")
    let argument = try QueryPredicate(format: "done = FALSE AND list = %@", work)
    let closure = todo.filter { $0.done == false && $0.list == work }
    print(todo.filter(text) == closure, todo.filter(argument) == closure)
    #expect(todo.filter(text) == closure && todo.filter(argument) == closure)
    #expect(closure.description == "todo where done = FALSE AND list = REFERENCE('list', 'work')")
    let named = try QueryPredicate(format: "list = REFERENCE('list', %@)", "work")
    #expect(todo.filter(named) == todo.filter { $0.list == work })
    let metadata = try Query<Message>(format: "metadata.list = %@", work)
    let error = #expect(throws: SatchelError.self) { try store.count(metadata) }
    #expect(error?.code == .invalidValue)
  }

  @Test func limits() throws {
    let deep = String(repeating: "(", count: 201) + "isUnread" + String(repeating: ")", count: 201)
    let deepest = String(deep.dropFirst().dropLast())
    #expect(try store.count(Query<Message>(format: deepest)) == 3)
    #expect(throws: SatchelError.self) { try QueryPredicate(format: deep) }
    let nothing = try Query<Message>(format: "ALL parts.size != nil")
    let error = #expect(throws: SatchelError.self) { try store.count(nothing) }
    #expect(error?.code == .notAvailable)
    let pattern = String(repeating: "(", count: 200) + "noon" + String(repeating: ")", count: 200)
    #expect(try store.count(Query<Message>(format: "parts.text MATCHES-TEXT %@", pattern)) == 0)
    for wrong in [
      "(\(pattern))", String(repeating: "a ", count: 1001), String(repeating: "a", count: 16_385),
    ] {
      let query = try Query<Message>(format: "parts.text MATCHES-TEXT %@", wrong)
      let error = #expect(throws: SatchelError.self) { try store.count(query) }
      #expect(error?.code == .syntaxError)
    }
  }
}
