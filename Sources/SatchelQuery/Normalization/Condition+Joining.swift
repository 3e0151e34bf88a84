import SatchelModel

extension Condition {
  /// True where each one is: flat, without constants and duplicates, tests of one property merged.
  static func conjunction(_ conditions: [Condition]) -> Condition { joined(conditions, isConjunction: true) }

  /// True where any one is: flat, without constants and duplicates, tests of one property merged.
  static func disjunction(_ conditions: [Condition]) -> Condition { joined(conditions, isConjunction: false) }

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
  /// The most members that are compared with each other one by one, which for a few is quicker than a dictionary of them.
  private static let fewMembers = 6

  /// Whether some two of a few conditions may be one, or the same.
  private static func mayMerge(_ members: [Condition]) -> Bool {
    for place in members.indices.dropFirst() {
      for earlier in 0..<place {
        switch (members[earlier], members[place]) {
        case (.test(let left), .test(let right)): if left.property == right.property { return true }
        case (.test, _), (_, .test): continue
        default: return true
        }
      }
    }
    return false
  }
}

/// Merges the tests of one property in a list of conditions, at the place of the first of them.
///
/// The sets are collected first and joined once, as joining them one by one would take quadratic time.
private struct TestMerger {
  /// Tests that can be one: sets of the same kind, of the same property and sign.
  private struct Key: Hashable {
    let property: Property
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
    // "Some element in A and some in B" is not "some in A and B", whereas "none in A and none in B" is "none in A or B".
    if test.property.isToMany, isConjunction != test.isNegated { return nil }
    return switch test.values {
    case .integers: Key(property: test.property, isNegated: test.isNegated, isText: false)
    case .text(.ranges, _): Key(property: test.property, isNegated: test.isNegated, isText: true)
    case .text(.pattern, _), .participants, .metadata: nil
    }
  }

  /// The merged list; nil when one of its members decides for all of them.
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
    // For the complement "no element" the sets are united in a conjunction.
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
      case .text(.pattern, _), .participants, .metadata: break
      }
    }
    let values: ValueSet =
      key.isText
      ? .text(.ranges(isIntersection ? .intersection(texts) : .union(texts)), missing: isMissing)
      : .integers(isIntersection ? .intersection(integers) : .union(integers), missing: isMissing)
    return key.property.isToMany
      ? .test(key.property, values, isNegated: key.isNegated)
      : .test(key.property, values, complemented: false)
  }
}
