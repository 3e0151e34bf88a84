import Foundation
import Satchel
import SatchelScenes
import TestSupport
import Testing

/// Searches answered by an index of words: the same objects, in the same order and number, as without it.
@Suite struct SearchIndexTests {
  static let words = Index(
    named: "words", kind: .messages, columns: [IndexColumn(["parts", "text"], isOfWords: true)])

  private static let vocabulary = [
    "noon", "Noon", "lunch", "luncheon", "Café", "cafes", "usual", "place", "don't", "example.org", "東京都",
    "京都",
    "ワイン", "국", "3.14", "x", "snake_case", "😀", "été", String(repeating: "ab", count: 40),
    String(repeating: "ab", count: 40) + "c", "ที่นี่", "-", "(usual)", "K-팝",
    "این\u{200C}ها", "اینها", "Donau\u{AD}dampf", "noon\u{200B}lunch", "us\u{2060}ual",
    "\u{202E}place\u{202C}", "don’t",
    "👩\u{200D}👧",
  ]

  private static let patterns = [
    "noon", "NOON lunch", "noon lunc*", "lunc*", "*oon", "*un*", "*東*", "東京", "東京都", "京都 OR noon",
    "noon -lunch",
    "-noon", "noon OR -lunch", "\"usual place\"", "\"usual pla\"*", "*\"al place\"", "example.org", "*xampl*",
    "cafe*", "été 国", "usual place -(noon OR lunch)", "(noon OR lunch) (usual OR place)", "*abab*", "abab*",
    String(repeating: "ab", count: 40), "K-팝", "*😀*", "missing", "noon missing", "noon OR missing",
    "a* -*oon",
    "\"noon usual\" OR \"place lunch\"", "ที่", "3.14 x",
    "ها", "اینها", "این\u{200C}ها", "donau", "dampf", "donaudampf", "*naudam*", "*ampf", "noonlunch", "us",
    "\"usual place\"",
    "don't", "don’t", "*n’t*", "\"don’t place\"", "*👩\u{200D}👧*", "*👩👧*",
  ]

  private static func text(_ random: inout SeededGenerator) -> String {
    (0..<random.below(7)).map { _ in random.pick(vocabulary) }.joined(
      separator: random.pick([" ", ", ", "  "]))
  }

  private static func parts(_ random: inout SeededGenerator) -> [MessagePart.Draft] {
    let count = random.oneIn(4) ? random.below(4) : 1
    return (0..<count).map { _ in
      random.oneIn(12) ? .data([1, 2, 3], mimeType: "image/png") : .text(text(&random))
    }
  }

  private static func store(_ random: inout SeededGenerator, severalTexts: Bool) throws -> MessageStore {
    let store = try Scratch().store
    try store.write { tx in
      for name in ["a", "b", "c"] { try tx.createConversation(with: ["bob"], id: Conversation.ID(name)) }
      for number in 0..<400 {
        try tx.receive(
          severalTexts ? parts(&random) : [.text(text(&random))],
          in: number == 200 ? "a" : random.pick(["a", "b", "b", "c"]),
          from: "bob",
          id: Message.ID("m\(number)"), sentAt: Date(timeIntervalSince1970: Double(random.below(1000))))
      }
    }
    return store
  }

  private static func queries(_ pattern: String) throws -> [Query<Message>] {
    let matches = try QueryPredicate(format: "parts.text MATCHES-TEXT %@", arguments: [pattern])
    let all = Message.filter { _ in matches }
    let inB = Message.filter { matches && $0.conversation == "b" }
    let both = try QueryPredicate(format: "parts.text MATCHES-TEXT 'usual'")
    return [
      all, all.limit(7), all.limit(5).offset(3), all.order { $0.sentAt.descending }.limit(9), inB,
      inB.limit(3),
      Message.filter { _ in matches && both }, Message.filter { _ in !matches },
      Message.filter { _ in matches || both }.limit(50), all.after("m200").limit(4),
      all.before("m200").limit(4),
    ]
  }

  /// What all patterns find, in all sorts of queries.
  private static func answers(_ store: MessageStore) throws -> [[Message.ID]] {
    try patterns.flatMap { pattern in
      try queries(pattern).map { query in
        let found = try store.fetch(query).map(\.id)
        #expect(try store.count(query) == found.count, "\(query)")
        return found
      }
    }
  }

  @Test(arguments: [false, true]) func theIndexFindsWhatReadingFinds(_ severalTexts: Bool) throws {
    var random = SeededGenerator()
    let store = try Self.store(&random, severalTexts: severalTexts)
    let expected = try Self.answers(store)
    #expect(expected.count { !$0.isEmpty } > 100)
    try store.declare(Self.words)
    #expect(try store.indexes().map(\.isComplete) == [true])
    let found = try Self.answers(store)
    for (place, (found, expected)) in zip(found, expected).enumerated() where found != expected {
      let queries = try Self.patterns.flatMap { try Self.queries($0) }
      Issue.record("\(queries[place]): \(found) and not \(expected)")
    }
    try expectSound(store)
  }

  @Test func theIndexIsUsed() throws {
    var random = SeededGenerator(seed: 1)
    let store = try Self.store(&random, severalTexts: false)
    try store.declare(Self.words)
    for pattern in [
      "noon", "noon lunch", "lunc*", "*oon", "東京都", "\"usual place\"", "noon -lunch", "noon OR 京都",
    ] {
      let query = try Self.queries(pattern)[0]
      let explanation = try store.explain(query)
      #expect(explanation.paths[explanation.chosen].index == "words", "\(pattern)")
    }
    // A count of one word is a rank less another one.
    let counted = try store.read { snapshot in
      _ = try snapshot.count(Self.queries("noon")[0])
      return snapshot.base.metrics.recordsRead
    }
    #expect(counted == 0)
    // Nothing is wanted that the words do not say.
    let read = try store.read { snapshot in
      _ = try snapshot.count(Self.queries("noon lunch")[0])
      return snapshot.base.metrics.recordsRead
    }
    #expect(read == 0)
  }

  @Test(arguments: [false, true]) func theIndexKeepsStepWithChanges(_ severalTexts: Bool) throws {
    var random = SeededGenerator()
    let store = try Self.store(&random, severalTexts: severalTexts)
    try store.declare(Self.words)
    for step in 0..<12 {
      try store.write { tx in
        for _ in 0..<random.below(30) {
          let id = Message.ID("m\(random.below(400))")
          let isThere = try tx.message(id) != nil
          switch random.below(4) {
          case 0 where !isThere:
            try tx.receive(
              Self.parts(&random), in: step <= 6 && random.oneIn(2) ? "c" : "a", from: "bob", id: id)
          case 1 where isThere && id != "m200": try tx.delete(id)
          case 2 where isThere: try tx.markAsRead(id)
          default:
            let parts = Self.parts(&random)
            if isThere { try tx.update(id) { $0.parts = parts } }
          }
        }
        if step == 6 { try tx.delete("c" as Conversation.ID) }
      }
      if step % 4 == 3 { try store.checkpoint() }
    }
    let found = try Self.answers(store)
    try expectSound(store)
    try store.dropIndex(named: "words")
    #expect(try Self.answers(store) == found)
  }
}
