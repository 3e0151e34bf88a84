package import Satchel
import SatchelModel
import SatchelPlanning
package import SatchelQuery
import TestSupport

/// Declares indexes that queries could use, and drops them again, in the middle of a run.
package struct DeclaredIndexes {
  private var random: SeededGenerator
  private var declared: [String] = []
  private var number = 0
  /// How many were declared.
  package private(set) var count = 0

  /// The most at a time.
  private static let most = 8

  package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Once in some times, declares an index of what a query tests and sorts by. What cannot be one is refused, and then nothing changes.
  package mutating func come(after query: QueryDescription, to store: MessageStore, onceIn times: Int) throws
  {
    guard random.oneIn(times) else { return }
    if declared.count >= Self.most {
      let name = declared.remove(at: random.below(declared.count))
      try store.dropIndex(named: name)
    }
    guard let index = try index(for: query) else { return }
    do { try store.declare(index) } catch is SatchelError { return }
    declared.append(index.name)
    count += 1
  }

  private mutating func index(for query: QueryDescription) throws -> Index? {
    let normalizer = Normalizer(kind: query.kind, user: "nobody")
    guard let condition = try? normalizer.condition(for: query.predicate) else { return nil }
    let properties = condition.tested
    let tested = properties.map { SatchelQuery.SortKey($0.path, descending: random.oneIn(3)) }
    var columns: [IndexColumn] = []
    var hasElements = false
    for key in tested.prefix(random.below(3)) + query.sort
    where !columns.contains(where: { $0.path == key.path }) && columns.count < 4 {
      let elements = !hasElements && random.oneIn(4)
      hasElements = hasElements || elements
      columns.append(IndexColumn(key.path, descending: key.descending, isOfElements: elements))
    }
    number += 1
    if random.oneIn(4), let text = properties.first(where: { $0.type == .text || $0.type == .custom }) {
      columns = [IndexColumn(text.path, isOfWords: true)]
    }
    return Index(
      named: "index \(number)", kind: query.kind, recordType: query.recordType,
      where: random.oneIn(3) ? query.predicate : .true,
      columns: columns)
  }
}

extension Condition {
  /// The properties of the tests that must all pass.
  fileprivate var tested: [ObjectProperty] {
    switch self {
    case .test(let test): [test.property]
    case .all(let conditions): conditions.flatMap(\.tested)
    case .elements(let group): group.impliedTests.map(\.property)
    case .always, .never, .any, .pair: []
    }
  }
}
