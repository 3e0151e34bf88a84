/// Why a wait ended.
package enum BellCause {
  case call, file, time
}

/// The object that a watcher sleeps on. It wakes the watcher when `ring` is called and, if the system reports it, when
/// the file changes.
package final class CommitBell: Sendable {
  private let changes: FileChanges?
  /// Whether `ring` was called. Used only if `changes` is nil.
  private let called = Monitor(false)

  /// - Parameter file: The descriptor of the file, which has to be open only during this call.
  package init(file: Int32) {
    changes = FileChanges(file: file)
  }

  /// Whether the system reports changes of the file. If not, the watcher has to look at intervals.
  package var seesFile: Bool { changes.map { !$0.isBlind } ?? false }

  /// Also wakes the watcher when another file changes, which has to be open only during this call.
  package func watch(_ file: Int32) { changes?.add(file: file) }

  /// Ends the current wait, or else the next one. May be called from any thread.
  package func ring() {
    if let changes { return changes.call() }
    called.locked { $0 = true }
    called.notify()
  }

  /// Sleeps until `ring` is called, the time is over or, unless `callsOnly`, the file has changed. May return early.
  package func wait(callsOnly: Bool = false, milliseconds: Int?) -> BellCause {
    if let changes { return changes.wait(callsOnly: callsOnly, milliseconds: milliseconds) }
    let limit = milliseconds.map { deadline(afterSeconds: Double($0) / 1000) }
    return called.locked(when: { $0 }, until: limit) { called, isCalled in
      called = false
      return isCalled ? .call : .time
    }
  }
}
