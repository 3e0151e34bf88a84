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
    // Where no action is declared, it is what it was before there were any.
    let haveActions = type.fields.contains { $0.declaredAction != nil }
    var writer = RecordFrame.writer(
      .recordType, version: haveActions ? 2 : 1, capacity: 32 + 32 * type.fields.count)
    writer.u16(0)
    writer.counted(type.name)
    writer.varint(UInt64(type.fields.count))
    for field in type.fields {
      writer.counted(field.name)
      writer.u8(field.type.number)
      guard case .reference(let target) = field.type else { continue }
      writer.counted(target ?? "")
      if haveActions { writer.u8(field.declaredAction?.number ?? 0) }
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
      let mayHaveActions = span.u8(1) > 1
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
        let action = mayHaveActions && type.isReference ? try Self.action(&reader, span) : nil
        fields.append(RecordType.Field(name: name, type: type, onDelete: action))
        // The action that a field has without one is not spelled out.
        guard fields.last?.declaredAction == action else { throw ByteError(offset: start) }
      }
      guard mayHaveActions == fields.contains(where: { $0.declaredAction != nil }) else {
        throw ByteError(offset: 1)
      }
      try reader.end(span)
      return RecordType(name, fields: fields)
    }
  }

  /// Reads an action; nil if none is declared.
  private static func action(
    _ reader: inout ByteReader, _ span: RawSpan
  ) throws(ByteError) -> ReferenceAction? {
    let start = reader.offset
    let number = try reader.u8(span)
    if number == 0 { return nil }
    guard let action = ReferenceAction.allCases.first(where: { $0.number == number }) else {
      throw ByteError(offset: start)
    }
    return action
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
