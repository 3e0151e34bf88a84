import Foundation
import Satchel
import SatchelScenes
import TestSupport
import Testing

/// Searches in one conversation among others.
@Suite struct ConversationSearchTests {
  private static let conversations: [Conversation.ID] = ["a", "b", "c", "d"]

  /// A message of the model.
  private struct Known {
    let number: Int
    let conversation: Conversation.ID
    var words: Set<String>
    var id: Message.ID { Message.ID("m\(number)") }
  }

  private struct Model {
    var messages: [Known] = []
    private var made = 0

    private static func words(_ random: inout SeededGenerator) -> Set<String> {
      // Of one word most messages, of the last ones few.
      Set((0..<1 + random.below(4)).map { _ in "w\(random.below(1 + random.below(60)))" })
    }

    mutating func change(_ store: MessageStore, _ random: inout SeededGenerator, count: Int) throws {
      try store.write { tx in
        for _ in 0..<count {
          switch random.below(10) {
          case 0 where messages.count > 100:
            try tx.delete(messages.remove(at: random.below(messages.count)).id)
          case 1 where messages.count > 100:
            let place = random.below(messages.count)
            messages[place].words = Self.words(&random)
            let parts = [MessagePart.Draft.text(messages[place].words.sorted().joined(separator: " "))]
            try tx.update(messages[place].id) { $0.parts = parts }
          default:
            // In the first one a few, and no more from some time on.
            let isEarly = made < 1500
            let place = isEarly && random.oneIn(12) ? 0 : 1 + random.below(3)
            let known = Known(
              number: made, conversation: conversations[place], words: Self.words(&random))
            try tx.receive(
              [.text(known.words.sorted().joined(separator: " "))], in: known.conversation, from: "bob",
              id: known.id, position: Int64(random.below(100_000)),
              sentAt: Date(timeIntervalSince1970: Double(random.below(1_000_000))))
            messages.append(known)
            made += 1
          }
        }
      }
    }
  }

  /// Compares pages of random searches with the model; in a read, or in a write.
  private static func check(
    _ model: Model, _ random: inout SeededGenerator, _ fetch: (Query<Message>) throws -> [Message.ID],
    _ count: (Query<Message>) throws -> Int
  ) throws {
    let conversation = random.pick(conversations)
    let (one, other) = ("w\(random.below(1 + random.below(60)))", "w\(random.below(8))")
    let (pattern, matches): (String, (Set<String>) -> Bool) =
      switch random.below(4) {
      case 0: (one, { $0.contains(one) })
      case 1: ("\(one) \(other)", { $0.contains(one) && $0.contains(other) })
      case 2: ("\(one) OR \(other)", { $0.contains(one) || $0.contains(other) })
      default: ("\(other) -\(one)", { $0.contains(other) && !$0.contains(one) })
      }
    let query = Message.filter {
      $0.parts.any { $0.text.matches(pattern) } && $0.conversation == conversation
    }
    let found = model.messages.filter { $0.conversation == conversation && matches($0.words) }
    let middle = random.pick(model.messages)
    let earlier = found.filter { $0.number < middle.number }.map(\.id)
    let later = found.filter { $0.number > middle.number }.map(\.id)
    let text = "\(pattern) in \(conversation)"
    #expect(try fetch(query) == found.map(\.id), "\(text)")
    #expect(try count(query) == found.count, "\(text)")
    #expect(try fetch(query.limit(4).offset(1)) == found.dropFirst().prefix(4).map(\.id), "\(text)")
    #expect(try fetch(query.before(middle.id).limit(5)) == earlier.suffix(5), "\(text) before \(middle.id)")
    #expect(
      try fetch(query.after(middle.id).limit(5)) == Array(later.prefix(5)), "\(text) after \(middle.id)")
  }

  @Test func theyFindWhatIsThere() throws {
    var random = SeededGenerator()
    let store = try Scratch().store
    try store.write { tx in for id in Self.conversations { try tx.createConversation(with: ["bob"], id: id) }
    }
    try store.declare(Index(named: "texts", on: Message.self, wordsOf: { $0.parts.each { $0.text } }))
    var model = Model()
    try model.change(store, &random, count: 1500)
    for round in 0..<8 {
      if random.oneIn(2) { try store.checkpoint() }
      for _ in 0..<12 {
        try Self.check(model, &random, { try store.identifiers($0) }, { try store.count($0) })
      }
      try model.change(store, &random, count: 1 + random.below(150))
      if round == 5 {
        try store.write { try $0.delete("d" as Conversation.ID) }
        model.messages.removeAll { $0.conversation == "d" }
        try store.write { tx in _ = try tx.createConversation(with: ["bob"], id: "d") }
      }
      try store.write { tx in
        for _ in 0..<3 {
          try Self.check(model, &random, { try tx.fetch($0).map(\.id) }, { try tx.count($0) })
        }
      }
    }
    try expectSound(store)
  }

  /// Of many messages with the word, few are in the conversation, and these are old.
  @Test func aPageReadsFewEntries() throws {
    var random = SeededGenerator()
    let store = try Scratch().store
    try store.declare(Index(named: "texts", on: Message.self, wordsOf: { $0.parts.each { $0.text } }))
    try store.write { tx in
      for id in Self.conversations { try tx.createConversation(with: ["bob"], id: id) }
      for number in 0..<6000 {
        let place = number < 1000 && number % 4 == 0 ? 0 : 1 + random.below(3)
        try tx.receive(
          [.text(number % 3 == 0 ? "frequent words" : "frequent")], in: Self.conversations[place],
          from: "bob",
          id: Message.ID("m\(number)"), sentAt: Date(timeIntervalSince1970: Double(random.below(1_000_000))))
      }
    }
    try store.checkpoint()
    for pattern in ["frequent", "frequent words"] {
      let query = Message.filter { $0.parts.any { $0.text.matches(pattern) } && $0.conversation == "a" }
      let page = query.before("m5999").limit(20)
      let step = pattern == "frequent" ? 4 : 12
      let expected = stride(from: 0, to: 1000, by: step).map { Message.ID("m\($0)") }.suffix(20)
      #expect(try store.identifiers(page) == Array(expected))
      let run = try #require(try store.explain(page, as: .identifiers, running: true).run)
      #expect(run.entriesRead < 800 && run.recordsRead < 60, "\(pattern): \(run)")
    }
  }
}
