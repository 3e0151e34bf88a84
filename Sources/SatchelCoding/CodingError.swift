/// Bytes of the store that are not a record of the format. Nothing is known of an object whose record throws this.
package struct CodingError: Error, Sendable, Hashable {
  /// What is wrong with the bytes.
  package enum Reason: Sendable, Hashable {
    /// The checksum does not belong to these bytes under this key: damage, or the record of another key.
    case checksum
    /// Another kind of record than the key says.
    case kind(UInt8)
    /// A version of the record that this reader does not know: a newer writer's.
    case version(UInt8)
    /// A number, flag or order that the format does not allow, or a length that leads outside the record.
    case malformed
    /// A text that is not UTF-8.
    case text
    /// A key of the wrong length or with an unknown kind byte.
    case key
  }

  /// The kind of record that was expected.
  package let record: RecordKind
  /// What is wrong.
  package let reason: Reason
  /// Where in the record, in bytes.
  package let offset: Int

  package init(_ record: RecordKind, _ reason: Reason, offset: Int = 0) {
    self.record = record
    self.reason = reason
    self.offset = offset
  }
}

extension CodingError: CustomStringConvertible {
  package var description: String {
    let what =
      switch reason {
      case .checksum: "the checksum does not match"
      case .kind(let kind): "it is a record of kind \(kind)"
      case .version(let version): "its version is \(version)"
      case .malformed: "a value is not one of the format"
      case .text: "a text is not UTF-8"
      case .key: "the key is not one of the format"
      }
    return "A record of kind \(record) cannot be read: \(what) (offset \(offset))"
  }
}
