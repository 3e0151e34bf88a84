import BenchmarkKit
import Engines
import Satchel

/// The names that these figures begin with.
public let namesOfCascadeFigures = ["records/commit-beside"]

/// A writer who saves a task a durable commit, as fast as he can, while lists are deleted with the 100,000 tasks that refer to each, and
/// after it, while what is left of them is taken out: percentiles of what each commit takes.
public func cascadeFigures(_ data: LoadedDataset) throws -> [Figure] {
  guard data.n != nil else { return [] }
  let stores = TodoStores(of: data)
  defer { stores.remove() }
  try stores.addLongLists(1)
  let list = stores.listCount
  let tasks = (0..<BesideCascade.commits).map { stores.task(stores.count + $0) }
  let (store, pool) = (stores.satchel, stores.grdb)
  return try BesideCascade.run(
    .satchel, data, tasks, delete: { try TodoStores.deleteList(list, from: store) },
    save: { try TodoStores.save($0, to: store) })
    + BesideCascade.run(
      .grdb, data, tasks, delete: { try TodoStores.deleteList(list, from: pool) },
      save: { try TodoStores.insert($0, into: pool) })
}

private enum BesideCascade {
  /// Enough for the 99th percentile to leave out the commit that waits for the deletion, and for all that later commits take out.
  static let commits = 2_000

  /// Runs one engine; figures are percentiles in microseconds.
  static func run(
    _ engine: EngineName, _ data: LoadedDataset, _ tasks: [TodoStores.Task],
    delete: @escaping @Sendable () throws -> Void, save: @escaping @Sendable (TodoStores.Task) throws -> Void
  ) throws -> [Figure] {
    let times = CommitTimes()
    try onThreads(2) { thread in
      if thread == 0 { return try delete() }
      for task in tasks { try times.measure { try save(task) } }
    }
    return times.figures(
      "records/commit-beside",
      about: "A task in a durable commit while a list is deleted with 100,000 tasks, and after it", n: data.n,
      engine)
  }
}
