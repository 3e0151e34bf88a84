internal import SatchelBytes
package import SatchelModel

/// Metadata in a record, read in place; see `MessageView` for what that means.
///
/// What the bytes are says `MetadataBytes`.
@safe package struct MetadataView {
  private typealias Entry = MetadataBytes.Entry

  /// The entries of the outermost dictionary.
  private let bytes: UnsafeRawBufferPointer

  /// Wraps bytes that `check` has already checked.
  init(_ bytes: UnsafeRawBufferPointer) {
    unsafe self.bytes = bytes
  }

  package var isEmpty: Bool { unsafe bytes.isEmpty }
  package var byteCount: Int { unsafe bytes.count }

  /// A value that is no dictionary.
  @safe package enum Value {
    /// The UTF-8 bytes of a text, in the record.
    case text(UnsafeRawBufferPointer)
    case scalar(MetadataScalar)
    case list(MetadataListView)
    /// The bytes of a reference, in the record: `Reference.keyBytes`.
    case reference(UnsafeRawBufferPointer)
  }

  /// Returns the value at a path of keys; nil if there is none, or a dictionary.
  /// - Complexity: O(keys passed); allocates nothing.
  package func value(at path: [[UInt8]]) -> Value? {
    let span = unsafe bytes.bytes
    var range = 0..<span.byteCount
    for (index, key) in path.enumerated() {
      guard let entry = unsafe MetadataBytes.find(key.span.bytes, in: range, span) else { return nil }
      if index == path.count - 1 { return value(of: entry) }
      guard case .dictionary = entry.form(span) else { return nil }
      range = entry.value
    }
    return nil
  }

  /// Calls `visit` with every value that is no dictionary, and its key path (as `MetadataPath` joins it), in ascending order
  /// of the keys.
  package func forEachValue(_ visit: (_ path: [UInt8], _ value: Value) -> Void) {
    var path: [UInt8] = []
    unsafe visitValues(in: 0..<bytes.count, path: &path, visit)
  }

  /// Whether any value is neither a text nor a dictionary, or any key is no name: what version 1 of the interchange format lacks.
  package var needsVersion2: Bool { unsafe needsVersion2(in: 0..<bytes.count) }

  /// Whether all texts, also those of lists, are UTF-8: then `decode(in:)` throws no error. Of keys `check` has seen it.
  package var hasValidTexts: Bool { unsafe MetadataBytes.hasValidTexts(bytes.bytes) }

  /// Returns the value of a key of the outermost dictionary, also if it is a dictionary; nil if there is none.
  package func decodedValue(of key: [UInt8], in record: RecordKind) throws(CodingError) -> MetadataValue? {
    let span = unsafe bytes.bytes
    guard let entry = unsafe MetadataBytes.find(key.span.bytes, in: 0..<bytes.count, span) else { return nil }
    guard let value = MetadataBytes.value(of: entry, span) else { throw CodingError(record, .text) }
    return value
  }

  /// Returns the metadata as a value.
  package func decode(in record: RecordKind) throws(CodingError) -> Metadata {
    guard let metadata = unsafe Metadata(checked: bytes.bytes) else { throw CodingError(record, .text) }
    return metadata
  }
}

extension MetadataView {
  /// Checks the entries of a dictionary and of its nested ones: their lengths, their keys and the keys' order, the
  /// depth.
  /// - Parameter mayRefer: Whether references are among the values: only in the fields of a record.
  static func check(
    _ span: RawSpan, _ range: Range<Int>, depth: Int = 1, mayRefer: Bool = false
  ) throws(ByteError) {
    guard depth <= Metadata.maximumDepth else { throw ByteError(offset: range.lowerBound) }
    var reader = ByteReader(offset: range.lowerBound)
    var previous = 0..<0
    while reader.offset < range.upperBound {
      let entry = try Entry(&reader, end: range.upperBound, span)
      guard isKey(span.extracting(entry.key)) else { throw ByteError(offset: entry.key.lowerBound) }
      guard span.extracting(previous).compare(span.extracting(entry.key)) < 0 else {
        throw ByteError(offset: entry.key.lowerBound)
      }
      switch entry.form(span) {
      case .text: break
      case .dictionary: try check(span, entry.value, depth: depth + 1, mayRefer: mayRefer)
      case .list: try MetadataListView.check(span, entry.content)
      case .reference:
        guard mayRefer, isReference(span.extracting(entry.content)) else {
          throw ByteError(offset: entry.content.lowerBound)
        }
      case .scalar: _ = try MetadataScalar(span, in: entry.value)
      }
      previous = entry.key
    }
  }

  /// Returns the value of an entry; nil for a dictionary.
  private func value(of entry: Entry) -> Value? {
    let span = unsafe bytes.bytes
    switch entry.form(span) {
    case .text: return unsafe .text(UnsafeRawBufferPointer(rebasing: bytes[entry.value]))
    case .dictionary: return nil
    case .list: return unsafe .list(MetadataListView(UnsafeRawBufferPointer(rebasing: bytes[entry.content])))
    case .reference: return unsafe .reference(UnsafeRawBufferPointer(rebasing: bytes[entry.content]))
    // `check` has read it before.
    case .scalar: return (try? MetadataScalar(span, in: entry.value)).map { .scalar($0) }
    }
  }

  private static func isKey(_ key: RawSpan) -> Bool {
    unsafe key.withUnsafeBytes { unsafe Metadata.isStoredKey($0) && $0.isUTF8 }
  }

  private static func isReference(_ bytes: RawSpan) -> Bool {
    unsafe bytes.withUnsafeBytes { unsafe Reference.isKey($0) }
  }

  private func visitValues(in range: Range<Int>, path: inout [UInt8], _ visit: ([UInt8], Value) -> Void) {
    let span = unsafe bytes.bytes
    var reader = ByteReader(offset: range.lowerBound)
    while reader.offset < range.upperBound {
      guard let entry = try? Entry(&reader, end: range.upperBound, span) else { return }
      let outer = path.count
      unsafe MetadataPath.append(UnsafeRawBufferPointer(rebasing: bytes[entry.key]), to: &path)
      if case .dictionary = entry.form(span) {
        visitValues(in: entry.value, path: &path, visit)
      } else if let value = value(of: entry) {
        visit(path, value)
      }
      path.removeSubrange(outer...)
    }
  }

  private func needsVersion2(in range: Range<Int>) -> Bool {
    let span = unsafe bytes.bytes
    var reader = ByteReader(offset: range.lowerBound)
    while reader.offset < range.upperBound {
      guard let entry = try? Entry(&reader, end: range.upperBound, span) else { return false }
      let key = unsafe UnsafeRawBufferPointer(rebasing: bytes[entry.key])
      guard unsafe key.allSatisfy(Metadata.isNameByte) else { return true }
      switch entry.form(span) {
      case .text: continue
      case .dictionary: if needsVersion2(in: entry.value) { return true }
      case .list, .reference, .scalar: return true
      }
    }
    return false
  }
}
