import SatchelCoding
import SatchelExecution
package import SatchelModel
package import SatchelPlanning
import SatchelQuery
package import SatchelStorage
import Synchronization

/// A query whose list is kept up to date with the commits of every process.
///
/// It holds the rows of its window. Advancing it over a batch of commits needs only the snapshot after them; no
/// transaction is kept open in between.
package final class LiveQuery<Value: Sendable & Equatable>: Sendable {
  /// How a live query sees objects.
  package struct Source: Sendable {
    /// Reads an object.
    package let read: @Sendable (Snapshot, RowReference) throws -> Value
    /// A condition of the program's own; nil for none.
    package let residual: (@Sendable (Value) -> Bool)?

    package init(
      read: @escaping @Sendable (Snapshot, RowReference) throws -> Value,
      residual: (@Sendable (Value) -> Bool)? = nil
    ) {
      self.read = read
      self.residual = residual
    }

    /// The program's own condition as a test of rows of a snapshot.
    var makeResidual: (@Sendable (Snapshot) -> HeldResult.Residual)? {
      guard let residual else { return nil }
      let read = read
      return { snapshot in { reference in try residual(read(snapshot, reference)) } }
    }
  }

  package typealias Specification = LiveSpecification

  let source: Source
  let feed: LiveFeed
  let core: LiveCore
  let shown = Mutex<(list: LiveList<Value>?, failure: SatchelError?)>((nil, nil))
  private let onChange = Mutex<(@Sendable () -> Void)?>(nil)

  package init(_ source: Source, feed: LiveFeed) {
    self.source = source
    self.feed = feed
    core = LiveCore(feed: feed, makeResidual: source.makeResidual)
    core.belong(to: self)
  }

  deinit { core.stop() }

  // MARK: The list

  /// The newest list; nil before the first `load`. Never waits for a read.
  package var list: LiveList<Value>? { shown.withLock { $0.list } }

  /// Why the list is not kept up to date any more; nil while it is.
  package var failure: SatchelError? { shown.withLock { $0.failure } }

  /// What is asked now; nil before the first `load`.
  package var specification: Specification? { core.state.withLock { $0?.specification } }

  /// Ends the following of commits and lets go of what is held for it; the list stays as it is when this returns.
  package func stop() { core.stop() }

  /// The object that the store has at a place of the whole result now; nil where there is none.
  package func value(atPlace place: Int) throws -> Value? {
    try feed.store.read { snapshot in
      let result = core.state.withLock {
        $0.map { ($0.result, $0.specification.query.offset, $0.question.kind) }
      }
      guard let (set, offset, kind) = result else { return nil }
      let (shifted, overflow) = place.addingReportingOverflow(offset)
      let total = try set.total(in: snapshot)
      guard !overflow, shifted < total else { return nil }
      let row = try set.rows(in: shifted..<(shifted + 1), total: total, Executor(snapshot)).first
      return try row.flatMap { try snapshot.shows($0, kind) ? source.read(snapshot, $0) : nil }
    }
  }

  /// Calls `body` after each change of the list, on whatever thread brought it.
  package func whenChanged(_ body: (@Sendable () -> Void)?) { onChange.withLock { $0 = body } }

  /// Says whether a change of a row is an update.
  /// - Parameter comparingValues: True where every change of the value is one.
  package static func isUpdate(
    comparingValues: Bool
  ) -> (LiveRow<Value>, LiveRow<Value>) -> Bool {
    { old, new in old.fingerprint != new.fingerprint || comparingValues && old.value != new.value }
  }

  /// The commit up to which changes have been followed; nil before the first `load`.
  package var commit: UInt64? { core.commit }

  func changed() { onChange.withLock { $0 }?() }
}
