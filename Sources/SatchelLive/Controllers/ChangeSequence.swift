public import SatchelModel
public import SatchelQuery

/// The change sets of a controller, from the list that it showed when the sequence was made.
///
/// Each loop over it has its own place. Nothing is queued: a loop that takes its time gets what has happened meanwhile as
/// one set. It ends when the controller is closed or fails (see `QueryController.failure`), or the task is cancelled.
public struct ChangeSequence<Object: Queryable & Identifiable & Equatable>: AsyncSequence, Sendable
where Object.ID == ObjectID<Object> {
  /// A change set.
  public typealias Element = ChangeSet<Object>
  /// Sequences end, they do not throw.
  public typealias Failure = Never

  let controller: QueryController<Object>
  /// The list that the first change set starts from.
  public let list: ListSnapshot<Object>

  /// A place in the changes.
  public struct Iterator: AsyncIteratorProtocol {
    let controller: QueryController<Object>
    var list: ListSnapshot<Object>

    /// The next change set that is not empty.
    public mutating func next() async -> ChangeSet<Object>? { await next(isolation: nil) }

    /// The next change set that is not empty.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> ChangeSet<Object>? {
      while !Task.isCancelled {
        let version = controller.waiters.version
        if let new = controller.live.list {
          let set = ChangeSet(from: list, to: ListSnapshot(new))
          list = ListSnapshot(new)
          if !set.isEmpty { return set }
        }
        if controller.waiters.isOver || controller.failure != nil { return nil }
        await controller.waiters.wait(after: version)
      }
      return nil
    }
  }

  public func makeAsyncIterator() -> Iterator { Iterator(controller: controller, list: list) }
}

extension QueryController {
  /// The changes from now on, for `for await`. Before the first `execute` the list is empty: the first set then fills it.
  ///
  /// The loop keeps the controller alive; cancel its task, or close the controller, to end it.
  public var changes: ChangeSequence<Object> { ChangeSequence(controller: self, list: list) }

  /// Calls `body` on an actor with each change set from now on, one at a time; those that come meanwhile are one set.
  /// - Returns: What ends the observation when it is cancelled or no longer referenced; until then it keeps the
  ///   controller alive.
  public func observe<Observer: Actor>(
    on actor: Observer, _ body: @escaping @Sendable (isolated Observer, ChangeSet<Object>) -> Void
  ) -> ChangeObservation {
    let changes = changes
    return ChangeObservation(
      Task { for await set in changes { await body(actor, set) } })
  }
}

/// A running observation; it ends when this is no longer referenced.
public final class ChangeObservation: Sendable {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) { self.task = task }

  deinit { task.cancel() }

  /// Ends it. A call of the body that has begun still runs.
  public func cancel() { task.cancel() }
}
