import Foundation
import Satchel
import SatchelScenes
import Testing

/// Pages of searches beside an object.
@Suite struct SearchPageTests {
  private static let count = 4000
  private static func id(_ number: Int) -> Message.ID { Message.ID("m\(number)") }

  /// Every message has three frequent words, in one order or in another.
  private static func fill(_ store: MessageStore) throws {
    try store.declare(Index(named: "texts", on: Message.self, wordsOf: { $0.parts.each { $0.text } }))
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "c")
      for number in 0..<count {
        let text = number % 2 == 0 ? "two frequent words" : "frequent two words"
        try tx.receive(
          [.text(text)], in: "c", from: "bob", id: id(number), position: Int64(number),
          sentAt: Date(timeIntervalSince1970: Double(number)))
      }
    }
  }

  /// They begin at the object, and do not read all that matches.
  @Test(arguments: [
    ("frequent", 1), ("two frequent", 1), ("two OR words", 1), ("two -other", 1), ("freq*", 1),
    ("*reque*", 1), ("\"two frequent\"", 2), ("\"frequent two\" OR two", 1),
  ]) func aPageBesideAnObjectReadsFewRows(pattern: String, step: Int) throws {
    let store = try Scratch().store
    try Self.fill(store)
    let query = Message.filter { $0.parts.any { $0.text.matches(pattern) } }
    let all = (0..<Self.count).filter { $0 % step == 0 }
    // One that is a result, and one that may be none.
    for middle in [3000, 3001] {
      let (earlier, later) = (all.filter { $0 < middle }, all.filter { $0 > middle })
      for (page, expected) in [
        (query.before(Self.id(middle)).limit(20), Array(earlier.suffix(20))),
        (query.after(Self.id(middle)).limit(20), Array(later.prefix(20))),
        (query.before(Self.id(middle)).offset(3).limit(5), Array(earlier.suffix(8).prefix(5))),
      ] {
        #expect(try store.identifiers(page) == expected.map(Self.id), "\(page)")
        let run = try #require(try store.explain(page, as: .identifiers, running: true).run)
        #expect(run.entriesRead < 1000 && run.recordsRead < 200, "\(page): \(run)")
      }
      guard middle % step == 0 else { continue }
      let around = query.around(Self.id(middle), before: 2, after: 2)
      let place = all.firstIndex(of: middle) ?? 0
      #expect(try store.identifiers(around) == all[place - 2...place + 2].map(Self.id))
    }
    #expect(try store.identifiers(query.before(Self.id(0))) == [])
    #expect(try store.identifiers(query.after(Self.id(Self.count - 1))) == [])
  }
}
