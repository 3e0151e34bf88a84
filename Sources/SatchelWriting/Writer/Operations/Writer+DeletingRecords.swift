internal import RankedIndex
internal import RankedKeys
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelReading

/// The deletion of records because of what they refer to: of many at once.
extension Writer {
  /// Deletes existing records, given by ascending keys. Who calls it has taken note of that.
  ///
  /// If they are many, and a large part of the records of their types, the indexes are swept: each leaf that may have one of them is read
  /// once, and written once if it has any. Otherwise the entries of each record are removed by their keys.
  func delete(_ keys: [TypedRecordKey]) throws {
    let types = Set(keys.map(\.type)).sorted()
    guard try isWorthASweep(keys.count, of: types), let rows = NumberSet(keys.map(\.sequence)) else {
      for key in keys { try delete(key) }
      return
    }
    try noteDeletions(of: keys)
    try takeOut(keys, rows, ofTypes: types)
    for start in stride(from: 0, to: keys.count, by: Self.removedAtOnce) {
      let batch = keys[start..<min(start + Self.removedAtOnce, keys.count)]
      // All are read before the first change: a change may move what was read.
      for (key, checksum) in zip(batch, try flushed.read { try $0.checksums(of: batch) }) {
        try tables.remove(.records, key.bytes, checksum: checksum)
      }
    }
    // The index of names knows all of them now.
    recordNames.removeAll()
    declared.forgetState()
  }

  private static let removedAtOnce = 4096

  private func isWorthASweep(_ count: Int, of types: [UInt32]) throws -> Bool {
    guard count > LeavingConversations.mostAtOnce, gathered == nil else { return false }
    let tree = IndexCatalog.recordCreated.tree
    let all = try types.reduce(0) { try $0 + forest.count(tree, in: .prefix(Words(UInt64($1)), columns: 1)) }
    return count > all / Self.shareToSweep
  }

  private func noteDeletions(of keys: [TypedRecordKey]) throws {
    guard log.lists(keys.count) else { return log.noteDeletions(keys.count) }
    for key in keys {
      let values = try flushed.record(key).values
      try log.note(record: key, from: values, to: nil, interning: interner.intern(path:))
    }
  }

  /// Takes records out of all indexes.
  /// - Parameters:
  ///   - rows: Their creation sequences.
  ///   - types: Their types.
  private func takeOut(_ keys: [TypedRecordKey], _ rows: NumberSet, ofTypes types: [UInt32]) throws {
    let entries = try rangesOfDeclared(without: rows, ofTypes: types)
    try beginChanges()
    let created = IndexCatalog.recordCreated
    if try keys.count > forest.count(created.tree) / Self.shareToSweep {
      try forest.sweep(created.tree, column: created.columnOfObject, of: rows)
    } else {
      // The records of other types are many more, and lie in the same tree.
      for key in keys { forest.remove(created.tree, Words(UInt64(key.type), key.sequence)) }
    }
    let names = types.map { TextRange.group(IndexedRecord.group(ofType: $0)) }
    try forest.sweep(IndexCatalog.recordIdentifier.tree, in: names, of: rows)
    let fields = types.map { IndexedRecord.fields(ofType: $0) }
    try forest.sweep(IndexCatalog.recordFields.tree, in: fields, of: rows)
    try forest.sweep(IndexCatalog.declaredEntries.tree, in: entries, of: rows)
  }
}
