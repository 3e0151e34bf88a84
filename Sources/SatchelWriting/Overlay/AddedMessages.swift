internal import SatchelCoding
internal import SatchelIndexing

/// The messages that a write has added to conversations since the last flush, by ascending sequence. Their records are
/// in the table already; the indexes know only their identifiers.
///
/// Nearly all messages are added and not touched again by the same write, so this is all that is kept of them. A
/// message that is needed again becomes a `MessageState`.
struct AddedMessages {
  /// What the indexes are to hold of the messages. The flush decides on visibility.
  private(set) var messages: [IndexedMessage] = []
  /// For each message, how many objects were in the overlay's `order` when the message was added.
  private(set) var orderIndices: [Int32] = []
  private var claimed: Set<Int> = []

  mutating func append(_ message: IndexedMessage, behind count: Int) {
    messages.append(message)
    orderIndices.append(Int32(truncatingIfNeeded: count))
  }

  /// Returns the index of a message that has not become a state, or nil.
  func find(_ key: MessageKey) -> Int? {
    guard let first = messages.first, key.sequence >= first.sequence, !key.isAnnouncement else { return nil }
    var low = 0
    var high = messages.count
    while low < high {
      let middle = (low + high) / 2
      if messages[middle].sequence < key.sequence { low = middle + 1 } else { high = middle }
    }
    guard low < messages.count, messages[low].sequence == key.sequence,
      messages[low].conversation == key.conversation, !isClaimed(low)
    else { return nil }
    return low
  }

  /// Whether a message has become a state.
  func isClaimed(_ index: Int) -> Bool { !claimed.isEmpty && claimed.contains(index) }

  mutating func claim(_ index: Int) { claimed.insert(index) }

  mutating func setVisible(_ isVisible: Bool, at index: Int) { messages[index].isVisible = isVisible }
}
