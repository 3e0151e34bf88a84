import SatchelCoding
import SatchelReading
import SatchelStorage

extension StoreSnapshot {
  /// Returns the indexes that are declared, in the order of their declarations, and how far each has got. One that is to take the place
  /// of another of its name comes after it.
  /// - Complexity: O(log n) for each.
  /// - Throws: ``SatchelError`` `syntaxError` if a newer version declared one that this version cannot read.
  public func indexes() throws -> [DeclaredIndexStatus] {
    try perform {
      try base.declaredIndexes().filter { $0.entry.state != .leaving }.map { record in
        DeclaredIndexStatus(
          index: try Index(record.definition), isComplete: record.entry.state == .complete,
          entries: try base.entries(ofDeclared: record.id), progress: try base.progress(of: record),
          doubles: record.entry.doubles.map {
            DeclaredIndexStatus.SharedValues(
              first: String(decoding: $0.first, as: UTF8.self),
              second: String(decoding: $0.second, as: UTF8.self))
          }, isRefused: record.entry.state == .refused)
      }
    }
  }

  /// Returns whether exactly this index is declared, and no other of its name was refused since.
  func isDeclared(_ index: Index) throws -> Bool {
    try perform {
      let definition = index.definition
      let last = try base.declaredIndexes().last {
        $0.definition.name == definition.name && $0.entry.state != .leaving
      }
      return last?.definition == definition && last?.entry.state.isKept == true
    }
  }
}
