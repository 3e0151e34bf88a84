internal import SatchelBytes
internal import SatchelModel

/// A list of texts in a record, read in place; see `MessageView` for what that means.
///
/// Each text is its length in varint form and its bytes, in the order in which they were given.
@safe package struct MetadataListView {
  private let bytes: UnsafeRawBufferPointer

  /// Wraps bytes that `check` has already checked.
  init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

  /// Returns whether a text passes. Asks no further once one does.
  package func contains(where passes: (UnsafeRawBufferPointer) throws -> Bool) rethrows -> Bool {
    let span = unsafe bytes.bytes
    var reader = ByteReader(offset: 0)
    while reader.offset < span.byteCount, let range = try? reader.counted(span) {
      if unsafe try passes(UnsafeRawBufferPointer(rebasing: bytes[range])) { return true }
    }
    return false
  }

  /// Checks the lengths of the texts.
  static func check(_ span: RawSpan, _ range: Range<Int>) throws(ByteError) {
    var reader = ByteReader(offset: range.lowerBound)
    while reader.offset < range.upperBound {
      let start = reader.offset
      _ = try reader.counted(span)
      guard reader.offset <= range.upperBound else { throw ByteError(offset: start) }
    }
  }

  static func write(_ texts: [String], to writer: inout ByteWriter) {
    writer.u8(MetadataScalar.Kind.list)
    for text in texts { writer.counted(text) }
  }
}
