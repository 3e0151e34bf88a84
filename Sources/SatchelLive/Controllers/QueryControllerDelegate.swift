public import SatchelModel
public import SatchelQuery

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Is told of the changes of a controller's list, on the main actor.
///
/// For each change set, the calls are `controllerWillChangeContent`, then the sections, then the objects (deletes,
/// inserts, moves, updates), then `controllerDidChangeContent`. During the first call the controller shows the list
/// before; from then on it shows the list after. All methods are optional.
///
/// A method may read the controller, execute it or change its window, write to the store, or release the controller;
/// the consequences arrive as later change sets. If commits come faster than the main actor takes them, several commits
/// arrive as one change set.
@MainActor
public protocol QueryControllerDelegate<Object>: AnyObject {
  /// The type of the objects in the list.
  associatedtype Object: Queryable & Equatable

  /// Called before the list changes; the controller still shows the old list.
  func controllerWillChangeContent(_ controller: QueryController<Object>)

  /// Called when a section was inserted or deleted. `section` is its index in the list after for an insert, and in the
  /// list before for a delete.
  func controller(
    _ controller: QueryController<Object>, didChangeSection section: Int, for type: ChangeType)

  /// Called when an object was inserted, deleted, moved or changed.
  /// - Parameters:
  ///   - object: The object as it is now; a deleted object as it was.
  ///   - indexPath: The index path in the list before; nil for an insert.
  ///   - newIndexPath: The index path in the list after; nil for a delete and for an update.
  func controller(
    _ controller: QueryController<Object>, didChange object: Object, at indexPath: IndexPath?,
    for type: ChangeType, newIndexPath: IndexPath?)

  /// Called after the list has changed, with all changes once more and the lists before and after.
  func controllerDidChangeContent(_ controller: QueryController<Object>, with changes: ChangeSet<Object>)

  /// Called when the list is no longer kept up to date, because the store was closed or is damaged. Execute the
  /// controller to try again.
  func controller(_ controller: QueryController<Object>, didFailWith error: SatchelError)
}

extension QueryControllerDelegate {
  /// Does nothing.
  public func controllerWillChangeContent(_ controller: QueryController<Object>) {}

  /// Does nothing.
  public func controller(
    _ controller: QueryController<Object>, didChangeSection section: Int, for type: ChangeType
  ) {}

  /// Does nothing.
  public func controller(
    _ controller: QueryController<Object>, didChange object: Object, at indexPath: IndexPath?,
    for type: ChangeType, newIndexPath: IndexPath?
  ) {}

  /// Does nothing.
  public func controllerDidChangeContent(
    _ controller: QueryController<Object>, with changes: ChangeSet<Object>
  ) {}

  /// Does nothing.
  public func controller(_ controller: QueryController<Object>, didFailWith error: SatchelError) {}
}
