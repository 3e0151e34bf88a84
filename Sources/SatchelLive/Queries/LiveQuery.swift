import SatchelCoding
import SatchelExecution
package import SatchelModel
package import SatchelPlanning
import SatchelQuery
package import SatchelReading
import Synchronization

/// A query whose list is kept up to date with the commits of every process.
///
/// It holds the rows of its window. Advancing it over a batch of commits needs only the snapshot after them; no
/// transaction is kept open in between.
package final class LiveQuery<Value: Sendable & Equatable>: Sendable {
  /// Reads an object, with what comes along.
  package typealias Read = @Sendable (Snapshot, RowReference, Accompaniment) throws -> Value

  /// How a live query reads and filters objects.
  package struct Source: Sendable {
    /// Reads an object.
    package let read: Read
    /// A condition of the program's own; nil for none.
    package let residual: (@Sendable (Value) -> Bool)?

    package init(
      read: @escaping Read,
      residual: (@Sendable (Value) -> Bool)? = nil
    ) {
      self.read = read
      self.residual = residual
    }

    /// The program's own condition as a test of a query's rows in a snapshot. It sees objects without those that they refer to, so
    /// that these decide nothing.
    var makeResidual: LiveCore.ResidualMaker? {
      guard let residual else { return nil }
      let read = read
      return { snapshot, query in
        let along = Accompaniment(ContentSelection(hasContents: !query.omitsContents))
        return { reference in try residual(read(snapshot, reference, along)) }
      }
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

  /// Why the list is no longer kept up to date; nil while it is.
  package var failure: SatchelError? { shown.withLock { $0.failure } }

  /// The present specification; nil before the first `load`.
  package var specification: Specification? { core.state.withLock { $0?.specification } }

  /// Stops following commits, and releases what is held for it. The list stays as it is when this returns.
  package func stop() { core.stop() }

  /// Returns the object that the store has now at a rank of the whole result; nil if there is none.
  package func value(atRank rank: Int) throws -> Value? {
    try feed.store.read { snapshot in
      let result = core.state.withLock {
        $0.map { ($0.result, $0.specification.query, $0.question.kind) }
      }
      guard let (set, query, kind) = result else { return nil }
      let offset = query.offset
      let (shifted, overflow) = rank.addingReportingOverflow(offset)
      let total = try set.total(in: snapshot)
      guard !overflow, shifted < total else { return nil }
      let row = try set.rows(in: shifted..<(shifted + 1), total: total, Executor(snapshot)).first
      guard let row, try snapshot.shows(row, kind) else { return nil }
      return try source.read(snapshot, row, Accompaniment(query, in: snapshot))
    }
  }

  /// Sets the closure that is called after each change of the list, on whatever thread brought the change.
  package func whenChanged(_ body: (@Sendable () -> Void)?) { onChange.withLock { $0 = body } }

  /// Returns a function that says whether a change of a row is an update.
  /// - Parameter comparingValues: True if every change of the value is an update.
  package static func isUpdate(
    comparingValues: Bool
  ) -> (LiveRow<Value>, LiveRow<Value>) -> Bool {
    { old, new in old.fingerprint != new.fingerprint || comparingValues && old.value != new.value }
  }

  /// The commit up to which changes have been followed; nil before the first `load`.
  package var commit: UInt64? { core.commit }

  func changed() { onChange.withLock { $0 }?() }
}

extension LiveQuery {
  /// True if an index has the results in order, so that none of them is held; nil before the first `load`.
  package var isIndexed: Bool? {
    core.state.withLock { state in
      guard let state else { return nil }
      if case .indexed = state.result { return true }
      return false
    }
  }
}
