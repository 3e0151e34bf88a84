internal import LMDB
internal import RankedIndex
internal import RankedKeys
internal import SatchelModel

/// The rows of trees, made and sorted by a thread of its own ahead of the one that builds the trees.
final class RowsAhead {
  private struct Shelf: Sendable {
    var ready: [SortedRows?] = []
    /// Set when no more rows will be taken.
    var isStopped = false
    var isFinished = false
  }

  private let shelf = Monitor(Shelf())

  /// Starts the thread. Call `stop` afterwards.
  /// - Parameter isVisible: See `GatheredMessages.rows`.
  init(of gathered: GatheredMessages, in trees: [TreeSchema], isVisible: [Bool]) throws {
    let isStarted = BackgroundThread.start { [shelf] in
      for tree in trees {
        let isStopped = shelf.locked(when: { $0.isStopped || $0.ready.isEmpty }) { shelf, _ in shelf.isStopped }
        guard !isStopped else { break }
        let rows = gathered.rows(of: tree, isVisible: isVisible)
        shelf.locked { $0.ready.append(rows) }
        shelf.notify()
      }
      shelf.locked { $0.isFinished = true }
      shelf.notify()
    }
    guard isStarted else {
      throw SatchelError(.io, "The system has no thread left", ["operation": "import"])
    }
  }

  /// Waits for the rows of the next tree and returns them; nil if it is no tree of messages.
  func next() -> SortedRows? {
    let rows = shelf.locked(when: { !$0.ready.isEmpty }) { shelf, _ in shelf.ready.removeFirst() }
    shelf.notify()
    return rows
  }

  /// Stops the thread, and waits until it no longer reads the messages.
  func stop() {
    shelf.locked { $0.isStopped = true }
    shelf.notify()
    shelf.locked(when: { $0.isFinished }) { _, _ in }
  }
}
