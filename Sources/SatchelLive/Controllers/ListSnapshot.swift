import SatchelExecution
public import SatchelModel
public import SatchelQuery

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The rows that a controller shows after one commit, with their objects: a value that stays as it is and reads nothing.
///
/// As a collection it is the objects of all sections, in order.
public struct ListSnapshot<Object: Queryable & Identifiable & Equatable>: Sendable
where Object.ID == ObjectID<Object> {
  let list: LiveList<Object>

  init(_ list: LiveList<Object>) { self.list = list }

  /// The list before the first answer.
  static var empty: ListSnapshot { ListSnapshot(LiveList(commit: 0, total: 0, rows: [], start: 0)) }

  /// The store's sequence after the commit that the list shows.
  public var sequence: UInt64 { list.commit }

  /// How many results the query has, in the window or not.
  public var totalNumberOfObjects: Int { list.total }

  /// How many results come before the first row of the window; of a window of no rows, before its place.
  public var rowsBefore: Int { list.start }

  /// How many results come behind the last row of the window: with ``rowsBefore`` and the rows, all results.
  public var rowsAfter: Int { list.total - list.start - list.rows.count }

  /// The objects.
  public var objects: [Object] { list.rows.map(\.value) }

  // MARK: Sections

  /// The stretches of rows with equal values of the section key; one without a key, also when it is empty.
  public var sections: [ListSection] {
    list.sections.indices.compactMap { index in
      guard let places = list.places(ofSection: index) else { return nil }
      return ListSection(value: sectionValue(index), places: places)
    }
  }

  /// How many sections there are.
  public var numberOfSections: Int { list.sections.count }

  /// How many rows a section has; 0 for one that does not exist.
  public func numberOfObjects(inSection section: Int) -> Int { list.places(ofSection: section)?.count ?? 0 }

  /// The object at an index path of two numbers, section and row; nil where there is none.
  /// - Complexity: O(1).
  public func object(at indexPath: IndexPath) -> Object? {
    place(of: indexPath).map { list.rows[$0].value }
  }

  /// The index path of an object; nil where it is not in the window.
  /// - Complexity: O(rows).
  public func indexPath(for id: Object.ID) -> IndexPath? {
    list.rows.firstIndex { $0.value.id == id }.map(indexPath(ofPlace:))
  }

  /// The index path of a row by its place among all rows.
  public func indexPath(ofPlace place: Int) -> IndexPath {
    let (section, row) = list.position(of: place)
    return IndexPath(indexes: [section, row])
  }

  /// The place among all rows of an index path; nil where there is no such row.
  func place(of indexPath: IndexPath) -> Int? {
    guard indexPath.count == 2, let places = list.places(ofSection: indexPath[0]), indexPath[1] >= 0,
      indexPath[1] < places.count
    else { return nil }
    return places.lowerBound + indexPath[1]
  }

  private func sectionValue(_ section: Int) -> ListSection.Value {
    guard let type = list.sectionType, list.rows.indices.contains(list.sections[section]) else {
      return .missing
    }
    switch list.rows[list.sections[section]].section {
    case .missing, .unsent: return .missing
    case .bytes(let bytes): return .text(String(decoding: bytes, as: UTF8.self))
    case .integer(let number):
      return switch type {
      case .date: .date(Timestamp(microseconds: number))
      case .boolean: .boolean(number != 0)
      default: .number(number)
      }
    }
  }
}

extension ListSnapshot: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { list.rows.count }
  public subscript(position: Int) -> Object { list.rows[position].value }
}

/// A stretch of rows whose section key has one value.
public struct ListSection: Sendable, Hashable {
  /// A value of a section key.
  public enum Value: Sendable, Hashable {
    /// There is no section key, or the objects have no value for it.
    case missing
    case text(String)
    case number(Int64)
    case date(Timestamp)
    case boolean(Bool)
  }

  /// What the objects have in common.
  public let value: Value
  /// Their places among all rows.
  public let places: Range<Int>
}
