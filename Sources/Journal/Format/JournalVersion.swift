/// The version of a journal's format, which its header names. A journal keeps its version until it is emptied.
package enum JournalVersion: UInt32, Sendable, Hashable {
  /// Its records are known only by the record before them: nothing tells a damaged record from a torn one.
  case first = 1
  /// Each record is known by itself, and says whether all before it was synced; each segment says where it lies.
  case second = 2

  /// The version of a new journal.
  package static let current = second

  /// Bytes of a record before its members.
  package var recordHeader: Int { self == .first ? 32 : 40 }

  /// Returns the bytes that a record takes in its segment: whole sectors.
  package func size(ofPayload payload: Int) -> Int {
    (recordHeader + payload + JournalFormat.sector - 1) / JournalFormat.sector * JournalFormat.sector
  }
}
