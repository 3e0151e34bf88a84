import BenchmarkKit
import Engines
import Satchel

/// Messages found by the data that the application keeps with them: by a text, by a number, by a text of a list.
func customReads(_ data: LoadedDataset, _ custom: CustomStores) -> [Workload] {
  var random = SplitMix(seed: 20_261_129)
  let priorities = (0..<64).map { _ in random.below(CustomValues.priorities / 2) }
  func serverID(_ run: Int) -> String { custom.serverIDs[run % custom.serverIDs.count] }
  func priority(_ run: Int) -> Int { priorities[run % priorities.count] }
  func tag(_ run: Int) -> String { CustomValues.allTags[run % CustomValues.allTags.count] }
  let byServerID = SQL.messages(Select.serverID)
  let byPriority = SQL.messages(Select.priority)
  let byTag = SQL.messages(Select.tag)

  return [
    reading(
      "custom/server-id", about: "The message of a text of its metadata, whole", data, custom, byServerID,
      satchel: { store, run in
        let id = serverID(run)
        return Answer(try store.fetch(Message.filter { $0.metadata.serverID == id }))
      },
      grdb: { Answer(try $0.messages(byServerID, [serverID($1), -1, 0])) },
      sqlite: { Answer(try $0.bind(1, serverID($1)).bind(2, -1).bind(3, 0).messages()) }),
    reading(
      "custom/page-priority", about: "The first 20 messages above a number of their metadata, by that number",
      data, custom, byPriority,
      satchel: { store, run in
        let least = priority(run)
        return Answer(
          try store.fetch(
            Message.filter { $0.metadata.priority.number > least }.order { $0.metadata.priority }.limit(20)))
      },
      grdb: { Answer(try $0.messages(byPriority, [priority($1), 20, 0])) },
      sqlite: { Answer(try $0.bind(1, Int64(priority($1))).bind(2, 20).bind(3, 0).messages()) }),
    reading(
      "custom/count", about: "How many messages are above a number of their metadata: half of them or more",
      data, custom, Number.abovePriority,
      satchel: { store, run in
        let least = priority(run)
        return Answer(number: try store.count(Message.filter { $0.metadata.priority.number > least }))
      },
      grdb: { Answer(number: try $0.number(Number.abovePriority, [priority($1)])) },
      sqlite: { Answer(number: Int(try $0.bind(1, Int64(priority($1))).number())) }),
    reading(
      "custom/tag",
      about: "The newest 20 messages with a text in a list of their metadata (a table of tags in SQLite)",
      data, custom, byTag,
      satchel: { store, run in
        let tag = tag(run)
        return Answer(
          try store.fetch(
            Message.filter { $0.metadata.tags.list.contains(tag) }.order { $0.sentAt.descending }.limit(20)))
      },
      grdb: { Answer(try $0.messages(byTag, [tag($1), 20, 0])) },
      sqlite: { Answer(try $0.bind(1, tag($1)).bind(2, 20).bind(3, 0).messages()) }),
    reading(
      "custom/tag-count",
      about: "How many messages have a text in a list of their metadata (a table of tags in SQLite)", data,
      custom, Number.ofTag,
      satchel: { store, run in
        let tag = tag(run)
        return Answer(number: try store.count(Message.filter { $0.metadata.tags.list.contains(tag) }))
      },
      grdb: { Answer(number: try $0.number(Number.ofTag, [tag($1)])) },
      sqlite: { Answer(number: Int(try $0.bind(1, tag($1)).number())) }),
  ]
}

/// A read of the stores with custom data, which the first one of these opens.
/// - Parameter open: What opens them, if they have to have more than all.
func reading(
  _ name: String, about: String, _ data: LoadedDataset, _ custom: CustomStores, _ sql: String,
  open: (() throws -> Void)? = nil, file: String = #filePath, line: Int = #line,
  satchel: @escaping (MessageStore, Int) throws -> Answer,
  grdb: @escaping (GRDBEngine, Int) throws -> Answer,
  sqlite: @escaping (SQLiteStatement, Int) throws -> Answer
) -> Workload {
  var statement: SQLiteStatement?
  return Workload(
    name, about: about, n: data.n, file: file, line: line,
    [
      Contender(
        .satchel, setUp: { if let open { try open() } else { try custom.open() } },
        body: { try satchel(custom.satchel, $0) }),
      Contender(.grdb, body: { try grdb(custom.grdb, $0) }),
      Contender(
        .sqlite, setUp: { statement = try custom.sqlite.connection.prepare(sql) },
        tearDown: { statement = nil }, body: { run in try statement.map { try sqlite($0, run) } ?? Answer() }),
    ])
}

/// A message in a durable commit, without metadata and with three values that indexes find: what the second takes longer is what they
/// cost.
func customInserts(_ data: LoadedDataset, _ custom: CustomStores) -> [Workload] {
  let engines: [(EngineName, Insert)] = [
    (.satchel, { try custom.satchel.insert($0) }), (.grdb, { try custom.grdb.insert($0) }),
    (.sqlite, { try custom.sqlite.insert($0) }),
  ]
  return [
    inserting(
      "custom/insert-1-without",
      about: "A message without metadata in a durable commit, where other messages have some", data, 1, 200,
      setUp: { try custom.open() }, readBack: { try readBack($1, from: $0, custom) }, engines),
    inserting(
      "custom/insert-1",
      about:
        "A message with a text, an integer and a number as metadata in a durable commit, which indexes find",
      data, 1, 200, setUp: { try custom.open() }, tearDown: { custom.remove() },
      message: { message, number in
        var message = message
        // Beyond the numbers of the load.
        let values = CustomValues(number: 1 << 40 + number)
        message.record.metadata = values.untaggedJSON
        message.metadata = values.untagged
        return message
      },
      readBack: { try readBack($1, from: $0, custom) }, engines),
  ]
}

/// Finds messages by the service's names for them, or else by their own, and returns what there is; throws where it is not what was
/// inserted.
private func readBack(_ messages: [NewMessage], from engine: EngineName, _ custom: CustomStores) throws
  -> Answer
{
  var answer = Answer()
  for message in messages {
    let (id, name) = (message.record.identifier, message.metadata["serverID"])
    let sql = name == nil ? Number.identifierAlone : Number.customValues
    let found =
      switch engine {
      case .satchel:
        try custom.satchel.fetch(
          Message.filter { message in
            name.map { message.metadata.serverID == $0 } ?? (message.identifier == Message.ID(id))
          }
        ).map { spelled($0.id.rawValue, $0.metadata) }
      case .grdb: try custom.grdb.texts(sql, [name ?? id])
      default: try custom.sqlite.connection.prepare(sql).bind(1, name ?? id).texts()
      }
    let wanted = [spelled(id, message.metadata)]
    guard found == wanted else { throw WrongValues(engine: engine, expected: wanted, found: found) }
    answer.add(wanted[0])
  }
  return answer
}

private func spelled(_ identifier: String, _ metadata: Metadata) -> String {
  let priority = metadata.value(at: "priority")?.integerValue.map { "\($0)" } ?? ""
  let amount = metadata.value(at: "amount")?.numberValue.map { "\($0)" } ?? ""
  return "\(identifier) \(priority) \(amount)"
}

/// A message that an engine does not find by its metadata, or not with the values that it was inserted with.
private struct WrongValues: Error, CustomStringConvertible {
  let engine: EngineName
  let expected: [String]
  let found: [String]

  var description: String { "\(engine.title) has \(found); expected was \(expected)" }
}
