import SatchelModel
public import SatchelQuery

/// The change sets of a controller, starting from the list that it showed when the sequence was made.
///
/// Each loop over the sequence follows the changes on its own. Nothing is queued: a slow loop gets everything that has
/// happened meanwhile as one set. The sequence ends when the controller is closed or fails (see
/// `QueryController.failure`), or when the task is cancelled.
public struct ChangeSequence<Object: Queryable & Equatable>: AsyncSequence, Sendable {
  /// A change set.
  public typealias Element = ChangeSet<Object>
  /// The sequence ends and does not throw.
  public typealias Failure = Never

  let controller: QueryController<Object>
  /// The list that the first change set starts from.
  public let list: ListSnapshot<Object>

  /// Gives the change sets to one loop; it keeps the list that the loop has been told of.
  public struct Iterator: AsyncIteratorProtocol {
    let controller: QueryController<Object>
    var list: ListSnapshot<Object>

    /// Returns the next change set that is not empty; nil at the end.
    public mutating func next() async -> ChangeSet<Object>? { await next(isolation: nil) }

    /// Returns the next change set that is not empty; nil at the end.
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

  /// Returns an iterator of its own for each loop.
  public func makeAsyncIterator() -> Iterator { Iterator(controller: controller, list: list) }
}

extension QueryController {
  /// The changes from now on, for `for await`. Before the first `execute` the list is empty, so that the first set
  /// fills it.
  ///
  /// The loop keeps the controller alive; cancel its task, or close the controller, to end it.
  public var changes: ChangeSequence<Object> { ChangeSequence(controller: self, list: list) }

  /// Calls `body` on an actor with each change set from now on, one at a time. Changes that happen during a call arrive
  /// together as one set.
  /// - Returns: The running observation. It ends when it is cancelled or no longer referenced; until then it keeps the
  ///   controller alive.
  public func observe<Observer: Actor>(
    on actor: Observer, _ body: @escaping @Sendable (isolated Observer, ChangeSet<Object>) -> Void
  ) -> ChangeObservation {
    let changes = changes
    return ChangeObservation(
      Task { for await set in changes { await body(actor, set) } })
  }
}

/// A running observation. It ends when this object is no longer referenced.
public final class ChangeObservation: Sendable {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) { self.task = task }

  deinit { task.cancel() }

  /// Ends the observation. A call of its body that has begun still runs to its end.
  public func cancel() { task.cancel() }
}
