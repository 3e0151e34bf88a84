#if canImport(Darwin)
  import Foundation
#else
  @_spi(_Unicode) import Swift
#endif

/// The canonical forms of Unicode, composed (NFC) and decomposed (NFD), of any text in linear time.
///
/// The standard library takes quadratic time for a run of combining marks that are not in their order, and anybody may
/// send such a text. It is therefore given pieces in which no more than ``longestRun`` marks follow each other. A longer run
/// is put into its order here, by counting, and composed with what it follows. The result is the same, scalar by scalar.
enum CanonicalForm {
  case composed, decomposed

  /// The most marks in a row that the standard library is given. Text of any language has a few.
  static let longestRun = 32

  /// The text in this form.
  /// - Complexity: O(text).
  func of(_ text: String) -> String {
    var steps = NoStepCount()
    return of(text, counting: &steps)
  }

  func of(_ text: String, counting steps: inout some StepCount) -> String {
    var text = text
    let hasLongRun = text.withUTF8 { MarkRun.isAnyLong($0, counting: &steps) }
    return hasLongRun ? piecewise(text, counting: &steps) : standard(text)
  }

  /// The form by the standard library, for texts without long runs.
  private func standard(_ text: String) -> String {
    #if canImport(Darwin)
      switch self {
      case .composed: text.precomposedStringWithCanonicalMapping
      case .decomposed: text.decomposedStringWithCanonicalMapping
      }
    #else
      var result = String.UnicodeScalarView()
      result.reserveCapacity(text.utf8.count)
      switch self {
      case .composed: for scalar in text._nfc { result.append(scalar) }
      case .decomposed: for scalar in text._nfd { result.append(scalar) }
      }
      return String(result)
    #endif
  }

  private func piecewise(_ text: String, counting steps: inout some StepCount) -> String {
    var result = String.UnicodeScalarView()
    result.reserveCapacity(text.utf8.count)
    var piece = String.UnicodeScalarView()
    var run: [Unicode.Scalar] = []
    func endRun(_ steps: inout some StepCount) {
      if run.count > Self.longestRun {
        result.append(contentsOf: joined(String(piece), run, counting: &steps))
        piece = String.UnicodeScalarView()
      } else {
        // What the standard library may make of it at worst.
        steps.add(run.count * run.count)
        piece.append(contentsOf: run)
      }
      run.removeAll(keepingCapacity: true)
    }
    for scalar in text.unicodeScalars {
      steps.add(1)
      if MarkRun.isMark(scalar) {
        run.append(scalar)
      } else {
        endRun(&steps)
        piece.append(scalar)
      }
    }
    endRun(&steps)
    result.append(contentsOf: standard(String(piece)).unicodeScalars)
    return String(result)
  }

  /// A piece, whose last scalar is no mark, in this form with the long run that follows it. What comes behind them goes
  /// apart: a composition takes in three marks at most, so that one of the run always stands between.
  private func joined(
    _ piece: String, _ run: [Unicode.Scalar], counting steps: inout some StepCount
  ) -> [Unicode.Scalar] {
    var head = piece.unicodeScalars
    let starter = head.popLast().map { [$0] } ?? []
    let before = Array(standard(String(head)).unicodeScalars)
    // In order as far as the next scalar of class 0, be it one that decomposes to marks: as the standard library does it.
    var ordered: [Unicode.Scalar] = []
    var segment = Self.decomposed.standardScalars(starter)
    var known: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    for mark in run {
      steps.add(1)
      if MarkRun.combiningClass(mark) == 0 {
        ordered += MarkRun.ordered(segment, counting: &steps)
        segment.removeAll(keepingCapacity: true)
      }
      let decomposed = known[mark] ?? Self.decomposed.standardScalars([mark])
      known[mark] = decomposed
      segment += decomposed
    }
    ordered += MarkRun.ordered(segment, counting: &steps)
    guard self == .composed else { return before + ordered }
    // Of what is composed already, the last starter and the marks behind it may take part.
    let start = before.lastIndex { MarkRun.combiningClass($0) == 0 } ?? before.count
    return before[..<start] + compositions(of: ordered, behind: Array(before[start...]), counting: &steps)
  }

  private func standardScalars(_ scalars: some Collection<Unicode.Scalar>) -> [Unicode.Scalar] {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return Array(standard(String(text)).unicodeScalars)
  }

  /// Composes scalars that are decomposed and in order, as the standard says: each with the starter before it, unless a
  /// mark of the same or a greater class stands between. Of each class at most one mark is tried in vain.
  /// - Parameter before: A starter, composed as far as it goes, with the marks that stayed; or nothing.
  private func compositions(
    of scalars: [Unicode.Scalar], behind before: [Unicode.Scalar], counting steps: inout some StepCount
  ) -> [Unicode.Scalar] {
    var result = before
    result.reserveCapacity(before.count + scalars.count)
    var starter = before.isEmpty ? nil : 0
    var lastClass = before.count > 1 ? before.last.map(MarkRun.combiningClass) ?? 0 : 0
    for scalar in scalars {
      steps.add(1)
      let combiningClass = MarkRun.combiningClass(scalar)
      if let starter, lastClass == 0 || lastClass < combiningClass {
        steps.add(1)
        if let composite = composite(of: result[starter], scalar) {
          result[starter] = composite
          continue
        }
      }
      if combiningClass == 0 { starter = result.count }
      lastClass = combiningClass
      result.append(scalar)
    }
    return result
  }

  /// The scalar that two compose to; nil where they do not.
  private func composite(of first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    let composed = Self.composed.standardScalars([first, second])
    guard composed.count == 1 else { return nil }
    // Not by way of another order.
    let parts = Self.decomposed.standardScalars([first]) + Self.decomposed.standardScalars([second])
    return Self.decomposed.standardScalars(composed) == parts ? composed[0] : nil
  }
}
