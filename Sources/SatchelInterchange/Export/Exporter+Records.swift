import SatchelReading
import SatchelRecords

extension Exporter {
  /// Writes the record types and then the records, type by type in the order of their declarations, each in the order of creation.
  mutating func writeRecords() throws {
    let types = try snapshot.recordTypes()
    for declaration in types.map(\.type).declarations {
      encoder.append(declaration)
      summary.recordTypes += 1
      try endObject()
    }
    for type in types {
      var last: UInt64?
      repeat {
        let records = try snapshot.records(ofType: type.id, after: last, limit: Self.recordsAtOnce)
        for (key, record) in records {
          try encoder.append(record)
          summary.records += 1
          try endObject()
          last = key.sequence
        }
        if records.count < Self.recordsAtOnce { break }
      } while true
    }
  }

  private static var recordsAtOnce: Int { 256 }

  /// Returns the number of lines of record types and records.
  func countRecords() throws -> Int {
    let types = try snapshot.recordTypes()
    let declarations = types.map(\.type).declarations.count
    return try types.reduce(declarations) { try $0 + snapshot.recordCount(ofType: $1.id) }
  }
}
