import SatchelCoding
import SatchelExecution
package import SatchelModel
package import SatchelPlanning
package import SatchelQuery
package import SatchelStorage
import Synchronization

/// A query whose list is kept up to date with the commits of every process.
///
/// It holds the rows of its window. Advancing it over a batch of commits needs only the snapshot after them; no
/// transaction is kept open in between.
package final class LiveQuery<Value: Sendable & Equatable>: LiveSubject {
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
  }

  /// What is asked, and which part of the answer is shown.
  package struct Specification: Sendable {
    package var query: QueryDescription
    package var window: ListWindow
    /// False for the number of results alone.
    package var showsRows = true
    /// The key path by whose values rows are parted into sections; the query is sorted by it first.
    package var sectionKey: String?
    /// The properties whose changes are updates; nil for all.
    package var updatableProperties: Set<String>?

    package init(query: QueryDescription, window: ListWindow) {
      self.query = query
      self.window = window
    }
  }

  /// Everything that a list was made from.
  struct State: Sendable {
    var specification: Specification
    var question: Question
    var dependencies: Dependencies
    var watched: WatchedProperties
    let relations: WatchedRelations
    var number: Int
    /// The commit up to which changes have been followed; that of the list is the last one that changed it.
    var commit: UInt64
    var result: ResultSet
    /// What a window around a place lies around.
    var place: ListPlace?
    var list: LiveList<Value>
    /// The conversations of the rows, where changes of theirs are watched.
    var conversations: Set<UInt32>
    /// The rows, those of parts as their messages.
    var places: Set<RowReference>
  }

  let source: Source
  let feed: LiveFeed
  let state = Mutex<State?>(nil)
  let shown = Mutex<(list: LiveList<Value>?, failure: SatchelError?)>((nil, nil))
  private let onChange = Mutex<(@Sendable () -> Void)?>(nil)

  package init(_ source: Source, feed: LiveFeed) {
    self.source = source
    self.feed = feed
  }

  deinit { if let number = state.withLock({ $0?.number }) { feed.conditions.release(number) } }

  // MARK: The list

  /// The newest list; nil before the first `load`. Never waits for a read.
  package var list: LiveList<Value>? { shown.withLock { $0.list } }

  /// Why the list is not kept up to date any more; nil while it is.
  package var failure: SatchelError? { shown.withLock { $0.failure } }

  /// What is asked now; nil before the first `load`.
  package var specification: Specification? { state.withLock { $0?.specification } }

  /// Ends the following of commits and lets go of what is held for it; the list stays as it is when this returns.
  package func stop() {
    feed.unregister(self)
    let number = state.withLock { state in
      defer { state = nil }
      return state?.number
    }
    if let number { feed.conditions.release(number) }
  }

  /// The object that the store has at a place of the whole result now; nil where there is none.
  package func value(atPlace place: Int) throws -> Value? {
    try feed.store.read { snapshot in
      let result = state.withLock { $0.map { ($0.result, $0.specification.query.offset, $0.question.kind) } }
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

  package func changed() { onChange.withLock { $0 }?() }
}
