extension MessageStore {
  /// Runs a closure at once, on the caller's thread, and returns what it returns. In it, functions are called in their
  /// synchronous form, also in an asynchronous function, where the compiler otherwise takes the asynchronous form.
  ///
  /// ```swift
  /// func isKnown(_ id: Message.ID) async throws -> Bool {
  ///   try store.synchronously { try $0.message(id) } != nil
  /// }
  /// ```
  ///
  /// Use it where nothing else may happen in between, such as on an actor, for what is short: it blocks the thread.
  /// - Throws: What `body` throws.
  public func synchronously<Result>(_ body: (MessageStore) throws -> Result) rethrows -> Result {
    try body(self)
  }
}
