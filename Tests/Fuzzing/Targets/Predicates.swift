import SatchelModel
import SatchelQuery

extension FuzzTarget {
  /// A text that may be of the predicate language: what is read is printed as a text that is read as the same predicate,
  /// and asked of every kind of object.
  static let predicate = FuzzTarget("predicate", maximumBytes: 512) { bytes in
    guard let text = String(validating: bytes, as: UTF8.self),
      let predicate = try? QueryPredicate(format: text, arguments: [])
    else { return false }
    try expectPrints(predicate)
    for kind in ObjectKind.allCases {
      let normalizer = Normalizer(QueriedType(kind, keepsOwnStates: true), user: "alice")
      guard let condition = try? normalizer.condition(for: predicate) else { continue }
      // What can be asked can be denied, and denied again it is the same.
      guard (try? normalizer.condition(for: !predicate)) != nil else {
        throw Violation("the opposite of \(predicate) cannot be asked of \(kind)")
      }
      try expect(
        (try? normalizer.condition(for: !(!predicate))) == condition, "twice denied it is another one")
    }
    return true
  }

  /// A text that may be sort keys.
  static let sortKeys = FuzzTarget("sortKeys", maximumBytes: 128) { bytes in
    guard let text = String(validating: bytes, as: UTF8.self), let keys = try? SortKey.keys(text) else {
      return false
    }
    let printed = keys.map(\.description).joined(separator: ",")
    try expect((try? SortKey.keys(printed)) == keys, "the keys are printed as \(printed)")
    for kind in ObjectKind.allCases {
      _ = try? Normalizer(QueriedType(kind, keepsOwnStates: true), user: "alice").sort(for: keys)
    }
    return true
  }

  static func expectPrints(_ predicate: QueryPredicate) throws {
    let printed = predicate.description
    let again = try? QueryPredicate(format: printed, arguments: [])
    try expect(again == predicate, "a predicate is printed as another one: \(printed)")
  }
}
