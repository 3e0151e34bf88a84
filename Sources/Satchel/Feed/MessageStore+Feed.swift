import SatchelStorage

extension MessageStore {
  /// The commits of this and every other process, each with the objects that it changed.
  ///
  /// ```swift
  /// for try await commit in store.commits() {
  ///   for change in commit.changes where change["isUnread"]?.after == .boolean(false) { … }
  /// }
  /// ```
  ///
  /// Nothing is kept for the one who reads: the log holds its newest 1,000 commits at least, and the sequence throws
  /// `logTrimmed` when it has been left behind. ``consumer(named:)`` is for those who must not miss any.
  /// - Parameter sequence: The last commit that is not wanted, as ``StoreSnapshot/sequence`` says it; nil for those from
  ///   now on. One that the store has not come to throws `invalidValue` in the iteration.
  public func commits(after sequence: UInt64? = nil) -> Commits {
    Commits(store: self, start: Result { try sequence ?? base.sequence() })
  }

  /// The registered reader of the commits under this name. A new one begins with what is committed after this call; one
  /// that is registered goes on after what it has acknowledged, whatever process it was.
  /// - Parameter name: 1 to 256 bytes, without NUL; compared byte for byte.
  /// - Throws: ``SatchelError`` `invalidIdentifier` for another name, `invalidValue` when there are 1,000 others; and, to
  ///   register, as a write.
  public func consumer(named name: String) throws -> CommitConsumer {
    if try base.read({ try $0.consumer(named: name) }) == nil {
      _ = try base.write { try $0.registerConsumer(name) }
    }
    return CommitConsumer(name: name, store: self)
  }

  /// The registered reader of the commits under this name, without blocking the caller's thread.
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func consumer(named name: String) async throws -> CommitConsumer {
    if try base.read({ try $0.consumer(named: name) }) == nil {
      _ = try await base.write { try $0.registerConsumer(name) }
    }
    return CommitConsumer(name: name, store: self)
  }

  /// The registered readers of the commits, in the order of their registration.
  public func consumers() throws -> [CommitConsumer] {
    try base.read { try $0.consumers() }.map { CommitConsumer(name: $0.name, store: self) }
  }
}

extension WriteTransaction {
  /// Notes, with whatever else the transaction does, that a consumer has taken care of everything up to a commit: for one
  /// that keeps its own results in the store.
  /// - Throws: As ``CommitConsumer/acknowledge(_:)``.
  public func acknowledge(_ sequence: UInt64, consumer name: String) throws {
    try perform { try writer.acknowledge(sequence, consumer: name) }
  }
}
