public import SatchelModel
public import SatchelQuery

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// How a controller's list became another, by one commit or by several that were taken together.
///
/// Applied to `before` it gives `after`, always: take the rows of all deletes and moves out of the list, take out the
/// deleted sections and put in the inserted ones, then put inserts and moves in by ascending index path. No object is in
/// it twice; one that was deleted and made again under its identifier has stayed, moved or changed.
public struct ChangeSet<Object: Queryable & Identifiable & Equatable>: Sendable
where Object.ID == ObjectID<Object> {
  /// What happened to one object.
  public struct Change: Sendable {
    /// The kind of change.
    public let type: ChangeType
    /// The object: as it is now, a deleted one as it was.
    public let object: Object
    /// Where it was, in the list before; nil for an inserted one.
    public let indexPath: IndexPath?
    /// Where it is, in the list after; nil for a deleted one and for one that was only updated.
    public let newIndexPath: IndexPath?
  }

  /// The list before.
  public let before: ListSnapshot<Object>
  /// The list after.
  public let after: ListSnapshot<Object>
  /// The changes of rows as places among all rows, whatever their sections.
  public let difference: ListDifference
  /// The sections of `before` that are gone; ascending.
  public let deletedSections: [Int]
  /// The sections of `after` that are new; ascending.
  public let insertedSections: [Int]

  /// The store's sequence after the last commit that is in it.
  public var sequence: UInt64 { after.sequence }

  /// How many results the query has now, in the window or not.
  public var totalNumberOfObjects: Int { after.totalNumberOfObjects }

  /// True when nothing has changed: neither rows, nor how many there are in all or before the window.
  public var isEmpty: Bool {
    difference.isEmpty && before.totalNumberOfObjects == after.totalNumberOfObjects
      && before.rowsBefore == after.rowsBefore
      && deletedSections.isEmpty && insertedSections.isEmpty
  }

  /// The changes object by object: deletes, inserts, moves, updates.
  public var changes: [Change] {
    difference.deletes.map { change(.delete, before: $0, after: nil) }
      + difference.inserts.map { change(.insert, before: nil, after: $0) }
      + difference.moves.map { change(.move, before: $0.before, after: $0.after) }
      + difference.updates.map {
        Change(
          type: .update, object: after[$0.after], indexPath: before.indexPath(ofPlace: $0.before),
          newIndexPath: nil)
      }
  }

  private func change(_ type: ChangeType, before place: Int?, after newPlace: Int?) -> Change {
    Change(
      type: type, object: newPlace.map { after[$0] } ?? before[place ?? 0],
      indexPath: place.map(before.indexPath(ofPlace:)), newIndexPath: newPlace.map(after.indexPath(ofPlace:)))
  }

  init(from before: ListSnapshot<Object>, to after: ListSnapshot<Object>) {
    self.before = before
    self.after = after
    difference = after.list.difference(
      from: before.list, identifier: { $0.id },
      isUpdate: LiveQuery<Object>.isUpdate(comparingValues: after.list.comparesValues))
    let old = before.list.sectionValues
    let new = after.list.sectionValues
    let kept = after.list.sectionsKept(from: before.list)
    deletedSections = old == new ? [] : old.indices.filter { !kept.contains(old[$0]) }
    insertedSections = old == new ? [] : new.indices.filter { !kept.contains(new[$0]) }
  }
}

/// The kind of a change of a row.
public enum ChangeType: Int, Sendable, Hashable, CaseIterable {
  /// The object came into the window.
  case insert = 1
  /// The object left the window.
  case delete = 2
  /// The object changed its order among the others; it may have changed otherwise, too.
  case move = 3
  /// The object changed where it was.
  case update = 4
}
