internal import Journal
internal import LMDB
internal import RankedIndex
internal import RecordStore
internal import SatchelCoding
internal import SatchelReading
internal import SatchelWriting

/// What a store does when its file is full, or the disk.
///
/// A write that makes the store larger is refused as long as LMDB's file keeps its reserve (`LMDBWriteTransaction.keepReserve`).
/// Whatever makes it smaller uses that.
extension Store {
  /// After a write that has found no room: takes the journal's commits to LMDB, removes what they have deleted and what the change log need
  /// not keep, joins pages that have become half empty, and makes all free pages usable, so that the next write finds what there is. As far
  /// as there is room for that.
  func makeRoom() throws {
    guard lacksRoom else { return }
    let isAhead =
      try journal?.isAppending == true
      && reading(nil) { $0.seal.isJournalInUse && $0.tail?.isEmpty == false }
    try writeSealAgain()
    if isAhead { try takeJournal(closing: false) }
    // A round that removes no entry of the log is the last one for its sake: it may have none that can go.
    var entries = UInt64.max
    for _ in 0..<Self.mostRounds {
      let (isQueued, log) = try reading(nil) { ($0.seal[.purge].count > 0, try $0.logToTrim) }
      guard isQueued || log < entries else { break }
      entries = log
      try writeToDatabase { writer in
        writer.isChanged = true
        writer.turn.purgeRoom = PurgeQueue.sliceIfShort
      }
    }
    try packTables()
    try writeSealAgain()
    try writeSealAgain()
  }

  /// Whether a write that begins now has to make room first.
  var lacksRoom: Bool { !environment.isInsideTransaction && environment.isShortOfRoom }

  /// How many times a write has what was deleted removed before it: a bound for its time.
  private static let mostRounds = 16

  /// Makes a commit of LMDB that changes nothing: LMDB uses pages again two transactions after the one that has freed them.
  /// - Parameter seconds: How long to wait for other processes, if the options do not say less.
  func writeSealAgain(waiting seconds: Double = .infinity) throws {
    try environment.write(waiting: seconds) { transaction in
      let seal = try Self.readSeal(transaction, databases)
      let tables = RecordTables(transaction, databases, seal: seal, pending: PendingTables())
      try tables.putSeal(trees: seal.trees)
    }
  }
}

extension Snapshot {
  /// How many entries the change log has, if there are so many to remove that a commit of its own does it; `max` if not. What a write
  /// changes for that counts against its room: with a long log from better days, each one would be refused for it, and undone.
  fileprivate var logToTrim: UInt64 {
    get throws {
      let kept = LogTable.keptEntriesIfShort
      return try lastTrimmable(of: seal.log, keeping: kept, least: kept) == nil ? .max : seal.log.count
    }
  }
}
