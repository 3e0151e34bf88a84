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

  /// Returns the texts.
  func texts(in record: RecordKind) throws(CodingError) -> [String] {
    let span = unsafe bytes.bytes
    var texts: [String] = []
    var reader = ByteReader(offset: 0)
    while reader.offset < span.byteCount, let range = try? reader.counted(span) {
      texts.append(unsafe try RecordFrame.text(UnsafeRawBufferPointer(rebasing: bytes[range]), in: record))
    }
    return texts
  }

  /// Returns where the texts of a value of metadata are; nil if it is no list. An empty range of a value has no first byte.
  static func texts(of value: Range<Int>, _ span: RawSpan) -> Range<Int>? {
    guard value.count >= 2, span.u8(value.lowerBound) == MetadataView.scalarMark,
      span.u8(value.lowerBound + 1) == MetadataScalar.Kind.list
    else { return nil }
    return value.lowerBound + 2..<value.upperBound
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
