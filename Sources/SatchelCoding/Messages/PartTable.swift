internal import SatchelBytes

/// The offsets of the parts of a message, for messages with many parts that are read one after the other.
package struct PartTable {
  /// The record of the message.
  package let view: MessageView
  /// The index of the first part that is a text; nil if there is none.
  package let leadingText: Int?
  private let offsets: [Int]

  /// - Complexity: O(parts).
  package init(_ view: MessageView) {
    var cursor = view.makePartCursor()
    var offsets: [Int] = []
    offsets.reserveCapacity(view.partCount)
    var leadingText: Int?
    var offset = cursor.offset
    while let (part, index) = cursor.next() {
      offsets.append(offset)
      if part.kind == .text, leadingText == nil { leadingText = index }
      offset = cursor.offset
    }
    self.view = view
    self.offsets = offsets
    self.leadingText = leadingText
  }

  /// Returns the part at an index; nil if there is none.
  /// - Complexity: O(1).
  package func part(at index: Int) -> PartView? {
    guard offsets.indices.contains(index) else { return nil }
    return view.part(atOffset: offsets[index])
  }
}
