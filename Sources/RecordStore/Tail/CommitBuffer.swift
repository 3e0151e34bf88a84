internal import RankedIndex
internal import SatchelBytes
package import SatchelCoding
internal import SatchelIndexing

/// The changes of many transactions, one after the other, on their way into a tail: read from their bytes, and not sorted.
package struct CommitBuffer {
  /// In the order of arrival; their values are in the arena.
  private(set) var messages: [RecordChange] = []
  private(set) var bodies: [RecordChange] = []
  private(set) var objects: [RecordChange] = []
  var forest = ForestBuffer()
  /// The bytes of the last transaction's seal.
  private var lastSeal: [UInt8] = []
  private let arena: RecordArena

  /// No transactions.
  /// - Parameter arena: Gets the values of their records: that of the tail which they are for.
  package init(in arena: RecordArena) {
    self.arena = arena
  }

  package subscript(database: RecordDatabase) -> [RecordChange] {
    switch database {
    case .messages: messages
    case .bodies: bodies
    case .objects: objects
    }
  }

  /// Adds the changes of one more transaction: see `CommitChanges.encode`. Returns the number of its commit.
  ///
  /// Its seal is checked and not read: the next transaction has a newer one.
  /// - Throws: `RecordError` or `CodingError` if the bytes are not such changes. What is gathered is of no use then.
  package mutating func add(_ bytes: RawSpan) throws -> UInt64 {
    var reader = ByteReader()
    do {
      let seal = bytes.extracting(try reader.counted(bytes))
      let commit = unsafe try seal.withUnsafeBytes { unsafe try Seal.check($0) }
      lastSeal.removeAll(keepingCapacity: true)
      unsafe seal.withUnsafeBytes { unsafe lastSeal.append(contentsOf: $0) }
      try addChanges(bytes, &reader)
      return commit
    } catch let error as ByteError {
      throw RecordError("journal", "", "the changes of a commit are damaged at byte \(error.offset)")
    }
  }

  private mutating func addChanges(_ bytes: RawSpan, _ reader: inout ByteReader) throws(ByteError) {
    try RecordDatabase.messages.readChanges(bytes, &reader, arena, &messages)
    try RecordDatabase.bodies.readChanges(bytes, &reader, arena, &bodies)
    try RecordDatabase.objects.readChanges(bytes, &reader, arena, &objects)
    try forest.read(
      bytes, &reader, numeric: { IndexCatalog.numericTree($0) }, text: { IndexCatalog.textTree($0) })
    try reader.end(bytes)
  }

  /// Returns the seal of the last transaction.
  /// - Throws: `CodingError` if there is no transaction.
  package func seal() throws -> Seal { unsafe try lastSeal.withUnsafeBytes { unsafe try Seal($0) } }
}

extension RecordDatabase {
  /// Reads a transaction's changes of this database, behind those that are in `changes`, and keeps their values in `arena`.
  func readChanges(
    _ bytes: RawSpan, _ reader: inout ByteReader, _ arena: RecordArena, _ changes: inout [RecordChange]
  ) throws(ByteError) {
    for _ in 0..<(try reader.varint(bytes)) {
      let start = reader.offset
      let kind = RecordChange.Kind(rawValue: try reader.u8(bytes))
      let name = try reader.counted(bytes)
      guard let kind, kind != .removeMissing, let key = KeyBytes(bytes, name), holds(bytes.extracting(name))
      else { throw ByteError(offset: start) }
      if kind == .put {
        let value = unsafe arena.store(bytes.extracting(try reader.counted(bytes)))
        changes.append(unsafe RecordChange(put: value, key))
      } else {
        changes.append(RecordChange(remove: key, isOwn: kind == .removeOwn))
      }
    }
  }
}
