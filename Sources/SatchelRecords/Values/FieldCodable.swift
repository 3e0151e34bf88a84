internal import SatchelModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A type whose values are values of fields as they are. What else is encoded and decoded is made of these.
protocol FieldCodable {
  /// - Throws: ``SatchelError`` `invalidValue`, without the coding path.
  func fieldValue() throws -> MetadataValue

  /// Makes the value of that of a field; nil if it is of another type, or none of this one's.
  init?(field: MetadataValue)

  /// Makes the value of a record's name; nil if that is none of this type's.
  init?(recordName: String)
}

extension FieldCodable {
  init?(recordName: String) { self.init(field: .text(recordName)) }
}

extension String: FieldCodable {
  func fieldValue() -> MetadataValue { .text(self) }
  init?(field: MetadataValue) {
    guard let text = field.textValue else { return nil }
    self = text
  }
}

extension Bool: FieldCodable {
  func fieldValue() -> MetadataValue { .boolean(self) }
  init?(field: MetadataValue) {
    guard let value = field.booleanValue else { return nil }
    self = value
  }
}

extension FixedWidthInteger where Self: FieldCodable {
  func fieldValue() throws -> MetadataValue {
    guard let integer = Int64(exactly: self) else {
      throw SatchelError(
        .invalidValue,
        "A whole number of a field is at most 9223372036854775807: a greater one is for a text",
        ["found": "\(self)"])
    }
    return .integer(integer)
  }

  init?(field: MetadataValue) {
    guard let integer = field.integerValue, let value = Self(exactly: integer) else { return nil }
    self = value
  }

  init?(recordName: String) {
    // Another spelling of the number is the name of another record.
    guard let value = Self(recordName), String(value).utf8.elementsEqual(recordName.utf8) else { return nil }
    self = value
  }
}

extension Int: FieldCodable {}
extension Int8: FieldCodable {}
extension Int16: FieldCodable {}
extension Int32: FieldCodable {}
extension Int64: FieldCodable {}
extension UInt: FieldCodable {}
extension UInt8: FieldCodable {}
extension UInt16: FieldCodable {}
extension UInt32: FieldCodable {}
extension UInt64: FieldCodable {}

extension Double: FieldCodable {
  func fieldValue() throws -> MetadataValue {
    guard isFinite else {
      throw SatchelError(.invalidValue, "A number of a field is finite", ["found": "\(self)"])
    }
    return .number(self)
  }

  init?(field: MetadataValue) {
    guard let number = field.numberValue else { return nil }
    self = number
  }
}

extension Float: FieldCodable {
  func fieldValue() throws -> MetadataValue { try Double(self).fieldValue() }
  init?(field: MetadataValue) {
    guard let number = field.numberValue, Self(number).isFinite else { return nil }
    self = Self(number)
  }
}

extension Timestamp: FieldCodable {
  func fieldValue() -> MetadataValue { .date(self) }
  init?(field: MetadataValue) {
    guard let date = field.timestampValue else { return nil }
    self = date
  }
}

extension Date: FieldCodable {
  func fieldValue() throws -> MetadataValue {
    guard timeIntervalSinceReferenceDate.isFinite else {
      throw SatchelError(
        .invalidValue, "A date of a field is a point in time", ["found": "a date that is none"])
    }
    return .date(Timestamp(self))
  }

  init?(field: MetadataValue) {
    guard let date = field.timestampValue else { return nil }
    self = date.date
  }
}

extension URL: FieldCodable {
  func fieldValue() -> MetadataValue { .text(absoluteString) }
  init?(field: MetadataValue) {
    guard let text = field.textValue else { return nil }
    self.init(string: text)
  }
}

extension UUID: FieldCodable {
  func fieldValue() -> MetadataValue { .text(uuidString) }
  init?(field: MetadataValue) {
    guard let text = field.textValue else { return nil }
    self.init(uuidString: text)
  }
}

extension Data: FieldCodable {
  func fieldValue() throws -> MetadataValue {
    throw SatchelError(
      .invalidValue,
      "A field holds no bytes: they are for a part of a message, or for a text, such as their Base64",
      ["found": "\(count) bytes"])
  }

  init?(field: MetadataValue) { return nil }
}

extension Reference: FieldCodable {
  func fieldValue() -> MetadataValue { .reference(self) }
  init?(field: MetadataValue) {
    guard let reference = field.referenceValue else { return nil }
    self = reference
  }
}

extension Metadata: FieldCodable {
  func fieldValue() -> MetadataValue { .dictionary(self) }
  init?(field: MetadataValue) {
    guard case .dictionary(let dictionary) = field else { return nil }
    self = dictionary
  }
}
