import BenchmarkKit
import Engines
import Satchel

/// The numbers of messages a commit that are measured, and how many rounds of each.
private let batches = [(1, 200), (10, 100), (100, 50), (1_000, 20), (10_000, 5)]

/// How an engine takes messages in, in a commit.
typealias Insert = ([NewMessage]) throws -> Void

/// Messages that come in, so many a durable commit; a time is that of one message.
func inserts(_ data: LoadedDataset) throws -> [Workload] {
  batches.map { batch, rounds in
    inserting(
      "insert/\(batch)", about: "A message, \(batch) of them in a durable commit", data, batch, rounds,
      [
        (.satchel, { try data.satchel.insert($0) }), (.grdb, { try data.grdb.insert($0) }),
        (.sqlite, { try data.sqlite.insert($0) }),
      ] + (data.lmdb.map { lmdb in [(.lmdb, { try lmdb.insert($0) })] } ?? []))
  }
}

/// The same into copies of the stores, in which SQLite and GRDB have as many indexes to keep as Satchel has.
func insertsWithSameIndexes(_ data: LoadedDataset) -> [Workload] {
  let copies = StoreCopies(of: data, named: "same-indexes", .hasSameIndexes)
  return batches.map { batch, rounds in
    inserting(
      "insert/\(batch)-same-indexes",
      about: "A message, \(batch) of them in a durable commit; SQLite and GRDB keep Satchel's indexes",
      data, batch, (rounds + 1) / 2, setUp: copies.open,
      tearDown: { if batch == batches.last?.0 { copies.remove() } }, inserts(into: copies))
  }
}

/// The same into copies of the stores whose commits outlive the program at once, and a loss of power some time later.
func relaxedInserts(_ data: LoadedDataset) -> [Workload] {
  let copies = StoreCopies(of: data, named: "relaxed", .isRelaxed)
  return [(1, 200), (100, 50)].map { batch, rounds in
    inserting(
      "insert/\(batch)-relaxed",
      about: "A message, \(batch) of them in a commit that is not synced: .relaxed, and synchronous=NORMAL",
      data, batch, rounds, setUp: copies.open, tearDown: { if batch == 100 { copies.remove() } },
      inserts(into: copies))
  }
}

private func inserts(into copies: StoreCopies) -> [(EngineName, Insert)] {
  [
    (.satchel, { try copies.satchel.insert($0) }), (.grdb, { try copies.grdb.insert($0) }),
    (.sqlite, { try copies.sqlite.insert($0) }),
  ]
}

/// A workload of commits of a batch each.
/// - Parameters:
///   - message: What comes in, made from what a tail has and its number.
///   - readBack: What an engine has of messages that it has taken in.
func inserting(
  _ name: String, about: String, _ data: LoadedDataset, _ batch: Int, _ rounds: Int,
  setUp: @escaping () throws -> Void = {}, tearDown: @escaping () -> Void = {},
  message: @escaping (NewMessage, Int) -> NewMessage = { message, _ in message },
  readBack: ((EngineName, [NewMessage]) throws -> Answer)? = nil, file: String = #filePath, line: Int = #line,
  _ engines: [(EngineName, Insert)]
) -> Workload {
  // One run makes several small commits: the clock is not to show.
  let commits = batch < 100 ? 10 : 1
  let tail = Tail(data.keys, name.replacing("/", with: "-"))
  // Made before the clock runs.
  var batches: [[NewMessage]] = []
  return Workload(
    name, about: about, n: data.n, items: batch * commits, repetition: .once(rounds: rounds), file: file,
    line: line,
    engines.enumerated().map { place, engine in
      Contender(
        engine.0,
        setUp: {
          guard place == 0 else { return }
          try setUp()
          batches = (0..<rounds * commits).map { commit in
            (commit * batch..<(commit + 1) * batch).map { message(tail.message($0), $0) }
          }
        },
        tearDown: {
          guard place == engines.count - 1 else { return }
          batches = []
          tearDown()
        },
        readBack: readBack.map { readBack in
          { run in try readBack(engine.0, Array(batches[run * commits..<(run + 1) * commits].joined())) }
        },
        body: { run in
          for commit in run * commits..<(run + 1) * commits { try engine.1(batches[commit]) }
          return Answer(number: batch)
        })
    })
}

/// What the disk alone needs for a commit of a message: no durable commit is faster than the first of these.
func syncFloor(_ data: LoadedDataset) -> [Workload] {
  let file = FloorFile(data)
  func floor(_ name: String, _ about: String, _ write: @escaping (SyncedFile) throws -> Void) -> Workload {
    Workload(
      name, about: about, n: data.n, repetition: .once(rounds: 1_000),
      [
        Contender(
          .disk, setUp: { file.open = try SyncedFile(file.path) }, tearDown: { file.open = nil },
          body: { _ in
            if let file = file.open { try write(file) }
            return Answer(number: SyncedFile.blockBytes)
          })
      ])
  }
  return [
    floor(
      "insert/fsync-floor", "4 KiB that the disk had already, written again, and fdatasync; no store"
    ) { try $0.overwrite() },
    floor("insert/fsync-floor-appended", "4 KiB appended to a file, and fdatasync; no store") {
      try $0.append()
    },
  ]
}

private final class FloorFile {
  let path: String
  var open: SyncedFile?

  init(_ data: LoadedDataset) { path = data.path(ofCopy: "floor") }
}
