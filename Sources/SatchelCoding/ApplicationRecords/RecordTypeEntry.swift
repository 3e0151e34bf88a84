internal import SatchelBytes
internal import SatchelModel
package import SatchelRecords
import SatchelText

/// The definition of a record type, as the store has it under the type's number. FORMAT.md, 5.17.
package struct RecordTypeEntry: Sendable, Hashable {
  package var type: RecordType

  package init(_ type: RecordType) { self.type = type }

  /// Returns the bytes of the record.
  package func encode(id: UInt32) -> [UInt8] {
    var writer = RecordFrame.writer(.recordType, capacity: 32 + 32 * type.fields.count)
    writer.u16(0)
    writer.counted(type.name)
    writer.varint(UInt64(type.fields.count))
    for field in type.fields {
      writer.counted(field.name)
      writer.u8(field.type.number)
      if case .reference(let target) = field.type { writer.counted(target ?? "") }
    }
    return RecordFrame.finish(&writer, key: ObjectKey.recordType(id: id).bytes)
  }

  /// Reads and checks a record.
  package init(_ bytes: UnsafeRawBufferPointer, id: UInt32) throws(CodingError) {
    let key = ObjectKey.recordType(id: id).bytes
    let body = unsafe try RecordFrame.open(bytes, .recordType, key: key, minimum: 6)
    let span = unsafe body.bytes
    type = try RecordFrame.decode(.recordType) { () throws(ByteError) in
      guard span.u16(2) == 0 else { throw ByteError(offset: 2) }
      var reader = ByteReader(offset: 4)
      let name = try Self.name(&reader, span) { Reference.isRecordType($0) }
      var fields: [RecordType.Field] = []
      for _ in 0..<(try reader.length(span)) {
        let start = reader.offset
        let name = try Self.name(&reader, span) { RecordType.isField($0) }
        guard fields.last.map({ UTF8Order.isLess($0.name, name) }) ?? true else {
          throw ByteError(offset: start)
        }
        let number = try reader.u8(span)
        var target: String?
        if number == FieldType.reference(to: nil).number {
          let name = try Self.name(&reader, span) { $0.isEmpty || Reference.isType($0) }
          if !name.isEmpty { target = name }
        }
        guard let type = FieldType(number: number, to: target) else { throw ByteError(offset: start) }
        fields.append(RecordType.Field(name: name, type: type))
      }
      try reader.end(span)
      return RecordType(name, fields: fields)
    }
  }

  /// Reads a name, and checks it.
  private static func name(
    _ reader: inout ByteReader, _ span: RawSpan, _ isAllowed: (String) -> Bool
  ) throws(ByteError) -> String {
    let start = reader.offset
    // Bytes that are not UTF-8 become scalars that no name has.
    let name = String(decoding: span.extracting(try reader.counted(span)).array, as: UTF8.self)
    guard isAllowed(name) else { throw ByteError(offset: start) }
    return name
  }
}
