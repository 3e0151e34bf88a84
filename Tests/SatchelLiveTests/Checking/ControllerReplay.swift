import Satchel
import SatchelLive

/// A list that is kept by nothing but the change sets that a controller delivers, section by section.
struct ControllerReplay<Object: StoredObject & Equatable> {
  private(set) var sections: [[Object.ID]]
  private(set) var sets = 0
  private(set) var mismatches: [String] = []

  init(_ list: ListSnapshot<Object>) { sections = Self.sections(of: list) }

  static func sections(of list: ListSnapshot<Object>) -> [[Object.ID]] {
    list.sections.map { section in list[section.indices].map(\.id) }
  }

  /// Applies a set as its documentation says.
  mutating func apply(_ set: ChangeSet<Object>) {
    sets += 1
    if set.isEmpty { mismatches.append("an empty set") }
    if Self.sections(of: set.before) != sections { mismatches.append("set \(sets) begins at another list") }
    let changes = set.changes
    // One that was deleted, and another one that has got its identifier, are two.
    let others = changes.filter { $0.type != .insert }
    let inserts = changes.filter { $0.type == .insert }
    if Set(others.map(\.object.id)).count != others.count
      || Set(inserts.map(\.object.id)).count != inserts.count
      || !Set(inserts.map(\.object.id)).isDisjoint(
        with: others.filter { $0.type != .delete }.map(\.object.id))
    {
      mismatches.append("an object is there twice")
    }
    var list = sections
    let gone = changes.filter { $0.type == .delete || $0.type == .move }.compactMap(\.indexPath)
    for path in gone.sorted(by: >) { list[path[0]].remove(at: path[1]) }
    for section in set.deletedSections.sorted(by: >) {
      if !list[section].isEmpty { mismatches.append("rows of a deleted section stay") }
      list.remove(at: section)
    }
    for section in set.insertedSections.sorted() { list.insert([], at: section) }
    let come = changes.filter { $0.type == .insert || $0.type == .move }
    for change in come.sorted(by: { ($0.newIndexPath ?? [0]) < ($1.newIndexPath ?? [0]) }) {
      guard let path = change.newIndexPath, path[0] < list.count, path[1] <= list[path[0]].count else {
        mismatches.append("a place that is not there: \(change)")
        continue
      }
      list[path[0]].insert(change.object.id, at: path[1])
    }
    for change in changes where change.type == .update {
      if set.before.object(at: change.indexPath ?? [0, 0])?.id != change.object.id {
        mismatches.append("an update of another object")
      }
    }
    sections = Self.sections(of: set.after)
    if list != sections { mismatches.append("set \(sets) gives \(list), not \(sections)") }
  }
}
