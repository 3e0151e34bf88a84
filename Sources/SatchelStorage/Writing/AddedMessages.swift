internal import SatchelCoding
internal import SatchelIndexing

/// Messages that a write has added to conversations since the last flush, by ascending sequence: their records are in the
/// table, the indexes know their identifiers only.
///
/// Nearly all messages are added and not touched again by the same write, so that this is all that is held of them. One
/// that is needed after all becomes a `MessageState`.
struct AddedMessages {
  /// What the indexes are to hold of them; visibility is decided by the flush.
  private(set) var messages: [IndexedMessage] = []
  /// How many objects the overlay had met before each.
  private(set) var places: [Int32] = []
  private var claimed: Set<Int> = []

  mutating func append(_ message: IndexedMessage, behind place: Int) {
    messages.append(message)
    places.append(Int32(truncatingIfNeeded: place))
  }

  /// The place of a message that has not become a state.
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
