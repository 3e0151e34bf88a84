/// What objects are read from: a store, one of its snapshots, or a write.
///
/// All three answer the same questions under the same names. A store reads its last commit, each time anew; a snapshot
/// always shows the same state; a write also sees what it has changed so far. So a program writes a question of its own once:
///
/// ```swift
/// extension StoreReading {
///   func unreadMessages(in conversation: Conversation.ID) throws -> Int {
///     try count(Message.filter { $0.conversation == conversation && $0.isUnread })
///   }
/// }
/// ```
///
/// Everything here is synchronous; ``MessageStore`` has each function in asynchronous form as well: see <doc:AsynchronousCode>.
/// Questions without types, such as of a ``QueryDescription``, are asked of a snapshot.
public protocol StoreReading {
  /// Runs a closure on one state of the store: everything in the closure sees the same objects.
  /// - Parameter body: Reads from the snapshot. Runs once.
  /// - Throws: ``SatchelError`` as `MessageStore.read(lease:_:)` of a store; `closed` if the snapshot or the write is over.
  ///   What the closure throws is passed on.
  func read<Result>(_ body: (StoreSnapshot) throws -> Result) throws -> Result
}

extension StoreSnapshot: StoreReading {
  /// Runs a closure on this snapshot.
  /// - Throws: ``SatchelError`` `closed` if the snapshot is no longer valid. What the closure throws is passed on.
  public func read<Result>(_ body: (StoreSnapshot) throws -> Result) throws -> Result {
    try perform { try body(self) }
  }
}
