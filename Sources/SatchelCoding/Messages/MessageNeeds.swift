internal import SatchelBytes

/// What the check of a message's record has met that the record alone cannot answer, and texts that are none.
package struct MessageNeeds {
  /// The parts' MIME types with numbers below 64, one bit each.
  package private(set) var types: UInt64 = 0
  /// Whether there are types with other numbers.
  package private(set) var hasOtherTypes = false
  /// Whether the content of a part is stored outside the record.
  package private(set) var hasStoredParts = false
  /// What is not UTF-8, in words; nil if all texts in the record are.
  package var damagedText: String? {
    switch damage {
    case .none: nil
    case .identifier: "its identifier is not UTF-8"
    case .metadata: "its metadata is not UTF-8"
    case .part(let index): "the text of part \(index) is not UTF-8"
    }
  }

  private enum Damage {
    case none, identifier, metadata
    case part(Int)
  }

  private var damage = Damage.none

  package init() {}

  @inline(__always)
  mutating func note(_ part: PartView.Layout, _ index: Int, _ body: UnsafeRawBufferPointer) {
    if part.mimeType < 64 { types |= 1 << UInt64(part.mimeType) } else { hasOtherTypes = true }
    if part.digest != nil {
      hasStoredParts = true
    } else if part.kind != .data, unsafe !UnsafeRawBufferPointer(rebasing: body[part.content]).isUTF8 {
      damage = .part(index)
    }
  }

  @inline(__always)
  mutating func note(_ view: MessageView) {
    if !view.metadata.isEmpty, !view.metadata.hasValidTexts { damage = .metadata }
    if unsafe !view.identifierBytes.isUTF8 { damage = .identifier }
    if unsafe view.remoteIDBytes?.isUTF8 == false { damage = .identifier }
  }
}
