internal import LMDB
internal import SatchelCoding
internal import SatchelReading
internal import SatchelStorage

extension Store {
  /// Makes the records of indexes that are being built say that they are complete, and those whose places they are to take that they are
  /// leaving. Returns whether there are any. Those of words stay as they are: the questions that follow need none.
  func pretendThatIndexesAreComplete() throws -> Bool {
    try checkpoint()
    let all = try read { try $0.declaredIndexes() }
    let building = Set(all.filter { $0.entry.isBuilding && !$0.definition.isOfWords }.map(\.name))
    let objects = try environment.database("objects")
    try environment.write { transaction in
      for record in all where building.contains(record.name) && record.entry.state != .leaving {
        let entry = DeclaredIndexEntry(record.definition, record.entry.isBuilding ? .complete : .leaving)
        let value = entry.encode(id: record.id)
        try ObjectKey.declaredIndex(id: record.id).bytes.withUnsafeBytes { key in
          try value.withUnsafeBytes { try transaction.put(objects, key, $0) }
        }
      }
    }
    return !building.isEmpty
  }
}
