internal import SatchelBytes
package import SatchelModel

/// Metadata in a record, read in place; see `MessageView` for what that means.
///
/// A dictionary is its entries by ascending key. An entry is, in this order: twice the key's length, plus one if the
/// value is a dictionary, in varint form; the key; the value's length; the value. The lengths let a look-up skip what
/// it does not need.
@safe package struct MetadataView {
  /// The entries of the outermost dictionary.
  private let bytes: UnsafeRawBufferPointer

  /// Wraps bytes that `check` has already checked.
  init(_ bytes: UnsafeRawBufferPointer) {
    unsafe self.bytes = bytes
  }

  package var isEmpty: Bool { unsafe bytes.isEmpty }

  /// Returns the UTF-8 bytes of the text at a path of keys; nil if there is none, or a dictionary.
  /// - Complexity: O(keys passed); allocates nothing.
  package func text(at path: [[UInt8]]) -> UnsafeRawBufferPointer? {
    let span = unsafe bytes.bytes
    var range = 0..<span.byteCount
    for index in path.indices {
      guard let entry = Self.find(path[index], in: range, span) else { return nil }
      if index == path.count - 1 {
        return entry.isDictionary ? nil : unsafe UnsafeRawBufferPointer(rebasing: bytes[entry.value])
      }
      guard entry.isDictionary else { return nil }
      range = entry.value
    }
    return nil
  }

  /// Calls `visit` with every text and its key path (keys joined by dots), in ascending order of the keys.
  package func forEachText(_ visit: (_ path: [UInt8], _ text: UnsafeRawBufferPointer) -> Void) {
    var path: [UInt8] = []
    unsafe visitTexts(in: 0..<bytes.count, path: &path, visit)
  }

  /// Whether all texts are UTF-8: then `decode(in:)` throws no error. Keys are always ASCII.
  package var hasValidTexts: Bool { unsafe hasValidTexts(in: 0..<bytes.count) }

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
    var isDictionary: Bool

    /// Reads the entry that starts at the reader's offset and must end before `end`.
    init(_ reader: inout ByteReader, end: Int, _ span: RawSpan) throws(ByteError) {
      let start = reader.offset
      let head = try reader.varint(span)
      isDictionary = head & 1 == 1
      guard let keyCount = Int(exactly: head >> 1), keyCount > 0 else { throw ByteError(offset: start) }
      let first = try reader.take(keyCount, span)
      key = first..<first + keyCount
      value = try reader.counted(span)
      guard reader.offset <= end else { throw ByteError(offset: start) }
    }
  }

  /// Checks the entries of a dictionary and of its nested ones: their lengths, their keys and the keys' order, the
  /// depth.
  static func check(_ span: RawSpan, _ range: Range<Int>, depth: Int = 1) throws(ByteError) {
    guard depth <= Metadata.maximumDepth else { throw ByteError(offset: range.lowerBound) }
    var reader = ByteReader(offset: range.lowerBound)
    var previous = 0..<0
    while reader.offset < range.upperBound {
      let entry = try Entry(&reader, end: range.upperBound, span)
      for offset in entry.key where !isKeyByte(span.u8(offset)) { throw ByteError(offset: offset) }
      guard span.extracting(previous).compare(span.extracting(entry.key)) < 0 else {
        throw ByteError(offset: entry.key.lowerBound)
      }
      if entry.isDictionary { try check(span, entry.value, depth: depth + 1) }
      previous = entry.key
    }
  }

  /// Writes the entries of a dictionary.
  static func write(_ metadata: Metadata, to writer: inout ByteWriter) {
    for entry in metadata.entries {
      let key = UInt64(entry.key.utf8.count) << 1
      switch entry.value {
      case .text(let text):
        writer.varint(key)
        writer.bytes.append(contentsOf: entry.key.utf8)
        writer.counted(text)
      case .dictionary(let inner):
        writer.varint(key | 1)
        writer.bytes.append(contentsOf: entry.key.utf8)
        var nested = ByteWriter()
        write(inner, to: &nested)
        writer.counted(nested.bytes)
      }
    }
  }

  private static func isKeyByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
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

  private func visitTexts(
    in range: Range<Int>, path: inout [UInt8], _ visit: ([UInt8], UnsafeRawBufferPointer) -> Void
  ) {
    let span = unsafe bytes.bytes
    var reader = ByteReader(offset: range.lowerBound)
    while reader.offset < range.upperBound {
      guard let entry = try? Entry(&reader, end: range.upperBound, span) else { return }
      let outer = path.count
      if outer > 0 { path.append(UInt8(ascii: ".")) }
      unsafe path.append(contentsOf: bytes[entry.key])
      if entry.isDictionary {
        unsafe visitTexts(in: entry.value, path: &path, visit)
      } else {
        unsafe visit(path, UnsafeRawBufferPointer(rebasing: bytes[entry.value]))
      }
      path.removeSubrange(outer...)
    }
  }

  private func hasValidTexts(in range: Range<Int>) -> Bool {
    let span = unsafe bytes.bytes
    var reader = ByteReader(offset: range.lowerBound)
    while reader.offset < range.upperBound {
      guard let entry = try? Entry(&reader, end: range.upperBound, span) else { return false }
      if entry.isDictionary {
        guard hasValidTexts(in: entry.value) else { return false }
      } else if unsafe !UnsafeRawBufferPointer(rebasing: bytes[entry.value]).isUTF8 {
        return false
      }
    }
    return true
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
      let value: MetadataValue
      if entry.isDictionary {
        value = .dictionary(try dictionary(in: entry.value, record))
      } else {
        let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[entry.value])
        value = .text(unsafe try RecordFrame.text(text, in: record))
      }
      entries.append(Metadata.Entry(key: key, value: value))
    }
    return Metadata(ascending: entries)
  }
}
