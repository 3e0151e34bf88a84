import BenchmarkKit
import Engines
import Foundation

/// What the stores take on the disk, whole and part by part.
func sizes(_ data: LoadedDataset) throws -> [Figure] {
  var figures = EngineName.allCases.compactMap { engine in
    data.fileBytes[engine.rawValue].map {
      Figure(
        "size/file", about: "The store on the disk right after the load", n: data.n, engine: engine,
        value: Double($0) / 1e6, unit: .megabytes)
    }
  }
  figures += try sizesWithSameIndexes(data)
  let own = try statistics(of: data.chat.satchelPath, data)
  let relational = try tables(of: data.sqlite.connection)
  let indexes = relational.filter(\.isIndex)
  for (engine, parts) in [(EngineName.satchel, Array(own.indexes.values)), (.sqlite, indexes.map(\.part))] {
    let bytes = parts.reduce(0) { $0 + $1.bytes }
    figures.append(
      Figure(
        "size/index-entry", about: "The bytes of all indexes over the number of their entries", n: data.n,
        engine: engine, value: Double(bytes) / Double(max(1, parts.reduce(0) { $0 + $1.entries })),
        unit: .bytes))
  }
  for (name, part) in own.tables.merging(own.indexes, uniquingKeysWith: { first, _ in first }) {
    figures.append(size(of: name, part, .satchel, data.n))
  }
  for table in relational { figures.append(size(of: table.name, table.part, .sqlite, data.n)) }
  return figures
}

/// The files when SQLite, in a copy, keeps the indexes that Satchel keeps.
private func sizesWithSameIndexes(_ data: LoadedDataset) throws -> [Figure] {
  let path = data.chat.sqlitePath + "-same-indexes"
  Files.remove(path)
  defer { Files.remove(path) }
  try FileManager.default.copyItem(atPath: data.chat.sqlitePath, toPath: path)
  let connection = try SQLiteConnection(path)
  try connection.execute(Schema.loadSettings)
  try connection.execute(Schema.sameIndexes)
  return [
    (EngineName.satchel, data.fileBytes["satchel"] ?? 0), (.sqlite, Files.size(path)),
  ].map { engine, bytes in
    Figure(
      "size/file-same-indexes",
      about: "The store on the disk when SQLite keeps the indexes that Satchel keeps",
      n: data.n, engine: engine, value: Double(bytes) / 1e6, unit: .megabytes)
  }
}

/// What an entry of an index of numbers takes: in Satchel the whole index of metadata, since these messages have nothing but
/// numbers there.
public func numberEntries(_ data: LoadedDataset) throws -> [Figure] {
  guard data.n != nil else { return [] }
  let stores = try NumberStores(of: data)
  let own = try statistics(of: stores.satchelPath, data)
  let names = ["message_priority", "message_amount"]
  let relational = try tables(of: stores.sqlite).filter { names.contains($0.name) }
  return [
    (EngineName.satchel, [own.indexes["message.metadata"]].compactMap { $0 }),
    (.sqlite, relational.map(\.part)),
  ].compactMap { engine, parts in
    let entries = parts.reduce(0) { $0 + $1.entries }
    guard entries > 0 else { return nil }
    return Figure(
      "custom/number-entry",
      about: "The bytes of the indexes of two numbers of metadata over the number of their entries",
      n: data.n, engine: engine, value: Double(parts.reduce(0) { $0 + $1.bytes }) / Double(entries),
      unit: .bytes)
  }
}

private func size(of name: String, _ part: StoreStatistics.Part, _ engine: EngineName, _ n: Int?) -> Figure {
  Figure(
    "size/table-\(name)", about: "\(part.entries) entries", n: n, engine: engine,
    value: Double(part.bytes) / 1e6, unit: .megabytes)
}

/// What `satchel stats --format json` says of a store.
func statistics(of path: String, _ data: LoadedDataset) throws -> StoreStatistics {
  try JSONDecoder().decode(StoreStatistics.self, from: data.tool.run(["stats", path, "--format", "json"]))
}

/// What `satchel stats --format json` says.
struct StoreStatistics: Decodable {
  struct Part: Decodable {
    let entries: Int
    let bytes: Int
  }

  let tables: [String: Part]
  let indexes: [String: Part]
}

/// The pages of SQLite's tables and indexes; none where the library was built without dbstat.
private func tables(
  of connection: SQLiteConnection
) throws -> [(name: String, isIndex: Bool, part: StoreStatistics.Part)] {
  guard
    let statement = try? connection.prepare(
      """
      SELECT s.name, sum(s.pgsize), sum(CASE WHEN s.pagetype = 'leaf' OR m.type = 'index' THEN s.ncell END),
        m.type = 'index'
      FROM dbstat AS s JOIN sqlite_schema AS m ON m.name = s.name GROUP BY s.name ORDER BY s.name
      """)
  else { return [] }
  defer { statement.reset() }
  var tables: [(name: String, isIndex: Bool, part: StoreStatistics.Part)] = []
  while try statement.step() {
    let part = StoreStatistics.Part(entries: Int(statement.integer(2)), bytes: Int(statement.integer(1)))
    tables.append((statement.text(0), statement.integer(3) != 0, part))
  }
  return tables
}
