import SatchelModel
import SatchelStorage
import StoreFiles

// Contents that need not fit in memory.
extension MessageStore {
  /// Stores contents piece by piece, from files or sequences, then runs a closure as one atomic write that gets them as parts of
  /// a message.
  ///
  /// ```swift
  /// try store.write(contents: [.draft(.text("Look")), .file(film, mimeType: "video/mp4")], for: lunch) { transaction, parts in
  ///   try transaction.send(parts, to: lunch)
  /// }
  /// ```
  ///
  /// The contents are stored in commits of about two megabytes, between which others write, and which nobody sees; so memory is
  /// bounded by about ten megabytes and by the longest piece, whatever the contents' size. The write itself stores the message
  /// alone. If anything throws, or the closure does not use the parts, what was stored is removed, and if the process ends, by the next
  /// that opens the store for writing. The order of creation, which decides where nothing else does, is that in which the
  /// storing began.
  ///
  /// The parts are those of one new message in that conversation, which must get all of them, at the same indices; others may follow.
  /// Anything else is refused with `invalidValue`, whatever the contents' size: an edit, a delivery of a message that is there already, a
  /// second message, another write. Must not be called inside a read or
  /// write of this store.
  /// - Parameters:
  ///   - contents: The parts.
  ///   - conversation: The conversation of the message; nil for an announcement.
  ///   - body: The write, which gets the parts: `send`, `receive` or `announce` takes them.
  /// - Throws: ``SatchelError`` `unknownConversation`, also if the conversation is deleted meanwhile; `invalidValue` for more than a
  ///   tebibyte, a MIME type that is none, an asynchronous sequence, which the asynchronous form reads, a URL that is not a file's, and a pipe or a
  ///   device; `io` or `permissionDenied` for a
  ///   file that cannot be read, or that changes meanwhile; and as `write(_:)`. What a sequence or the closure throws is passed on.
  /// - Complexity: O(bytes).
  @discardableResult
  public func write<Result>(
    contents: [MessagePart.Source], for conversation: Conversation.ID?,
    _ body: (WriteTransaction, [MessagePart.Draft]) throws -> Result
  ) throws -> Result {
    var lock: ImportLock? = try beginStoring()
    defer { end(&lock) }
    var steps = ContentSteps(contents, conversation)
    do {
      var parts: [MessagePart.Draft] = []
      for (index, source) in contents.enumerated() {
        switch source.content {
        case .draft(let draft):
          parts.append(draft)
          continue
        case .pushed:
          throw SatchelError(
            .invalidValue,
            "An asynchronous sequence is read by the asynchronous form: await the write",
            ["part": String(index)])
        case .pulled(let begin):
          try steps.pull(index, base, begin)
        }
        parts.append(steps.end(source))
      }
      let result = try write { transaction in
        let (parts, begun) = try steps.bind(parts, in: transaction.writer)
        let result = try body(transaction, parts)
        try ContentSteps.discard(begun, in: transaction.writer)
        return result
      }
      removeUnused(steps)
      return result
    } catch {
      removeUnused(steps)
      throw error
    }
  }

  /// Stores contents piece by piece, from files or sequences, then runs a closure as one atomic write that gets them as parts of
  /// a message, without blocking the caller's thread.
  ///
  /// Each piece is asked for when those before it are stored. Files, and sequences that are not asynchronous, are read on a thread of
  /// their own, which may wait. If the task is cancelled before the closure starts, what was stored is removed.
  /// - Parameters: As of the synchronous form.
  /// - Throws: As the synchronous form, and `CancellationError`.
  /// - Complexity: As the synchronous form.
  @discardableResult
  public func write<Result>(
    contents: [MessagePart.Source], for conversation: Conversation.ID?,
    _ body: sending (WriteTransaction, [MessagePart.Draft]) throws -> sending Result
  ) async throws -> sending Result {
    var lock: ImportLock? = try beginStoring()
    defer { end(&lock) }
    let storing = ContentStoring(contents, conversation, base)
    do {
      let (parts, steps) = try await storing.parts(of: contents)
      let result = try await write { transaction in
        let (parts, begun) = try steps.bind(parts, in: transaction.writer)
        let result = try body(transaction, parts)
        try ContentSteps.discard(begun, in: transaction.writer)
        return result
      }
      await storing.removeUnused()
      return result
    } catch {
      await storing.removeUnused()
      throw error
    }
  }

  /// Takes what says that something is being staged: a lock, as an import does, for whose end `suspend` waits.
  private func beginStoring() throws -> ImportLock {
    // Before anything is waited for: a closed store, or a transaction that is open on this thread, is refused.
    try base.read { _ in }
    base.beginImport()
    do {
      guard !base.environment.options.readOnly else {
        throw LMDBError(.readOnly, operation: "write", path: path)
      }
      return try ImportLock.shared(path)
    } catch {
      base.endImport()
      throw SatchelError.translating(error, store: path)
    }
  }

  /// Gives the lock back; only then the files may be closed.
  private func end(_ lock: inout ImportLock?) {
    lock = nil
    base.endImport()
  }

  private func removeUnused(_ steps: ContentSteps) {
    guard let number = steps.message?.importNumber else { return }
    base.removeStaged(number)
  }
}

extension Store {
  /// Removes what is staged under a number. What cannot be removed now, the next open removes.
  fileprivate func removeStaged(_ number: UInt32) {
    if (try? hasStaged(number)) ?? true { try? purgeStaged(number) }
  }
}

/// The steps of the asynchronous form, one after the other.
private actor ContentStoring {
  private let base: Store
  private var steps: ContentSteps

  init(_ contents: [MessagePart.Source], _ conversation: Conversation.ID?, _ base: Store) {
    self.base = base
    steps = ContentSteps(contents, conversation)
  }

  /// Stores the contents. Returns the parts, and the steps to bind them with.
  func parts(
    of contents: [MessagePart.Source]
  ) async throws -> (parts: [MessagePart.Draft], steps: ContentSteps) {
    var parts: [MessagePart.Draft] = []
    for (index, source) in contents.enumerated() {
      switch source.content {
      case .draft(let draft):
        parts.append(draft)
        continue
      case .pulled(let begin): try await pull(index, begin)
      case .pushed(let give):
        try await give { try await self.take($0, index) }
        if steps.hasRest { try await step(index) }
      }
      parts.append(steps.end(source))
    }
    return (parts, steps)
  }

  /// Reads what may block a thread, on one that nobody else needs.
  private func pull(
    _ part: Int, _ begin: @escaping @Sendable () throws -> () throws -> [UInt8]?
  ) async throws {
    let (base, steps) = (base, steps)
    let (after, outcome) = try await base.aside { isCancelled in
      var steps = steps
      let outcome = Result {
        try steps.pull(part, base, begin) { if isCancelled() { throw CancellationError() } }
      }
      return (steps, outcome)
    }
    // Also where it has failed: what was stored is to be removed.
    self.steps = after
    try outcome.get()
  }

  private func take(_ piece: [UInt8], _ part: Int) async throws {
    var rest = piece[...]
    while !rest.isEmpty { if steps.take(&rest) { try await step(part) } }
  }

  private func step(_ part: Int) async throws {
    try Task.checkCancellation()
    var steps = steps
    try await steps.step(part, base)
    self.steps = steps
  }

  /// Removes what the write has not used, also where the task is cancelled.
  func removeUnused() async {
    guard let number = steps.message?.importNumber else { return }
    // What cannot be removed now, because the system has no thread, the next open removes.
    try? await base.aside { [base] in base.removeStaged(number) }
  }
}
