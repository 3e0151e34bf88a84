import SatchelExecution
public import SatchelModel
public import SatchelQuery

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The rows that a controller shows after one commit, with their objects. It is a value: it never changes and reads
/// nothing.
///
/// As a collection, it consists of the objects of all sections, in order.
public struct ListSnapshot<Object: Queryable & Equatable>: Sendable {
  let list: LiveList<Object>

  init(_ list: LiveList<Object>) { self.list = list }

  /// The list before the first answer.
  static var empty: ListSnapshot { ListSnapshot(LiveList(commit: 0, total: 0, rows: [], start: 0)) }

  /// The store's sequence after the commit that the list shows.
  public var sequence: UInt64 { list.commit }

  /// The number of results that the query has, in the window or not.
  public var totalNumberOfObjects: Int { list.total }

  /// The number of results before the first row of the window; if the window has no rows, before the point where it
  /// lies.
  public var rowsBefore: Int { list.start }

  /// The number of results after the last row of the window. ``rowsBefore``, the rows and this number together are all
  /// results.
  public var rowsAfter: Int { list.total - list.start - list.rows.count }

  /// True if and only if there are results before the first row of the window.
  public var hasMoreBefore: Bool { rowsBefore > 0 }

  /// True if and only if there are results after the last row of the window.
  public var hasMoreAfter: Bool { rowsAfter > 0 }

  /// The objects of the window.
  /// - Complexity: O(n) for n rows.
  public var objects: [Object] { list.rows.map(\.value) }

  // MARK: Sections

  /// The sections: ranges of rows with equal values of the section key. Without a section key there is one section,
  /// even if there are no rows.
  /// - Complexity: O(s) for s sections.
  public var sections: [ListSection] {
    list.sections.indices.compactMap { index in
      guard let indices = list.indices(ofSection: index) else { return nil }
      return ListSection(value: sectionValue(index), indices: indices)
    }
  }

  /// The number of sections; 1 without a section key.
  public var numberOfSections: Int { list.sections.count }

  /// Returns how many rows a section has; 0 if there is no such section.
  public func numberOfObjects(inSection section: Int) -> Int { list.indices(ofSection: section)?.count ?? 0 }

  /// Returns the object at an index path of two numbers, section and row; nil if there is none.
  /// - Complexity: O(1).
  public func object(at indexPath: IndexPath) -> Object? {
    index(of: indexPath).map { list.rows[$0].value }
  }

  /// Returns the index path of an object; nil if the object is not in the window.
  /// - Complexity: O(n) for n rows.
  public func indexPath(for id: Object.ID) -> IndexPath? {
    list.rows.firstIndex { $0.value.id == id }.map(indexPath(forObjectAt:))
  }

  /// Returns the index path of a row, given by its index among all rows.
  /// - Complexity: O(log s) for s sections.
  public func indexPath(forObjectAt index: Int) -> IndexPath {
    let (section, row) = list.sectionAndRow(at: index)
    return IndexPath(indexes: [section, row])
  }

  /// Returns the index among all rows of the row at an index path; nil if there is no such row.
  func index(of indexPath: IndexPath) -> Int? {
    guard indexPath.count == 2, let indices = list.indices(ofSection: indexPath[0]), indexPath[1] >= 0,
      indexPath[1] < indices.count
    else { return nil }
    return indices.lowerBound + indexPath[1]
  }

  private func sectionValue(_ section: Int) -> ListSection.Value {
    guard let type = list.sectionType, list.rows.indices.contains(list.sections[section]) else {
      return .missing
    }
    switch list.rows[list.sections[section]].section {
    case .missing, .list, .unsent: return .missing
    case .bytes(let bytes): return .text(String(decoding: bytes, as: UTF8.self))
    case .reference(let bytes):
      return unsafe bytes.withUnsafeBytes { unsafe Reference(keyBytes: $0) }.map { .reference($0) }
        ?? .missing
    case .scalar(let key):
      return switch key.value {
      case .boolean(let value)?: .boolean(value)
      case .integer(let value)?: .number(value)
      case .number(let bits)?: .double(Double(bitPattern: bits))
      case .date(let microseconds)?: .date(Timestamp(microseconds: microseconds))
      case nil: .missing
      }
    case .integer(let number):
      return switch type {
      case .date: .date(Timestamp(microseconds: number))
      case .boolean: .boolean(number != 0)
      case .enumeration(let enumeration): enumeration.name(of: number).map { .text($0) } ?? .number(number)
      default: .number(number)
      }
    }
  }
}

extension ListSnapshot: RandomAccessCollection {
  /// The first row: 0.
  public var startIndex: Int { 0 }
  /// The number of rows.
  public var endIndex: Int { list.rows.count }
  /// The object of a row.
  public subscript(position: Int) -> Object { list.rows[position].value }
}

/// A range of rows that have the same value of the section key.
public struct ListSection: Sendable, Hashable {
  /// A value of a section key.
  public enum Value: Sendable, Hashable {
    /// There is no section key, or the objects have no value for it.
    case missing
    case text(String)
    case number(Int64)
    /// A number of metadata that is not whole, or lies outside of Int64.
    case double(Double)
    case date(Timestamp)
    case boolean(Bool)
    /// A reference in a field of a record.
    case reference(Reference)
  }

  /// The value of the section key that the objects have in common.
  public let value: Value
  /// The range of their indices among all rows.
  public let indices: Range<Int>
}

extension ListSnapshot: CustomStringConvertible {
  /// Which rows of how many results the list has, and after which commit: `rows 5..<15 of 40 after commit 12`.
  public var description: String {
    "rows \(rowsBefore)..<\(rowsBefore + count) of \(totalNumberOfObjects) after commit \(sequence)"
      + (numberOfSections == 1 ? "" : " in \(numberOfSections) sections")
  }
}
