public import Satchel
import SatchelLines

extension MessageStore {
  /// Writes one snapshot of the store in the interchange format, which INTERCHANGE.md specifies, while readers and
  /// writers of any process continue: everything, also what the store's user cannot see, or what has changed since a
  /// commit.
  ///
  /// ```swift
  /// let report = try store.export(to: .file(url)) { progress in
  ///   print(progress.objects, "of", progress.totalObjects)
  /// }
  /// ```
  /// - Parameters:
  ///   - target: Where the lines go.
  ///   - since: The last commit whose changes are left out, such as ``Export/sequence`` of an earlier export; nil for
  ///     everything. Imported into a store in the state of that commit, the lines bring it to the state of the snapshot.
  ///   - lease: How long the snapshot may be held for a reader of the target that takes nothing. Each 16 KiB that it takes give a
  ///     second more; up to 8 MiB wait for it without a snapshot.
  ///   - progress: Called on this thread at the beginning, every 1,000 objects, and at the end with `objects` equal to
  ///     `totalObjects`. If it throws, the export ends, and a file is as it was before.
  /// - Returns: What was written, and up to which commit.
  /// - Throws: ``SatchelError`` `logTrimmed` if the change log no longer goes back to `since`, or does not list what a
  ///   large commit has changed; `invalidValue` if that commit has not happened, if the target is a file of a store, or
  ///   for a date outside the years 0000 to 9999; `io`, `permissionDenied` or `storeFull` if the target cannot be
  ///   written; `notSynced`; `snapshotExpired`; `corrupted`; `nestedTransaction`; and as a read. What `progress` throws
  ///   is passed on.
  /// - Complexity: O(bytes written); with `since`, O(log entries after it) as well, in time and memory.
  @discardableResult
  public func export(
    to target: ExportTarget, since: UInt64? = nil, lease: ReadLease = ReadLease(),
    progress: (ExportProgress) throws -> Void = { _ in }
  ) throws -> Export {
    let export = StoreExport(since, lease)
    func write(_ descriptor: Int32) throws -> StoreExport.Summary {
      try export.write(base, to: descriptor) { try progress(ExportProgress($0)) }
    }
    switch target.target {
    case .file(let url):
      return try translatingFileErrors(of: url.path) {
        Export(try OutputFile.write(to: url.path, write))
      }
    case .descriptor(let descriptor):
      return try translatingFileErrors(of: nil) { Export(try write(descriptor)) }
    }
  }

  /// Writes one snapshot of the store in the interchange format to a closure: see the other form.
  /// - Parameters:
  ///   - body: Called on this thread with the next bytes, about 256 KiB at a time; lines are cut anywhere. The snapshot
  ///     is held meanwhile. If it throws, the export ends; what it was given lacks its last line, so that no import
  ///     takes it.
  ///   - since: See the other form.
  ///   - lease: How long the snapshot may be held. Each 16 KiB that `body` takes give a second more.
  ///   - progress: See the other form.
  /// - Throws: As the other form. What `body` throws is passed on.
  /// - Complexity: As the other form.
  @discardableResult
  public func export(
    to body: (_ bytes: [UInt8]) throws -> Void, since: UInt64? = nil, lease: ReadLease = ReadLease(),
    progress: (ExportProgress) throws -> Void = { _ in }
  ) throws -> Export {
    Export(
      try StoreExport(since, lease).write(base, to: body) { try progress(ExportProgress($0)) })
  }

  /// Writes one snapshot of the store in the interchange format, on a thread of its own, so that the caller's thread is
  /// not blocked.
  ///
  /// If the task is cancelled, the export ends at its next progress, as if `progress` had thrown `CancellationError`.
  /// - Throws: As the synchronous form, and `CancellationError`.
  /// - Complexity: As the synchronous form.
  @discardableResult
  public func export(
    to target: ExportTarget, since: UInt64? = nil, lease: ReadLease = ReadLease(),
    progress: @escaping @Sendable (ExportProgress) throws -> Void = { _ in }
  ) async throws -> Export {
    try await base.aside { isCancelled in
      try self.export(to: target, since: since, lease: lease) {
        if isCancelled() { throw CancellationError() }
        try progress($0)
      }
    }
  }

  /// Writes one snapshot of the store in the interchange format to a closure, on a thread of its own, so that the caller's thread
  /// is not blocked.
  ///
  /// If the task is cancelled, the export ends at its next progress, as if `progress` had thrown `CancellationError`.
  /// - Throws: As the synchronous form, and `CancellationError`.
  /// - Complexity: As the synchronous form.
  @discardableResult
  public func export(
    to body: @escaping @Sendable (_ bytes: [UInt8]) throws -> Void, since: UInt64? = nil,
    lease: ReadLease = ReadLease(), progress: @escaping @Sendable (ExportProgress) throws -> Void = { _ in }
  ) async throws -> Export {
    try await base.aside { isCancelled in
      try self.export(to: body, since: since, lease: lease) {
        if isCancelled() { throw CancellationError() }
        try progress($0)
      }
    }
  }
}

extension StoreExport {
  fileprivate init(_ since: UInt64?, _ lease: MessageStore.ReadLease) {
    self.init()
    self.since = since
    self.lease = ReaderLease.Limits(seconds: lease.seconds, growth: lease.fileGrowth)
  }
}

extension MessageStore.ExportProgress {
  fileprivate init(_ step: ExportReporter.Step) {
    objects = step.objects
    totalObjects = step.totalObjects
    bytes = step.bytes
  }
}

extension MessageStore.Export {
  fileprivate init(_ summary: StoreExport.Summary) {
    func count(_ kind: InterchangeKind) -> Int { Int(clamping: summary.counts[kind] ?? 0) }
    sequence = summary.sequence
    identities = count(.identity)
    conversations = count(.conversation)
    messages = count(.message)
    announcements = count(.announcement)
    records = count(.record)
    recordTypes = count(.recordType)
    indexes = count(.declaredIndex)
    updates = count(.update)
    deletions = count(.delete)
    overlongLines = Int(clamping: summary.overlongLines)
    bytes = summary.bytes
  }
}
