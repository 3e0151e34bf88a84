internal import SatchelBytes

/// Where the parts of a message begin, for messages that have many and are asked for one part after the other.
package struct PartTable {
  /// The message with that record.
  package let view: MessageView
  /// The index of the first part that is a text; nil without one.
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

  /// The part at an index; nil where there is none.
  /// - Complexity: O(1).
  package func part(at index: Int) -> PartView? {
    guard offsets.indices.contains(index) else { return nil }
    return view.part(atOffset: offsets[index])
  }
}
