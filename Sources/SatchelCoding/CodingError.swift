/// An error for bytes of the store that are not a valid record. No property of an object whose record throws this error
/// can be trusted.
package struct CodingError: Error, Sendable, Hashable {
  /// What is wrong with the bytes.
  package enum Reason: Sendable, Hashable {
    /// The checksum does not match these bytes under this key: they are damaged, or the record belongs to another key.
    case checksum
    /// The record is of another kind than its key says.
    case kind(UInt8)
    /// The record has a version that this reader does not know, from a newer writer.
    case version(UInt8)
    /// The record has a number, flag or order that the format does not allow, or a length that leads outside the
    /// record.
    case malformed
    /// A text is not UTF-8.
    case text
    /// The key has the wrong length or an unknown kind byte.
    case key
  }

  /// The kind of record that was expected.
  package let record: RecordKind
  /// What is wrong with the bytes.
  package let reason: Reason
  /// The offset in the record, in bytes, at which the error was found.
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
