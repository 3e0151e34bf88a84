import Foundation
import Satchel
import SatchelRelevance
import TestSupport
import Testing

/// What SQLite's FTS5 finds by the same words, where it means the same: words, beginnings, phrases, AND, OR, NOT, and the order by BM25.
@Suite("FTS5 as a second opinion")
struct FullTextTests {
  private static let vocabulary = [
    "noon", "Noon", "lunch", "luncheon", "lung", "at", "a", "2nd", "3.14", "don't", "example.org",
    "snake_case",
    "über", "Café", "cafes", "кофе", "ещё", "καφές", "שלום", "قهوة", "क्षमा", "東京都", "京都", "ワイン", "국립", "ภาษา",
    "😀",
    "x²", "Donau\u{AD}dampf", "این\u{200C}ها", "اینها", "don’t",
  ]

  private let store: TemporaryStore
  private let texts: [SearchText]
  private let table: FullTextTable
  private var random: SeededGenerator

  init() throws {
    var random = SeededGenerator()
    let strings = (0..<700).map { _ in
      (0..<random.below(random.oneIn(30) ? 200 : 14)).map { _ in random.pick(Self.vocabulary) }
        .joined(separator: random.pick([" ", ", ", "; ", " - "]))
    }
    self.random = random
    texts = strings.map { SearchText(ByteString($0)) }
    table = try FullTextTable(texts)
    store = try TemporaryStore(
      lines: #"{"kind":"header","format":"satchel-interchange","version":4}"# + "\n", user: "alice")
    try store.store.write { tx in
      try tx.createConversation(with: ["bob"], id: "a")
      for (number, text) in strings.enumerated() {
        try tx.receive([.text(text)], in: "a", from: "bob", id: Message.ID("m\(number)"))
      }
    }
    try store.store.declare(Index(named: "words", on: Message.self, wordsOf: { $0.parts.each { $0.text } }))
    while try !store.store.indexes().allSatisfy(\.isComplete) { Thread.sleep(forTimeInterval: 0.001) }
  }

  /// The same in our language and in FTS5's.
  private struct Question {
    let pattern: String
    let expression: String

    enum Junction { case and, or, not }

    func joined(_ junction: Junction, _ other: Question) -> Question {
      let (ours, theirs) =
        switch junction {
        case .and: (" ", "AND")
        case .or: (" OR ", "OR")
        case .not: (" -", "NOT")
        }
      return Question(
        pattern: "(\(pattern))\(ours)(\(other.pattern))",
        expression: "(\(expression)) \(theirs) (\(other.expression))")
    }
  }

  private static func quoted(_ scalars: [Unicode.Scalar]) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return "\"\(String(view))\""
  }

  /// A word, a beginning or a phrase that some text has.
  /// - Parameter isRanked: Whether it has to be one whose frequency is the same to FTS5: it has a compound's words, but not the compound, and a word, but not its fragments.
  private func leaf(_ random: inout SeededGenerator, isRanked: Bool) -> Question {
    while true {
      let text = random.pick(texts)
      guard !text.tokens.isEmpty else { continue }
      let place = random.below(text.tokens.count)
      let token = text.tokens[place]
      if isRanked, token.kind == .compound || token.kind == .fragment { continue }
      let scalars = text[token]
      switch random.below(4) {
      case 0 where token.kind == .word && scalars.count > 1:
        let prefix = Array(scalars.prefix(1 + random.below(scalars.count - 1)))
        let others = texts.lazy.flatMap { text in
          text.tokens.filter { $0.kind == .compound || $0.kind == .fragment }.map { text[$0] }
        }
        if isRanked, others.contains(where: { $0.starts(with: prefix) }) { continue }
        return Question(pattern: Self.quoted(prefix) + "*", expression: FullTextTable.prefix(prefix))
      case 1:
        let places = text.places
        let start = random.below(places.count)
        let words = places[start...].prefix(2 + random.below(2))
        guard words.count > 1, words.allSatisfy({ $0.kind == .word }) else { continue }
        let joined = Array(words.map { text[$0] }.joined(separator: [" "]))
        return Question(
          pattern: Self.quoted(joined), expression: FullTextTable.phrase(words.map { text[$0] }))
      case 2 where token.isNext && !isRanked:
        let pair = text[text.tokens[place - 1]] + scalars
        return Question(pattern: Self.quoted(pair), expression: FullTextTable.word(pair))
      default: return Question(pattern: Self.quoted(scalars), expression: FullTextTable.word(scalars))
      }
    }
  }

  private func question(_ random: inout SeededGenerator, depth: Int = 2) -> Question {
    guard depth > 0, !random.oneIn(3) else { return leaf(&random, isRanked: false) }
    let one = question(&random, depth: depth - 1)
    return one.joined(random.pick([.and, .or, .not]), question(&random, depth: depth - 1))
  }

  /// A question whose words FTS5 counts as we do. Of a text that matches by other words it does not always count those of an AND that is not
  /// met, nor leaves out those behind a NOT: so there is an AND of ORs, or an OR and one NOT.
  private func rankedQuestion(_ random: inout SeededGenerator) -> Question {
    func alternatives(_ random: inout SeededGenerator) -> Question {
      (0..<random.below(3)).reduce(leaf(&random, isRanked: true)) { question, _ in
        question.joined(.or, leaf(&random, isRanked: true))
      }
    }
    var question = alternatives(&random)
    switch random.below(4) {
    case 0, 1: question = question.joined(.and, alternatives(&random))
    case 2: question = question.joined(.not, leaf(&random, isRanked: true))
    default: break
    }
    return question
  }

  private func query(_ question: Question) -> Query<Message> {
    Message.filter { $0.parts.any { $0.text.matches(question.pattern) } }
  }

  @Test func theSameTextsAreFound() throws {
    var random = random
    var found = 0
    for _ in 0..<TestEnvironment.count("SATCHEL_DIFFERENTIAL_QUERIES", usual: 1000) {
      let question = question(&random)
      let expected = try table.numbers(matching: question.expression)
      let query = query(question)
      #expect(try store.store.count(query) == expected.count, "\(question)")
      #expect(
        try store.store.identifiers(query).map(\.rawValue) == expected.map { "m\($0)" }, "\(question)")
      found += expected.isEmpty ? 0 : 1
    }
    #expect(found > 0)
  }

  @Test func theSameTextsAreBest() throws {
    var random = random
    var ranked = 0
    for _ in 0..<TestEnvironment.count("SATCHEL_DIFFERENTIAL_QUERIES", usual: 1000) {
      let question = rankedQuestion(&random)
      let expected = try table.scores(matching: question.expression)
      let results = try store.store.search(query(question))
      #expect(results.count == expected.count, "\(question)")
      var last = Double.infinity
      for result in results {
        let score = Int(result.object.id.rawValue.dropFirst()).flatMap { expected[$0] } ?? -1
        #expect(abs(result.score - score) <= 1e-9 * max(1, score), "\(question): \(result.object.id)")
        #expect(score <= last + 1e-9 * max(1, score), "\(question): \(result.object.id)")
        last = score
      }
      ranked += results.count > 1 ? 1 : 0
    }
    #expect(ranked > 0)
  }
}
