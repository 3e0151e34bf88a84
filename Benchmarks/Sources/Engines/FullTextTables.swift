/// The tables of FTS5 that are compared: none has a copy of what it indexes.
public enum FullTextTable: String, CaseIterable, Sendable {
  /// Our terms, with where each is: phrases are answered, too.
  case full
  /// Our terms, with the column that each is in.
  case column
  /// The folded texts by three characters each: parts of words are answered.
  case trigram

  /// The name of the table.
  public var name: String { "text_\(rawValue)" }

  /// The tables in which FTS5 keeps it.
  var shadows: [String] { ["config", "data", "docsize", "idx"].map { "\(name)_\($0)" } }

  private var definition: String {
    switch self {
    case .full, .column:
      "CREATE VIRTUAL TABLE \(name) USING fts5(words, others, content='', tokenize='ascii', detail=\(rawValue))"
    case .trigram:
      "CREATE VIRTUAL TABLE \(name) USING fts5(folded, content='', tokenize='trigram case_sensitive 1')"
    }
  }

  /// What puts a message's terms, or its folded text, into it.
  var insertion: String {
    switch self {
    case .full, .column: "INSERT INTO \(name)(rowid, words, others) VALUES (?1, ?2, ?3)"
    case .trigram: "INSERT INTO \(name)(rowid, folded) VALUES (?1, ?2)"
    }
  }

  public func make(in connection: SQLiteConnection) throws { try connection.execute(definition) }

  /// Joins what was inserted piece by piece, which makes it smaller and faster to read.
  public func optimize(in connection: SQLiteConnection) throws {
    try connection.execute("INSERT INTO \(name)(\(name)) VALUES ('optimize')")
  }

  /// The bytes of the pages that it has.
  public func bytes(in connection: SQLiteConnection) throws -> Int {
    let names = shadows.map { "'\($0)'" }.joined(separator: ", ")
    return Int(try connection.prepare("SELECT sum(pgsize) FROM dbstat WHERE name IN (\(names))").number())
  }

  /// Puts the texts of all visible messages into tables, in one transaction: each as the row of its message. Two texts of one message are
  /// apart from one another.
  /// - Returns: How many bytes of text there are.
  @discardableResult
  public static func fill(_ tables: [FullTextTable], in connection: SQLiteConnection) throws -> Int {
    try connection.write { try insertTexts(into: tables, connection) }
  }

  private static func insertTexts(into tables: [FullTextTable], _ connection: SQLiteConnection) throws -> Int
  {
    let texts = try connection.prepare(
      "SELECT message, content FROM part WHERE visible = 1 AND kind = \(PartValues.Kind.text.rawValue) ORDER BY id"
    )
    let insertions = try tables.map { ($0, try connection.prepare($0.insertion)) }
    var message: Int64?
    var (words, others, folded) = ("", "", "")
    var bytes = 0
    func insert() throws {
      guard let message else { return }
      for (table, statement) in insertions {
        statement.bind(1, message)
        if table == .trigram {
          statement.bind(2, folded)
        } else {
          statement.bind(2, words).bind(3, others)
        }
        try statement.run()
      }
    }
    defer { texts.reset() }
    while try texts.step() {
      let text = texts.text(1)
      let tokens = SearchTokens(text)
      bytes += text.utf8.count
      if message == texts.integer(0) {
        // No term has an x.
        words += " x " + tokens.words
        others += " x " + tokens.others
        folded += "\n" + tokens.folded
      } else {
        try insert()
        message = texts.integer(0)
        (words, others, folded) = (tokens.words, tokens.others, tokens.folded)
      }
    }
    try insert()
    return bytes
  }
}
