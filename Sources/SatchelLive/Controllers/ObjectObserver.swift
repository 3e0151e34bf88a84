public import SatchelModel
public import SatchelQuery

/// Follows one object while it is created, changed and deleted, or becomes visible or invisible to its user.
///
/// Made by `MessageStore.observe(_:)`; the object need not exist yet.
public final class ObjectObserver<Object: Queryable & Equatable>: Sendable {
  /// What happened to the object.
  public enum Change: Sendable {
    /// The object was created, or became visible.
    case created(Object)
    /// The object changed.
    case updated(from: Object, to: Object)
    /// The object was deleted, or became invisible; the value is what it was.
    case deleted(Object)
  }

  private let controller: QueryController<Object>

  package init(_ controller: QueryController<Object>) throws {
    self.controller = controller
    try controller.execute()
  }

  /// The object after the newest commit that has been taken in; nil if there is none, or if it is not visible.
  public var object: Object? { controller.list.first }

  /// Why the object is no longer followed; nil while it is.
  public var failure: SatchelError? { controller.failure }

  /// The changes of the object from now on. All that happens while a loop is busy arrives as one change.
  ///
  /// The sequence ends when the store is closed or the task is cancelled; until then it keeps the observer alive.
  public var changes: Changes { Changes(base: controller.changes) }

  /// An asynchronous sequence of an object's changes.
  public struct Changes: AsyncSequence, Sendable {
    /// What a loop gets.
    public typealias Element = Change
    /// Never: the sequence ends instead.
    public typealias Failure = Never

    let base: ChangeSequence<Object>

    /// Gives the changes to one loop.
    public struct Iterator: AsyncIteratorProtocol {
      var base: ChangeSequence<Object>.Iterator

      /// Returns the next change; nil at the end.
      public mutating func next() async -> Change? { await next(isolation: nil) }

      /// Returns the next change; nil at the end.
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

    /// Returns an iterator of its own for each loop.
    public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }
  }
}
