import SatchelStorage

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// The long work of `MessageStore+Backup.swift` in asynchronous form: each call runs on a thread of its own.
extension MessageStore {
  /// Copies one snapshot of the store into a new directory, without blocking the caller's actor.
  ///
  /// When the task is cancelled, the backup ends at its next progress and leaves nothing behind.
  /// - Parameters:
  ///   - destination: A path at which nothing exists, or an empty directory.
  ///   - compacting: True to leave out free pages and to fill the others: the copy is smaller and takes longer.
  ///   - verifying: False to skip the verification of the copy.
  ///   - progress: As of the synchronous form. Called on the thread that copies.
  /// - Throws: As the synchronous form, and `CancellationError`.
  /// - Complexity: As the synchronous form.
  public func backup(
    to destination: URL, compacting: Bool = false, verifying: Bool = true,
    progress: @escaping @Sendable (_ bytes: Int, _ totalBytes: Int) throws -> Void = { _, _ in }
  ) async throws -> Backup {
    try Task.checkCancellation()
    return try await base.aside { [self] isCancelled in
      try backup(to: destination, compacting: compacting, verifying: verifying) { bytes, totalBytes in
        try progress(bytes, totalBytes)
        if isCancelled() { throw CancellationError() }
      }
    }
  }

  /// Takes all commits that are only in the journal to `data.mdb`, without blocking the caller's actor.
  ///
  /// Cancelling the task has no effect.
  /// - Throws: As the synchronous form.
  /// - Complexity: As the synchronous form.
  public func checkpoint() async throws {
    try await base.aside { [base] in try base.checkpoint() }
  }

  /// Returns the commits after a given one that have happened so far, without blocking the caller's actor.
  /// - Parameter sequence: The last commit that is not wanted.
  /// - Throws: As the synchronous form.
  /// - Complexity: As the synchronous form.
  public func changes(since sequence: UInt64) async throws -> [StoreCommit] {
    try base.read { try commits(since: sequence, $0) }
  }

  /// Returns the reads of all processes that are open now, the one with the oldest snapshot first, without blocking the caller's
  /// actor.
  /// - Throws: As the synchronous form.
  public func readers() async throws -> [Reader] { try synchronously { try $0.readers() } }
}
