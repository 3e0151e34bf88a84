import Foundation
import Satchel
import SatchelRelevance
import SatchelScenes
import SatchelSearch
import TestSupport
import Testing

/// Nothing is missed and nothing is found that is not there: words and parts of words, taken from texts, are found by an index as by looking
/// through all folded texts.
///
/// `SATCHEL_CORPUS` names a file of the interchange format whose texts take the place of those that are made up; `SATCHEL_RECALL_QUERIES`
/// says how many patterns there are.
@Suite struct RecallTests {
  private let directory: TemporaryDirectory
  private let store: MessageStore
  private let texts: RecallTexts

  init() throws {
    var random = SeededGenerator()
    texts = try RecallTexts(&random)
    directory = try TemporaryDirectory()
    // Such a store builds the index of a large file by itself, while others write.
    store = try MessageStore(at: directory.url.appendingPathComponent("store"), user: "alice")
    try store.write { try $0.createConversation(with: ["bob"], id: "a") }
    // Some are there when the index is declared, and some come later.
    try receive(0..<texts.count / 2)
    try store.declare(RelevanceTests.words)
    while try !store.indexes().allSatisfy(\.isComplete) { Thread.sleep(forTimeInterval: 0.001) }
    try receive(texts.count / 2..<texts.count)
  }

  private func receive(_ numbers: Range<Int>) throws {
    for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 500) {
      try store.write { tx in
        for number in start..<min(start + 500, numbers.upperBound) {
          try tx.receive([.text(texts[number])], in: "a", from: "bob", id: Message.ID("m\(number)"))
        }
      }
    }
  }

  private var patterns: Int { TestEnvironment.count("SATCHEL_RECALL_QUERIES", usual: 1000) }

  /// How many patterns have been asked for, found what they should, and been found by the index.
  private struct Tally {
    var asked = 0
    var right = 0
    var byIndex = 0

    func report(_ what: String) {
      print(
        "\(right) of \(asked) \(what) are found where they are, and nowhere else; \(byIndex) by the index")
      #expect(right == asked)
      // What has no letter at all is found by reading.
      #expect(byIndex > asked / 4)
    }
  }

  /// Asks for a pattern that finds these texts.
  private func expect(_ pattern: String, finds expected: [Int], _ what: String, _ tally: inout Tally) throws {
    let query = Message.filter { $0.parts.any { $0.text.matches(pattern) } }
    let found = try store.identifiers(query).compactMap { Int($0.rawValue.dropFirst()) }
    let isRight = found == expected
    if !isRight {
      let missing = Set(expected).subtracting(found).sorted().prefix(3).map { texts[$0].debugDescription }
      let others = Set(found).subtracting(expected).sorted().prefix(3).map { texts[$0].debugDescription }
      Issue.record("\(what) \(pattern.debugDescription) misses \(missing), and finds \(others)")
    }
    #expect(try store.count(query) == expected.count, "\(what) \(pattern.debugDescription)")
    let explanation = try store.explain(query)
    tally.asked += 1
    tally.right += isRight ? 1 : 0
    tally.byIndex += explanation.paths[explanation.chosen].index == "words" ? 1 : 0
  }

  /// `*x*` is what a scan of the folded texts finds that knows of no words.
  @Test func partsOfTextsAreFound() throws {
    var random = SeededGenerator()
    var tally = Tally()
    while tally.asked < patterns {
      let part = texts.part(&random)
      let folded = TextFolder.folded(part)
      if folded.isEmpty { continue }
      let pattern = "*\(RecallTexts.quoted(part))*"
      try expect(pattern, finds: texts.numbers(having: folded), "the part", &tally)
    }
    tally.report("parts of texts")
  }

  /// A word, a compound and a character are found in the texts among whose tokens they are.
  @Test func wordsOfTextsAreFound() throws {
    var random = SeededGenerator()
    var tally = Tally()
    while tally.asked < patterns {
      guard let word = texts.word(&random) else { continue }
      let numbers = word.isCharacter ? texts.numbers(having: word.bytes) : texts.numbers(ofWord: word.bytes)
      let pattern = RecallTexts.quoted(String(decoding: word.bytes, as: UTF8.self))
      try expect(pattern, finds: numbers, "the word", &tally)
    }
    tally.report("words of texts")
  }

  /// What was written after the index is as sound as what it was built of.
  @Test func theIndexIsSound() throws { try expectSound(store) }

  /// A word that is there a million times is one term, and its text a long one.
  @Test func aMillionEqualWords() throws {
    let store = try Scratch().store
    try store.declare(RelevanceTests.words)
    try store.write { tx in
      try tx.createConversation(with: ["bob"], id: "a")
      try tx.receive(
        [.text(String(repeating: "noon ", count: 1_000_000))], in: "a", from: "bob", id: "long")
      try tx.receive([.text("noon")], in: "a", from: "bob", id: "short")
      try tx.receive([.text("late")], in: "a", from: "bob", id: "late")
    }
    for pattern in ["noon", "noo*", "*oo*", "\"noon noon\"", "noon -late"] {
      let query = Message.filter { $0.parts.any { $0.text.matches(pattern) } }
      #expect(try store.count(query) == (pattern == "\"noon noon\"" ? 1 : 2), "\(pattern)")
      #expect(try store.search(query).allSatisfy { $0.score.isFinite && $0.score > 0 }, "\(pattern)")
    }
    #expect(try store.suggestions(for: "n", in: "words").map(\.description) == ["noon 2"])
    try expectSound(store)
    try store.write { try $0.delete("long" as Message.ID) }
    #expect(try store.suggestions(for: "n", in: "words").map(\.description) == ["noon 1"])
    try expectSound(store)
  }
}
