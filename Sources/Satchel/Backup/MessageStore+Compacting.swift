import SatchelStorage

extension MessageStore {
  /// What making the store's file smaller has come to.
  public struct Compaction: Sendable, Hashable {
    /// The bytes of the disk that `data.mdb` took before.
    public let bytesBefore: Int
    /// The bytes of the disk that it takes now.
    public let bytes: Int

    init(_ done: SatchelStorage.Compaction) {
      bytesBefore = done.bytesBefore
      bytes = done.bytes
    }
  }

  /// Gives back to the file system what the store does not need, while others read and write it.
  ///
  /// The store does most of this by itself: see <doc:DurabilityAndRecovery>. Call it after much was deleted message by message, or after
  /// years of commits, which leave pages that are not full: it writes neighbouring pages anew that would be a sixteenth fewer. It works in
  /// short steps, for which writes wait some milliseconds, and needs a tenth of the file as extra room at most. The file stays as long as it
  /// was, with holes in it. What is kept for deletions on a full disk stays, and what readers of old snapshots still need, and pages of
  /// messages whose contents have several. Must not be called inside a read or write of this store.
  /// - Throws: ``SatchelError`` `storeFull`, `permissionDenied`, `nestedTransaction`, `busy`, `suspended`, `closed`, `outcomeUnknown` or
  ///   `io`. What is done by then stays done, and no commit is lost.
  /// - Complexity: O(pages of the records).
  @discardableResult
  public func compact() throws -> Compaction { Compaction(try base.compact()) }

  /// Does the same without blocking the caller's actor. Cancelling the task has no effect.
  /// - Throws: As the synchronous form.
  /// - Complexity: As the synchronous form.
  @discardableResult
  public func compact() async throws -> Compaction {
    try await base.aside { [base] in Compaction(try base.compact()) }
  }
}
