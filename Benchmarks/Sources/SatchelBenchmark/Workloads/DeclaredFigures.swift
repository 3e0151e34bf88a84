import BenchmarkKit
import Engines
import Satchel
import Synchronization

/// What is measured while an index is made and of what it spares, in stores of its own.
public func declaredFigures(_ data: LoadedDataset) throws -> [Figure] {
  guard data.n != nil else { return [] }
  let stores = DeclaredStores(of: data, named: "beside")
  defer { stores.remove() }
  try stores.custom.open()
  return try commitsBesideDeclaring(data, stores) + recordsOfBoth(data, stores)
}

/// The names that these figures begin with.
public let namesOfDeclaredFigures = ["declared/commit-beside", "declared/and-records"]

/// A writer who takes in a message a durable commit, as fast as he can, while an index of all messages is made: percentiles of what
/// each commit takes.
private func commitsBesideDeclaring(_ data: LoadedDataset, _ stores: DeclaredStores) throws -> [Figure] {
  let custom = stores.custom
  let store = custom.satchel
  let grdb = custom.grdb
  let sqlite = SharedSQLite(custom.sqlite)
  let path = custom.sqlite.path
  // Beside the one that opening the stores makes.
  let index = DeclaredStores.byPriority(1)
  let sql = Schema.byPriority(1)
  return try BesideDeclaring.run(
    .satchel, data, declare: { try store.declare(index) },
    isComplete: { try store.indexes().allSatisfy(\.isComplete) }, insert: { try store.insert($0) })
    + BesideDeclaring.run(.grdb, data, declare: { try grdb.execute(sql) }, insert: { try grdb.insert($0) })
    + BesideDeclaring.run(
      .sqlite, data,
      declare: {
        // By a connection of its own.
        let connection = try SQLiteConnection(path)
        try connection.execute(Schema.settings(isDurable: true))
        try connection.execute(sql)
      }, insert: { try sqlite.insert($0) })
}

private enum BesideDeclaring {
  /// Runs one engine; figures are percentiles in microseconds.
  /// - Parameter isComplete: Whether an index is complete whose declaration has returned.
  static func run(
    _ engine: EngineName, _ data: LoadedDataset, declare: @escaping @Sendable () throws -> Void,
    isComplete: @escaping @Sendable () throws -> Bool = { true },
    insert: @escaping @Sendable ([NewMessage]) throws -> Void
  ) throws -> [Figure] {
    let tail = Tail(data.keys, "beside")
    let times = CommitTimes()
    let isDeclared = Atomic(false)
    try onThreads(2) { thread in
      if thread == 0 {
        defer { isDeclared.store(true, ordering: .releasing) }
        try declare()
        return
      }
      var number = 0
      repeat {
        var message = tail.message(number)
        // Beyond the numbers of the load.
        let values = CustomValues(number: 1 << 41 + number)
        message.record.metadata = values.untaggedJSON
        message.metadata = values.untagged
        try times.measure { try insert([message]) }
        number += 1
      } while try !isDeclared.load(ordering: .acquiring) || !isComplete()
    }
    return times.figures(
      "declared/commit-beside", about: "A message in a durable commit while an index of all messages is made",
      n: data.n, engine)
  }
}
