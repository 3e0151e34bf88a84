extension MessageStore {
  /// Makes the store keep an index from now on, in a write of its own; see `WriteTransaction.declare(_:replacing:)`. If the same index is
  /// declared already, only reads.
  /// - Parameters:
  ///   - index: What objects have entries, and by what these are ordered.
  ///   - replacing: True to replace a different index of the same name.
  /// - Throws: As `WriteTransaction.declare(_:replacing:)`; and as a write.
  public func declare(_ index: Index, replacing: Bool = false) throws {
    if try read({ try $0.isDeclared(index) }) { return }
    try write { try $0.declare(index, replacing: replacing) }
  }

  /// Removes the index with a name, in a write of its own; see `WriteTransaction.dropIndex(named:)`.
  /// - Throws: ``SatchelError`` `unknownIndex`; and as a write.
  public func dropIndex(named name: String) throws { try write { try $0.dropIndex(named: name) } }

  /// Makes the store keep an index from now on, in a write of its own. If the same index is declared already, only reads.
  /// - Parameters:
  ///   - index: What objects have entries, and by what these are ordered.
  ///   - replacing: True to replace a different index of the same name.
  /// - Throws: As `WriteTransaction.declare(_:replacing:)`; and as a write.
  public func declare(_ index: Index, replacing: Bool = false) async throws {
    if try await read({ try $0.isDeclared(index) }) { return }
    try await write { try $0.declare(index, replacing: replacing) }
  }

  /// Removes the index with a name, in a write of its own.
  /// - Throws: ``SatchelError`` `unknownIndex`; and as a write.
  public func dropIndex(named name: String) async throws {
    try await write { try $0.dropIndex(named: name) }
  }

  /// Returns the indexes that are declared, in the order of their declarations, and how far each has got.
  /// - Complexity: O(log n) for each.
  /// - Throws: ``SatchelError`` `syntaxError` if a newer version declared one that this version cannot read.
  public func indexes() async throws -> [DeclaredIndexStatus] { try await read { try $0.indexes() } }
}

extension StoreReading {
  /// Returns the indexes that are declared, in the order of their declarations, and how far each has got.
  /// - Complexity: O(log n) for each.
  /// - Throws: ``SatchelError`` `syntaxError` if a newer version declared one that this version cannot read; and as `read(_:)`.
  public func indexes() throws -> [DeclaredIndexStatus] { try read { try $0.indexes() } }
}
