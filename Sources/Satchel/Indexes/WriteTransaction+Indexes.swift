extension WriteTransaction {
  /// Makes the store keep an index from now on. Does nothing if the same index is declared already.
  ///
  /// An index of up to 1,000 objects is complete when the transaction commits. A larger one is built after that, beside other reads and
  /// writes, some thousand objects in each of many commits: by this program or any other that has the store open. Queries use it once
  /// it is complete. A program that ends, or is killed, loses nothing of it.
  ///
  /// A unique index over objects that have the same values is refused: at once if the transaction builds it, and otherwise when that is
  /// found; `indexes()` says then which they are, and the index is of no use until it is declared again.
  /// - Parameters:
  ///   - index: What objects have entries, and by what these are ordered.
  ///   - replacing: True to replace a different index of the same name: it stays in use until the other is complete.
  /// - Throws: ``SatchelError`` `indexDiffers` if a different index has the name; `valueExists` with the first ten pairs of objects that have
  ///   the same values; `unknownRecordType` with the types that are declared, for an index of the records of another one; `invalidValue`,
  ///   `unqueryableProperty`, `unsupportedPredicate` or `unsupportedSort` for what no index can have. Nothing has changed then.
  public func declare(_ index: Index, replacing: Bool = false) throws {
    try perform {
      // Checked here, because a predicate that is too large would not survive being stored as text.
      _ = try Normalizer(kind: index.kind, user: writer.user).condition(for: index.predicate)
      try writer.declare(index.definition, replacing: replacing)
    }
  }

  /// Removes the index with a name, also one that is being built. Its entries are removed beside later commits.
  /// - Throws: ``SatchelError`` `unknownIndex`; nothing has changed then.
  public func dropIndex(named name: String) throws {
    try perform { try writer.dropIndex(named: Array(name.utf8)) }
  }
}
