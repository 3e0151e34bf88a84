import Satchel

/// Texts in SQLite's FTS5, each as the words that the model's tokenizer finds: in hexadecimal digits, so that FTS5 has no opinion of its own
/// about what a word is.
final class FullTextTable {
  private let database: SQLiteDatabase

  /// Makes the tables. The row of a text is its number plus 1.
  init(_ texts: [SearchText]) throws {
    database = try SQLiteDatabase()
    // Words and characters in their order; and beside them, where they would stand between these, compounds and pairs of characters.
    try database.run(script: "CREATE VIRTUAL TABLE terms USING fts5(places, others, tokenize='ascii')")
    // The same without the second column, so that a text is as long for FTS5 as for us.
    try database.run(script: "CREATE VIRTUAL TABLE ranked USING fts5(places, tokenize='ascii')")
    for (number, text) in texts.enumerated() {
      let places = text.places.map { Self.term(text[$0]) }.joined(separator: " ")
      let others = Self.others(text).map(Self.term).joined(separator: " ")
      try database.run(
        script: """
          INSERT INTO terms(rowid, places, others) VALUES (\(number + 1), '\(places)', '\(others)');
          INSERT INTO ranked(rowid, places) VALUES (\(number + 1), '\(places)');
          """)
    }
  }

  /// Compounds and fragments, and each two characters that stand together.
  private static func others(_ text: SearchText) -> [[Unicode.Scalar]] {
    text.tokens.indices.compactMap { place in
      let token = text.tokens[place]
      if token.kind == .compound || token.kind == .fragment { return text[token] }
      return token.isNext ? text[text.tokens[place - 1]] + text[token] : nil
    }
  }

  /// Returns the numbers of the texts that match, ascending.
  func numbers(matching expression: String) throws -> [Int] {
    try database.prepare("SELECT rowid FROM terms WHERE terms MATCH '\(expression)' ORDER BY rowid")
      .run([])
      .map { row in
        guard case .integer(let number) = row[0] else { throw SQLiteError(description: "no number of a row") }
        return Int(number) - 1
      }
  }

  /// Returns the scores of the texts that match, by their numbers: bm25() with its sign changed.
  func scores(matching expression: String) throws -> [Int: Double] {
    let rows = try database.prepare(
      "SELECT rowid, -bm25(ranked) FROM ranked WHERE ranked MATCH '\(expression)'"
    ).run([])
    return try Dictionary(
      uniqueKeysWithValues: rows.map { row in
        guard case .integer(let number) = row[0], case .real(let score) = row[1] else {
          throw SQLiteError(description: "no score of a row")
        }
        return (Int(number) - 1, score)
      })
  }

  private static func term(_ scalars: [Unicode.Scalar]) -> String {
    digits(ByteString(scalars: scalars).utf8)
  }

  private static func digits(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  // MARK: What is asked

  /// A word, a compound, a character or two of these.
  static func word(_ scalars: [Unicode.Scalar]) -> String { "\"\(term(scalars))\"" }
  /// A word that begins with these.
  static func prefix(_ scalars: [Unicode.Scalar]) -> String { "\"\(term(scalars))\" *" }
  /// Words that follow one another.
  static func phrase(_ words: [[Unicode.Scalar]]) -> String {
    "places : \"" + words.map(term).joined(separator: " ") + "\""
  }
}
