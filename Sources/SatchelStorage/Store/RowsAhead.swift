internal import RankedIndex
internal import RankedKeys
internal import SatchelGathering
internal import SatchelModel
internal import SatchelWriting
internal import StoreFiles

/// The rows of trees, made and sorted by two threads: one of its own ahead of the one that builds the trees, and the latter
/// when it would have to wait.
final class RowsAhead {
  private struct Shelf: Sendable {
    /// The rows of trees that are ready, by the tree's place in the order of building.
    var ready: [Int: ArrangedRows?] = [:]
    /// The first tree whose rows nobody makes yet.
    var next = 0
    /// The tree that is built, or whose rows are waited for.
    var current = 0
    /// Set when no more rows will be taken.
    var isStopped = false
    var isFinished = false

    /// Whether the rows of the next tree may be made: those of few trees are in memory at a time.
    var mayMake: Bool { next <= current + 1 }

    mutating func takeNext() -> Int {
      defer { next += 1 }
      return next
    }
  }

  private let shelf = Monitor(Shelf())
  private let gathered: GatheredMessages
  private let trees: [TreeSchema]
  private let isVisible: [Bool]

  /// Starts the thread. Call `stop` afterwards.
  /// - Parameter isVisible: See `GatheredMessages.rows`.
  init(of gathered: GatheredMessages, in trees: [TreeSchema], isVisible: [Bool]) throws {
    self.gathered = gathered
    self.trees = trees
    self.isVisible = isVisible
    let isStarted = BackgroundThread.start { [shelf] in
      while true {
        let index = shelf.locked(when: { $0.isStopped || $0.mayMake }) { shelf, _ in
          shelf.isStopped ? trees.count : shelf.takeNext()
        }
        guard index < trees.count else { break }
        let rows = gathered.rows(of: trees[index], isVisible: isVisible)
        shelf.locked { $0.ready[index] = .some(rows) }
        shelf.notify()
      }
      shelf.locked { $0.isFinished = true }
      shelf.notify()
    }
    guard isStarted else {
      throw SatchelError(.io, "The system has no thread left", ["operation": "import"])
    }
  }

  /// Returns the rows of the tree at a place in the order of building; nil if it is no tree of messages. Trees are asked for
  /// in that order.
  func rows(ofTreeAt index: Int) -> ArrangedRows? {
    shelf.locked { $0.current = index }
    shelf.notify()
    let own = shelf.locked { shelf in
      shelf.ready[index] == nil && shelf.mayMake && shelf.next < trees.count ? shelf.takeNext() : nil
    }
    if let own {
      let rows = gathered.rows(of: trees[own], isVisible: isVisible)
      shelf.locked { $0.ready[own] = .some(rows) }
    }
    return shelf.locked(when: { $0.ready[index] != nil }) { shelf, _ in
      shelf.ready.removeValue(forKey: index) ?? nil
    }
  }

  /// Stops the thread, and waits until it no longer reads the messages.
  func stop() {
    shelf.locked { $0.isStopped = true }
    shelf.notify()
    shelf.locked(when: { $0.isFinished }) { _, _ in }
  }
}
