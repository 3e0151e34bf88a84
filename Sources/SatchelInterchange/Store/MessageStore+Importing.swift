public import Satchel

extension MessageStore {
  /// Adds the lines of the interchange format, which INTERCHANGE.md specifies: all of them or, if an error is thrown,
  /// none.
  ///
  /// Objects are staged in transactions of at most 2,000, invisible to everybody, and one last commit makes them part of
  /// the store and carries out updates and deletions. Other writers wait for one of these transactions at a time, never
  /// for the source; the last commit is as long as what was staged is large. What was staged is removed when the import
  /// fails; when the process ends, by the next that opens the store for writing. Memory is bounded by the longest lines
  /// and by about 16 bytes a message for its identifier. Must not be called inside a read or write of this store.
  ///
  /// ```swift
  /// let report = try store.importLines(from: .file(url)) { progress in
  ///   print(progress.bytes, "of", progress.totalBytes ?? 0)
  /// }
  /// ```
  /// - Parameters:
  ///   - source: Where the lines come from.
  ///   - skippingInvalid: True to leave out lines that cannot be taken, and to report them. A file without a header, of
  ///     a newer version, damaged or cut off is never taken.
  ///   - ifExists: What to do with a line of an object that is there already, in the store or by an earlier line: refuse it, leave
  ///     the object as it is, or change the object by what the line says, as a delivery that is merged does. Of a conversation the
  ///     metadata are merged and the participants replaced, if the line names any; of an identity, what the line has. The same lines
  ///     again change nothing.
  ///   - progress: Called on this thread before each transaction and outside of any, and once more at the end of the
  ///     source, before the last commit, with `bytes` equal to `totalBytes`. If it throws, the import ends and the store
  ///     is as it was before; once it has returned from the last call, the import can no longer be ended.
  /// - Returns: What was added, and which lines were left out.
  /// - Throws: ``SatchelError`` `rejectedLine` with the number of the first line that cannot be taken as `line` and with
  ///   the `reason`; `referenced` with the `line` of a deletion that a record restricts; `incompleteFile` for a file that is
  ///   empty, cut off or damaged; `io` or `permissionDenied` if the source cannot be read; `nestedTransaction`; and as a
  ///   write. What `source` and `progress` throw is passed on.
  /// - Complexity: O(bytes) to decode, and O(n log n) for the index entries of n objects.
  @discardableResult
  public func importLines(
    from source: ImportSource, skippingInvalid: Bool = false, ifExists: ExistingMessage = .fail,
    progress: (ImportProgress) throws -> Void = { _ in }
  ) throws -> Import {
    try translatingFileErrors(of: source.path) {
      try withoutActuallyEscaping(progress) { progress in
        try run(source, skippingInvalid, ifExists, progress)
      }
    }
  }

  /// Adds the lines of the interchange format, on a thread of its own, so that the caller's thread is not blocked.
  ///
  /// If the task is cancelled, the import ends before its next transaction, as if `progress` had thrown
  /// `CancellationError`.
  /// - Throws: As the synchronous form, and `CancellationError`.
  /// - Complexity: As the synchronous form.
  @discardableResult
  public func importLines(
    from source: ImportSource, skippingInvalid: Bool = false, ifExists: ExistingMessage = .fail,
    progress: @escaping @Sendable (ImportProgress) throws -> Void = { _ in }
  ) async throws -> Import {
    try await base.aside { isCancelled in
      try self.importLines(from: source, skippingInvalid: skippingInvalid, ifExists: ifExists) {
        if isCancelled() { throw CancellationError() }
        try progress($0)
      }
    }
  }

  private func run(
    _ source: ImportSource, _ skippingInvalid: Bool, _ existing: ExistingMessage,
    _ progress: @escaping (ImportProgress) throws -> Void
  ) throws -> Import {
    let (file, input, total) = try source.opened()
    var rejectedLines: [RejectedLine] = []
    let importer = Importer(
      input, skipsInvalid: skippingInvalid, existing: existing,
      onRejection: { line, reason in
        guard rejectedLines.count < Import.maximumRejectedLines else { return }
        rejectedLines.append(RejectedLine(line: line, reason: reason))
      },
      onBatch: { try progress(ImportProgress($0, total: total)) })
    let summary = try withExtendedLifetime(file) { try importer.run(into: base) }
    return Import(summary, rejectedLines)
  }
}

extension MessageStore.ImportSource {
  fileprivate var path: String? {
    if case .file(let url) = source { url.path } else { nil }
  }

  /// Returns the file to keep open, the input, and its number of bytes, if that is known.
  fileprivate func opened() throws(FileFailure) -> (file: InputFile?, input: LineInput, total: Int?) {
    switch source {
    case .file(let url):
      let file = try InputFile(url.path)
      return (file, .descriptor(file.descriptor), file.byteCount)
    case .descriptor(let descriptor):
      let file = try InputFile(descriptor: descriptor, name: "descriptor \(descriptor)")
      return (file, .descriptor(descriptor), file.byteCount)
    case .bytes(let bytes): return (nil, .bytes(bytes), bytes.count)
    case .pieces(let next): return (nil, .pieces(next), nil)
    }
  }
}

extension MessageStore.ImportProgress {
  /// - Parameter total: The size of the source, if it is known. Empty lines at its end are no line that is taken; a
  ///   file may have become longer meanwhile.
  fileprivate init(_ progress: Importer.Progress, total: Int?) {
    let largest = max(progress.bytes, total ?? 0)
    lines = progress.lines
    bytes = progress.isAtEnd ? largest : progress.bytes
    totalBytes = progress.isAtEnd || total != nil ? largest : nil
  }
}

extension MessageStore.Import {
  fileprivate init(_ summary: Importer.Summary, _ rejectedLines: [MessageStore.RejectedLine]) {
    identities = summary.identities
    conversations = summary.conversations
    messages = summary.messages
    announcements = summary.announcements
    records = summary.records
    recordTypes = summary.recordTypes
    indexes = summary.indexes
    updates = summary.updates
    deletions = summary.deletions
    merged = summary.merged
    ignored = summary.ignored
    rejectedLineCount = summary.rejected
    self.rejectedLines = rejectedLines
    unknownKeys = summary.unknownKeys
    firstUnknownKeys = summary.firstUnknownKeys.map {
      MessageStore.UnknownKey(name: $0.name, line: $0.line)
    }
  }
}
