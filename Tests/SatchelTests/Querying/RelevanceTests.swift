import Foundation
import Satchel
import SatchelRelevance
import SatchelScenes
import TestSupport
import Testing

/// Searches by relevance, beside a model that counts the words of all texts each time.
@Suite struct RelevanceTests {
  static let words = Index(
    named: "words", kind: .messages, columns: [IndexColumn(["parts", "text"], isOfWords: true)])

  private static let vocabulary = [
    "a", "the", "noon", "noon", "lunch", "luncheon", "usual", "place", "places", "moon", "late", "later", "x",
  ]

  /// A pattern, and what it wants: each as what says how often it is among words that stand beside one another.
  private struct Pattern {
    let text: String
    let wanted: [@Sendable ([String]) -> Int]
    let matches: @Sendable ([String]) -> Bool

    static func word(_ word: String) -> @Sendable ([String]) -> Int { { $0.count { $0 == word } } }
    static func prefix(_ prefix: String) -> @Sendable ([String]) -> Int {
      { $0.count { $0.hasPrefix(prefix) } }
    }
    static func suffix(_ suffix: String) -> @Sendable ([String]) -> Int {
      { $0.count { $0.hasSuffix(suffix) } }
    }
    static func phrase(_ one: String, _ next: String) -> @Sendable ([String]) -> Int {
      { zip($0, $0.dropFirst()).count { $0 == one && $1 == next } }
    }
  }

  private static let patterns: [Pattern] = {
    let (noon, lunch, late) = (Pattern.word("noon"), Pattern.word("lunch"), Pattern.word("late"))
    let (luncheons, oons) = (Pattern.prefix("lunc"), Pattern.suffix("oon"))
    let usual = Pattern.phrase("usual", "place")
    return [
      Pattern(text: "NOON", wanted: [noon]) { noon($0) > 0 },
      Pattern(text: "noon lunch", wanted: [noon, lunch]) { noon($0) > 0 && lunch($0) > 0 },
      Pattern(text: "noon OR lunch", wanted: [noon, lunch]) { noon($0) > 0 || lunch($0) > 0 },
      Pattern(text: "lunc*", wanted: [luncheons]) { luncheons($0) > 0 },
      Pattern(text: "*oon", wanted: [oons]) { oons($0) > 0 },
      Pattern(text: "noon -late", wanted: [noon]) { noon($0) > 0 && late($0) == 0 },
      Pattern(text: "\"usual place\"", wanted: [usual]) { usual($0) > 0 },
      Pattern(text: "\"usual place\" OR lunc*", wanted: [usual, luncheons]) {
        usual($0) > 0 || luncheons($0) > 0
      },
      Pattern(text: "-late", wanted: []) { late($0) == 0 },
      Pattern(text: "missing", wanted: [Pattern.word("missing")]) { _ in false },
      Pattern(text: "noon noon", wanted: [noon, noon]) { noon($0) > 0 },
    ]
  }()

  // MARK: The model

  /// The messages in the order of their creation.
  private struct Model {
    var messages: [(id: Message.ID, conversation: Conversation.ID, texts: [[String]])] = []

    /// The scores of what is found, by FTS5's formula.
    func scores(_ pattern: Pattern, in conversation: Conversation.ID?) -> [Message.ID: Double] {
      let all = messages.filter { !$0.texts.isEmpty }
      let average = Double(all.reduce(0) { $0 + $1.texts.joined().count }) / Double(all.count)
      var scores: [Message.ID: Double] = [:]
      for message in all where message.texts.contains(where: pattern.matches) {
        guard conversation.map({ $0 == message.conversation }) ?? true else { continue }
        let length = Double(message.texts.joined().count)
        scores[message.id] = pattern.wanted.reduce(0) { sum, count in
          let having = Double(all.count { $0.texts.contains { count($0) > 0 } })
          let weight = max(1e-6, log((Double(all.count) - having + 0.5) / (having + 0.5)))
          let frequency = Double(message.texts.reduce(0) { $0 + count($1) })
          let long: Double = 1.2 * (0.25 + 0.75 * length / average)
          let share: Double = frequency * 2.2 / (frequency + long)
          return sum + weight * share
        }
      }
      return scores
    }
  }

  private static func texts(_ random: inout SeededGenerator, _ severalTexts: Bool) -> [[String]] {
    (0..<(severalTexts ? random.below(4) : 1)).map { _ in
      (0..<random.below(random.oneIn(20) ? 400 : 12)).map { _ in random.pick(vocabulary) }
    }
  }

