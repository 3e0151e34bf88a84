/// An edit of the parts of a message or announcement: some or all of them are replaced, then some are removed, then others
/// are added behind the last one. Indices are those of the parts before the edit or, if all are replaced, of the new ones.
package struct PartsUpdate: Sendable, Hashable {
  /// The parts that take the place of all parts; nil if they stay.
  package var all: [MessagePart.Draft]?
  /// The parts that take the place of single ones, by index.
  package var replaced: [Int: MessagePart.Draft] = [:]
  package var removed: Set<Int> = []
  package var appended: [MessagePart.Draft] = []

  package init() {}

  package var isEmpty: Bool { all == nil && replaced.isEmpty && removed.isEmpty && appended.isEmpty }

  /// A part after an edit: one of those before it, by its index, or a new one.
  package enum Result {
    case kept(Int)
    case new(MessagePart.Draft)
  }
}
