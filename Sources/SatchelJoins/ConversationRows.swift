internal import SatchelReading

/// The rows of the messages that the table has of a conversation, whose terms say which of them are visible.
///
/// Rows ascend, as those of `TermRows` do.
final class ConversationRows {
  /// The current row; `SearchStream.end` behind the last one.
  private(set) var row: UInt64 = 0

  private var sequences: ConversationSequences
  private let mask: UInt64

  init(of conversation: UInt32, descending: Bool, in snapshot: Snapshot) throws {
    sequences = try ConversationSequences(of: conversation, descending: descending, in: snapshot)
    mask = SearchStream.mask(descending: descending)
    try sequences.begin()
    settle()
  }

  /// Moves to the first row that is not before a target.
  func advance(to target: UInt64) throws {
    if row >= target { return }
    // Behind the complement of 0 there is none.
    if mask != 0, target > mask { return row = SearchStream.end }
    try sequences.advance(to: target ^ mask)
    settle()
  }

  private func settle() { row = sequences.sequence.map { $0 ^ mask } ?? SearchStream.end }
}
