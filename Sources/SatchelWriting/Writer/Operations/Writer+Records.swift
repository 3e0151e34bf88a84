package import SatchelCoding
package import SatchelIndexing
package import SatchelModel
internal import SatchelReading
package import SatchelRecords

/// The records of applications. No value of another object follows from them, so that each is written at once: to its table, to the
/// indexes and to the log, where the changes of one record in one write become one.
extension Writer {
  /// Stores a record, in place of the one that has its type and name, whose date of creation, creator and, unless the record names one,
  /// owner stay. Dates and users of the record itself, except the owner, are not taken.
  /// - Returns: The record as it is stored. If it is as it was, nothing has changed, not even its date.
  /// - Throws: ``SatchelError`` `unknownRecordType`, `invalidIdentifier`, `invalidKey` or `invalidValue`. In each case nothing has
  ///   changed.
  @discardableResult
  package func save(_ record: Record) throws -> Record { try save(record, as: nil, at: nil) }

  /// - Parameters:
  ///   - editor: Who changes it; nil for the store's user, if anything else of it changes.
  ///   - date: When that is; nil for now, if anything else of it changes.
  private func save(_ record: Record, as editor: Identity.ID?, at date: Timestamp?) throws -> Record {
    let record = try kept(record)
    let type = try check(record)
    if let editor { try Self.check(identifier: editor.rawValue, "user") }
    guard let key = try locate(record.id.name, type) else {
      return try stored(add(Record(id: record.id, owner: record.owner, record.fields), type))
    }
    let (old, checksum) = try flushed.record(key)
    return try changing {
      var new = old
      if let owner = record.owner { new.owner = try interner.intern(.users, owner.rawValue) }
      if let editor { new.updatedBy = try interner.intern(.users, editor.rawValue) }
      if let date { new.updatedAt = date.microseconds }
      new.fields = record.fields
      guard
        new.owner != old.owner || new.updatedBy != old.updatedBy || new.updatedAt != old.updatedAt
          || !new.fields.hasSameBytes(as: old.fields)
      else { return try stored(key) }
      if editor == nil { new.updatedBy = try interner.intern(.users, user.rawValue) }
      if date == nil { new.updatedAt = now.microseconds }
      try write(key, from: old, to: new, replacing: checksum)
      return try stored(key)
    }
  }

  /// Stores a record of another source as it is, with its dates, its creator and who has changed it. What it lacks of these is that of a
  /// new record.
  /// - Throws: ``SatchelError`` `identifierExists` if there is one of its type and name, and as `save`.
  package func insert(_ record: Record) throws {
    let record = try kept(record)
    let type = try check(record)
    guard try locate(record.id.name, type) == nil else {
      throw SatchelError(
        .identifierExists, "A record of that type and name is in the store already",
        ["record": record.id.description])
    }
    _ = try add(record, type)
  }

  /// Stores a record of which its caller knows that there is none of its type and name, as `save` does.
  package func add(_ record: Record) throws {
    let type = try check(record)
    _ = try add(record, type)
  }

  private func add(_ record: Record, _ type: DeclaredRecordType) throws -> TypedRecordKey {
    try changing {
      func number(_ id: Identity.ID?) throws -> UInt32 {
        try interner.intern(.users, (id ?? user).rawValue)
      }
      let createdAt = record.createdTimestamp ?? now
      let new = StoredRecord(
        identifier: Array(record.id.name.utf8), owner: try number(record.owner),
        createdBy: try number(record.createdBy), updatedBy: try number(record.updatedBy ?? record.createdBy),
        createdAt: createdAt.microseconds, updatedAt: (record.updatedTimestamp ?? createdAt).microseconds,
        fields: record.fields)
      let key = TypedRecordKey(type: type.id, sequence: tables.takeSequence())
      try write(key, from: nil, to: new, replacing: nil)
      return key
    }
  }

  /// Changes a record by a closure.
  /// - Parameters:
  ///   - editor: Who changes it; nil for the store's user, if anything else of it changes.
  ///   - date: When that is; nil for now, if anything else of it changes.
  /// - Returns: The record as it is stored then.
  /// - Throws: ``SatchelError`` `unknownRecord`, and as `save`; what the closure throws. In each case nothing has changed.
  @discardableResult
  package func update(
    record id: Record.ID, as editor: Identity.ID? = nil, at date: Timestamp? = nil,
    _ change: (inout Record) throws -> Void
  ) throws -> Record {
    let id = try kept(id)
    var record = try stored(existingRecord(id))
    try change(&record)
    guard record.id == id else {
      throw SatchelError(
        .invalidValue, "An update changes a record, and does not replace it by one of another type or name",
        ["record": id.description, "found": record.id.description])
    }
    return try save(record, as: editor, at: date)
  }

  /// Changes a record by what another source says of it: its fields are merged into those that are there, as metadata are. If nothing of
  /// these and of the owner differs, nothing changes.
  /// - Throws: As `update`.
  package func merge(_ source: Record) throws {
    let source = try kept(source)
    var record = try stored(existingRecord(source.id))
    let fields = source.joined(with: record).fields
    let owner = source.owner ?? record.owner
    guard !fields.hasSameBytes(as: record.fields) || owner != record.owner else { return }
    record.owner = owner
    record.fields = fields
    _ = try save(record, as: source.updatedBy, at: source.updatedTimestamp)
  }

