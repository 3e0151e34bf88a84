import SatchelExecution
import SatchelModel
import SatchelPlanning
package import SatchelQuery
import SatchelStorage
import Synchronization

/// What is asked, and which part of the answer is shown.
package struct LiveSpecification: Sendable {
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

/// What of a live query does not depend on the type of its objects: which objects are its results, and what a batch of
/// commits makes it do. Most batches concern few queries, so this is all that they cost the others.
///
/// The feed holds it, it holds the query with the rows weakly.
final class LiveCore: LiveSubject {
  private let feed: LiveFeed
  private let makeResidual: (@Sendable (Snapshot) -> HeldResult.Residual)?
  let state = Mutex<LiveState?>(nil)
  private let query = Mutex<Weak>(Weak())

  private struct Weak { weak var query: (any LiveRows)? }

  init(feed: LiveFeed, makeResidual: (@Sendable (Snapshot) -> HeldResult.Residual)?) {
    self.feed = feed
    self.makeResidual = makeResidual
  }

  /// Ends the following of commits and lets go of what is held for it.
  func stop() {
    feed.unregister(self)
    let number = state.withLock { state in
      defer { state = nil }
      return state?.number
    }
    if let number { feed.conditions.release(number) }
  }

  /// Says whose core this is.
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

  /// What a batch makes to be done, and the load of whose results that is so; nil for nothing.
  private func work(for batch: CommitBatch) throws -> (AdvanceWork, LiveState)? {
    try state.withLock { state in
      // One that begins later would leave commits out: the next one serves.
      guard let state, batch.first <= state.commit, state.commit < batch.last, !state.hasFailed else {
        return nil
      }
      // Most live queries of a chat are of one conversation: for them this is all.
      if let conversation = state.onlyConversation, state.place == nil, batch.passesBy(conversation) {
        state.commit = batch.last
        return nil
      }
      let work = try state.work(for: batch, residual: makeResidual?(batch.snapshot))
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
  /// Does what a batch makes to be done.
  /// - Parameter load: The state that the work was found for. Where another has taken its place meanwhile, nothing is to
  ///   be done: that one was selected from this batch's snapshot or a later one.
  /// - Returns: Whether the list is another.
  func advance(_ batch: CommitBatch, _ work: AdvanceWork, ofLoad load: LiveState) throws -> Bool
  func fail(_ error: SatchelError)
  func changed()
}

/// Everything that a list is made from. A class, so that it changes in place; its core's lock is what makes it safe to
/// share: nothing outside holds on to it.
final class LiveState: @unchecked Sendable {
  let specification: LiveSpecification
  let question: Question
  let dependencies: Dependencies
  let watched: WatchedProperties
  let relations: WatchedRelations
  /// The number of the condition.
  let number: Int
  /// The commit up to which changes have been followed; that of the list is the last one that changed it.
  var commit: UInt64
  var result: ResultSet { didSet { onlyConversation = result.onlyConversation } }
  /// The conversation whose messages alone can be results; nil where there may be others.
  private(set) var onlyConversation: UInt32?
  /// What a window around a place lies around.
  var place: ListPlace?
  /// The conversations of the rows, where changes of theirs are watched.
  var conversations: Set<UInt32> = []
  /// The rows, those of parts as their messages.
  var places: Set<RowReference> = []
  /// True once a read has failed: nothing is followed until the query is loaded again.
  var hasFailed = false

  init(
    _ specification: LiveSpecification, _ question: Question, _ dependencies: Dependencies,
    _ watched: WatchedProperties, number: Int, commit: UInt64, result: ResultSet, place: ListPlace?
  ) {
    self.specification = specification
    self.question = question
    self.dependencies = dependencies
    self.watched = watched
    relations = WatchedRelations(watched, of: question.kind)
    self.number = number
    self.commit = commit
    self.result = result
    self.place = place
    onlyConversation = result.onlyConversation
  }
}
