internal import SatchelBytes

/// An entry of a dictionary: the text, or the set of ids, that a number represents.
package enum DictionaryEntry: Sendable, Hashable {
  /// The UTF-8 bytes of a text.
  case text([UInt8])
  /// Ids of another dictionary, ascending, each once.
  case set([UInt32])

  /// Returns the bytes of the record. A set that is not in order is sorted. The entry must be of the shape that the
  /// dictionary holds: the record does not say which one it is, and it is read by the dictionary's kind.
  package func encode(_ dictionary: DictionaryKind, id: UInt32) -> [UInt8] {
    var writer = RecordFrame.writer(.dictionary, capacity: 64)
    writer.u8(dictionary.rawValue)
    writer.u8(0)
    switch self {
    case .text(let bytes): writer.append(bytes)
    case .set(let ids): writer.append(Self.packed(ids))
    }
    return RecordFrame.finish(&writer, key: ObjectKey.dictionary(dictionary, id: id).bytes)
  }

  /// Reads and checks a record.
  package init(_ bytes: UnsafeRawBufferPointer, _ dictionary: DictionaryKind, id: UInt32) throws(CodingError)
  {
    let key = ObjectKey.dictionary(dictionary, id: id).bytes
    let body = unsafe try RecordFrame.open(bytes, .dictionary, key: key, minimum: 4)
    let span = unsafe body.bytes
    guard span.u8(2) == dictionary.rawValue, span.u8(3) == 0 else {
      throw CodingError(.dictionary, .malformed, offset: 2)
    }
    if dictionary.holdsSets {
      self = .set(
        try RecordFrame.decode(.dictionary) { () throws(ByteError) in try Self.unpacked(span, from: 4) })
    } else {
      let text = unsafe UnsafeRawBufferPointer(rebasing: body[4...])
      _ = unsafe try RecordFrame.text(text, in: .dictionary)
      self = unsafe .text([UInt8](text))
    }
  }

  /// Returns the only encoding of a set: the first id, then the differences between successive ids, in varint form.
  /// Sets are also looked up by it: equal sets have equal bytes.
  package static func packed(_ ids: [UInt32]) -> [UInt8] {
    let isOrdered = zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 }
    var writer = ByteWriter(capacity: ids.count * 2)
    var previous: UInt32 = 0
    for id in isOrdered ? ids : Array(Set(ids)).sorted() {
      writer.varint(UInt64(id - previous))
      previous = id
    }
    return writer.bytes
  }

  /// Returns the ids of a set from that encoding; nil for other bytes.
  package static func unpacked(_ bytes: [UInt8]) -> [UInt32]? {
    unsafe try? unpacked(bytes.span.bytes, from: 0)
  }

  private static func unpacked(_ span: RawSpan, from start: Int) throws(ByteError) -> [UInt32] {
    var reader = ByteReader(offset: start)
    var ids: [UInt32] = []
    var previous: UInt64 = 0
    while reader.offset < span.byteCount {
      let offset = reader.offset
      let difference = try reader.varint(span)
      let (sum, overflow) = previous.addingReportingOverflow(difference)
      guard !overflow, ids.isEmpty || difference > 0, let id = UInt32(exactly: sum) else {
        throw ByteError(offset: offset)
      }
      ids.append(id)
      previous = sum
    }
    return ids
  }
}
