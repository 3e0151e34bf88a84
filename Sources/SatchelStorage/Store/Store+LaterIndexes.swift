internal import SatchelCoding
internal import SatchelModel
internal import SatchelReading
internal import SatchelRebuilding
internal import StoreFiles

/// Builds the indexes that a store of an older format lacks.
extension Store {
  /// Builds the indexes that an older index set does not have, in one commit, and raises the format so that programs that
  /// do not know these indexes are refused. O(n log n) in messages, once; the file needs room for a fifth more. A store that lacks
  /// none of them only has its format raised: what older programs do not know may be written from then on.
  ///
  /// A program of a format below 4 may have had the store open at that time and gone on writing, because it does not look
  /// at the header again. So all of them are built again if one lacks entries.
  ///
  /// The indexes of messages' metadata are only begun: see `beginBuildingIndexes`.
  /// - Parameter indexesMetadata: Whether a store that could not have these gets them.
  /// - Returns: Whether anything was built or raised.
  func buildLaterIndexes(andMetadata indexesMetadata: Bool) throws -> Bool {
    let current = StoreHeader.Versions.current
    guard
      try header.versions.minimumReader < current.minimumReader
        || header.versions.indexSet < current.indexSet
        || read({ try !$0.hasAllOfLaterIndexes() })
    else { return false }
    try writeAlone { try $0.buildLaterIndexes(andMetadata: indexesMetadata) }
    return true
  }

  /// Goes on building the indexes that the store has been given or that applications have declared, if they are not complete: beside
  /// other commits, as what was deleted is removed.
  func beginBuildingIndexes() throws {
    guard let purger, try read({ try $0.isBuildingIndexes() }) else { return }
    purger.ask()
    beginPurging()
  }

  /// Builds them to their ends, in commits like those beside others: on this thread, unless another one of the process is at it.
  /// - Parameter progress: Called before each commit, outside of any. If it throws, nothing more is built here.
  /// - Throws: As a write; `storeFull` if there is room for what others write alone; what `progress` throws.
  package func completeIndexes(_ progress: () throws -> Void) throws {
    while try read({ try $0.isBuildingIndexes() }) {
      try progress()
      guard !environment.isShortOfRoom else {
        throw SatchelError(.storeFull, "There is no room to build indexes", ["store": directory])
      }
      // Two would make the same entries ahead, and those of one be of no use. If it fails, this one tells why.
      if let purger, purger.isAtWork, try read({ try EntriesAhead.canBeMade(in: $0) }) {
        purger.waitForEnd(until: deadline(afterSeconds: Self.pauseOfProgress))
        continue
      }
      let ahead = entriesAhead()
      try write { writer in
        guard writer.isBuildingIndexes else { return }
        writer.isChanged = true
        Self.addSlice(to: writer, ahead)
      }
    }
  }

  /// So many seconds pass at most before `progress` is called again.
  private static let pauseOfProgress = 0.05
}
