package import StoreFiles

/// An error of the journal: what went wrong and where. Its description also says what to do.
package struct JournalError: Error, Sendable, Equatable {
  /// The kind of failure, for a program to act on.
  package enum Code: Sendable, Equatable {
    /// The file could not be opened or made, or is not one of ours.
    case file(LMDBError)
    /// A call to the operating system failed, with its `errno`.
    case system(Int32)
    /// The file is not a journal, or not a head.
    case invalid
    /// The journal has a version of the format that this program does not know.
    case version(UInt32)
    /// The journal belongs to the store of this UUID.
    case otherStore(JournalOwner)
    /// Records are missing between the store and the journal. The first point is the store's, the second where the journal
    /// begins.
    case gap(JournalPoint, JournalPoint)
    /// The journal ends before the store, and before what it had when the store was there: somebody has put an older one there. The
    /// first point is the store's, the second the journal's last.
    case older(JournalPoint, JournalPoint)
    /// Commits that were synced are not there: those after the first number, up to the second, or more. Nil if nobody knows how
    /// many.
    case damaged(after: UInt64, through: UInt64?)
    /// The journal has commits of another history. The first pair is the store's, the second the journal's.
    case otherChain(JournalPoint, JournalPoint)
    /// A record would be longer than a segment can hold. The numbers are bytes of it, and of the longest.
    case recordTooLong(Int, limit: Int)
    /// All segments that the journal may have hold commits that no checkpoint has taken over.
    case full(segments: Int)
    /// A sync failed, or a write and its removal: whether the records since the last good sync are there is unknown.
    case outcomeUnknown(Int32)
    /// An earlier sync failed, and nothing is appended any more.
    case poisoned
    /// Another process has been opening or closing the store for longer than this one was to wait. The value is the id of that
    /// process, or 0 if it is unknown.
    case busy(process: Int32)
    /// The lock or the head was opened before this process was forked off.
    case forked
  }

  /// The kind of failure.
  package let code: Code

  /// Whether commits of the journal are damaged.
  package var isDamage: Bool { if case .damaged = code { true } else { false } }

  /// Whether another process has hindered this one, which may try again.
  package var isBusy: Bool { if case .busy = code { true } else { false } }

  /// Whether a file has no name, or not any more.
  package var isNotThere: Bool {
    if case .file(let error) = code { error.code == .noSuchStore } else { false }
  }

  /// What was being done: "open", "append", "sync".
  package let operation: String
  /// The path of the file.
  package let path: String
  /// What was found, if the code alone does not say it; otherwise empty.
  package let detail: String

  /// Returns the error for a journal of which somebody knows how far it had come: whoever does not find that has not got all of it.
  /// - Parameters:
  ///   - known: A point that the file has reached; nil if nobody knows.
  ///   - point: The store's.
  package func telling(_ known: JournalPoint?, after point: JournalPoint) -> JournalError {
    guard let known else { return self }
    let through = known.sequence > point.sequence ? known.sequence : nil
    switch code {
    case .older(_, let end) where known.sequence > end.sequence:
      return JournalError(
        .damaged(after: point.sequence, through: through), operation: operation, path: path,
        detail: "it ends at \(end), and had reached \(known)")
    case .damaged(let last, nil) where known.sequence > last:
      return JournalError(
        .damaged(after: last, through: known.sequence), operation: operation, path: path, detail: detail)
    default: return self
    }
  }

  package init(_ code: Code, operation: String, path: String, detail: String = "") {
    self.code = code
    self.operation = operation
    self.path = path
    self.detail = detail
  }
}
