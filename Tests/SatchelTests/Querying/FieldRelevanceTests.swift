import Foundation
import Satchel
import SatchelRelevance
import SatchelScenes
import TestSupport
import Testing

/// Searches by relevance for patterns that name fields: the sum of what each field's own words are worth.
@Suite struct FieldRelevanceTests {
  private static let todo = RecordType("todo") {
    $0.text("title")
    $0.text("notes")
  }

  private static let vocabulary = ["work", "milk", "work", "eggs", "late", "the", "the"]

  private struct Todo {
    let id: Record.ID
    let fields: [String: [String]]

    func count(_ word: String, _ field: String) -> Int { fields[field, default: []].count { $0 == word } }
  }

  /// A pattern on the notes, the words that count, each with its field, and what matches.
  private struct Pattern: Sendable {
    let text: String
    let wanted: [(field: String, word: String)]
    let matches: @Sendable (Todo) -> Bool
  }

  private static let patterns = [
    Pattern(text: "title:work milk", wanted: [("notes", "milk"), ("title", "work")]) {
      $0.count("work", "title") > 0 && $0.count("milk", "notes") > 0
    },
    Pattern(text: "title:work", wanted: [("title", "work")]) { $0.count("work", "title") > 0 },
    Pattern(text: "title:work OR milk", wanted: [("notes", "milk"), ("title", "work")]) {
      $0.count("work", "title") > 0 || $0.count("milk", "notes") > 0
    },
    Pattern(
      text: "title:(work eggs) notes:milk", wanted: [("title", "work"), ("title", "eggs"), ("notes", "milk")]
    ) {
      $0.count("work", "title") > 0 && $0.count("eggs", "title") > 0 && $0.count("milk", "notes") > 0
    },
    Pattern(text: "work -title:late", wanted: [("notes", "work")]) {
      $0.count("work", "notes") > 0 && $0.count("late", "title") == 0
    },
    Pattern(text: "work notes:milk", wanted: [("notes", "work"), ("notes", "milk")]) {
      $0.count("work", "notes") > 0 && $0.count("milk", "notes") > 0
    },
  ]

  private static func score(_ todo: Todo, _ pattern: Pattern, _ all: [Todo]) -> Double {
    pattern.wanted.reduce(0) { sum, wanted in
      let having = all.filter { $0.fields[wanted.field] != nil }
      guard let own = todo.fields[wanted.field] else { return sum }
      let count = Double(having.count)
      let average = Double(having.reduce(0) { $0 + $1.fields[wanted.field, default: []].count }) / count
      let found = Double(having.count { $0.count(wanted.word, wanted.field) > 0 })
      let weight = max(1e-6, log((count - found + 0.5) / (found + 0.5)))
      let frequency = Double(todo.count(wanted.word, wanted.field))
      let long: Double = 1.2 * (0.25 + 0.75 * Double(own.count) / average)
      return sum + weight * (frequency * 2.2 / (frequency + long))
    }
  }

  /// A store that has the words of each field in an index.
  private static func indexedStore() throws -> MessageStore {
    let store = try Scratch().store
    try store.declare(todo)
    for field in ["title", "notes"] {
      try store.declare(
        Index(
          named: field, kind: .records, recordType: "todo", columns: [IndexColumn([field], isOfWords: true)]))
    }
    return store
  }

  @Test func eachFieldCountsItsOwnWords() throws {
    var random = SeededGenerator()
    let store = try Self.indexedStore()
    var todos: [Todo] = []
    try store.write { tx in
      for number in 0..<700 {
        var fields: [String: [String]] = [:]
        for field in ["title", "notes"] where !random.oneIn(6) {
          fields[field] = (0..<(1 + random.below(8))).map { _ in random.pick(Self.vocabulary) }
        }
        let values = fields.mapValues { MetadataValue.text($0.joined(separator: " ")) }
        var record = Record(Self.todo, name: "t\(number)")
        for (field, value) in values { record[field] = value }
        todos.append(Todo(id: try tx.save(record).id, fields: fields))
      }
    }
    for pattern in Self.patterns {
      let query = Self.todo.filter { $0.notes.matches(pattern.text) }
      let expected = todos.enumerated().filter { pattern.matches($0.element) }
        .map { (place: $0.offset, id: $0.element.id, score: Self.score($0.element, pattern, todos)) }
      #expect(!expected.isEmpty, "\(pattern.text)")
      let results = try store.search(query)
      #expect(Set(results.map(\.object.id)) == Set(expected.map(\.id)), "\(pattern.text)")
      let scores = Dictionary(uniqueKeysWithValues: expected.map { ($0.id, $0.score) })
      for result in results {
        let score = scores[result.object.id] ?? -1
        #expect(abs(result.score - score) <= 1e-9 * max(1, score), "\(pattern.text): \(result.object.id)")
        #expect(!result.highlights.isEmpty, "\(pattern.text): \(result.text)")
      }
      #expect(zip(results, results.dropFirst()).allSatisfy { $0.score >= $1.score }, "\(pattern.text)")
      for (offset, limit) in [(0, 1), (2, 9), (5000, 3)] {
        let some = try store.search(query.offset(offset).limit(limit))
        #expect(
          some.map(\.object.id) == results.dropFirst(offset).prefix(limit).map(\.object.id), "\(pattern.text)"
        )
      }
    }
  }

  /// The text of a result is that of the first property that matches, with what was looked for there.
  @Test func textsOfResults() throws {
    let store = try Self.indexedStore()
    try store.write { tx in
      try tx.save(Record(Self.todo, ["title": "Work, milk", "notes": "Buy milk at work"]))
    }
    func marked(_ pattern: String) throws -> [String] {
      let result = try #require(try store.search(Self.todo.filter { $0.notes.matches(pattern) }).first)
      return [result.text] + result.highlights.map { String(result.text[$0]) }
    }
    #expect(try marked("title:work milk") == ["Buy milk at work", "milk"])
    #expect(try marked("title:work") == ["Work, milk", "Work"])
    #expect(try marked("title:work OR nothing") == ["Work, milk", "Work"])
    #expect(try marked("milk notes:work") == ["Buy milk at work", "milk", "work"])
  }
}