  private static func query(_ pattern: Pattern, in conversation: Conversation.ID?) -> Query<Message> {
    let query = Message.filter { $0.parts.any { $0.text.matches(pattern.text) } }
    return conversation.map { id in query.filter { $0.conversation == id } } ?? query
  }

  private func expectBest(_ store: some StoreReading, _ model: Model) throws {
    let places = Dictionary(uniqueKeysWithValues: model.messages.enumerated().map { ($1.id, $0) })
    for pattern in Self.patterns {
      for conversation in [nil, "a" as Conversation.ID] {
        let scores = model.scores(pattern, in: conversation)
        let query = Self.query(pattern, in: conversation)
        let all = try store.search(query)
        #expect(Set(all.map(\.object.id)) == Set(scores.keys), "\(query)")
        for result in all {
          let expected = scores[result.object.id] ?? -1
          #expect(abs(result.score - expected) <= 1e-9 * max(1, expected), "\(query): \(result.object.id)")
        }
        for (one, next) in zip(all, all.dropFirst()) {
          let inOrder =
            one.score > next.score
            || one.score == next.score
              && places[one.object.id, default: 0] < places[next.object.id, default: 0]
          #expect(inOrder, "\(query): \(one.object.id), \(next.object.id)")
        }
        for (offset, limit) in [(0, 1), (0, 7), (3, 20), (1, 0), (1000, 5)] {
          let some = try store.search(query.offset(offset).limit(limit))
          #expect(some.map(\.object.id) == all.dropFirst(offset).prefix(limit).map(\.object.id), "\(query)")
        }
      }
    }
  }

  @Test(arguments: [false, true]) func theBestComeFirst(_ severalTexts: Bool) throws {
    var random = SeededGenerator()
    let store = try Scratch().store
    var model = Model()
    try store.write { tx in
      for name in ["a", "b"] { try tx.createConversation(with: ["bob"], id: Conversation.ID(name)) }
    }
    try store.declare(Self.words)
    for step in 0..<6 {
      try store.write { tx in
        for number in 0..<90 {
          let id = Message.ID("m\(step)-\(number)")
          let conversation: Conversation.ID = random.pick(["a", "b", "b"])
          let texts = Self.texts(&random, severalTexts)
          try tx.receive(
            texts.map { .text($0.joined(separator: " ")) }, in: conversation, from: "bob", id: id)
          model.messages.append((id, conversation, texts))
        }
        for _ in 0..<(step * 6) {
          let place = random.below(model.messages.count)
          if random.oneIn(2) {
            try tx.delete(model.messages[place].id)
            model.messages.remove(at: place)
          } else {
            let texts = Self.texts(&random, severalTexts)
            try tx.update(model.messages[place].id) {
              $0.parts = texts.map { .text($0.joined(separator: " ")) }
            }
            model.messages[place].texts = texts
          }
        }
        if step == 4 { try expectBest(tx, model) }
      }
      if step % 2 == 0 { try store.checkpoint() }
      if step % 2 == 1 { try expectBest(store, model) }
    }
    try expectSound(store)
  }

