import SatchelCoding
import SatchelModel
import SatchelQuery
import SatchelReading

/// Makes checks of a message's part, by its own properties.
struct PartTests {
  /// Tells whether the part at an index of a message meets a condition.
  typealias Check = (_ part: PartView, _ index: Int, _ message: MessageView) throws -> Bool

  private let snapshot: Snapshot

  init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  /// Returns the check of a condition of a part, whose tests are of the part's own properties.
  func check(_ condition: Condition) -> Check {
    switch condition {
    case .always: return { _, _, _ in true }
    // The conditions of an element have no elements in them, and compare no two properties.
    case .never, .elements, .pair: return { _, _, _ in false }
    case .test(let test): return check(test)
    case .all(let conditions):
      let checks = checks(conditions)
      return { part, index, message in
        for check in checks where try !check(part, index, message) { return false }
        return true
      }
    case .any(let conditions):
      let checks = checks(conditions)
      return { part, index, message in
        for check in checks where try check(part, index, message) { return true }
        return false
      }
    }
  }

  /// Returns the check whether a part's value is in the test's set. A part without a value is if the set includes missing values.
  func check(_ test: Test) -> Check {
    let snapshot = snapshot
    let field = test.property.field
    switch test.values {
    case .integers(let set, let missing):
      return { part, _, _ in
        switch field {
        case .size: part.size.map { set.contains(Int64(clamping: $0)) } ?? missing
        case .transferStatus: set.contains(Int64(part.transferStatus.rawValue))
        default: false
        }
      }
    case .text(let set, _) where field == .mimeType:
      let known = Memory()
      return { part, _, _ in
        try known.value(of: part.mimeType) { set.contains(try snapshot.mimeTypes.utf8($0)) }
      }
    case .text(let set, let missing):
      return { part, index, message in
        try PartText.value(of: part, at: index, in: message, snapshot).canonical.isIn(set) ?? missing
      }
    case .participants, .metadata: return { _, _, _ in false }
    }
  }

  /// Returns the checks of a list, those that read texts last.
  private func checks(_ conditions: [Condition]) -> [Check] {
    func readsText(_ condition: Condition) -> Bool { condition.tests.contains { $0.property.field == .text } }
    return (conditions.filter { !readsText($0) } + conditions.filter(readsText)).map(check)
  }
}
