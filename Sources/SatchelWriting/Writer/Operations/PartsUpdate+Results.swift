internal import SatchelModel

extension PartsUpdate {
  /// Returns the parts after the edit of a message that has `count` parts, after checking all that does not depend on the store.
  /// - Throws: ``SatchelError`` `invalidValue`.
  func results(of count: Int) throws -> [Result] {
    let base: [Result] = all.map { $0.map { .new($0) } } ?? (0..<count).map { .kept($0) }
    try Writer.check(parts: (Array(replaced.keys) + removed).sorted(), below: base.count)
    if let index = removed.intersection(replaced.keys).min() {
      throw SatchelError(
        .invalidValue, "A part is either replaced or removed", ["property": "parts", "part": String(index)])
    }
    var results: [Result] = []
    for (index, part) in base.enumerated() where !removed.contains(index) {
      results.append(replaced[index].map { .new($0) } ?? part)
    }
    results += appended.map { .new($0) }
    try Writer.check(
      parts: results.enumerated().compactMap { index, part in
        if case .new(let draft) = part { (index, draft) } else { nil }
      }, of: results.count)
    return results
  }
}
