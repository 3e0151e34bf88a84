internal import RankedIndex
internal import SatchelBytes
internal import SatchelCoding
internal import SatchelIndexing

/// The bytes of a commit's changes:
///
///     varint: bytes of the seal; the seal, without trees
///     for messages, bodies and objects: varint: number of changes; the changes, in the order in which they were made
///       a change: 1 byte: 0 put, 1 remove, 2 remove what was put by the same changes; varint: bytes of the key, the
///       key; if put: varint: bytes of the value, the value
///     the changes of the indexes: see `ForestChanges`
extension CommitChanges {
  package func encode() -> [UInt8] {
    var writer = ByteWriter(capacity: 2048)
    writer.counted(seal.encode())
    for database in RecordDatabase.allCases {
      writer.varint(UInt64(self[database].count))
      for change in self[database] {
        let value = unsafe change.value
        writer.u8(change.kind.rawValue)
        writer.counted(change.keyBytes)
        if let value = unsafe value { unsafe writer.counted(value.bytes) }
      }
    }
    forest.encode(to: &writer)
    return writer.bytes
  }

  /// Reads changes, and keeps the values of records in `arena`.
  /// - Throws: `RecordError` if the bytes are not such changes.
  package init(_ bytes: [UInt8], in arena: RecordArena) throws {
    unsafe try self.init(bytes.span.bytes, in: arena)
  }

  /// Reads changes, and keeps the values of records in `arena`.
  /// - Throws: `RecordError` if the bytes are not such changes.
  init(_ bytes: RawSpan, in arena: RecordArena) throws {
    var reader = ByteReader()
    do {
      seal = try Self.seal(bytes, &reader)
      self.arena = arena
      try read(bytes, &reader)
    } catch let error as ByteError {
      throw Self.damaged(error)
    }
  }

  /// Reads the changes of a later transaction, behind those that are here.
  /// - Throws: `RecordError` if the bytes are not such changes. These are of no use then.
  mutating func join(_ bytes: RawSpan) throws {
    var reader = ByteReader()
    do {
      seal = try Self.seal(bytes, &reader)
      try read(bytes, &reader)
    } catch let error as ByteError {
      throw Self.damaged(error)
    }
  }

  private static func damaged(_ error: ByteError) -> RecordError {
    RecordError("journal", "", "the changes of a commit are damaged at byte \(error.offset)")
  }

  private static func seal(_ bytes: RawSpan, _ reader: inout ByteReader) throws -> Seal {
    let sealed = try reader.counted(bytes)
    return unsafe try bytes.extracting(sealed).withUnsafeBytes { unsafe try Seal($0) }
  }

  private mutating func read(_ bytes: RawSpan, _ reader: inout ByteReader) throws(ByteError) {
    try Self.records(of: .messages, bytes, &reader, arena, &messages)
    try Self.records(of: .bodies, bytes, &reader, arena, &bodies)
    try Self.records(of: .objects, bytes, &reader, arena, &objects)
    try forest.read(
      bytes, &reader, numeric: { IndexCatalog.numericTree($0) }, text: { IndexCatalog.textTree($0) })
    try reader.end(bytes)
  }

  private static func records(
    of database: RecordDatabase, _ bytes: RawSpan, _ reader: inout ByteReader, _ arena: RecordArena,
    _ changes: inout [RecordChange]
  ) throws(ByteError) {
    for _ in 0..<(try reader.varint(bytes)) {
      let start = reader.offset
      let kind = RecordChange.Kind(rawValue: try reader.u8(bytes))
      let name = try reader.counted(bytes)
      guard let kind, kind != .removeMissing, (1...24).contains(name.count) else {
        throw ByteError(offset: start)
      }
      var key = KeyBytes()
      for index in name { key.append(bytes.u8(index)) }
      guard database.holds(key) else { throw ByteError(offset: start) }
      if kind == .put {
        let value = unsafe arena.store(bytes.extracting(try reader.counted(bytes)))
        changes.append(unsafe RecordChange(put: value, key))
      } else {
        changes.append(RecordChange(remove: key, isOwn: kind == .removeOwn))
      }
    }
  }
}
