import SatchelBytes
import SatchelInterchange
import SatchelLines
import SatchelModel
import SatchelQuery

extension FuzzTarget {
  /// A JSON text: a value that is accepted is written as a text that is read as the same value.
  static let json = FuzzTarget("json", maximumBytes: 2048) { bytes in
    guard let value = try? JSONValue(parsing: [UInt8](bytes)) else { return false }
    var writer = JSONWriter()
    writer.value(value)
    try expect((try? JSONValue(parsing: writer.bytes)) == value, "a value is written as another one")
    return true
  }

  /// A text that may be Base64, and bytes to be written as it.
  static let base64 = FuzzTarget("base64") { bytes in
    var encoded: [UInt8] = []
    Base64.encode([UInt8](bytes), into: &encoded)
    let decoded = try? Base64.decode(String(decoding: encoded, as: UTF8.self))
    try expect(decoded?.elementsEqual(bytes) ?? false, "bytes do not come back")
    guard let text = String(validating: bytes, as: UTF8.self), let content = try? Base64.decode(text) else {
      return false
    }
    var again: [UInt8] = []
    Base64.encode(content, into: &again)
    try expect(again.elementsEqual(bytes), "the content is written as another text")
    return true
  }

  /// A date, as interchange files and as predicates have it, and the date that eight bytes make.
  static let date = FuzzTarget("date", maximumBytes: 64) { bytes in
    if bytes.count >= 8 { try expectDate(bytes.loadUnaligned(as: Int64.self)) }
    var isDate = false
    if let text = String(validating: bytes, as: UTF8.self) {
      let microseconds = try? RFC3339.parse(text)
      let ofAnyYear = try? RFC3339.parse(text, anyYear: true)
      try expect(
        microseconds == nil || microseconds == ofAnyYear, "with any year, \(text) means something else")
      if let ofAnyYear {
        isDate = true
        try expectDate(ofAnyYear)
      }
    }
    return isDate
  }

  private static func expectDate(_ microseconds: Int64) throws {
    let text = RFC3339.text(of: Timestamp(microseconds: microseconds))
    try expect(
      (try? RFC3339.parse(text, anyYear: true)) == microseconds, "\(microseconds) is printed as \(text)")
    guard let exported = try? RFC3339.format(microseconds: microseconds) else { return }
    try expect(
      exported == text && (try? RFC3339.parse(exported)) == microseconds, "\(microseconds): \(exported)")
  }

  /// A line of `query --batch`: it is a query or an error, and its predicate prints as it is read.
  static let batch = FuzzTarget("batch") { bytes in
    guard let query = try? BatchQuery([UInt8](bytes)) else { return false }
    try expectPrints(query.description.predicate)
    _ = query.description.description
    return true
  }
}
