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
  /// Takes all commits and deletions to the tables, writes neighbouring pages anew that would be a sixteenth fewer, and gives what is free
  /// then back to the file system, but for what is kept for a full disk.
  ///
  /// Works in steps, each of which is a commit of LMDB that others wait for, for some milliseconds. While it works the file has a tenth more
  /// than before at most, beside what others write: what the steps give up is given back between them. What readers of old snapshots still
  /// need stays.
  /// - Throws: ``SatchelError`` `storeFull` if there is no room for a step, and what else a write throws. What is done by then stays done.
  @discardableResult
  package func compact() throws -> Compaction {
    let before = try diskBytes()
    try checkpoint()
    try removeAllPurged()
    do {
      var greatest = before + before / 20
      for table in [
        databases.messages, databases.bodies, databases.objects, databases.texts, databases.nodes,
      ] {
        try join(table, within: &greatest)
      }
      try giveBackAll()
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
  /// - Parameter greatest: How many bytes the file may have before what is free is given back. More where readers keep that.
  private func join(_ table: Database, within greatest: inout Int) throws {
    for _ in 0..<Self.mostWays {
      let before = try leaves(of: table)
      var (key, hasMore) = ([UInt8]?.none, true)
      while hasMore {
        let pages = pagesOfStep
        let step = try environment.write { transaction in
          try transaction.pack(
            table, from: key, pages: pages, reading: Self.leavesReadInStep, thoroughly: true)
        }
        (key, hasMore) = (step.next, step.next != nil)
        if try environment.info.diskBytes > greatest {
          try giveBackAll()
          greatest = max(greatest, try environment.info.diskBytes / 20 * 21)
        }
      }
      guard try leaves(of: table) < before - before / 16 else { return }
    }
  }

  /// Gives back what is free.
  private func giveBackAll() throws {
    // What the last commit has given up can be given back after another one.
    try writeSealAgain()
    var progress = Environment.GivingBack()
    while !progress.isOver {
      try environment.giveBackPages(&progress, forced: true)
      if !progress.isOver { usleep(1000) }
    }
  }

  private func leaves(of table: Database) throws -> Int {
    try environment.read { try $0.statistics(of: table).leafPages }
  }

  /// How many pages a step writes anew at most: what they had is used again by the next step but one.
  private var pagesOfStep: Int {
    let pages = (environment.usedBytes ?? 0) / Int(header.pageSize)
    return max(8, min(256, pages / 50))
  }

  private static let leavesReadInStep = 4096
  private static let mostWays = 2
}
