import SatchelCoding
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading

/// One part while it is tested, with the text that has been read of it.
struct PartContext {
  let part: PartView
  let index: Int
  let message: MessageView
  private var canonicalText: PropertyValue?

  init(_ part: PartView, at index: Int, of message: MessageView) {
    self.part = part
    self.index = index
    self.message = message
  }

  /// Returns the part's text in NFC, which is read once; it is missing if the part holds something else.
  mutating func text(_ snapshot: Snapshot) throws -> PropertyValue {
    if let canonicalText { return canonicalText }
    let text = try PartText.value(of: part, at: index, in: message, snapshot).canonical
    canonicalText = text
    return text
  }
}

/// Makes checks of a message's part, by its own properties.
struct PartTests {
  /// Tells whether a part of a message meets a condition.
  typealias Check = (inout PartContext) throws -> Bool

  private let snapshot: Snapshot

  init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  /// Returns the check of a condition of a part, whose tests are of the part's own properties.
  func check(_ condition: Condition) -> Check {
    switch condition {
    case .always: return { _ in true }
    // The conditions of an element have no elements in them, and compare no two properties.
    case .never, .elements, .pair: return { _ in false }
    case .test(let test): return check(test)
    case .all(let conditions):
      let checks = checks(conditions)
      return { part in
        for check in checks where try !check(&part) { return false }
        return true
      }
    case .any(let conditions):
      let checks = checks(conditions)
      return { part in
        for check in checks where try check(&part) { return true }
        return false
      }
    }
  }

  /// Returns the check whether a part's value is in the test's set. A part without a value is if the set includes missing values.
  private func check(_ test: Test) -> Check {
    let snapshot = snapshot
    let field = test.property.field
    switch test.values {
    case .integers(let set, let missing):
      return { part in
        switch field {
        case .size: part.part.size.map { set.contains(Int64(clamping: $0)) } ?? missing
        case .transferStatus: set.contains(Int64(part.part.transferStatus.rawValue))
        default: false
        }
      }
    case .text(let set, _) where field == .mimeType:
      let known = Memory()
      return { part in
        try known.value(of: part.part.mimeType) { set.contains(try snapshot.mimeTypes.utf8($0)) }
      }
    case .text(let set, let missing):
      return { part in try part.text(snapshot).isIn(set) ?? missing }
    case .participants, .metadata: return { _ in false }
    }
  }

  /// Returns the checks of a list, those that read texts last.
  private func checks(_ conditions: [Condition]) -> [Check] {
    func readsText(_ condition: Condition) -> Bool { condition.tests.contains { $0.property.field == .text } }
    return (conditions.filter { !readsText($0) } + conditions.filter(readsText)).map(check)
  }
}

extension TestCompiler {
  /// Returns a check that holds if some part of the row's message meets a condition; a negated one holds if no part does.
  func check(somePart condition: Condition, isNegated: Bool) -> Check {
    let meets = PartTests(snapshot).check(condition)
    let view = messageView
    let snapshot = snapshot
    return { row in
      let message = try view(&row)
      snapshot.metrics.partSearches &+= 1
      var parts = message.makePartCursor()
      while let (part, index) = parts.next() {
        var context = PartContext(part, at: index, of: message)
        if try meets(&context) { return !isNegated }
      }
      return isNegated
    }
  }

  /// Takes the conditions on some part out of a disjunction, and those on no part out of a conjunction: one pass over the parts decides
  /// them all. Returns one of each group, by which its cost is known, with the group's check. What needs the contents of parts is a group
  /// of its own, which is not asked if the other decides.
  func takePartTests(from list: inout [Condition], isConjunction: Bool) -> [(Condition, Check)] {
    var groups: [TestNeeds: [(offset: Int, ofPart: Condition)]] = [:]
    for (offset, condition) in list.enumerated() {
      guard let ofPart = condition.ofSomePart(isNegated: isConjunction) else { continue }
      groups[TestNeeds(condition, of: kind, on: index), default: []].append((offset, ofPart))
    }
    groups = groups.filter { $0.value.count > 1 }
    guard !groups.isEmpty else { return [] }
    let checks = groups.values.map { group in
      (list[group[0].offset], check(somePart: .any(group.map(\.ofPart)), isNegated: isConjunction))
    }
    let taken = Set(groups.values.joined().map(\.offset))
    list = list.enumerated().filter { !taken.contains($0.offset) }.map(\.element)
    return checks
  }
}

extension Condition {
  /// The condition of a part that some part has to meet or, with `isNegated`, that no part may meet; nil if this is no such condition. A
  /// test of MIME types alone is none: it is made once for each set of types.
  fileprivate func ofSomePart(isNegated: Bool) -> Condition? {
    switch self {
    case .test(let test):
      guard test.property.isToMany, test.property.field != .mimeType, test.isNegated == isNegated else {
        return nil
      }
      return self
    case .elements(let group): return group.isNegated == isNegated ? .all(group.conditions) : nil
    case .always, .never, .all, .any, .pair: return nil
    }
  }
}
