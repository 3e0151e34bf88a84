internal import RankedIndex
internal import RankedKeys
internal import RecordStore
package import SatchelCoding
internal import SatchelIndexing
package import SatchelModel
package import SatchelRecords

/// The records of applications.
extension Snapshot {
  /// What the planning layer has found of records alone: kept for the reader's next reads, as long as no record changes.
  package var keptReferences: (any AnyObject & Sendable)? {
    get {
      guard let kept = memory?.keptReferences, kept.table == seal[.records] else { return nil }
      return kept.made
    }
    set { memory?.keptReferences = newValue.map { (seal[.records], $0) } }
  }

  /// Returns the key of the record of a type with a name; nil if there is none.
  /// - Complexity: O(log n).
  package func locateRecord(ofType type: UInt32, _ identifier: [UInt8]) throws -> TypedRecordKey? {
    let range = TextRange.text(identifier, group: IndexedRecord.group(ofType: type))
    return try forest.firstRow(IndexCatalog.recordIdentifier.tree, in: range)
      .map { TypedRecordKey(type: type, sequence: $0) }
  }

  /// Returns the same. May not know what has been added or removed since another read of the index: see `Forest.firstKnownRow`.
  package func locateKnownRecord(ofType type: UInt32, _ identifier: [UInt8]) throws -> TypedRecordKey? {
    let range = TextRange.text(identifier, group: IndexedRecord.group(ofType: type))
    return try forest.firstKnownRow(IndexCatalog.recordIdentifier.tree, in: range)
      .map { TypedRecordKey(type: type, sequence: $0) }
  }

  /// Returns the key of the record that a reference names; nil if there is none, or if it names no record.
  package func locateRecord(_ id: Record.ID) throws -> TypedRecordKey? {
    try recordType(named: id.type).flatMap { try locateRecord(ofType: $0.id, Array(id.name.utf8)) }
  }

  /// Returns a record that an index refers to.
  package func record(_ key: TypedRecordKey) throws -> RecordView {
    guard let view = try findRecord(key) else { throw missingRecord(key) }
    return view
  }

  /// Returns a record, or nil if there is none.
  package func findRecord(_ key: TypedRecordKey) throws -> RecordView? {
    guard let bytes = unsafe try tables.get(.objects, key.bytes) else {
      // A damaged page can be valid in itself and lack records. A write changes indexes after records.
      if pending == nil, try isIndexed(key) { throw missingRecord(key) }
      return nil
    }
    metrics.recordsRead &+= 1
    return try unsafe decode(bytes, key)
  }

  private func isIndexed(_ key: TypedRecordKey) throws -> Bool {
    let row = Words(UInt64(key.type), key.sequence)
    return try forest.count(IndexCatalog.recordCreated.tree, in: .prefix(row, columns: 2)) > 0
  }

  private func missingRecord(_ key: TypedRecordKey) -> RecordError {
    RecordError("records", "\(key.type)/\(key.sequence)", "an index names it, and it is missing")
  }

  private func decode(_ bytes: UnsafeRawBufferPointer, _ key: TypedRecordKey) throws -> RecordView {
    try decoding("records", "\(key.type)/\(key.sequence)") { () throws(CodingError) in
      unsafe try RecordView(bytes, key: key)
    }
  }

  /// Returns the checksums of existing records, given by ascending keys.
  /// - Complexity: O(records from the first one to the last one): a step of a cursor for each.
  package func checksums(of keys: ArraySlice<TypedRecordKey>) throws -> [UInt64] {
    guard let first = keys.first else { return [] }
    var checksums: [UInt64] = []
    checksums.reserveCapacity(keys.count)
    try scanObjects(from: .record(first)) { key, value in
      guard case .record(let key) = key else { return false }
      if key == keys[keys.startIndex + checksums.count] {
        checksums.append(unsafe RecordFrame.storedChecksum(value))
      }
      return checksums.count < keys.count
    }
    if checksums.count < keys.count { throw missingRecord(keys[keys.startIndex + checksums.count]) }
    return checksums
  }

  /// Calls `visit` with every record of a type in the order of their creation, until `visit` returns false. `visit` changes nothing.
  package func forEachRecord(ofType type: UInt32, _ visit: (RecordView) throws -> Bool) throws {
    try scanObjects(from: .record(TypedRecordKey(type: type, sequence: 0))) { key, value in
      guard case .record(let key) = key, key.type == type else { return false }
      metrics.recordsRead &+= 1
      return try visit(unsafe decode(value, key))
    }
  }

  /// Returns records of a type after one of them, in the order of their creation.
  package func records(
    ofType type: UInt32, after last: UInt64?, limit: Int
  ) throws -> [(key: TypedRecordKey, record: Record)] {
    guard last != .max else { return [] }
    var views: [RecordView] = []
    try scanObjects(from: .record(TypedRecordKey(type: type, sequence: last.map { $0 + 1 } ?? 0))) {
      key, value in
      guard case .record(let key) = key, key.type == type, views.count < limit else { return false }
      metrics.recordsRead &+= 1
      views.append(try unsafe decode(value, key))
      return true
    }
    return try views.map { ($0.key, try makeRecord($0)) }
  }

  /// Returns the name of a record among those of its type.
  package func identifier(of view: RecordView) throws -> String {
    try decoding("records", "\(view.key.type)/\(view.key.sequence)") { () throws(CodingError) in
      try view.identifier()
    }
  }

  /// Returns all values of a record.
  package func values(of view: RecordView) throws -> StoredRecord {
    try decoding("records", "\(view.key.type)/\(view.key.sequence)") { () throws(CodingError) in
      try view.values()
    }
  }

  /// Returns the value of a field of a record, given by the UTF-8 bytes of its name; nil if there is none.
  package func value(of field: [UInt8], in view: RecordView) throws -> MetadataValue? {
    try decoding("records", "\(view.key.type)/\(view.key.sequence)") { () throws(CodingError) in
      try view.fields.decodedValue(of: field, in: .record)
    }
  }

  /// Returns a record as a value.
  package func makeRecord(_ key: TypedRecordKey) throws -> Record { try makeRecord(record(key)) }

  /// Returns a record as a value.
  package func makeRecord(_ view: RecordView) throws -> Record {
    let (identifier, fields) = try decoding("records", "\(view.key.type)/\(view.key.sequence)") {
      () throws(CodingError) in (try view.identifier(), try view.fields.decode(in: .record))
    }
    let owner = Identity.ID(try userText(view.owner))
    var record = Record(
      id: Record.ID(type: try name(ofRecordType: view.key.type), name: identifier), owner: owner, fields)
    // Mostly all three are one user.
    record.createdBy = view.createdBy == view.owner ? owner : Identity.ID(try userText(view.createdBy))
    record.updatedBy = view.updatedBy == view.owner ? owner : Identity.ID(try userText(view.updatedBy))
    record.createdTimestamp = Timestamp(microseconds: view.createdAt)
    record.updatedTimestamp = Timestamp(microseconds: view.updatedAt)
    return record
  }
}
