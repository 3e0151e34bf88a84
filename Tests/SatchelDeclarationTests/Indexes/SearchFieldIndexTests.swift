import Satchel
import SatchelScenes
import TestSupport
import Testing

/// Patterns that name fields, by indexes of words: the same objects as by reading, and as a look at each field says.
@Suite struct SearchFieldIndexTests {
  private static let list = RecordType("list") { $0.text("title") }
  private static let todo = RecordType("todo") {
    $0.text("title")
    $0.text("notes")
    $0.reference("list", to: list)
  }

  private struct Todo {
    let name: String
    /// By the name that a pattern has for it; what searches name is the notes, nil.
    let fields: [String?: String]

    func has(_ pattern: String, _ field: String? = nil) -> Bool {
      fields[field].map { SearchPattern(typed: pattern).matches($0) } ?? false
    }
  }

  /// Patterns on the notes, and what they mean.
  private static let patterns: [(String, @Sendable (Todo) -> Bool)] = [
    ("title:work milk", { $0.has("work", "title") && $0.has("milk") }),
    ("title:\"to work\" AND milk", { $0.has("\"to work\"", "title") && $0.has("milk") }),
    ("title:(work OR eg*) -milk", { $0.has("work OR eg*", "title") && $0.has("-milk") }),
    ("milk -title:work", { $0.has("milk") && !$0.has("work", "title") }),
    ("-title:work", { !$0.has("work", "title") }),
    ("title:(-work)", { $0.has("-work", "title") }),
    ("title:*gg* OR milk", { $0.has("*gg*", "title") || $0.has("milk") }),
    ("NOT (title:work milk)", { !($0.has("work", "title") && $0.has("milk")) }),
    ("list.title:home title:work", { $0.has("home", "list.title") && $0.has("work", "title") }),
    (
      "notes:(milk eggs) title:work OR list.title:off*",
      { $0.has("milk eggs", nil) && $0.has("work", "title") || $0.has("off*", "list.title") }
    ),
    ("title:missing milk", { _ in false }),
  ]

  private static func text(_ random: inout SeededGenerator) -> String {
    (0..<random.below(5)).map { _ in random.pick(["work", "to", "milk", "eggs", "Work", "late"]) }
      .joined(separator: " ")
  }

  private func expectAll(_ store: MessageStore, _ todos: [Todo]) throws {
    for (pattern, matches) in Self.patterns {
      let query = Self.todo.filter { $0.notes.matches(pattern) }
      let expected = Set(todos.filter(matches).map(\.name))
      #expect(Set(try store.fetch(query).map(\.id.name)) == expected, "\(pattern)")
      #expect(try store.count(query) == expected.count, "\(pattern)")
      let others = Self.todo.filter { !$0.notes.matches(pattern) }
      #expect(try store.count(others) == todos.count - expected.count, "\(pattern)")
    }
  }

  @Test func whatAnIndexFinds() throws {
    var random = SeededGenerator()
    let store = try Scratch().store
    try store.declare(Self.list, Self.todo)
    var todos: [Todo] = []
    try store.write { tx in
      for name in ["home", "office"] { try tx.save(Record(Self.list, name: name, ["title": .text(name)])) }
      for number in 0..<300 {
        var record = Record(Self.todo, name: "t\(number)")
        var fields: [String?: String] = [:]
        for field in ["title", "notes"] where !random.oneIn(8) {
          let text = Self.text(&random)
          record[field] = .text(text)
          fields[field == "notes" ? nil : field] = text
        }
        if !random.oneIn(3) {
          let name = random.pick(["home", "office"])
          record["list"] = .reference(Reference(type: "list", name: name))
          fields["list.title"] = name
        }
        try tx.save(record)
        todos.append(Todo(name: "t\(number)", fields: fields))
      }
    }
    try expectAll(store, todos)
    try store.declare(Index(named: "notes", on: Self.todo, wordsOf: { $0.notes }))
    try expectAll(store, todos)
    try store.declare(Index(named: "titles", on: Self.todo, wordsOf: { $0.title }))
    try store.declare(Index(named: "lists", on: Self.list, wordsOf: { $0.title }))
    try expectAll(store, todos)
    let missing = Self.todo.filter { $0.notes.matches("title:missing milk") }
    let explanation = try store.explain(missing)
    #expect(explanation.paths[explanation.chosen].index == "titles")
    // Changes keep the indexes and a list in step.
    let list = store.controller(for: Self.todo.filter { $0.notes.matches("title:late milk") })
    try list.execute()
    for _ in 0..<40 {
      let place = random.below(todos.count)
      var fields = todos[place].fields
      let text = Self.text(&random)
      fields["title"] = text
      try store.write { tx in
        try tx.update(Record.ID(type: "todo", name: todos[place].name)) { $0["title"] = .text(text) }
      }
      todos[place] = Todo(name: todos[place].name, fields: fields)
    }
    try expectAll(store, todos)
    try list.execute()
    #expect(list.count == todos.count { $0.has("late", "title") && $0.has("milk") })
    try expectSound(store)
  }
}
