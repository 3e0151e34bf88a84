/// What is looked for, chosen by how many messages have it: words of ASCII letters that the texts have.
public struct SearchWords: Sendable {
  /// A pattern, and the same as FTS5 is asked for it.
  public struct Question: Sendable {
    public let pattern: String
    public let match: String
  }

  /// Words that most messages have of which any have one.
  public let frequent: [Question]
  /// Words of six letters or more that a hundredth of the messages has, or somewhat more: 10,000 at 10⁶.
  public let middle: [Question]
  public let rare: [Question]
  /// A frequent word, and another one that often follows it.
  public let two: Question
  /// The same two as a phrase.
  public let phrase: Question
  /// Beginnings of the words in the middle.
  public let prefixes: [Question]
  /// Words in the middle without their first and their last letter; FTS5 is asked by trigrams.
  public let parts: [Question]
  /// The last visible message, and its row: the newest others lie before it.
  public let last: (identifier: String, row: Int64)

  init(_ connection: SQLiteConnection) throws {
    try connection.execute(
      "CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, \(FullTextTable.full.name), row)")
    let terms = try connection.prepare("SELECT term, doc FROM vocabulary ORDER BY doc DESC, term")
    var words: [(word: String, count: Int)] = []
    while try terms.step() {
      if let word = SearchTokens.word(ofTerm: terms.text(0)) { words.append((word, Int(terms.integer(1)))) }
    }
    terms.reset()
    let messages = Int(
      try connection.prepare("SELECT count(*) FROM message WHERE visible = 1").number())
    guard let first = words.first else { throw SQLiteError(description: "no text has a word of ASCII") }
    // Long enough to have a part of three letters.
    let long = words.filter { $0.word.utf8.count >= 6 }
    let least = min(messages / 100, long.first?.count ?? 0)
    let inTheMiddle = long.filter { $0.count >= least }.suffix(4).map(\.word)
    frequent = words.prefix(4).map { Self.word($0.word) }
    middle = inTheMiddle.map(Self.word)
    let often = words.filter { $0.count >= 20 }
    rare = (often.isEmpty ? words : often).suffix(4).map { Self.word($0.word) }
    prefixes = inTheMiddle.map { word in
      let beginning = String(word.prefix(3))
      return Question(pattern: beginning + "*", match: SearchTokens.term(beginning) + " *")
    }
    parts = inTheMiddle.map { word in
      let part = word.dropFirst().dropLast()
      return Question(pattern: "*\(part)*", match: "\"\(part)\"")
    }
    let next = try Self.follower(of: first.word, connection)
    two = Question(
      pattern: "\(first.word) \(next)",
      match: SearchTokens.term(first.word) + " AND " + SearchTokens.term(next))
    phrase = Question(
      pattern: "\"\(first.word) \(next)\"", match: SearchTokens.phrase([first.word, next]))
    let newest = try connection.prepare(
      "SELECT identifier, id FROM message WHERE visible = 1 ORDER BY id DESC LIMIT 1")
    defer { newest.reset() }
    guard try newest.step() else { throw SQLiteError(description: "there is no visible message") }
    last = (newest.text(0), newest.integer(1))
  }

  private static func word(_ word: String) -> Question {
    Question(pattern: word, match: SearchTokens.term(word))
  }

  /// The word that most often follows a word in the first thousand texts with it.
  private static func follower(of word: String, _ connection: SQLiteConnection) throws -> String {
    let texts = try connection.prepare(
      """
      SELECT content FROM part WHERE message IN (
        SELECT rowid FROM \(FullTextTable.full.name) WHERE \(FullTextTable.full.name) MATCH ?1 LIMIT 1000)
      AND kind = \(PartValues.Kind.text.rawValue)
      """)
    let term = SearchTokens(word).words
    var counts: [String: Int] = [:]
    for text in try texts.bind(1, SearchTokens.term(word)).texts() {
      let words = SearchTokens(text).words.split(separator: " ")
      for (one, next) in zip(words, words.dropFirst()) where one == term && next != term {
        counts[String(next), default: 0] += 1
      }
    }
    let following = counts.compactMap { term, count in
      SearchTokens.word(ofTerm: term).map { (word: $0, count: count) }
    }
    return following.max { ($0.count, $1.word) < ($1.count, $0.word) }?.word ?? word
  }
}
