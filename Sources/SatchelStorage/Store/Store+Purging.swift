internal import LMDB
internal import SatchelCoding
internal import SatchelReading
internal import SatchelWriting
internal import StoreFiles

/// How what was deleted in bulk leaves the tables, and how a store gets indexes that it lacks.
extension Store {
  /// Begins to remove it, if a commit has asked for that.
  func beginPurging() {
    guard let purger, purger.isRequested else { return }
    // The thread keeps no store from being closed.
    purger.begin({ [weak self] in self?.purgeSlice(purger) ?? 0 }) { [weak self] in
      self?.giveBackWhatWasPurged()
    }
  }

  /// Removes a slice, and adds to the indexes that the store is being given, in a commit of its own that nobody joins. Returns how many
  /// entries the queue has then; if the indexes are not complete, so many that the next one comes soon.
  ///
  /// If it fails, the next write takes a slice along, and asks again.
  private func purgeSlice(_ purger: Purger) -> Int {
    purger.working {
      // Whoever writes then makes room first.
      guard !environment.isShortOfRoom else { return 0 }
      defer { beginCheckpoint() }
      let ahead = takeEntriesMade() ?? entriesAhead()
      // Made while these are put in. The slice ends after both, so that whoever closes the store waits for both.
      let next = ahead.flatMap(makingEntries)
      defer {
        let made = next?.wait()
        entriesMade.withLock { $0 = made }
      }
      let writer = try? environment.write(
        as: purger, deferring: isDeferring, waiting: Self.purgersWait
      ) { transaction, earlier in
        try write(in: transaction, after: earlier) { writer in
          writer.isChanged = writer.purges > 0 || writer.isBuildingIndexes
          writer.turn.purgeRoom = PurgeQueue.slice
          if writer.isBuildingIndexes { Self.addSlice(to: writer, ahead) }
          return writer
        }
      }
      guard let writer else { return 0 }
      guard writer.isBuildingIndexes else { return Int(clamping: writer.purges) }
      // Others have written while the entries were made.
      return ahead == nil ? max(Int(clamping: writer.purges), Purger.many) : Purger.atOnce
    }
  }

  /// Has a write add a slice to the indexes that are not complete, and tell why if it cannot.
  /// - Parameter ahead: What was made ahead of it.
  static func addSlice(to writer: Writer, _ ahead: EntriesAhead?) {
    writer.entriesAhead = ahead
    writer.turn.indexingRoom = indexingSlice
    writer.turn.isForIndexing = true
    writer.turn.grows = true
  }

  /// Makes the entries that the next slice adds to a declared index, ahead of its write; nil if none is being built, or if they cannot be
  /// made: the slice's write will say why.
  func entriesAhead() -> EntriesAhead? {
    guard let evaluator = aggregateEvaluator else { return nil }
    do {
      guard var ahead = try read({ try EntriesAhead(in: $0, by: evaluator) }) else { return nil }
      // What has changed meanwhile: so the write finds little.
      return try read { try ahead.follow(to: $0, by: evaluator) } ? ahead : nil
    } catch {
      return nil
    }
  }

  /// Returns the entries that the last slice has left for the next one, as they are to be now; nil if there are none or they are of no use any more.
  private func takeEntriesMade() -> EntriesAhead? {
    guard let evaluator = aggregateEvaluator,
      var made = entriesMade.withLock({ made in
        defer { made = nil }
        return made
      })
    else { return nil }
    return (try? read { try made.follow(to: $0, by: evaluator) }) == true ? made : nil
  }

  /// Begins to make the entries behind others, on a thread of its own; nil if the index ends with these.
  private func makingEntries(behind earlier: EntriesAhead) -> ThreadResult<EntriesAhead>? {
    guard !earlier.isLast, let evaluator = aggregateEvaluator else { return nil }
    return ThreadResult { try? self.read { try EntriesAhead(behind: earlier, in: $0, by: evaluator) } }
  }

  /// How many messages one commit beside others adds to indexes that the store is being given: some milliseconds, so that others wait
  /// no longer.
  private static let indexingSlice = 1000
  /// The same of each other commit that makes the store larger: so a program that makes one and ends adds to them as well.
  static let indexingAlong = 32

  /// How many seconds a slice waits for other processes: not for long, as whoever closes the store waits for it.
  private static let purgersWait = 0.5
}
