/// The beginning of a text that comes with its message, however long the text is and whatever a query leaves out.
package enum TextPreview {
  /// The most bytes of a preview, in UTF-8.
  package static let maximumBytes = 256
  /// How many bytes of a text show what its preview is: with one more than the preview may have, it is known whether
  /// the last scalar of it is whole.
  package static let neededBytes = maximumBytes + 1

  /// Returns how many bytes of a text its preview has: as many of the first `maximumBytes` as are whole scalars.
  /// - Parameter text: The text, or at least its first `neededBytes`. Need not be valid UTF-8.
  package static func count(of text: UnsafeRawBufferPointer) -> Int {
    guard text.count > maximumBytes else { return text.count }
    var end = maximumBytes
    // A scalar has at most three bytes behind its first one.
    while end > maximumBytes - 3, unsafe text[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }

  /// Returns the preview of a text.
  /// - Complexity: O(1), unless the text is not in UTF-8 and one run of memory.
  package static func of(_ text: String) -> String {
    var text = text
    let count = text.withUTF8 { bytes in unsafe Self.count(of: UnsafeRawBufferPointer(bytes)) }
    let utf8 = text.utf8
    return count == utf8.count ? text : String(text[..<utf8.index(utf8.startIndex, offsetBy: count)])
  }
}