  @Test func textsOfResultsAreShown() throws {
    let store = try Scratch().store
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "a")
      try tx.receive([.text("not here"), .text("At Nóon, at noon.")], in: "a", from: "bob", id: "m")
    }
    try store.declare(Self.words)
    let results = try store.search(Message.filter { $0.parts.any { $0.text.matches("noon") } })
    let result = try #require(results.first)
    #expect(results.count == 1 && result.object.id == "m" && result.score > 0)
    #expect(result.text == "At Nóon, at noon.")
    #expect(result.highlights.map { result.text[$0] } == ["Nóon", "noon"])
    #expect(result.text[result.snippet(bytes: 16).range].contains("noon"))
  }

  /// Metadata, lists of texts, names and fields of records have words, too.
  @Test func otherTextsAreRanked() throws {
    let store = try Scratch().store
    let todo = RecordType("todo") { $0.text("title") }
    try store.declare(todo)
    for index in [
      Index(
        named: "titles", kind: .conversations, columns: [IndexColumn(["metadata", "title"], isOfWords: true)]),
      Index(named: "names", kind: .identities, columns: [IndexColumn(["displayName"], isOfWords: true)]),
      Index(
        named: "todos", kind: .records, recordType: "todo", columns: [IndexColumn(["title"], isOfWords: true)]
      ),
    ] { try store.declare(index) }
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "a", metadata: ["title": "lunch with everybody at noon"])
      try tx.createConversation(with: ["carol"], id: "b", metadata: ["title": ["late", "Lunch"]])
      try tx.createConversation(with: ["dave"], id: "c", metadata: ["title": "breakfast"])
      for id in ["a", "b", "c"] { try tx.receive([.text("")], in: Conversation.ID(id), from: "bob") }
      try tx.put(Identity(userID: "bob", displayName: "Bob Bob"))
      try tx.put(Identity(userID: "carol", displayName: "Bob Carol"))
      for title in ["write a letter", "write write", "read"] {
        try tx.save(Record(todo, ["title": .text(title)]))
      }
    }
    #expect(
      try store.search(Conversation.filter { $0.metadata.title.matches("lunch") }).map(\.object.id) == [
        "b", "a",
      ])
    #expect(
      try store.search(Identity.filter { $0.displayName.matches("bob") }).map(\.object.userID)
        == ["bob", "carol"])
    #expect(
      try store.search(todo.filter { $0.title.matches("write") }).map { $0.object["title"] }
        == [.text("write write"), .text("write a letter")])
  }

  @Test func wordsAreRankedWithoutReadingTexts() throws {
    var random = SeededGenerator(seed: 3)
    let store = try Scratch().store
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "a")
      for number in 0..<600 {
        try tx.receive(
          [.text(Self.texts(&random, false)[0].joined(separator: " ") + " noon")], in: "a", from: "bob",
          id: Message.ID("m\(number)"))
      }
    }
    try store.declare(Self.words)
    for pattern in ["noon", "noon OR lunch", "noo*"] {
      let read = try store.read { snapshot in
        let query = Message.filter { $0.parts.any { $0.text.matches(pattern) } }
        let results = try snapshot.search(query.limit(3))
        #expect(results.count == 3)
        return snapshot.base.metrics.recordsRead
      }
      #expect(read < 20, "\(pattern)")
    }
  }

  // MARK: What is refused

  private func code(_ query: Query<Message>, _ store: MessageStore) -> SatchelError? {
    do {
      _ = try store.search(query)
      return nil
    } catch { return error as? SatchelError }
  }

  @Test func whatCannotBeRankedIsRefused() throws {
    let store = try Scratch().store
    let noon = Message.filter { $0.parts.any { $0.text.matches("noon") } }
    let missing = try #require(code(noon, store))
    #expect(missing.code == .notAvailable && missing.context["column"] == "words parts.text")
    try store.declare(
      Index(
        named: "unread", kind: .messages, where: try QueryPredicate(format: "isUnread = TRUE"),
        columns: [IndexColumn(["parts", "text"], isOfWords: true)]))
    // It lacks messages that are read.
    #expect(code(noon, store)?.code == .notAvailable)
    #expect(code(noon.filter { $0.isUnread }, store) == nil)
    try store.declare(Self.words)
    #expect(code(noon, store) == nil)
    #expect(code(noon.order { $0.sentAt }, store)?.code == .invalidValue)
    #expect(code(Message.filter { $0.isUnread }, store)?.code == .invalidValue)
    #expect(code(noon.filter { $0.parts.any { $0.text.matches("late") } }, store) == nil)
    // What other objects have to match needs no index.
    for field in ["conversation.metadata.title", "sender.userID"] {
      let query = Message.filter { $0.parts.any { $0.text.matches("noon \(field):lunch") } }
      #expect(code(query, store) == nil)
    }
    let own = Message.filter { $0.parts.any { $0.text.matches("noon metadata.topic:food") } }
    #expect(code(own, store)?.context["column"] == "words metadata.topic")
    #expect(code(Message.filter { $0.sender.displayName.matches("bob") }, store)?.code == .notAvailable)
    #expect(code(Message.filter { $0.parts.any { $0.text.matches("noon \"") } }, store)?.code == .syntaxError)
    #expect(throws: SatchelError.self) { try store.search(MessagePart.filter { $0.text.matches("noon") }) }
    #expect(throws: SatchelError.self) {
      try store.search(Identity.members(of: "a").filter { $0.displayName.matches("bob") })
    }
    // Nothing is looked for, or nothing is wanted.
    #expect(code(Message.filter { $0.parts.any { $0.text.matches("") } }, store)?.code == .syntaxError)
    #expect(code(Message.filter { $0.parts.any { $0.text.matches("-noon") } }, store) == nil)
  }
}
