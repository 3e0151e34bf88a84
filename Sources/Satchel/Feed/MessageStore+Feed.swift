import SatchelStorage

extension MessageStore {
  /// Returns the commits of this and every other process as an asynchronous sequence, each with the objects that it
  /// changed.
  ///
  /// ```swift
  /// for try await commit in store.commits() {
  ///   for change in commit.changes where change["isUnread"]?.after == .boolean(false) { … }
  /// }
  /// ```
  ///
  /// The store keeps nothing for such a reader. The log holds at least its newest 1,000 commits, or fewer if these take
  /// more than 16 MB, and the sequence throws `logTrimmed` if the reader falls behind them. Use `consumer(named:)`
  /// for a reader that must not miss any commit.
  /// - Parameter sequence: The last commit that is not wanted, as ``StoreSnapshot/sequence`` gives it; nil for the
  ///   commits from now on. If it has not happened yet, the iteration throws `invalidValue`.
  public func commits(after sequence: UInt64? = nil) -> StoreCommits {
    StoreCommits(store: self, start: Result { try sequence ?? base.sequence() })
  }

  /// Returns the registered reader of the commits with this name; registers it if there is none.
  ///
  /// A new consumer begins with the commits after this call. A registered one continues after the commit that it last
  /// acknowledged, even if that was in another process.
  /// - Parameter name: 1 to 256 bytes of UTF-8, without NUL; compared byte for byte.
  /// - Throws: ``SatchelError`` `invalidIdentifier` for any other name, `invalidValue` if there are 1,000 other
  ///   consumers; as a read and, to register, as a write.
  public func consumer(named name: String) throws -> CommitConsumer {
    if try base.read({ try $0.consumer(named: name) }) == nil {
      _ = try base.write { try $0.registerConsumer(name) }
    }
    return CommitConsumer(name: name, store: self)
  }

  /// Returns the registered reader of the commits with this name, without blocking the caller's thread; registers it if
  /// there is none.
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func consumer(named name: String) async throws -> CommitConsumer {
    if try base.read({ try $0.consumer(named: name) }) == nil {
      _ = try await base.write { try $0.registerConsumer(name) }
    }
    return CommitConsumer(name: name, store: self)
  }

  /// Returns the registered readers of the commits, in the order of their registration.
  /// - Throws: As a read.
  public func consumers() throws -> [CommitConsumer] {
    try base.read { try $0.consumers() }.map { CommitConsumer(name: $0.name, store: self) }
  }

  /// Returns the registered readers of the commits, in the order of their registration, without blocking the caller's
  /// actor.
  /// - Throws: As a read.
  public func consumers() async throws -> [CommitConsumer] {
    try base.read { try $0.consumers() }.map { CommitConsumer(name: $0.name, store: self) }
  }
}

extension WriteTransaction {
  /// Records, in the same transaction as its other changes, that a consumer has handled all commits up to this one. Use
  /// it for a consumer that keeps its own results in the store.
  /// - Throws: As `CommitConsumer.acknowledge(_:)`.
  public func acknowledge(_ sequence: UInt64, consumer name: String) throws {
    try perform { try writer.acknowledge(sequence, consumer: name) }
  }
}
