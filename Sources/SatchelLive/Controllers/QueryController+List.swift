import SatchelModel
import SatchelQuery

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// What the controller shows. None of this waits for a read or a write, but for `object(at:)` outside the window.
extension QueryController {
  /// The list that the controller shows: what the delegate has been told of, without one the newest.
  public var list: ListSnapshot<Object> {
    let (shown, hasDelegate) = delivery.withLock { ($0.shown, $0.hasDelegate) }
    let list = hasDelegate ? shown : live.list
    return list.map { ListSnapshot($0) } ?? .empty
  }

  /// True once the controller has been executed: an empty list is then an answer.
  public var isExecuted: Bool { delivery.withLock { $0.shown } != nil }

  /// How many results the query has, in the window or not.
  public var totalNumberOfObjects: Int { list.totalNumberOfObjects }

  /// How many results come before the window.
  public var rowsBefore: Int { list.rowsBefore }

  /// How many results come behind the window: with ``rowsBefore`` and ``count``, all results.
  public var rowsAfter: Int { list.rowsAfter }

  /// How many rows the window has.
  public var count: Int { list.count }

  /// The objects of the window.
  public var objects: [Object] { list.objects }

  /// 1 without a section key.
  public var numberOfSections: Int { list.numberOfSections }

  /// How many rows a section has; 0 for one that does not exist.
  public func numberOfObjects(inSection section: Int) -> Int { list.numberOfObjects(inSection: section) }

  /// The object at an index path of the window, read from the list.
  ///
  /// Behind the window of a controller without sections, what the store has there now, or nil; nil also once the
  /// controller is closed.
  /// - Throws: ``SatchelError`` behind the window, when the store cannot be read.
  /// - Complexity: O(1) in the window, otherwise one read of the store.
  public func object(at indexPath: IndexPath) throws -> Object? {
    let list = self.list
    if let object = list.object(at: indexPath) { return object }
    guard list.list.sectionType == nil, indexPath.count == 2, indexPath[0] == 0 else { return nil }
    let (place, overflow) = list.rowsBefore.addingReportingOverflow(indexPath[1])
    guard !overflow, place >= 0, place < list.totalNumberOfObjects else { return nil }
    return try live.value(atPlace: place)
  }

  /// The index path of an object; nil where it is not in the window.
  /// - Complexity: O(window).
  public func indexPath(for id: Object.ID) -> IndexPath? { list.indexPath(for: id) }

  /// The index paths of those objects that are in the window.
  /// - Complexity: O(window).
  public func indexPaths(for ids: Set<Object.ID>) -> [Object.ID: IndexPath] {
    let list = self.list
    var paths: [Object.ID: IndexPath] = [:]
    for (place, object) in list.enumerated() where ids.contains(object.id) {
      paths[object.id] = list.indexPath(ofPlace: place)
    }
    return paths
  }
}
