internal import SatchelCoding
internal import SatchelReading

/// Builds the indexes that a store of an older format lacks.
extension Store {
  /// Builds the indexes that an older index set does not have, in one commit, and raises the format so that programs that
  /// do not know these indexes are refused. O(n log n) in messages, once; the file needs room for a fifth more. A store that lacks
  /// none of them only has its format raised: what older programs do not know may be written from then on.
  ///
  /// A program of a format below 4 may have had the store open at that time and gone on writing, because it does not look
  /// at the header again. So all of them are built again if one lacks entries.
  /// - Returns: Whether anything was built or raised.
  func buildLaterIndexes() throws -> Bool {
    let current = StoreHeader.Versions.current
    guard
      try header.versions.minimumReader < current.minimumReader
        || header.versions.indexSet < current.indexSet
        || read({ try !$0.hasAllOfLaterIndexes() })
    else { return false }
    try writeAlone { try $0.buildLaterIndexes() }
    return true
  }
}
