import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading

/// Decides whether a row meets a condition. It is the store's only evaluator: queries, counts and every access path use
/// it, so that they cannot disagree.
///
/// A test of something that many rows share (a conversation, a sender, a set of types) is made once for each such
/// thing.
final class ConditionEvaluator {
  private typealias Check = (inout RowContext) throws -> Bool

  private let check: Check?

  /// Makes an evaluator for rows of a kind that come from an index, or from none.
  init(_ condition: Condition, of kind: ObjectKind, on index: IndexDefinition?, in snapshot: Snapshot) {
    check =
      condition.isAlways
      ? nil
      : Self.check(condition, TestCompiler(snapshot: snapshot, kind: kind, index: index))
  }

  /// Returns whether the row meets the condition.
  @inline(__always)
  func matches(_ row: inout RowContext) throws -> Bool {
    guard let check else { return true }
    return try check(&row)
  }

  private static func check(_ condition: Condition, _ compiler: TestCompiler) -> Check {
    switch condition {
    case .always: return { _ in true }
    case .never: return { _ in false }
    case .test(let test): return compiler.check(test)
    case .pair(let pair): return compiler.check(pair)
    case .elements(let group): return compiler.check(group)
    case .all(let conditions):
      let checks = checks(conditions, compiler, isConjunction: true)
      return { row in
        for check in checks where try !check(&row) { return false }
        return true
      }
    case .any(let conditions):
      let checks = checks(conditions, compiler, isConjunction: false)
      return { row in
        for check in checks where try check(&row) { return true }
        return false
      }
    }
  }

  /// Returns the checks of a list, the cheap ones first: their order does not change the result. Tests of many texts of one
  /// object's metadata are one check, and so are alternatives that some part has to meet.
  private static func checks(
    _ conditions: [Condition], _ compiler: TestCompiler, isConjunction: Bool
  ) -> [Check] {
    var rest = conditions
    var groups = compiler.takeMetadataTests(from: &rest, isConjunction: isConjunction)
    groups += compiler.takePartTests(from: &rest, isConjunction: isConjunction)
    return (rest.map { ($0, check($0, compiler)) } + groups).enumerated()
      .map { ($0.element.1, TestNeeds($0.element.0, of: compiler.kind, on: compiler.index), $0.offset) }
      .sorted { ($0.1, $0.2) < ($1.1, $1.2) }
      .map(\.0)
  }
}
