import SatchelStorage

extension MessageStore {
  /// Returns the message with an identifier as soon as a commit of any process has it, or nil if none has in a time.
  ///
  /// For a message that is still to arrive, such as the one that a notification names while another task or process
  /// fetches it. Between two commits, and while the store is suspended, nothing is done: the task sleeps.
  ///
  /// ```swift
  /// if let message = try await store.message(id, waitingUpTo: .seconds(30)) { show(message) }
  /// ```
  /// - Parameters:
  ///   - id: The identifier. A message that the user cannot see is waited for until the user can.
  ///   - limit: How long to wait. The store is read at its beginning and at its end; with zero, once.
  /// - Complexity: O(log n) for each commit meanwhile.
  /// - Throws: ``SatchelError`` `closed` if the store is closed meanwhile; `CancellationError` if the task is cancelled; and
  ///   as `message(_:)`.
  public func message(_ id: Message.ID, waitingUpTo limit: Duration) async throws -> Message? {
    try Task.checkCancellation()
    let start = ContinuousClock.now
    if let message = try look(for: id).message { return message }
    guard limit > .zero else { return nil }
    return try await withThrowingTaskGroup(of: Message?.self) { group in
      group.addTask { try await self.next(id) }
      group.addTask {
        try await Task.sleep(until: start.advanced(by: limit), clock: .continuous)
        return try self.look(for: id).message
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }

  /// Waits for the commit that has a message.
  private func next(_ id: Message.ID) async throws -> Message {
    // Keeps the thread that waits for commits alive between two waits.
    let observation = try base.commitSignal.observe { _ in }
    defer { observation.cancel() }
    while true {
      let found: (message: Message?, state: UInt64)
      do { found = try look(for: id) } catch let error as SatchelError where error.code == .suspended {
        try await base.commitSignal.resumed()
        continue
      }
      if let message = found.message { return message }
      _ = try await base.commitSignal.next(after: found.state)
    }
  }

  /// Reads a message, and the number of the state that has it or lacks it.
  private func look(for id: Message.ID) throws -> (message: Message?, state: UInt64) {
    try base.read { (try StoreSnapshot($0).message(id), $0.number) }
  }
}
