internal import SatchelBytes
package import SatchelModel

/// Metadata in a record, read in place; see `MessageView` for what that means.
///
/// A dictionary is its entries by ascending key. An entry is, in this order: twice the key's length, plus one if the
/// value is no text, in varint form; the key; the value's length; the value. The lengths let a look-up skip what
/// it does not need. A value that is neither a text nor a dictionary begins with a zero byte, as no entry of a dictionary does.
@safe package struct MetadataView {
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
    for index in path.indices {
      guard let entry = Self.find(path[index], in: range, span) else { return nil }
      if index == path.count - 1 { return value(of: entry) }
      guard entry.isDictionary(span) else { return nil }
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
  package var hasValidTexts: Bool { unsafe hasValidTexts(in: 0..<bytes.count) }

  /// Returns the value of a key of the outermost dictionary, also if it is a dictionary; nil if there is none.
  package func decodedValue(of key: [UInt8], in record: RecordKind) throws(CodingError) -> MetadataValue? {
    guard let entry = unsafe Self.find(key, in: 0..<bytes.count, bytes.bytes) else { return nil }
    return try value(entry, record)
  }

  /// Returns the metadata as a value.
  package func decode(in record: RecordKind) throws(CodingError) -> Metadata {
    unsafe try dictionary(in: 0..<bytes.count, record)
  }
}

extension MetadataView {
  /// One entry of a dictionary.
  struct Entry {
    var key: Range<Int>
    var value: Range<Int>
    var isText: Bool

    /// Whether the value is a dictionary. An empty one has no bytes.
    func isDictionary(_ span: RawSpan) -> Bool {
      !isText && (value.isEmpty || span.u8(value.lowerBound) != MetadataView.scalarMark)
    }

    /// Where the texts of a list are; nil for another value.
    func texts(_ span: RawSpan) -> Range<Int>? {
      isText ? nil : MetadataListView.texts(of: value, span)
    }

    /// Where the bytes of a reference are; nil for another value.
    func reference(_ span: RawSpan) -> Range<Int>? {
      guard !isText, value.count >= 2, span.u8(value.lowerBound) == MetadataView.scalarMark,
        span.u8(value.lowerBound + 1) == MetadataScalar.Kind.reference
      else { return nil }
      return value.lowerBound + 2..<value.upperBound
    }

    /// Reads the entry that starts at the reader's offset and must end before `end`.
    init(_ reader: inout ByteReader, end: Int, _ span: RawSpan) throws(ByteError) {
      let start = reader.offset
      let head = try reader.varint(span)
      isText = head & 1 == 0
      guard let keyCount = Int(exactly: head >> 1), keyCount > 0 else { throw ByteError(offset: start) }
      let first = try reader.take(keyCount, span)
      key = first..<first + keyCount
      value = try reader.counted(span)
      guard reader.offset <= end else { throw ByteError(offset: start) }
    }
  }

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
      if entry.isDictionary(span) {
        try check(span, entry.value, depth: depth + 1, mayRefer: mayRefer)
      } else if let texts = entry.texts(span) {
        try MetadataListView.check(span, texts)
      } else if let reference = entry.reference(span) {
        guard mayRefer, isReference(span.extracting(reference)) else {
          throw ByteError(offset: reference.lowerBound)
        }
      } else if !entry.isText {
        _ = try MetadataScalar(span, in: entry.value)
      }
      previous = entry.key
    }
  }

  /// The first byte of a value that is neither a text nor a dictionary.
  static let scalarMark: UInt8 = 0

  /// Returns the value of an entry; nil for a dictionary.
  private func value(of entry: Entry) -> Value? {
    if entry.isText { return unsafe .text(UnsafeRawBufferPointer(rebasing: bytes[entry.value])) }
    guard unsafe !entry.isDictionary(bytes.bytes) else { return nil }
    if let texts = unsafe entry.texts(bytes.bytes) {
      return unsafe .list(MetadataListView(UnsafeRawBufferPointer(rebasing: bytes[texts])))
    }
    if let reference = unsafe entry.reference(bytes.bytes) {
      return unsafe .reference(UnsafeRawBufferPointer(rebasing: bytes[reference]))
    }
    // `check` has read it before.
    return (unsafe try? MetadataScalar(bytes.bytes, in: entry.value)).map { .scalar($0) }
  }

  private static func isKey(_ key: RawSpan) -> Bool {
    unsafe key.withUnsafeBytes { unsafe Metadata.isStoredKey($0) && $0.isUTF8 }
  }

  private static func isReference(_ bytes: RawSpan) -> Bool {
    unsafe bytes.withUnsafeBytes { unsafe Reference.isKey($0) }
  }

  private static func find(_ key: [UInt8], in range: Range<Int>, _ span: RawSpan) -> Entry? {
    var reader = ByteReader(offset: range.lowerBound)
    while reader.offset < range.upperBound {
      guard let entry = try? Entry(&reader, end: range.upperBound, span) else { return nil }
      let order = unsafe span.extracting(entry.key).compare(key.span.bytes)
      if order == 0 { return entry }
      if order > 0 { return nil }
    }
    return nil
  }

  private func visitValues(in range: Range<Int>, path: inout [UInt8], _ visit: ([UInt8], Value) -> Void) {
    let span = unsafe bytes.bytes
    var reader = ByteReader(offset: range.lowerBound)
    while reader.offset < range.upperBound {
      guard let entry = try? Entry(&reader, end: range.upperBound, span) else { return }
      let outer = path.count
      unsafe MetadataPath.append(UnsafeRawBufferPointer(rebasing: bytes[entry.key]), to: &path)
      if entry.isDictionary(span) {
        visitValues(in: entry.value, path: &path, visit)
      } else if let value = value(of: entry) {
        visit(path, value)
      }
      path.removeSubrange(outer...)
    }
  }

  private func hasValidTexts(in range: Range<Int>) -> Bool {
    let span = unsafe bytes.bytes
    var reader = ByteReader(offset: range.lowerBound)
    while reader.offset < range.upperBound {
      guard let entry = try? Entry(&reader, end: range.upperBound, span) else { return false }
      if entry.isDictionary(span) {
        guard hasValidTexts(in: entry.value) else { return false }
      } else if let texts = entry.texts(span) {
        let list = unsafe MetadataListView(UnsafeRawBufferPointer(rebasing: bytes[texts]))
        if unsafe list.contains(where: { unsafe !$0.isUTF8 }) { return false }
      } else if let reference = entry.reference(span) {
        guard unsafe UnsafeRawBufferPointer(rebasing: bytes[reference]).isUTF8 else { return false }
      } else if entry.isText, unsafe !UnsafeRawBufferPointer(rebasing: bytes[entry.value]).isUTF8 {
        return false
      }
    }
    return true
  }

  private func needsVersion2(in range: Range<Int>) -> Bool {
    let span = unsafe bytes.bytes
    var reader = ByteReader(offset: range.lowerBound)
    while reader.offset < range.upperBound {
      guard let entry = try? Entry(&reader, end: range.upperBound, span) else { return false }
      let key = unsafe UnsafeRawBufferPointer(rebasing: bytes[entry.key])
      guard unsafe key.allSatisfy(Metadata.isNameByte) else { return true }
      if entry.isText { continue }
      guard entry.isDictionary(span), !needsVersion2(in: entry.value) else { return true }
    }
    return false
  }

  /// The number of entries of a dictionary, without those of nested ones.
  private func count(in range: Range<Int>) -> Int {
    var reader = ByteReader(offset: range.lowerBound)
    var count = 0
    while reader.offset < range.upperBound,
      (try? Entry(&reader, end: range.upperBound, unsafe bytes.bytes)) != nil
    {
      count += 1
    }
    return count
  }

  private func dictionary(in range: Range<Int>, _ record: RecordKind) throws(CodingError) -> Metadata {
    let span = unsafe bytes.bytes
    // `check` has seen that the keys ascend.
    var entries: [Metadata.Entry] = []
    entries.reserveCapacity(count(in: range))
    var reader = ByteReader(offset: range.lowerBound)
    while reader.offset < range.upperBound {
      let entry = try RecordFrame.decode(record) { () throws(ByteError) in
        try Entry(&reader, end: range.upperBound, span)
      }
      let key = unsafe try RecordFrame.text(UnsafeRawBufferPointer(rebasing: bytes[entry.key]), in: record)
      entries.append(Metadata.Entry(key: key, value: try self.value(entry, record)))
    }
    return Metadata(ascending: entries)
  }

  private func value(_ entry: Entry, _ record: RecordKind) throws(CodingError) -> MetadataValue {
    let span = unsafe bytes.bytes
    if entry.isText {
      let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[entry.value])
      return .text(unsafe try RecordFrame.text(text, in: record))
    }
    if entry.isDictionary(span) { return .dictionary(try dictionary(in: entry.value, record)) }
    if let texts = entry.texts(span) {
      let list = unsafe MetadataListView(UnsafeRawBufferPointer(rebasing: bytes[texts]))
      return .list(try list.texts(in: record))
    }
    if let range = entry.reference(span) {
      let key = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
      guard let reference = unsafe Reference(keyBytes: key) else { throw CodingError(record, .text) }
      return .reference(reference)
    }
    return try RecordFrame.decode(record) { () throws(ByteError) in
      try MetadataScalar(span, in: entry.value).value
    }
  }
}
