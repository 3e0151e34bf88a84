internal import RankedIndex
internal import SatchelIndexing
package import SatchelModel
package import SatchelReading
package import SatchelRecords

/// The records of applications: what becomes of them, and what of them a store has otherwise.
extension ReferenceStore {
  /// A record as it should be stored. A date that is nil is one that the store's clock gave.
  package struct SavedRecord {
    /// Its place in the order of creation.
    package let order: Int
    package var owner: SatchelModel.Identity.ID
    package var createdBy: SatchelModel.Identity.ID
    package var updatedBy: SatchelModel.Identity.ID
    package var createdAt: Timestamp?
    package var updatedAt: Timestamp?
    package var fields: Metadata
    /// Whether the date of the last change is another one than that of the creation.
    package var isChanged = false
  }

  /// Dates that are given to records are earlier than this, those of any clock are not.
  package static let earliestTimeOfClock = Timestamp(microseconds: 1_000_000)

  private static let user = SatchelModel.Identity.ID("me")

  // MARK: Declarations

  /// Whether a store takes these declarations, each of another type.
  package func canDeclare(_ types: [RecordType]) -> Bool {
    let names = Set((recordTypes + types).map(\.name))
    return types.allSatisfy { type in
      let known = recordTypes.first { $0.name == type.name }
      return type.fields.allSatisfy { field in
        if let old = known?.field(named: field.name) { return old.type == field.type }
        if case .reference(let target?) = field.type, !names.contains(target),
          ![Reference.conversations, Reference.messages, Reference.identities].contains(target)
        {
          return false
        }
        return records.allSatisfy { id, record in
          guard id.type == type.name, let value = record.fields.value(forKey: field.name) else { return true }
          return Self.suits(value, field.type)
        }
      }
    }
  }

  /// Adds types, and fields to types.
  package mutating func declare(_ types: [RecordType]) {
    for type in types {
      guard let place = recordTypes.firstIndex(where: { $0.name == type.name }) else {
        recordTypes.append(type)
        continue
      }
      recordTypes[place] = RecordType(type.name, fields: recordTypes[place].fields + type.fields)
    }
  }

  private static func suits(_ value: MetadataValue, _ type: FieldType) -> Bool {
    switch value {
    case .text: type == .text
    case .integer: type == .integer || type == .number
    case .number: type == .number
    case .boolean: type == .boolean
    case .date: type == .date
    case .list: type == .texts
    case .dictionary: false
    case .reference(let reference):
      type == .reference(to: nil) || type == .reference(to: reference.type)
    }
  }

  // MARK: Changes

  /// Takes a record of another source, which is new here.
  package mutating func insert(_ record: Record) {
    let creator = record.createdBy ?? Self.user
    libraryRecords += record.id.isOfLibrary ? 1 : 0
    records[record.id] = SavedRecord(
      order: record.id.isOfLibrary ? libraryRecords : next(), owner: record.owner ?? Self.user,
      createdBy: creator,
      updatedBy: record.updatedBy ?? creator, createdAt: record.createdTimestamp,
      updatedAt: record.updatedTimestamp ?? record.createdTimestamp, fields: record.fields,
      isChanged: record.updatedTimestamp != nil)
  }

  /// Saves a record: a new one, or in place of the one that has its identifier.
  package mutating func save(
    _ id: Record.ID, owner: SatchelModel.Identity.ID?, _ fields: Metadata,
    as editor: SatchelModel.Identity.ID? = nil, at date: Timestamp? = nil
  ) {
    guard let old = records[id] else { return insert(Record(id: id, owner: owner, fields)) }
    var new = old
    new.owner = owner ?? old.owner
    new.updatedBy = editor ?? old.updatedBy
    new.updatedAt = date ?? old.updatedAt
    new.fields = fields
    guard
      new.owner != old.owner || new.updatedBy != old.updatedBy || new.updatedAt != old.updatedAt
        || !fields.hasSameBytes(as: old.fields)
    else { return }
    new.updatedBy = editor ?? Self.user
    new.updatedAt = date
    new.isChanged = true
    records[id] = new
  }

  /// Merges what another source says of a record that is there. Who changed it and when is of interest only if something has changed.
  package mutating func merge(_ source: Record) {
    guard let old = records[source.id] else { return }
    let fields = Self.merged(old.fields, source.fields)
    guard !fields.hasSameBytes(as: old.fields) || source.owner ?? old.owner != old.owner else { return }
    save(source.id, owner: source.owner, fields, as: source.updatedBy, at: source.updatedTimestamp)
  }

  private static func merged(_ old: Metadata, _ new: Metadata) -> Metadata {
    var result = old
    for entry in new.entries {
      if case .dictionary(let before)? = old.value(forKey: entry.key),
        case .dictionary(let after) = entry.value
      {
        result.set(.dictionary(merged(before, after)), forKey: entry.key)
      } else {
        result.set(entry.value, forKey: entry.key)
      }
    }
    return result
  }

  // MARK: Comparison

  /// What differs between the records of the model and those of a store; nil when nothing does.
  package func differenceOfRecords(_ snapshot: Snapshot) throws -> String? {
    let declared = try snapshot.recordTypes()
    guard declared.map(\.type) == recordTypes else {
      return "record types \(declared.map(\.type)), not \(recordTypes)"
    }
    for type in declared {
      let name = type.type.name
      let expected = records.filter { $0.key.type == name }.sorted { $0.value.order < $1.value.order }
      let count = try snapshot.recordCount(ofType: type.id)
      if count != expected.count { return "\(count) records of \(name), not \(expected.count)" }
      let found = try snapshot.records(ofType: type.id, after: nil, limit: .max)
      if found.map(\.record.id) != expected.map(\.key) {
        return "records of \(name): \(found.map(\.record.id)), not \(expected.map(\.key))"
      }
      for ((key, record), (_, saved)) in zip(found, expected) {
        if try snapshot.locateRecord(record.id) != key { return "\(record.id) is not found by its name" }
        if let what = saved.difference(record) { return "record \(record.id): \(what)" }
      }
    }
    let names = try snapshot.forest.count(IndexCatalog.recordIdentifier.tree)
    return names == records.count ? nil : "\(names) identifiers of records, not \(records.count)"
  }
}

extension ReferenceStore.SavedRecord {
  /// What differs between this and a record of a store; nil when nothing does.
  package func difference(_ found: Record) -> String? {
    if found.owner != owner { return "owner" }
    if found.createdBy != createdBy { return "createdBy" }
    if found.updatedBy != updatedBy { return "updatedBy" }
    if !found.fields.hasSameBytes(as: fields) { return "fields \(found.fields), not \(fields)" }
    guard let created = found.createdTimestamp, let updated = found.updatedTimestamp else {
      return "no dates"
    }
    if !Self.isRight(created, createdAt) { return "createdAt \(created)" }
    if !Self.isRight(updated, updatedAt) { return "updatedAt \(updated)" }
    return isChanged || updated == created ? nil : "updatedAt \(updated), created at \(created)"
  }

  private static func isRight(_ found: Timestamp, _ expected: Timestamp?) -> Bool {
    expected.map { found == $0 } ?? (found >= ReferenceStore.earliestTimeOfClock)
  }
}
