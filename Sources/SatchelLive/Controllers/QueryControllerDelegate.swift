public import SatchelModel
public import SatchelQuery

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Hears of the changes of a controller's list, on the main actor.
///
/// For each change set come `controllerWillChangeContent`, the sections, the objects (deletes, inserts, moves,
/// updates), `controllerDidChangeContent`. In the first the controller shows the list before, from then on the list
/// after. All methods are optional.
///
/// A method may ask the controller anything, execute it or change its window, write to the store, or let go of the
/// controller: what follows from that comes as later change sets. Commits that come faster than the main actor takes
/// them are taken together.
@MainActor
public protocol QueryControllerDelegate<Object>: AnyObject {
  /// What the controller lists.
  associatedtype Object: Queryable & Identifiable & Equatable where Object.ID == ObjectID<Object>

  /// The list is about to change; it still shows what it showed.
  func controllerWillChangeContent(_ controller: QueryController<Object>)

  /// A section came or went (an insert, its number in the list after; a delete, its number in the list before).
  func controller(
    _ controller: QueryController<Object>, didChangeSection section: Int, for type: ChangeType)

  /// An object came, went, moved or changed.
  /// - Parameters:
  ///   - object: As it is now; a deleted one as it was.
  ///   - indexPath: Where it was before; nil for an inserted one.
  ///   - newIndexPath: Where it is; nil for a deleted and an updated one.
  func controller(
    _ controller: QueryController<Object>, didChange object: Object, at indexPath: IndexPath?,
    for type: ChangeType, newIndexPath: IndexPath?)

  /// The list has changed: all of it once more, with the lists before and after.
  func controllerDidChangeContent(_ controller: QueryController<Object>, with changes: ChangeSet<Object>)

  /// The list is not kept up to date any more: the store was closed or is damaged. Execute the controller to try again.
  func controller(_ controller: QueryController<Object>, didFailWith error: SatchelError)
}

extension QueryControllerDelegate {
  public func controllerWillChangeContent(_ controller: QueryController<Object>) {}

  public func controller(
    _ controller: QueryController<Object>, didChangeSection section: Int, for type: ChangeType
  ) {}

  public func controller(
    _ controller: QueryController<Object>, didChange object: Object, at indexPath: IndexPath?,
    for type: ChangeType, newIndexPath: IndexPath?
  ) {}

  public func controllerDidChangeContent(
    _ controller: QueryController<Object>, with changes: ChangeSet<Object>
  ) {}

  public func controller(_ controller: QueryController<Object>, didFailWith error: SatchelError) {}
}