  /// Deletes a record. What becomes of those that refer to it is settled when the write ends.
  /// - Throws: ``SatchelError`` `unknownRecord`. Then nothing has changed.
  package func delete(record id: Record.ID) throws {
    let id = try kept(id)
    try delete(existingRecord(id), noting: id)
  }

  /// Makes a record say the same by another name; or deletes it if `new` is nil, or cannot be a record. If there is one of that name, the two
  /// become one. Records that refer to it go on to.
  func replace(_ old: Record, by new: Record?) throws {
    guard let new, let type = try? check(new) else {
      return try delete(existingRecord(old.id), noting: old.id)
    }
    guard new.id != old.id else {
      return _ = try save(new, as: new.updatedBy, at: new.updatedTimestamp)
    }
    try changing {
      try delete(existingRecord(old.id))
      if let key = try locate(new.id.name, type) {
        let joined = try stored(key).joined(with: new)
        try delete(key)
        _ = try add(joined, type)
      } else {
        _ = try add(new, type)
      }
      for (key, field) in try flushed.read({ try $0.records(referringTo: old.id) }) {
        var record = try stored(key)
        record[field] = .reference(new.id)
        _ = try save(record, as: record.updatedBy, at: record.updatedTimestamp)
      }
    }
  }

  private func delete(_ key: TypedRecordKey, noting id: Record.ID) throws {
    let (old, checksum) = try flushed.record(key)
    try noteRemoval(of: id.type, [id.name])
    try changing { try write(key, from: old, to: nil, replacing: checksum) }
  }

  /// Deletes an existing record. Who calls it has taken note of that.
  func delete(_ key: TypedRecordKey) throws {
    let (old, checksum) = try flushed.record(key)
    try write(key, from: old, to: nil, replacing: checksum)
  }

  /// Takes fields out of an existing record, as the store's user.
  func remove(_ fields: [String], of key: TypedRecordKey) throws {
    let (old, checksum) = try flushed.record(key)
    var new = old
    for field in fields { new.fields.set(nil, forKey: field) }
    new.updatedBy = try interner.intern(.users, user.rawValue)
    new.updatedAt = now.microseconds
    try write(key, from: old, to: new, replacing: checksum)
  }

  /// Whether a record is in the store, exactly of that name.
  package func hasRecord(_ id: Record.ID) throws -> Bool {
    try flushed.recordType(named: id.type).flatMap { try locate(id.name, $0) } != nil
  }

  /// Returns the key of the record of a type with a name; nil if there is none.
  private func locate(_ name: String, _ type: DeclaredRecordType) throws -> TypedRecordKey? {
    let identifier = Array(name.utf8)
    switch recordNames.change(of: identifier, ofType: type.id) {
    case .added(let key): return key
    case .removed: return nil
    case nil: break
    }
    guard recordNames.isFull else { return try flushed.locateKnownRecord(ofType: type.id, identifier) }
    let key = try flushed.locateRecord(ofType: type.id, identifier)
    recordNames.removeAll()
    return key
  }

  /// Returns the record that an operation is about.
  /// - Throws: ``SatchelError`` `unknownRecordType` or `unknownRecord`.
  private func existingRecord(_ id: Record.ID) throws -> TypedRecordKey {
    if let key = try locate(id.name, flushed.existingRecordType(id.type)) { return key }
    throw SatchelError(
      .unknownRecord, "No record of the type has that name", ["recordType": id.type, "record": id.name])
  }

  /// Returns a record as the store has it.
  private func stored(_ key: TypedRecordKey) throws -> Record { try flushed.read { try $0.makeRecord(key) } }

  /// Checks everything of a record, and returns its type.
  private func check(_ record: Record) throws -> DeclaredRecordType {
    let type = try flushed.existingRecordType(record.id.type)
    try Self.check(identifier: record.id.name, "record")
    for user in [record.owner, record.createdBy, record.updatedBy] {
      if let user { try Self.check(identifier: user.rawValue, "user") }
    }
    do { try type.type.check(record) } catch let error as SatchelError {
      throw error.adding(["record": record.id.name])
    }
    return type
  }

  private func write(
    _ key: TypedRecordKey, from old: StoredRecord?, to new: StoredRecord?, replacing checksum: UInt64?
  ) throws {
    try noteDeclared(.record(key), wasThere: old != nil, isThere: new != nil)
    var changes = IndexChanges()
    changes.change(from: try old.map { try indexed($0, key) }, to: try new.map { try indexed($0, key) })
    if let new {
      try tables.put(.records, key.bytes, new.encode(key: key), replacing: checksum)
    } else if let checksum {
      try tables.remove(.records, key.bytes, checksum: checksum)
    }
    try settleDeclared(&changes)
    try apply(&changes)
    if let new, old == nil { recordNames.add(key, named: new.identifier) }
    if let old, new == nil { recordNames.remove(key, named: old.identifier) }
    if importNumber != nil, new != nil, !removed.isEmpty { removed.keep(key) }
    try log.note(record: key, from: old, to: new, interning: interner.intern(path:))
  }

  /// Returns what the indexes are to hold of a record.
  package func indexed(_ record: StoredRecord, _ key: TypedRecordKey) throws -> IndexedRecord {
    IndexedRecord(
      key: key, identifier: record.identifier,
      fields: try IndexedValue.all(record.fields, number: interner.intern(path:)))
  }
}
