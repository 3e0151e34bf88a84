import SatchelModel
public import SatchelQuery

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// How a controller's list changed into another, by one commit or by several commits that were taken together.
///
/// Applied to `before`, the set always gives `after`: remove the rows of all deletes and moves, remove the deleted
/// sections, add the inserted sections, then insert the rows of the inserts and moves by ascending index path. No
/// object occurs in the set twice. An object that was deleted and created again with the same identifier counts as one
/// that stayed, moved or changed.
public struct ChangeSet<Object: Queryable & Equatable>: Sendable {
  /// The change of one object.
  public struct Change: Sendable {
    /// The kind of change.
    public let type: ChangeType
    /// The object as it is now; a deleted object as it was.
    public let object: Object
    /// The index path in the list before; nil for an insert.
    public let indexPath: IndexPath?
    /// The index path in the list after; nil for a delete and for an update.
    public let newIndexPath: IndexPath?
  }

  /// The list before.
  public let before: ListSnapshot<Object>
  /// The list after.
  public let after: ListSnapshot<Object>
  /// The changes of rows, by the rows' indices among all rows, whatever their sections.
  public let difference: ListDifference
  /// The indices of the sections of `before` that no longer exist, ascending.
  public let deletedSections: [Int]
  /// The indices of the sections of `after` that are new, ascending.
  public let insertedSections: [Int]

  /// The store's sequence after the last commit that the set contains.
  public var sequence: UInt64 { after.sequence }

  /// The number of results that the query has now, in the window or not.
  public var totalNumberOfObjects: Int { after.totalNumberOfObjects }

  /// True if nothing has changed: neither the rows and sections, nor the number of results in all or before the window.
  public var isEmpty: Bool {
    difference.isEmpty && before.totalNumberOfObjects == after.totalNumberOfObjects
      && before.rowsBefore == after.rowsBefore
      && deletedSections.isEmpty && insertedSections.isEmpty
  }

  /// The changes object by object: deletes, then inserts, moves and updates.
  /// - Complexity: O(k log s) for k changes and s sections.
  public var changes: [Change] {
    difference.deletes.map { change(.delete, before: $0, after: nil) }
      + difference.inserts.map { change(.insert, before: nil, after: $0) }
      + difference.moves.map { change(.move, before: $0.before, after: $0.after) }
      + difference.updates.map {
        Change(
          type: .update, object: after[$0.after], indexPath: before.indexPath(forObjectAt: $0.before),
          newIndexPath: nil)
      }
  }

  private func change(_ type: ChangeType, before index: Int?, after newIndex: Int?) -> Change {
    Change(
      type: type, object: newIndex.map { after[$0] } ?? before[index ?? 0],
      indexPath: index.map(before.indexPath(forObjectAt:)),
      newIndexPath: newIndex.map(after.indexPath(forObjectAt:)))
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
  /// The object moved relative to the other objects; it may also have changed otherwise.
  case move = 3
  /// The object changed and did not move.
  case update = 4
}

extension ChangeSet: CustomStringConvertible {
  /// How many rows and sections were deleted, inserted, moved and updated, and the list after it.
  public var description: String {
    let counts = [
      (difference.deletes.count, "deleted"), (difference.inserts.count, "inserted"),
      (difference.moves.count, "moved"), (difference.updates.count, "updated"),
      (deletedSections.count, "sections deleted"), (insertedSections.count, "sections inserted"),
    ]
    let shown = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return (shown.isEmpty ? "no rows changed" : shown.joined(separator: ", ")) + ": \(after)"
  }
}
