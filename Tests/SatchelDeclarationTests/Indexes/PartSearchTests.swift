import Foundation
import Satchel
import SatchelScenes
import TestSupport
import Testing

/// Parts of words that very many different words have.
@Suite struct PartSearchTests {
  private static let syllables = [
    "ka", "lo", "mi", "ne", "ru", "sta", "tor", "ven", "wi", "zan", "é", "東",
  ]

  private static func word(_ random: inout SeededGenerator) -> String {
    (0..<1 + random.below(4)).map { _ in random.pick(syllables) }.joined()
  }

  /// The messages of a store, in the order of their creation.
  private struct Model {
    var texts: [(id: Message.ID, text: String)] = []
    private var made = 0

    mutating func add(_ count: Int, to store: MessageStore, _ random: inout SeededGenerator) throws {
      try store.write { tx in
        for _ in 0..<count {
          let text = (0..<1 + random.below(4)).map { _ in word(&random) }.joined(separator: " ")
          let id = Message.ID("m\(made)")
          made += 1
          try tx.receive(
            [.text(text)], in: "c", from: "bob", id: id, position: Int64(made),
            sentAt: Date(timeIntervalSince1970: Double(made)))
          texts.append((id, text.replacing("é", with: "e")))
        }
      }
    }

    mutating func remove(_ count: Int, from store: MessageStore, _ random: inout SeededGenerator) throws {
      try store.write { tx in
        for _ in 0..<count {
          // The last message is the last one that a term has: the first ones are not.
          let place = random.oneIn(3) ? texts.count - 1 : random.below(texts.count)
          try tx.delete(texts.remove(at: place).id)
        }
      }
    }
  }

  private static func check(_ store: MessageStore, _ model: Model, _ random: inout SeededGenerator) throws {
    // Of one syllable thousands of terms, of several few; and ends of words.
    var part = (0..<1 + random.below(3)).map { _ in random.pick(syllables) }.joined()
    if random.oneIn(4) { part.removeFirst() }
    guard !part.isEmpty else { return }
    // What ends with a character is found wherever the character stands.
    let isEnd = random.oneIn(4) && !part.contains("東")
    let other = random.oneIn(3) ? random.pick(syllables) : nil
    let pattern = "*\(part)\(isEnd ? "" : "*")" + (other.map { " *\($0)*" } ?? "")
    let folded = part.replacing("é", with: "e")
    let found = model.texts.filter { _, text in
      let hasPart =
        isEnd ? "\(text) ".contains("\(folded) ") || text.contains("\(folded)東") : text.contains(folded)
      return hasPart && (other.map { text.contains($0.replacing("é", with: "e")) } ?? true)
    }.map(\.id)
    let query = Message.filter { $0.parts.any { $0.text.matches(pattern) } }
    let middle = random.pick(model.texts).id
    let number = try #require(Int(middle.rawValue.dropFirst()))
    let (earlier, later) = found.reduce(into: ([Message.ID](), [Message.ID]())) { sides, id in
      guard let other = Int(id.rawValue.dropFirst()), other != number else { return }
      if other < number { sides.0.append(id) } else { sides.1.append(id) }
    }
    #expect(try store.identifiers(query.limit(7)) == Array(found.prefix(7)), "\(pattern)")
    #expect(try store.identifiers(query.before(middle).limit(9)) == earlier.suffix(9), "\(pattern)")
    #expect(try store.identifiers(query.after(middle).limit(9)) == Array(later.prefix(9)), "\(pattern)")
    guard random.oneIn(3) else { return }
    #expect(try store.count(query) == found.count, "\(pattern)")
    #expect(try store.identifiers(query) == found, "\(pattern)")
  }

  /// Whether they are found in the tree, by their trigrams, or among what is pending, and whether rows are merged or read at once.
  @Test func partsOfManyWordsAreFound() throws {
    var random = SeededGenerator()
    let store = try Scratch().store
    var model = Model()
    try store.write { tx in _ = try tx.createConversation(with: ["bob"], id: "c") }
    try store.declare(Index(named: "texts", on: Message.self, wordsOf: { $0.parts.each { $0.text } }))
    try model.add(1500, to: store, &random)
    try store.checkpoint()
    #expect(try store.indexes().map(\.isComplete) == [true])
    for round in 0..<6 {
      for _ in 0..<16 { try Self.check(store, model, &random) }
      if round % 2 == 0 {
        try model.add(1 + random.below(200), to: store, &random)
      } else {
        try model.remove(1 + random.below(60), from: store, &random)
      }
      for _ in 0..<4 { try Self.check(store, model, &random) }
      if random.oneIn(2) { try store.checkpoint() }
    }
    try expectSound(store)
  }

  /// Behind some thousands of rows, all others are read at once: nothing is left out there, and nothing is given twice.
  @Test func manyRowsOfFewWordsAreFound() throws {
    var random = SeededGenerator()
    let store = try Scratch().store
    try store.declare(Index(named: "texts", on: Message.self, wordsOf: { $0.parts.each { $0.text } }))
    let words = ["noon", "noonday", "moonlit", "spoon", "lunch"]
    var found: [[Message.ID]] = [[], []]
    for slice in 0..<4 {
      try store.write { tx in
        if slice == 0 { try tx.createConversation(with: ["bob"], id: "c") }
        for number in slice * 1000..<(slice + 1) * 1000 {
          let own = (0..<1 + random.below(2)).map { _ in random.pick(words) }
          let id = Message.ID("m\(number)")
          try tx.receive(
            [.text(own.joined(separator: " "))], in: "c", from: "bob", id: id, position: Int64(number))
          if own.contains(where: { $0.contains("oon") }) { found[0].append(id) }
          if own.contains(where: { $0.hasSuffix("oon") }), own.contains("lunch") { found[1].append(id) }
        }
      }
      if slice == 2 { try store.checkpoint() }
    }
    for (pattern, found) in zip(["*oon*", "*oon lunch"], found) {
      let query = Message.filter { $0.parts.any { $0.text.matches(pattern) } }
      #expect(try store.count(query) == found.count, "\(pattern)")
      #expect(try store.identifiers(query) == found, "\(pattern)")
      #expect(try store.identifiers(query.before("m3999")) == found.filter { $0 != "m3999" }, "\(pattern)")
      let skipped = found.count * 9 / 10
      let late = Array(found.dropFirst(skipped).prefix(7))
      #expect(try store.identifiers(query.offset(skipped).limit(7)) == late, "\(pattern)")
    }
  }
}
