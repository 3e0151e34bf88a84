internal import Journal
internal import LMDB
internal import RankedIndex
internal import SatchelCoding

/// What a store does when its file is full, or the disk.
extension Store {
  /// Runs a write. If there is no room for it, takes the commits of the journal to LMDB, so that the room of what they have
  /// deleted is there for the next write: commits in the journal free nothing in the file.
  func makingRoom<R>(_ write: () throws -> R) throws -> R {
    do {
      return try write()
    } catch  where Self.isFull(error) {
      // As much as there is room for.
      try? makeRoom()
      throw error
    }
  }

  private static func isFull(_ error: any Error) -> Bool {
    switch error {
    case let error as LMDBError: error.code == .mapFull || error.code == .diskFull
    case IndexError.lmdb(let error): error.code == .mapFull || error.code == .diskFull
    default: false
    }
  }

  private func makeRoom() throws {
    guard let journal else { return }
    let isAhead = try reading(nil) { snapshot in
      snapshot.seal.isJournalInUse && snapshot.tail?.isEmpty == false
    }
    guard isAhead, journal.isAppending else { return }
    try writeSealAgain()
    try writeAlone(.checkpoint(closing: false)) { _ in }
    try writeSealAgain()
  }

  /// Makes a commit of LMDB that changes nothing: LMDB uses pages again two transactions after the one that has freed them.
  private func writeSealAgain() throws {
    try environment.write { transaction in
      let seal = try Self.readSeal(transaction, databases)
      let tables = RecordTables(transaction, databases, seal: seal, pending: PendingTables())
      try tables.putSeal(trees: seal.trees)
    }
  }
}

extension CommitJournal {
  /// Whether the file of LMDB has room for what is in the journal with one commit more: otherwise the commit goes there at once,
  /// which shows whether it fits. What was acknowledged must not wait for room that there will never be.
  /// - Parameter bytes: Those of the commit's changes.
  func hasRoom(for bytes: Int, after tail: Tail) -> Bool {
    guard let database else { return false }
    // Each commit changes some thirty pages of the trees, until most of them change the same ones.
    let commits = Int(min(tail.seal.commit - tail.base.sequence, 63)) + 1
    let needed = 2 * (tail.byteCount + bytes) + commits * (128 << 10)
    let growth = database.roomToGrow
    if growth >= needed { return true }
    if writing.free?.point != tail.base {
      writing.free = (tail.base, database.reusableBytes ?? 0)
    }
    return growth + (writing.free?.bytes ?? 0) >= needed
  }
}
