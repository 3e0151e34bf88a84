import SatchelExecution
import SatchelModel
import SatchelPlanning
package import SatchelQuery
import SatchelReading
import SatchelStorage
import Synchronization

/// A query, and which part of its results is shown.
package struct LiveSpecification: Sendable {
  package var query: QueryDescription
  package var window: ListWindow
  /// The identifier of the one object that the list has; nil for the results of the query.
  package var identifier: String?
  /// False if only the number of results is wanted.
  package var showsRows = true
  /// The key path whose values divide the rows into sections; the query has to be sorted by it first.
  package var sectionKey: String?
  /// The properties whose changes are updates; nil for all.
  package var updatableProperties: Set<String>?
  /// Where the window lies when the query is loaded.
  package var place = Place.kept

  /// Where a window lies that hangs on one of its rows.
  package enum Place: Sendable, Hashable {
    /// Where it lay, if the query was the same before, and the window as well but for its number of rows.
    case kept
    /// Where the window says: a tail at the end, another window at its object or date as they are now.
    case anew
    /// Where it lay, with so many more rows before it.
    case older(Int)
  }

  package init(query: QueryDescription, window: ListWindow) {
    self.query = query
    self.window = window
  }

  /// Sets the query and, unless it is nil, the window, which then begins anew.
  mutating func set(_ query: QueryDescription, _ window: ListWindow?) {
    self.query = query
    guard let window else { return }
    self.window = window
    place = .anew
  }
}

/// The part of a live query that does not depend on the type of its objects: which objects are its results, and what a
/// batch of commits requires it to do. Most batches concern few queries; the other queries need no more than this.
///
/// The feed refers to the core strongly. The core refers weakly to the query, which has the rows.
final class LiveCore: LiveSubject {
  typealias ResidualMaker = @Sendable (Snapshot, QueryDescription) -> HeldResult.Residual

  private let feed: LiveFeed
  private let makeResidual: ResidualMaker?
  let state = Mutex<LiveState?>(nil)
  private let query = Mutex<Weak>(Weak())

  private struct Weak { weak var query: (any LiveRows)? }

  init(feed: LiveFeed, makeResidual: ResidualMaker?) {
    self.feed = feed
    self.makeResidual = makeResidual
  }

  /// Stops following commits, and releases what is held for it.
  func stop() {
    feed.unregister(self)
    let number = state.withLock { state in
      defer { state = nil }
      return state?.number
    }
    if let number { feed.conditions.release(number) }
  }

  /// Sets the query that this core belongs to.
  func belong(to query: any LiveRows) { self.query.withLock { $0.query = query } }

  var commit: UInt64? { state.withLock { $0?.commit } }

  func advance(_ batch: CommitBatch) -> Bool {
    do {
      guard let (work, load) = try work(for: batch), let query = query.withLock({ $0.query }) else {
        return false
      }
      return try query.advance(batch, work, ofLoad: load)
    } catch {
      let failure = SatchelError.translating(error, store: feed.store.directory) as? SatchelError
      fail(failure ?? SatchelError(.io, "A live query could not be read"))
      return true
    }
  }

  /// Returns the work that a batch requires, and the state for which it was found; nil if there is nothing to do.
  private func work(for batch: CommitBatch) throws -> (AdvanceWork, LiveState)? {
    try state.withLock { state in
      // A batch that begins after this state's commit would leave commits out: a later batch is used.
      guard let state, batch.first <= state.commit, state.commit < batch.last, !state.hasFailed else {
        return nil
      }
      // Most live queries of a chat are about one conversation: for them this check is all that is needed.
      if let conversation = state.onlyConversation, state.anchor == nil,
        batch.passesBy(conversation, showing: state.included)
      {
        state.commit = batch.last
        return nil
      }
      let work = try state.work(
        for: batch, residual: makeResidual?(batch.snapshot, state.specification.query))
      state.commit = batch.last
      if case .none = work { return nil }
      return (work, state)
    }
  }

  func fail(_ error: SatchelError) {
    state.withLock { $0?.hasFailed = true }
    query.withLock { $0.query }?.fail(error)
  }

  func changed() { query.withLock { $0.query }?.changed() }
}

/// A live query with its rows.
protocol LiveRows: AnyObject, Sendable {
  /// Does the work that a batch requires.
  /// - Parameter load: The state for which the work was found. If another state has replaced it meanwhile, nothing is
  ///   to be done, because that one was selected from this batch's snapshot or a later one.
  /// - Returns: True if the list has changed.
  func advance(_ batch: CommitBatch, _ work: AdvanceWork, ofLoad load: LiveState) throws -> Bool
  func fail(_ error: SatchelError)
  func changed()
}

/// Everything that a list is made from. It is a class, so that it is changed in place. The lock of its core makes it
/// safe to share: nothing else keeps a reference to it.
final class LiveState: @unchecked Sendable {
  let specification: LiveSpecification
  private(set) var question: Question
  private(set) var dependencies: Dependencies
  let watched: WatchedProperties
  let relations: WatchedRelations
  /// The number of the condition; see `ConditionNumbers`.
  private(set) var number: Int
  /// The commit up to which changes have been followed. The commit of the list is the last one that changed the list.
  var commit: UInt64
  var result: ResultSet { didSet { onlyConversation = result.onlyConversation } }
  /// The only conversation whose messages can be results; nil if there may be others.
  private(set) var onlyConversation: UInt32?
  /// The point in the order that a window around an object or a date lies around; nil also while there is no row at or
  /// after a date that is looked for among positions.
  var anchor: OrderPoint?
  /// Where a tail begins; nil while there are no results.
  var tail: TailPlace?
  /// The conversations of the rows, if changes of these conversations are watched.
  var conversations: Set<UInt32> = []
  /// The rows; for parts, their messages.
  var rows: Set<RowReference> = []
  /// What was looked for to come with the rows, and may have come with earlier ones.
  var included = IncludedReferences()
  /// How often the query has been loaded.
  var loads: UInt64 = 1
  /// True once a read has failed: no commit is followed until the query is loaded again.
  var hasFailed = false

  init(
    _ specification: LiveSpecification, _ question: Question, _ dependencies: Dependencies,
    _ watched: WatchedProperties, number: Int, commit: UInt64, result: ResultSet, anchor: OrderPoint?
  ) {
    self.specification = specification
    self.question = question
    self.dependencies = dependencies
    self.watched = watched
    relations = WatchedRelations(watched, of: question.kind)
    self.number = number
    self.commit = commit
    self.result = result
    self.anchor = anchor
    onlyConversation = result.onlyConversation
  }

  /// Asks another question of the same kind and order.
  func ask(_ question: Question, _ dependencies: Dependencies, number: Int, _ result: ResultSet) {
    self.question = question
    self.dependencies = dependencies
    self.number = number
    self.result = result
  }
}
