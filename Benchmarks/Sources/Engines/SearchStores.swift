import Foundation
import Satchel

/// The chat with an index of the words of its texts: Satchel's, and FTS5's over the same terms, with every detail and with columns alone,
/// and over trigrams. FTS5 keeps no copies of the texts: these are in the table of parts, as somebody would do who knows it.
public final class SearchStores {
  private let data: LoadedDataset
  private let paths: [String]
  private var stores: Stores?

  private struct Stores {
    let satchel: MessageStore
    let withoutIndex: MessageStore
    let sqlite: SQLiteEngine
    let words: SearchWords
    let insertTerms: SQLiteStatement
  }

  private var opened: Stores {
    guard let stores else { fatalError("the stores that are searched are not open") }
    return stores
  }

  public var satchel: MessageStore { opened.satchel }
  /// The same store before it had the index.
  public var withoutIndex: MessageStore { opened.withoutIndex }
  public var sqlite: SQLiteEngine { opened.sqlite }
  /// What is looked for.
  public var words: SearchWords { opened.words }

  /// Satchel's index.
  public static let index = Index(
    named: "words", kind: .messages, columns: [IndexColumn(["parts", "text"], isOfWords: true)])

  /// - Parameter name: What tells the files from those of others of the kind.
  public init(of data: LoadedDataset, named name: String) {
    self.data = data
    paths = ["satchel", "without.satchel", "sqlite"].map { data.path(ofCopy: "\(name).\($0)") }
  }

  deinit { remove() }

  /// Makes the stores and opens them, unless they are open.
  public func open() throws {
    guard stores == nil else { return }
    for path in paths[...1] { try data.copySatchel(to: path) }
    let store = try MessageStore(existingAt: paths[0])
    try Self.declare(in: store)
    try store.checkpoint()
    try data.copySQLite(to: paths[2])
    try Self.makeTables(in: paths[2])
    let sqlite = try SQLiteEngine(paths[2])
    stores = Stores(
      satchel: store, withoutIndex: try MessageStore(existingAt: paths[1]), sqlite: sqlite,
      words: try SearchWords(sqlite.connection),
      insertTerms: try sqlite.connection.prepare(FullTextTable.column.insertion))
  }

  private static func makeTables(in path: String) throws {
    let connection = try SQLiteConnection(path)
    try connection.execute(Schema.loadSettings)
    for table in FullTextTable.allCases { try table.make(in: connection) }
    try FullTextTable.fill(FullTextTable.allCases, in: connection)
    for table in FullTextTable.allCases { try table.optimize(in: connection) }
    Files.syncAll(path)
  }

  /// Declares the index, and returns when it is complete: it is built beside other commits.
  public static func declare(in store: MessageStore) throws {
    try store.declare(index)
    while try store.indexes().contains(where: { !$0.isComplete }) { usleep(1_000) }
  }

  /// Takes messages into SQLite's tables and, of each, the terms into FTS5's table with columns alone, in one transaction.
  /// - Parameter tokens: The terms, by the identifiers of the messages.
  public func insert(_ batch: [NewMessage], _ tokens: [String: SearchTokens]) throws {
    let (sqlite, insert) = (opened.sqlite, opened.insertTerms)
    try sqlite.connection.write {
      try sqlite.add(batch) { new, row in
        guard let tokens = tokens[new.record.identifier] else { return }
        try insert.bind(1, row).bind(2, tokens.words).bind(3, tokens.others).run()
      }
    }
  }

  /// Closes the stores and removes them.
  public func remove() {
    stores?.satchel.close()
    stores?.withoutIndex.close()
    stores = nil
    for path in paths { Files.remove(path) }
  }
}
