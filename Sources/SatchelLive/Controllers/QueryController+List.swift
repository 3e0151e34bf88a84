import SatchelModel
import SatchelQuery

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// What the controller shows. Nothing here waits for a read or a write, except `object(at:)` outside the window.
extension QueryController {
  /// The list that the controller shows: the list that the delegate has been told of; without a delegate, the newest
  /// list.
  public var list: ListSnapshot<Object> {
    let (shown, hasDelegate) = delivery.withLock { ($0.shown, $0.hasDelegate) }
    let list = hasDelegate ? shown : live.list
    return list.map { ListSnapshot($0) } ?? .empty
  }

  /// True once the controller has been executed: from then on, an empty list means that there are no rows.
  public var isExecuted: Bool { delivery.withLock { $0.shown } != nil }

  /// The number of results that the query has, in the window or not.
  public var totalNumberOfObjects: Int { list.totalNumberOfObjects }

  /// The number of results before the window.
  public var rowsBefore: Int { list.rowsBefore }

  /// The number of results after the window. ``rowsBefore``, ``count`` and this number together are all results.
  public var rowsAfter: Int { list.rowsAfter }

  /// The number of rows in the window.
  public var count: Int { list.count }

  /// The objects of the window.
  /// - Complexity: O(window).
  public var objects: [Object] { list.objects }

  /// The number of sections; 1 without a section key.
  public var numberOfSections: Int { list.numberOfSections }

  /// Returns how many rows a section has; 0 if there is no such section.
  public func numberOfObjects(inSection section: Int) -> Int { list.numberOfObjects(inSection: section) }

  /// Returns the object at an index path. In the window, the object comes from the list.
  ///
  /// Outside the window of a controller without sections, it is the object that the store has there now, or nil. It is
  /// also nil once the controller is closed.
  /// - Throws: ``SatchelError`` outside the window, if the store cannot be read.
  /// - Complexity: O(1) in the window, otherwise one read of the store.
  public func object(at indexPath: IndexPath) throws -> Object? {
    let list = self.list
    if let object = list.object(at: indexPath) { return object }
    return try list.rank(of: indexPath).flatMap { try live.value(atRank: $0) }
  }

  /// Returns the object at an index path, as the synchronous form does, without blocking the caller's actor.
  /// - Throws: As the synchronous form.
  /// - Complexity: As the synchronous form.
  public func object(
    at indexPath: IndexPath, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Object? {
    // On the caller's actor: the list that it sees.
    let list = self.list
    if let object = list.object(at: indexPath) { return object }
    guard let rank = list.rank(of: indexPath) else { return nil }
    return try await valueAside(atRank: rank)
  }

  @concurrent
  private func valueAside(atRank rank: Int) async throws -> Object? { try live.value(atRank: rank) }

  /// Returns the index path of an object; nil if the object is not in the window.
  /// - Complexity: O(window).
  public func indexPath(for id: Object.ID) -> IndexPath? { list.indexPath(for: id) }

  /// Returns the index paths of the given objects that are in the window.
  /// - Complexity: O(window).
  public func indexPaths(for ids: Set<Object.ID>) -> [Object.ID: IndexPath] {
    let list = self.list
    var paths: [Object.ID: IndexPath] = [:]
    for (index, object) in list.enumerated() where ids.contains(object.id) {
      paths[object.id] = list.indexPath(forObjectAt: index)
    }
    return paths
  }
}

extension ListSnapshot {
  /// Returns which of all results an index path without sections means, in the window or not; nil if none.
  fileprivate func rank(of indexPath: IndexPath) -> Int? {
    guard list.sectionType == nil, indexPath.count == 2, indexPath[0] == 0 else { return nil }
    let (rank, overflow) = rowsBefore.addingReportingOverflow(indexPath[1])
    return !overflow && rank >= 0 && rank < totalNumberOfObjects ? rank : nil
  }
}
