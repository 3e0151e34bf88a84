/// What of a journal cannot be read although a later segment proves that it was there: for a verification, which also tells of damage
/// that costs nothing, because the store has these commits.
extension JournalReader {
  /// Returns the commits that cannot be read between the begin of a segment and that of the next one. Empty if the file has
  /// no header.
  ///
  /// Others may append meanwhile. If a segment is used again just then, commits are returned that are not damaged: ask
  /// twice.
  /// - Throws: `invalid`, `version` or `otherStore` if the file is no journal of the store.
  package static func damagedCommits(
    in file: JournalFile, of owner: JournalOwner
  ) throws(JournalError) -> [ClosedRange<UInt64>] {
    guard let header = try file.header(of: owner) else { return [] }
    let segments = try file.segments(header)
    var reader = JournalReader(file, header)
    var damaged: [ClosedRange<UInt64>] = []
    for segment in segments.sorted(by: { $0.header.ordinal < $1.header.ordinal }) {
      guard let next = segments.newest(ordinal: segment.header.ordinal + 1) else { continue }
      reader.enter(segment)
      while try reader.passRecord() != nil {}
      let end = reader.end.point.sequence
      if end < next.header.previous.sequence { damaged.append(end + 1...next.header.previous.sequence) }
    }
    return damaged
  }
}
