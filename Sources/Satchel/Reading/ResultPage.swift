/// Some results of a query, and where they lie among all its results.
public struct ResultPage<Object: Sendable>: Sendable {
  /// The results within the query's limit, offset and anchor.
  public let objects: [Object]
  /// The number of results without the query's limit, offset and anchor.
  public let totalCount: Int
  /// The number of results before the first of ``objects``; if there are none, before the point where they would be.
  public let rowsBefore: Int

  /// The number of results after the last of ``objects``. ``rowsBefore``, the objects and this number together are
  /// ``totalCount``.
  public var rowsAfter: Int { totalCount - rowsBefore - objects.count }
  /// True if and only if there are results before the page.
  public var hasMoreBefore: Bool { rowsBefore > 0 }
  /// True if and only if there are results after the page.
  public var hasMoreAfter: Bool { rowsAfter > 0 }
}

extension StoreSnapshot {
  /// Returns the results of a query, and where they lie among all its results: how many come before and after them.
  ///
  /// ``fetch(_:)`` is the same without the numbers, for programs that do not need them.
  /// - Complexity: As ``fetch(_:)``, and what the numbers cost: O(log n) if the results are runs of one index and, with
  ///   an anchor, each run has the query's order; otherwise the objects that may meet the condition are tested one by
  ///   one. ``Explanation/placing`` says which. Without an anchor, the numbers are those of `totalCount(_:)`.
  /// - Throws: As ``fetch(_:)``.
  public func page<Object: StoredObject>(_ query: Query<Object>) throws -> ResultPage<Object> {
    let objects = try fetch(query)
    let place = try perform { try executor.place(of: executor.question(query.untyped), given: objects.count) }
    return ResultPage(objects: objects, totalCount: place.total, rowsBefore: place.before)
  }
}
