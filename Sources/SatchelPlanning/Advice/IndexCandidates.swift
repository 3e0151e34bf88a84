package import SatchelModel
import SatchelQuery

/// The columns of indexes that an application could declare for a question.
package struct IndexCandidates {
  package typealias Column = (property: ObjectProperty, descending: Bool, isOfElements: Bool)

  /// Each is the columns of one index; the most useful ones first. Whether a property can be a column is not looked at.
  package private(set) var columns: [[Column]] = []

  package init(_ question: Question) {
    let tests = Conjuncts(question.condition, of: question.kind).tests.map(\.test).filter { !$0.isNegated }
    let fixed = tests.filter(\.isOfOneValue).map(\.property)
    let ranges = tests.filter { !$0.isOfOneValue && $0.isOfRanges }.map(\.property)
    let sort = question.isCount ? [] : question.sort
    let order = sort.filter { !fixed.contains($0.property) }
    // By the values first, and then in the order of the results; or to find few of them, in whatever order. An entry for each text of a list
    // is of use only where there are lists.
    for texts in [nil, tests.first { $0.property.type == .custom && $0.isOfOneText }?.property] {
      let first: [Column] = fixed.map { ($0, false, $0 == texts) }
      add(first + order.map { ($0.property, $0.descending, false) })
      for range in ranges { add(first + [(range, false, false)]) }
    }
  }

  private mutating func add(_ list: [Column]) {
    let isThere = columns.contains { other in
      other.elementsEqual(list) { $0.property == $1.property && $0.isOfElements == $1.isOfElements }
    }
    if !list.isEmpty, !isThere { columns.append(list) }
  }
}

extension Test {
  fileprivate var isOfOneValue: Bool {
    switch values {
    case .integers(let set, let missing): !missing && set.ranges.count == 1 && set.ranges[0].count == 1
    case .text(.ranges(let set), let missing): !missing && set.points?.count == 1
    case .text(.pattern, _), .participants, .metadata, .related: false
    }
  }

  /// Whether a list of metadata passes by one of its texts.
  fileprivate var isOfOneText: Bool {
    guard case .text(.ranges(let set), missing: false) = values else { return false }
    return isOfOneValue && set.meets(.texts)
  }

  fileprivate var isOfRanges: Bool {
    switch values {
    case .integers, .text(.ranges, _): true
    case .text(.pattern, _), .participants, .metadata, .related: false
    }
  }
}
