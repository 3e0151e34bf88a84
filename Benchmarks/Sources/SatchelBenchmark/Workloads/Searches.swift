import BenchmarkKit
import Engines
import Satchel
import SatchelRelevance

/// Texts found by their words: by an index of words, and by FTS5 over the same terms. A row is measured beside FTS5 with every detail, and
/// the same one once more beside a table with columns alone. The first of these opens the stores, the last one removes them.
func searches(_ data: LoadedDataset, _ stores: SearchStores) -> [Workload] {
  let questions: [(name: String, about: String, of: (SearchWords) -> [SearchWords.Question])] = [
    ("frequent", "a frequent word", \.frequent),
    ("middle", "a word that a hundredth of the messages has", \.middle),
    ("rare", "a rare word", \.rare),
    ("two", "two frequent words", { [$0.two] }),
    ("prefix", "a word with a beginning of three letters", \.prefixes),
    ("phrase", "two frequent words, one behind the other", { [$0.phrase] }),
    ("part", "a word with a part in it (a table of trigrams in SQLite)", \.parts),
  ]
  var workloads: [Workload] = []
  for (name, about, of) in questions {
    let tables: [FullTextTable] =
      switch name {
      case "part": [.trigram]
      // Without the places of words FTS5 answers no phrases.
      case "phrase": [.full]
      default: [.full, .column]
      }
    for table in tables {
      workloads.append(
        newest(
          "search/\(name)\(suffix(table))", "The newest 20 messages with \(about)\(detail(table))", data,
          stores,
          table, of: of))
    }
  }
  for table in [FullTextTable.full, .column] {
    workloads += [
      newest(
        "search/in-conversation\(suffix(table))",
        "The newest 20 messages of the largest conversation with a frequent word\(detail(table))", data,
        stores,
        table, inConversation: true, of: \.frequent),
      count(
        "search/count\(suffix(table))", "How many messages have a word: a hundredth of all\(detail(table))",
        data,
        stores, table, of: \.middle),
      count(
        "search/count-frequent\(suffix(table))", "How many messages have a frequent word\(detail(table))",
        data,
        stores, table, of: \.frequent),
    ]
  }
  for (name, about, of) in [
    ("frequent", "a frequent word", \SearchWords.frequent),
    ("middle", "a word that a hundredth of the messages has", \.middle),
  ] {
    workloads.append(
      best(
        "search/relevance-\(name)", "The 20 messages that match best by BM25: \(about)", data, stores,
        of: { $0[keyPath: of] }))
  }
  return workloads + searchInserts(data, stores)
}

private func suffix(_ table: FullTextTable) -> String { table == .column ? "-column" : "" }

private func detail(_ table: FullTextTable) -> String {
  switch table {
  case .full: " (FTS5: detail=full)"
  case .column: " (FTS5: detail=column)"
  case .trigram: ""
  }
}

private func matching(_ pattern: String) -> Query<Message> {
  Message.filter { $0.parts.any { $0.text.matches(pattern) } }
}

/// The newest 20 messages before the last one of the store, which says where the end of the order of creation is.
private func newest(
  _ name: String, _ about: String, _ data: LoadedDataset, _ stores: SearchStores, _ table: FullTextTable,
  inConversation: Bool = false, of questions: @escaping (SearchWords) -> [SearchWords.Question]
) -> Workload {
  let condition = inConversation ? "message.conversation = ?3 AND" : ""
  let rows = """
    SELECT \(table.name).rowid AS id FROM \(table.name)
    \(inConversation ? "CROSS JOIN message ON message.id = \(table.name).rowid" : "")
    WHERE \(condition) \(table.name) MATCH ?1 AND \(table.name).rowid < ?2
    ORDER BY \(table.name).rowid DESC LIMIT 20
    """
  let conversation = data.keys.conversations.first
  return searching(
    name, about, data, stores, SQL.messages(rows), of: questions,
    satchel: { store, pattern in
      var query = matching(pattern)
      if inConversation {
        let id = Conversation.ID(conversation?.identifier ?? "")
        query = query.filter { $0.conversation == id }
      }
      let last = Message.ID(stores.words.last.identifier)
      return Answer(try store.fetch(query.before(last).limit(20)).reversed())
    },
    sqlite: { statement in
      statement.bind(2, stores.words.last.row)
      if inConversation { statement.bind(3, conversation?.row) }
      return Answer(try statement.messages())
    })
}

