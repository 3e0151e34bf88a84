public import SatchelModel
public import SatchelQuery

/// Follows one object: as it is created, changed and deleted, or comes into and out of its user's sight.
///
/// Made by `MessageStore.observe(_:)`; the object need not exist yet.
public final class ObjectObserver<Object: Queryable & Identifiable & Equatable>: Sendable
where Object.ID == ObjectID<Object> {
  /// What happened to the object.
  public enum Change: Sendable {
    /// It came into being, or into sight.
    case created(Object)
    /// It changed.
    case updated(from: Object, to: Object)
    /// It was deleted, or went out of sight; this is what it was.
    case deleted(Object)
  }

  private let controller: QueryController<Object>

  package init(_ controller: QueryController<Object>) throws {
    self.controller = controller
    try controller.execute()
  }

  /// The object after the newest commit that has been taken in; nil where there is none.
  public var object: Object? { controller.list.first }

  /// Why the object is not followed any more; nil while it is.
  public var failure: SatchelError? { controller.failure }

  /// What happens to the object from now on; what happens while a loop is busy is one change.
  ///
  /// It ends when the store is closed or the task is cancelled; until then it keeps the observer alive.
  public var changes: Changes { Changes(base: controller.changes) }

  /// An asynchronous sequence of an object's changes.
  public struct Changes: AsyncSequence, Sendable {
    public typealias Element = Change
    public typealias Failure = Never

    let base: ChangeSequence<Object>

    /// A place in the changes.
    public struct Iterator: AsyncIteratorProtocol {
      var base: ChangeSequence<Object>.Iterator

      /// The next change.
      public mutating func next() async -> Change? { await next(isolation: nil) }

      /// The next change.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Change? {
        while let set = await base.next(isolation: actor) {
          switch (set.before.first, set.after.first) {
          case (nil, let new?): return .created(new)
          case (let old?, nil): return .deleted(old)
          case (let old?, let new?): return .updated(from: old, to: new)
          case (nil, nil): continue
          }
        }
        return nil
      }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }
  }
}
