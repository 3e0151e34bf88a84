internal import SatchelCoding
internal import SatchelImport
internal import SatchelModel
internal import SatchelRecords
import SatchelText

/// The record types of applications, as far as their definitions were found, and what takes the place of others.
struct SalvagedTypes {
  /// The types, by their numbers in the damaged store.
  private(set) var all: [UInt32: RecordType] = [:]
  /// What is missing, one sentence each.
  private(set) var losses: [String] = []

  /// - Complexity: O(records of applications).
  init(_ view: SalvagedRecords.View) throws {
    var found: [(id: UInt32, type: RecordType)] = []
    try view.forEachObject(from: .recordType(id: 0)) { key, value, isCertain in
      guard case .recordType(let id) = key else { return false }
      guard let type = unsafe (try? RecordTypeEntry(value, id: id))?.type else { return true }
      found.append((id, type))
      if !isCertain {
        losses.append(
          "record type \(type.name): it was found outside its table, and may lack what came later")
      }
      return true
    }
    var names: Set<ByteString> = []
    for (id, type) in found {
      guard names.insert(ByteString(type.name)).inserted else {
        losses.append("record type \(id): another one has its name, \(type.name)")
        continue
      }
      all[id] = type
    }
    try view.forEachObject(from: .record(TypedRecordKey(type: 0, sequence: 0))) { key, _, _ in
      guard case .record(let key) = key else { return false }
      if all[key.type] == nil {
        var name = "lost-type-\(key.type)"
        while !names.insert(ByteString(name)).inserted { name += "-" }
        losses.append(
          "record type \(key.type): its definition is lost: its records are of the type \(name) now")
        all[key.type] = RecordType(name)
      }
      return true
    }
    for (id, type) in all.sorted(by: { $0.key < $1.key }) { all[id] = withoutLostTargets(type) }
  }

  /// Returns the type with fields that refer to any type, where their own one is lost.
  private mutating func withoutLostTargets(_ type: RecordType) -> RecordType {
    let names = Set(all.values.map { ByteString($0.name) })
    return RecordType(
      type.name,
      fields: type.fields.map { field in
        guard let target = field.type.neededType, !names.contains(ByteString(target)) else { return field }
        losses.append(
          "record type \(type.name): its field \(field.name) refers to the type \(target), which is lost")
        return RecordType.Field(name: field.name, type: .reference(to: nil), onDelete: field.onDelete)
      })
  }
}

extension Salvager {
  /// Declares the record types in the new store.
  mutating func declareTypes(_ session: ImportSession) throws {
    for loss in types.losses { report.note(loss) }
    do {
      try session.declare(types.all.sorted { $0.key < $1.key }.map(\.value))
    } catch let error as SatchelError where error.code.isOfObject {
      report.note("record types: they are not declared: \(error.description)")
    }
  }

  /// Returns the keys of records after a given one, in the order of their types, and of their creation.
  func records(after last: TypedRecordKey?, limit: Int) throws -> [TypedRecordKey] {
    var start = TypedRecordKey(type: 0, sequence: 0)
    if let last {
      guard last.sequence < .max else { return [] }
      start = TypedRecordKey(type: last.type, sequence: last.sequence + 1)
    }
    var keys: [TypedRecordKey] = []
    try view.forEachObject(from: .record(start)) { key, _, _ in
      guard case .record(let key) = key, keys.count < limit else { return false }
      keys.append(key)
      return true
    }
    return keys
  }

  mutating func save(record key: TypedRecordKey, _ session: ImportSession) throws {
    guard !isDeleted(record: key), let (bytes, isCertain) = unsafe try view.record(key.bytes),
      let type = types.all[key.type]
    else { return }
    guard let record = unsafe try objects.record(key, bytes, of: type) else {
      return report.note("record \(key.type)/\(key.sequence): it says what the format does not allow")
    }
    try attempt("record \(record.id)", isCertain) {
      try session.add(record)
      $0.report.saved.records += 1
    }
  }

  /// Whether a record was deleted; see `isDeleted` of messages.
  private func isDeleted(record key: TypedRecordKey) -> Bool {
    guard deleted.contains(.record(key)) else { return false }
    return unsafe (try? view.record(key.bytes))??.isCertain != true
  }
}