/// The 20 best matches. FTS5's lengths count compounds and pairs of characters as words, so that its order is somewhat another one: answers
/// are not compared.
private func best(
  _ name: String, _ about: String, _ data: LoadedDataset, _ stores: SearchStores,
  of questions: @escaping (SearchWords) -> [SearchWords.Question]
) -> Workload {
  let table = FullTextTable.full.name
  let rows = "SELECT rowid AS id FROM \(table) WHERE \(table) MATCH ?1 ORDER BY rank LIMIT 20"
  return searching(
    name, about, data, stores, SQL.messages(rows), comparesAnswers: false, of: questions,
    satchel: { store, pattern in Answer(try store.search(matching(pattern).limit(20)).map(\.object)) },
    sqlite: { Answer(try $0.messages()) })
}

private func count(
  _ name: String, _ about: String, _ data: LoadedDataset, _ stores: SearchStores, _ table: FullTextTable,
  of questions: @escaping (SearchWords) -> [SearchWords.Question]
) -> Workload {
  searching(
    name, about, data, stores, "SELECT count(*) FROM \(table.name) WHERE \(table.name) MATCH ?1",
    of: questions,
    satchel: { Answer(number: try $0.count(matching($1))) },
    sqlite: { Answer(number: Int(try $0.number())) })
}

/// A search in these stores.
/// - Parameter sqlite: Runs the statement, to which the pattern is bound.
private func searching(
  _ name: String, _ about: String, _ data: LoadedDataset, _ stores: SearchStores, _ sql: String,
  comparesAnswers: Bool = true, of questions: @escaping (SearchWords) -> [SearchWords.Question],
  satchel: @escaping (MessageStore, String) throws -> Answer,
  sqlite: @escaping (SQLiteStatement) throws -> Answer
) -> Workload {
  var statement: SQLiteStatement?
  var all: [SearchWords.Question] = []
  return Workload(
    name, about: about, n: data.n, comparesAnswers: comparesAnswers,
    [
      Contender(
        .satchel,
        setUp: {
          try stores.open()
          all = questions(stores.words)
        }, body: { try satchel(stores.satchel, all[$0 % all.count].pattern) }),
      Contender(
        .sqlite, setUp: { statement = try stores.sqlite.connection.prepare(sql) },
        tearDown: { statement = nil },
        body: { run in
          guard let statement else { return Answer() }
          return try sqlite(statement.bind(1, all[run % all.count].match))
        }),
    ])
}

/// A message in a durable commit, without an index of words and with one: what the second takes longer is what the index costs.
private func searchInserts(_ data: LoadedDataset, _ stores: SearchStores) -> [Workload] {
  // Made before the clock runs: FTS5 makes terms of texts itself, but not ours.
  var tokens: [String: SearchTokens] = [:]
  return [
    inserting(
      "search/insert-1-without", about: "A message in a durable commit, without an index of words", data, 1,
      200,
      setUp: { try stores.open() },
      [
        (.satchel, { try stores.withoutIndex.insert($0) }), (.sqlite, { try stores.sqlite.insert($0) }),
      ]),
    inserting(
      "search/insert-1",
      about: "A message in a durable commit, with an index of words (FTS5: detail=column)", data, 1, 200,
      setUp: { try stores.open() },
      tearDown: {
        tokens = [:]
        stores.remove()
      },
      message: { message, _ in
        tokens[message.record.identifier] = message.record.text.map(SearchTokens.init)
        return message
      },
      [
        (.satchel, { try stores.satchel.insert($0) }),
        (.sqlite, { try stores.insert($0, tokens) }),
      ]),
  ]
}
