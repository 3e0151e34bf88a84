import SatchelModel

extension Condition {
  /// Returns a condition that is true if all conditions are true. It is flat, has no constants or duplicates, and
  /// tests of the same property are merged.
  package static func conjunction(_ conditions: [Condition]) -> Condition {
    joined(conditions, isConjunction: true)
  }

  /// Returns a condition that is true if at least one condition is true. It is flat, has no constants or duplicates,
  /// and tests of the same property are merged.
  package static func disjunction(_ conditions: [Condition]) -> Condition {
    joined(conditions, isConjunction: false)
  }

  private static func joined(_ conditions: [Condition], isConjunction: Bool) -> Condition {
    var members: [Condition] = []
    members.reserveCapacity(conditions.count)
    for condition in conditions {
      switch (condition, isConjunction) {
      case (.always, true), (.never, false): continue
      case (.never, true), (.always, false): return condition
      case (.all(let inner), true), (.any(let inner), false): members += inner
      default: members.append(condition)
      }
    }
    if members.count <= fewMembers, !mayMerge(members) {
      switch members.count {
      case 0: return isConjunction ? .always : .never
      case 1: return members[0]
      default: return isConjunction ? .all(members) : .any(members)
      }
    }
    var merger = TestMerger(isConjunction: isConjunction)
    for member in members { merger.add(member) }
    guard let merged = merger.finish() else { return isConjunction ? .never : .always }
    switch merged.count {
    case 0: return isConjunction ? .always : .never
    case 1: return merged[0]
    default: return isConjunction ? .all(merged) : .any(merged)
    }
  }
}

extension Condition {
  /// The greatest number of members that are compared with each other one by one: for a few, this is faster than a
  /// dictionary.
  private static let fewMembers = 6

  /// Whether two of a few conditions may be equal, or may be merged into one.
  private static func mayMerge(_ members: [Condition]) -> Bool {
    for later in members.indices.dropFirst() {
      for earlier in 0..<later {
        switch (members[earlier], members[later]) {
        case (.test(let left), .test(let right)): if left.property == right.property { return true }
        case (.test, _), (_, .test): continue
        default: return true
        }
      }
    }
    return false
  }
}

/// Merges the tests of each property in a list of conditions. The merged test takes the list index of the first of
/// them.
///
/// The sets are collected first and joined at once, because joining them one by one would take quadratic time.
private struct TestMerger {
  /// Identifies tests that can be merged: the same property, the same negation, and the same kind of set.
  private struct Key: Hashable {
    let property: ObjectProperty
    let isNegated: Bool
    let isText: Bool
  }

  private enum Slot {
    case condition(Condition)
    case merged(Key)
  }

  let isConjunction: Bool
  private var slots: [Slot] = []
  private var sets: [Key: [ValueSet]] = [:]
  private var seen: Set<Condition> = []

  init(isConjunction: Bool) { self.isConjunction = isConjunction }

  mutating func add(_ condition: Condition) {
    guard case .test(let test) = condition, let key = key(of: test) else {
      if seen.insert(condition).inserted { slots.append(.condition(condition)) }
      return
    }
    if sets[key] == nil { slots.append(.merged(key)) }
    sets[key, default: []].append(test.values)
  }

  private func key(of test: Test) -> Key? {
    // "Some element is in A and some element is in B" does not mean "some element is in A and B", whereas "no element
    // is in A and no element is in B" does mean "no element is in A or B".
    let hasSeveral = test.property.isToMany || test.property.type == .custom && test.values.dividesLists
    if hasSeveral, isConjunction != test.isNegated { return nil }
    return switch test.values {
    case .integers: Key(property: test.property, isNegated: test.isNegated, isText: false)
    case .text(.ranges, _): Key(property: test.property, isNegated: test.isNegated, isText: true)
    case .text(.pattern, _), .participants, .metadata, .related: nil
    }
  }

  /// Returns the merged list; nil if one member decides the whole list.
  func finish() -> [Condition]? {
    var result: [Condition] = []
    result.reserveCapacity(slots.count)
    for slot in slots {
      switch slot {
      case .condition(let condition): result.append(condition)
      case .merged(let key):
        switch merge(key) {
        case .always: if !isConjunction { return nil }
        case .never: if isConjunction { return nil }
        case let condition: result.append(condition)
        }
      }
    }
    return result
  }

  private func merge(_ key: Key) -> Condition {
    var integers: [IntegerSet] = []
    var texts: [ByteRanges] = []
    // For the negation "no element", a conjunction takes the union of the sets.
    let isIntersection = isConjunction && !key.isNegated
    var isMissing = isIntersection
    for set in sets[key] ?? [] {
      switch set {
      case .integers(let set, let missing):
        integers.append(set)
        isMissing = isIntersection ? isMissing && missing : isMissing || missing
      case .text(.ranges(let ranges), let missing):
        texts.append(ranges)
        isMissing = isIntersection ? isMissing && missing : isMissing || missing
      case .text(.pattern, _), .participants, .metadata, .related: break
      }
    }
    let values: ValueSet =
      key.isText
      ? .text(.ranges(isIntersection ? .intersection(texts) : .union(texts)), missing: isMissing)
      : .integers(isIntersection ? .intersection(integers) : .union(integers), missing: isMissing)
    return key.property.isToMany || key.isNegated
      ? .test(key.property, values, isNegated: key.isNegated)
      : .test(key.property, values, complemented: false)
  }
}
