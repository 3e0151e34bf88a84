internal import RankedKeys
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel
internal import SatchelRecords
import SatchelText

/// Checks the record types that applications have declared, and their records.
extension Verifier {
  mutating func check(recordType id: UInt32, _ entry: RecordTypeEntry) {
    if recordTypes.values.contains(where: { UTF8Order.areEqual($0.name, entry.type.name) }) {
      report.add("recordTypes", "\(id)", "another one has its name")
    }
    if id > IndexedRecord.maximumType {
      report.add("recordTypes", "\(id)", "its number is greater than any that is given")
    }
    recordTypes[id] = entry.type
  }

  mutating func check(record view: RecordView) throws {
    let key = view.key
    let name = "\(key.type)/\(key.sequence)"
    if key.sequence >= snapshot.seal.nextSequence {
      report.addDerived("records", name, "its number has not been given yet")
    }
    let values = try view.values()
    if !Self.isIdentifier(values.identifier) { report.add("records", name, "its identifier is none") }
    for user in [values.owner, values.createdBy, values.updatedBy] { _ = try snapshot.users.text(user) }
    if let type = recordTypes[key.type] {
      let id = Record.ID(type: type.name, name: String(decoding: values.identifier, as: UTF8.self))
      do { try type.check(Record(id: id, values.fields)) } catch let error as SatchelError {
        report.add("records", name, error.description)
      }
    } else {
      report.add("records", name, "the definition of its type is missing")
    }
    changes.change(
      from: nil,
      to: IndexedRecord(
        key: key, identifier: values.identifier, fields: try texts(values.fields, "records", name)))
    try addDeclared(.record(key))
    try expectEntries(of: "records", name)
  }

  /// Two records of a type with one name are neighbours in the index.
  mutating func checkRecordIdentifiers() throws {
    var cursor = try snapshot.forest.cursor(IndexCatalog.recordIdentifier.tree)
    var last: TextKey?
    while try cursor.next() != nil, let key = try cursor.key() {
      if let last, last.group == key.group, last.text == key.text {
        report.add("records", "\(key.group)/\(key.row)", "another record of its type has its identifier")
      }
      last = key
    }
  }
}
