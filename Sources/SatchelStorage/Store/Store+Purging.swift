internal import LMDB
internal import SatchelCoding
internal import SatchelWriting

/// How what was deleted in bulk leaves the tables.
extension Store {
  /// Begins to remove it, if a commit has asked for that.
  func beginPurging() {
    guard let purger, purger.isRequested else { return }
    // The thread keeps no store from being closed.
    purger.begin({ [weak self] in self?.purgeSlice(purger) ?? 0 }) { [weak self] in
      self?.giveBackWhatWasPurged()
    }
  }

  /// Removes a slice, in a commit of its own that nobody joins. Returns how many entries the queue has then.
  ///
  /// If it fails, the next write takes a slice along, and asks again.
  private func purgeSlice(_ purger: Purger) -> Int {
    purger.working {
      // Whoever writes then makes room first.
      guard !environment.isShortOfRoom else { return 0 }
      defer { beginCheckpoint() }
      let writer = try? environment.write(
        as: purger, deferring: isDeferring, waiting: Self.purgersWait
      ) { transaction, earlier in
        try write(in: transaction, after: earlier) { writer in
          writer.isChanged = writer.purges > 0
          writer.turn.purgeRoom = PurgeQueue.slice
          return writer
        }
      }
      return Int(clamping: writer?.purges ?? 0)
    }
  }

  /// How many seconds a slice waits for other processes: not for long, as whoever closes the store waits for it.
  private static let purgersWait = 0.5
}
