/// Why a wait ended.
enum BellCause {
  case call, file, time
}

/// What a watcher sleeps on: changes of the file where the system reports them, calls of this process in any case.
final class CommitBell: Sendable {
  private let changes: FileChanges?
  /// Calls, where there is no descriptor that could hold them.
  private let called = Monitor(false)

  /// - Parameter file: The descriptor of the file, open during this call.
  init(file: Int32) {
    changes = FileChanges(file: file)
  }

  /// Whether the system reports changes of the file. If not, somebody has to look.
  var seesFile: Bool { changes.map { !$0.isBlind } ?? false }

  /// Ends the wait, or else the next one. From any thread.
  func ring() {
    if let changes { return changes.call() }
    called.locked { $0 = true }
    called.notify()
  }

  /// Sleeps until a call came, the time is over or, unless `callsOnly`, the file has changed. May return early.
  func wait(callsOnly: Bool = false, milliseconds: Int?) -> BellCause {
    if let changes { return changes.wait(callsOnly: callsOnly, milliseconds: milliseconds) }
    let limit = milliseconds.map { deadline(afterSeconds: Double($0) / 1000) }
    return called.locked(when: { $0 }, until: limit) { called, isCalled in
      called = false
      return isCalled ? .call : .time
    }
  }
}
