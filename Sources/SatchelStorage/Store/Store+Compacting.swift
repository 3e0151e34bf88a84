internal import CommitEngine
internal import LMDB
internal import RecordStore
internal import SatchelCoding
internal import SatchelModel
internal import SatchelReading
internal import SatchelWriting

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// What making a store's file smaller has come to.
package struct Compaction: Sendable, Hashable {
  /// The bytes of the disk that the file had before.
  package let bytesBefore: Int
  /// The bytes of the disk that it has now.
  package let bytes: Int
}

/// Making the file small where it is, while others read and write.
extension Store {
  /// Takes all commits and deletions to the tables, joins the pages of records that are a quarter empty, and gives what is free then
  /// back to the file system, but for what is kept for a full disk.
  ///
  /// Works in steps, each of which is a commit of LMDB that others wait for, for some milliseconds. While it works the file has a tenth more
  /// than before at most, beside what others write. What readers of old snapshots still need stays.
  /// - Throws: ``SatchelError`` `storeFull` if there is no room for a step, and what else a write throws. What is done by then stays done.
  @discardableResult
  package func compact() throws -> Compaction {
    let before = try diskBytes()
    try checkpoint()
    try removeAllPurged()
    do {
      for table in [databases.messages, databases.bodies, databases.objects, databases.texts] {
        try join(table)
      }
      // What the last commit has given up can be given back after another one.
      try writeSealAgain()
      var progress = Environment.GivingBack()
      while !progress.isOver {
        try environment.giveBackPages(&progress, forced: true)
        usleep(1000)
      }
    } catch {
      throw told(of: error)
    }
    return Compaction(bytesBefore: before, bytes: try diskBytes())
  }

  private func diskBytes() throws -> Int {
    // Also says whether the store is open, and may be read.
    _ = try sequence()
    do { return try environment.info.diskBytes } catch { throw told(of: error) }
  }

  /// Removes what was deleted in bulk from the tables.
  private func removeAllPurged() throws {
    while try read({ $0.seal[.purge].count > 0 }) {
      try writeAlone { writer in
        writer.isChanged = true
        writer.turn.purgeRoom = PurgeQueue.slice
      }
    }
  }

  /// Joins pages of a table. A second way through it joins what the first has left at the ends of its steps.
  private func join(_ table: Database) throws {
    for _ in 0..<Self.mostWays {
      let before = try leaves(of: table)
      var (key, hasMore) = ([UInt8]?.none, true)
      while hasMore {
        let leaves = try leavesOfStep()
        let step = try environment.write { transaction in
          try transaction.pack(table, from: key, leaves: leaves, reading: Self.leavesReadInStep)
        }
        (key, hasMore) = (step.next, step.next != nil)
      }
      guard try leaves(of: table) < before - before / 16 else { return }
    }
  }

  private func leaves(of table: Database) throws -> Int {
    try environment.read { try $0.statistics(of: table).leafPages }
  }

  /// How many leaves a step joins at most: they are copied, and what they had is used again by the next step but one.
  private func leavesOfStep() throws -> Int {
    let pages = (environment.usedBytes ?? 0) / Int(header.pageSize)
    return max(8, min(256, pages / 50))
  }

  private static let leavesReadInStep = 4096
  private static let mostWays = 2
}
