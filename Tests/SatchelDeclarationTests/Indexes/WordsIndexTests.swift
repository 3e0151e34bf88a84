import Foundation
import RankedKeys
import Satchel
import SatchelIndexing
import SatchelScenes
import TestSupport
import Testing

/// What an index of words has of texts, and what becomes of it as objects change.
@Suite struct WordsIndexTests {
  static let texts = Index(named: "texts", on: Message.self, wordsOf: { $0.parts.each { $0.text } })
  static let titles = Index(
    named: "titles", on: Message.self, where: { $0.isUnread }, wordsOf: { $0.metadata.title })

  private static func terms(_ store: MessageStore, _ index: Index) throws -> [String] {
    try wordEntries(store, index).filter { $0.group >> 32 == 0 }.map {
      String(decoding: $0.text, as: UTF8.self)
    }
  }

  private static func fill(_ store: MessageStore, _ messages: [[String]]) throws {
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "a")
      for (number, texts) in messages.enumerated() {
        try tx.receive(
          texts.map { .text($0) }, in: "a", from: "bob", id: Message.ID("m\(number)"), position: Int64(number)
        )
      }
    }
  }

  // MARK: What is in it

  static let scripts: [(text: String, terms: [String], frequent: [String], length: UInt64)] = [
    ("Noon at NOON, don't!", ["at", "don", "don't", "noon", "t"], ["noon\0\u{2}"], 5),
    ("Cafe\u{301} caf\u{e9} VIỆT", ["cafe", "viet"], ["cafe\0\u{2}"], 3),
    ("Straße snake_case 3.14", ["14", "3", "3.14", "case", "snake", "snake_case", "straße"], [], 5),
    ("Привет, мир", ["мир", "привет"], [], 2),
    ("مرحبا يا صديقي", ["صديقي", "مرحبا", "يا"], [], 3),
    ("東京都", ["京", "京都", "東", "東京", "都"], [], 3),
    ("국어", ["국", "국어", "어"], [], 2),
    ("Donau\u{AD}dampf", ["dampf", "donau", "donaudampf"], [], 1),
    ("این\u{200C}ها", ["این", "اینها", "ها"], [], 1),
    ("don’t don\u{2BC}t", ["don", "don't", "t"], ["don\0\u{2}", "don't\0\u{2}", "t\0\u{2}"], 4),
    ("a\u{200B}b\u{200E} \u{FEFF}c\u{2060}d", ["a", "ab", "b", "c", "cd", "d"], [], 2),
    ("👍🏽 … 😀", [], [], 0),
    ("", [], [], 0),
  ]

  @Test(arguments: scripts.indices) func anIndexHasTheTermsOfTexts(place: Int) throws {
    let store = try Scratch().store
    let script = Self.scripts[place]
    try Self.fill(store, [[script.text]])
    try store.declare(Self.texts)
    let found = try wordEntries(store, Self.texts)
    #expect(try Self.terms(store, Self.texts) == script.terms)
    let others = Dictionary(grouping: found) { $0.group >> 32 }
    #expect((others[1] ?? []).map { String(decoding: $0.text, as: UTF8.self) } == script.frequent)
    #expect(others[2]?.compactMap { $0.length(ofWords: 0) } == [script.length])
    #expect(others[3] == nil)
    #expect(others[4]?.count == (script.length > 0 ? 1 : nil))
    #expect(try store.base.read { try $0.totalLength(ofWords: 0) } == script.length)
    try expectWords(Self.texts, of: [[script.text]], in: store)
    try expectSound(store)
  }

  @Test func textsOfAllPartsCountTogetherWhereverTheyLie() throws {
    let long =
      Array(repeating: "far", count: 700).joined(separator: " ") + " " + String(repeating: "x", count: 90)
    let messages = [["near", "far Near"], [long], [], [long, "東京", ""], ["far", "far"]]
    let store = try Scratch().store
    try Self.fill(store, messages)
    try store.write { tx in
      try tx.receive([.data([1, 2, 3], mimeType: "image/png")], in: "a", from: "bob", position: 99)
    }
    try store.declare(Self.texts)
    try expectWords(Self.texts, of: messages + [[]], in: store)
    let found = try wordEntries(store, Self.texts)
    // What is cut, and what is there more often than is told.
    #expect(found.contains { $0.text == Array(repeating: UInt8(ascii: "x"), count: 64) + [0xFF] })
    #expect(found.contains { $0.text == Array("far".utf8) + [0, 255] })
    #expect(found.count { $0.group >> 32 == 3 } == 3)
    try expectSound(store)
  }

  @Test func namesMetadataFieldsAndAnnouncementsHaveWords() throws {
    let store = try Scratch().store
    let todo = RecordType("todo") { $0.text("title") }
    try store.declare(todo)
    let indexes = [
      Index(named: "names", on: Identity.self, wordsOf: \.displayName),
      Index(named: "topics", on: Conversation.self, wordsOf: { $0.metadata.topic }),
      Index(named: "todos", on: todo, where: { $0.done == false }, wordsOf: { $0.title }),
      Index(named: "news", on: Announcement.self, wordsOf: { $0.parts.each { $0.text } }),
    ]
    // Half of each comes before the indexes.
    for half in 0..<2 {
      if half == 1 { for index in indexes { try store.declare(index) } }
      try store.write { tx in
        try tx.put(Identity(userID: Identity.ID("u\(half)"), displayName: "Bob Müller"))
        try tx.put(Identity(userID: Identity.ID("v\(half)")))
        let topics: [MetadataValue] = [["red wine", "Bread"], "Red", 5, .list([]), ["one"], ["in": "it"]]
        for (number, topic) in topics.enumerated() {
          let id = Conversation.ID("c\(half)\(number)")
          try tx.createConversation(with: ["bob"], id: id, metadata: ["topic": topic])
          try tx.receive([], in: id, from: "bob", position: 1)
        }
        for (name, done) in [("a", false), ("b", true)] {
          try tx.save(
            Record(todo, name: "\(name)\(half)", ["title": "Buy bread, buy milk", "done": .boolean(done)]))
        }
        try tx.announce([.text("Closed at noon")], from: "bob", id: Announcement.ID("n\(half)"))
      }
    }
    func twice(_ texts: [[String]]) -> [[String]] { texts + texts }
    try expectWords(indexes[0], of: twice([["Bob Müller"], []]), in: store)
    try expectWords(
      indexes[1], of: twice([["red wine", "Bread"], ["Red"], [], [], ["one"], []]), in: store)
    try expectWords(indexes[2], of: twice([["Buy bread, buy milk"], []]), in: store)
    try expectWords(indexes[3], of: twice([["Closed at noon"]]), in: store)
    try expectSound(store)
    // What is edited, and what is gone.
    try store.write { tx in
      try tx.put(Identity(userID: "u0", displayName: "Rob"))
      try tx.setMetadata("White", at: "topic", of: .conversation("c01"))
      try tx.delete("c00" as Conversation.ID)
      try tx.update(Record.ID(type: "todo", name: "a0")) { $0["done"] = true }
      try tx.update(Record.ID(type: "todo", name: "b0")) { $0["done"] = false }
      try tx.delete(Announcement.ID("n0"))
    }
    try expectWords(indexes[0], of: [["Rob"], [], ["Bob Müller"], []], in: store)
    try expectWords(
      indexes[1],
      of: [["White"], [], [], ["one"], [], ["red wine", "Bread"], ["Red"], [], [], ["one"], []], in: store)
    try expectWords(
      indexes[2], of: [[], ["Buy bread, buy milk"], ["Buy bread, buy milk"], []], in: store)
    try expectWords(indexes[3], of: [["Closed at noon"]], in: store)
    try expectSound(store)
  }

  // MARK: Changes

  private static let words = [
    "noon", "Lunch", "don't", "東京", "東", "국어", "สวัสดี", "café", "x_y", "3.14", "",
    String(repeating: "long ", count: 300), String(repeating: "z", count: 100),
  ]

  private static func parts(_ random: inout SeededGenerator) -> [String] {
    (0..<random.below(4)).map { _ in
      (0..<random.below(5)).map { _ in random.pick(words) }.joined(separator: " ")
    }
  }

  /// Whatever is done to messages, one index and another with a predicate have the terms of the texts that are there.
  @Test(.timeLimit(.minutes(5)), arguments: 0..<TestEnvironment.rounds(4))
  func changesKeepTheEntries(round: Int) throws {
    var random = SeededGenerator(for: "\(#function) \(round)")
    let store = try Scratch().store
    var texts: [Message.ID: [String]] = [:]
    var (number, conversations) = (0, 0)
    try store.write { tx in
      for name in ["a", "b0", "left"] { try tx.createConversation(with: ["bob"], id: Conversation.ID(name)) }
    }
    func receive(_ tx: WriteTransaction) throws {
      number += 1
      let id = Message.ID("m\(number)")
      texts[id] = Self.parts(&random)
      let title: MetadataValue = random.oneIn(3) ? ["Red wine", "bread"] : .text(random.pick(Self.words))
      try tx.receive(
        (texts[id] ?? []).map { .text($0) },
        in: random.pick(["a", Conversation.ID("b\(conversations)"), "left"]), from: "bob", id: id,
        position: Int64(number), metadata: random.oneIn(4) ? [:] : ["title": title])
    }
    func change(_ tx: WriteTransaction) throws {
      let id = Message.ID("m\(1 + random.below(max(1, number)))")
      let isThere = try tx.message(id) != nil
      switch random.below(14) {
      case 0, 1: if isThere { try tx.delete(id) }
      case 2, 3, 4:
        guard isThere, try tx.message(id)?.deletedAt == nil else { break }
        texts[id] = Self.parts(&random)
        try tx.update(id) { $0.parts = (texts[id] ?? []).map { .text($0) } }
      case 5:
        guard isThere, try tx.message(id)?.deletedAt == nil, let first = texts[id]?.first else { break }
        texts[id]?.append(first)
        texts[id]?.removeFirst()
        try tx.update(id) {
          $0.removedParts = [0]
          $0.appendedParts = [.text(first)]
        }
      case 6:
        guard isThere, random.oneIn(2) else { break }
        texts[id] = []
        try tx.delete(id, for: .everyone)
      case 7:
        if isThere, try tx.message(id)?.deletedAt == nil {
          try tx.setMetadata(.text(random.pick(Self.words)), at: "title", of: .message(id))
        }
      case 8: if isThere { try tx.markAsRead([id]) }
      case 9: if random.oneIn(4) { try tx.markAsRead(Conversation.ID("b\(conversations)")) }
      case 10: try tx.removeParticipants(["alice"], from: "left")
      case 11: try tx.addParticipants(["alice"], to: "left")
      case 12 where random.oneIn(8):
        try tx.delete(Conversation.ID("b\(conversations)"))
        conversations += 1
        try tx.createConversation(with: ["bob"], id: Conversation.ID("b\(conversations)"))
      default: try receive(tx)
      }
    }
    func expectAll(_ comment: String) throws {
      let ids = try identifiers(of: Self.texts, store).map { Message.ID($0) }
      try expectWords(Self.texts, of: ids.map { texts[$0] ?? [] }, in: store, comment)
      let titles = try ids.map { id -> [String] in
        let message = try #require(try store.message(id))
        guard message.isUnread else { return [] }
        let title = message.metadata.value(at: "title")
        return title?.listValue ?? title?.textValue.map { [$0] } ?? []
      }
      try expectWords(Self.titles, of: titles, in: store, comment)
    }
    try store.write { tx in for _ in 0..<40 { try receive(tx) } }
    try store.declare(Self.texts)
    try store.write { tx in for _ in 0..<20 { try change(tx) } }
    try store.declare(Self.titles)
    for step in 0..<60 {
      let before = (texts, conversations)
      do {
        try store.write { tx in
          for _ in 0..<random.below(12) { try change(tx) }
          // A read in the write brings all of it to the indexes.
          if random.oneIn(4) { _ = try tx.read { try $0.count(Message.filter { $0.isUnread }) } }
          for _ in 0..<random.below(6) { try change(tx) }
          if random.oneIn(6) { throw CancellationError() }
        }
      } catch is CancellationError {
        (texts, conversations) = before
      }
      if step % 6 == 0 { try expectAll("step \(step)") }
      if step % 20 == 0 { try expectSound(store) }
    }
    try expectAll("in the end")
    try expectSound(store)
  }

  /// To change what is no text, to write what is there already, and to change a text that comes to the same terms, changes no entry.
  @Test func whatChangesNoTextChangesNoEntry() throws {
    let store = try Scratch().store
    let long = String(repeating: "far ", count: 400)
    try Self.fill(store, [["Noon at noon"], [long], [long, long]])
    try store.declare(Self.texts)
    let before = try wordEntries(store, Self.texts)
    for id in ["m0", "m1"] as [Message.ID] {
      try store.write { tx in
        try tx.setMetadata("x", at: "title", of: .message(id))
        try tx.markAsRead([id])
        try tx.update(id) { $0.position = 50 }
        if id == "m0" { try tx.update(id) { $0.parts = [.text("Noon at noon")] } }
      }
      #expect(try wordEntries(store, Self.texts) == before)
    }
    // Contents that are removed, and written again at the same places.
    try store.write { tx in
      try tx.update("m2") {
        $0.removedParts = [0]
        $0.appendedParts = [.text(long)]
      }
      try tx.update("m1") { $0.parts = [.text("near")] }
      try tx.update("m1") { $0.parts = [.text(long)] }
    }
    #expect(try wordEntries(store, Self.texts) == before)
    try store.write { try $0.update("m0") { $0.parts = [.text("NOON, at: noon")] } }
    #expect(try wordEntries(store, Self.texts) == before)
    try store.write { try $0.update("m0") { $0.parts = [.text("noon")] } }
    try expectWords(Self.texts, of: [["noon"], [long], [long, long]], in: store)
    try expectSound(store)
  }
}
