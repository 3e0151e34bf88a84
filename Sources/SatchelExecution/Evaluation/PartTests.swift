import SatchelCoding
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading
import SatchelText

/// One part while it is tested, with the text that has been read of it, and its words.
struct PartContext {
  let part: PartView
  let index: Int
  let message: MessageView
  private var ownText: PropertyValue?
  private var canonicalText: PropertyValue?
  private var foldedWords: FoldedWords?

  init(_ part: PartView, at index: Int, of message: MessageView) {
    self.part = part
    self.index = index
    self.message = message
  }

  /// Returns the part's text, which is read once: in NFC, or as it was given for who folds it in any case. It is missing if the part holds something else.
  mutating func text(_ snapshot: Snapshot, toFold: Bool = false) throws -> PropertyValue {
    if let canonicalText { return canonicalText }
    let text = try ownText ?? PartText.value(of: part, at: index, in: message, snapshot)
    ownText = text
    if !toFold { canonicalText = text.canonical }
    return canonicalText ?? text
  }

  /// Returns the words of the part's text, which are found once; nil if the part holds something else.
  mutating func words(_ snapshot: Snapshot) throws -> FoldedWords? {
    if let foldedWords { return foldedWords }
    guard let words = unsafe try text(snapshot).withBytes({ unsafe FoldedWords($0) }) else { return nil }
    snapshot.metrics.textsFolded &+= 1
    foldedWords = words
    return words
  }
}

/// Makes checks of a message's part, by its own properties.
struct PartTests {
  /// Tells whether a part of a message meets a condition.
  typealias Check = (inout PartContext) throws -> Bool

  private let snapshot: Snapshot
  /// Whether the words of a text are kept for all tests of it.
  private let keepsWords: Bool

  /// The fewest AUTOCOMPLETE tests for which the words of a text are kept: for fewer, reading the text for each costs less than sorting
  /// its words.
  private static let fewAutocompletions = 4

  /// Returns the check of a condition of a part, whose tests are of the part's own properties.
  static func check(_ condition: Condition, _ snapshot: Snapshot) -> Check {
    let autocompletions = condition.tests.count { $0.autocompletion != nil }
    return PartTests(snapshot: snapshot, keepsWords: autocompletions >= fewAutocompletions).check(condition)
  }

  private func check(_ condition: Condition) -> Check {
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
    case .any(let conditions) where conditions.count > Self.fewAlternatives: return check(anyOf: conditions)
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
      guard keepsWords, let (pattern, complement) = test.autocompletion else {
        let toFold = if case .pattern(.search, _) = set { true } else { false }
        return { part in try part.text(snapshot, toFold: toFold).isIn(set) ?? missing }
      }
      return { part in
        guard let words = try part.words(snapshot) else { return missing }
        return pattern.matches(words) != complement
      }
    case .participants, .metadata, .related: return { _ in false }
    }
  }

  /// Returns the checks of a list, those that read texts last.
  private func checks(_ conditions: [Condition]) -> [Check] { Self.textsLast(conditions).map(check) }

  private static func textsLast(_ conditions: [Condition]) -> [Condition] {
    func readsText(_ condition: Condition) -> Bool { condition.tests.contains { $0.property.field == .text } }
    return conditions.filter { !readsText($0) } + conditions.filter(readsText)
  }

  // MARK: Many alternatives

  /// The greatest number of alternatives that are all tested on each part: of few, looking up those of a type costs more.
  private static let fewAlternatives = 8

  /// Returns the check whether a part meets one of many conditions. Those that its MIME type leaves over are found once for each type.
  private func check(anyOf conditions: [Condition]) -> Check {
    let alternatives = Self.textsLast(conditions).map { condition in
      let (types, rest) = Self.split(condition)
      return (types: types, check: check(rest))
    }
    guard alternatives.contains(where: { !$0.types.isEmpty }) else {
      let checks = alternatives.map(\.check)
      return { part in try checks.contains { try $0(&part) } }
    }
    let snapshot = snapshot
    var known: [UInt32: [Check]] = [:]
    return { part in
      let type = part.part.mimeType
      if let checks = known[type] { return try checks.contains { try $0(&part) } }
      let name = try snapshot.mimeTypes.utf8(type)
      let checks = alternatives.filter { $0.types.allSatisfy { $0.contains(name) } }.map(\.check)
      known[type] = checks
      return try checks.contains { try $0(&part) }
    }
  }

  /// Divides a condition into the sets that the part's MIME type has to be in, and what it has to meet beside.
  private static func split(_ condition: Condition) -> (types: [TextSet], rest: Condition) {
    let list = if case .all(let list) = condition { list } else { [condition] }
    var types: [TextSet] = []
    var rest: [Condition] = []
    for condition in list {
      if case .test(let test) = condition, test.property.field == .mimeType,
        case .text(let set, _) = test.values
      {
        types.append(set)
      } else {
        rest.append(condition)
      }
    }
    return (types, rest.isEmpty ? .always : rest.count == 1 ? rest[0] : .all(rest))
  }
}

extension TestCompiler {
  /// Returns a check that holds if some part of the row's message meets a condition; a negated one holds if no part does.
  func check(somePart condition: Condition, isNegated: Bool) -> Check {
    let meets = PartTests.check(condition, snapshot)
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

extension Test {
  /// The pattern of a test of a part's text by AUTOCOMPLETE; nil for other tests.
  fileprivate var autocompletion: (pattern: TextPattern, complement: Bool)? {
    guard property.field == .text,
      case .text(.pattern(.pattern(let pattern), let complement), _) = values, pattern.kind == .autocomplete
    else { return nil }
    return (pattern, complement)
  }
}

extension Condition {
  /// The condition of a part that some part has to meet or, with `isNegated`, that no part may meet; nil if this is no such condition. A
  /// test of MIME types alone is none: it is made once for each set of types.
  fileprivate func ofSomePart(isNegated: Bool) -> Condition? {
    switch self {
    case .test(let test):
      // Those of a message that the object refers to are not its own.
      guard test.property.isToMany, !test.property.isOfSeveralBehindReference,
        test.property.field != .mimeType, test.isNegated == isNegated
      else { return nil }
      return self
    case .elements(let group): return group.isNegated == isNegated ? .all(group.conditions) : nil
    case .always, .never, .all, .any, .pair: return nil
    }
  }
}
