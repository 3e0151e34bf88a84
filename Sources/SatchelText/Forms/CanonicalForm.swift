#if canImport(Darwin)
  import Foundation
#else
  @_spi(_Unicode) import Swift
#endif

/// The canonical forms of Unicode, composed (NFC) and decomposed (NFD), of any text in linear time.
///
/// The standard library takes quadratic time for a run of combining marks that are not in canonical order, and anybody
/// can send such a text. Therefore the standard library only gets pieces with at most ``longestRun`` successive marks.
/// A longer run is put in order here, by counting, and composed with the text around it. The result is the same, scalar
/// by scalar.
enum CanonicalForm {
  case composed, decomposed

  /// The greatest number of successive marks that the standard library gets. Texts of natural languages have a few.
  static let longestRun = 32

  /// Returns the text in this form.
  /// - Complexity: O(text).
  func of(_ text: String) -> String {
    var steps = NoStepCount()
    return of(text, counting: &steps)
  }

  func of(_ text: String, counting steps: inout some StepCount) -> String {
    var text = text
    let hasLongRun = text.withUTF8 { unsafe MarkRun.isAnyLong($0, counting: &steps) }
    return hasLongRun ? piecewise(text, counting: &steps) : standard(text)
  }

  /// Returns the form as the standard library makes it, for texts without long runs.
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
        // The most steps that the standard library may take for the run.
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

  /// Returns a piece and the long run of marks that follows it in this form. The last scalar of the piece is not a
  /// mark.
  ///
  /// The text after the run can be handled separately: a composition takes in at most three marks, so at least one mark
  /// of the run always remains between.
  private func joined(
    _ piece: String, _ run: [Unicode.Scalar], counting steps: inout some StepCount
  ) -> [Unicode.Scalar] {
    var head = piece.unicodeScalars
    let starter = head.popLast().map { [$0] } ?? []
    let before = Array(standard(String(head)).unicodeScalars)
    // Puts marks in order up to the next scalar of class 0, even if that scalar decomposes to marks: the standard
    // library does the same.
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
    // Of the part that is already composed, the last starter and the marks after it may still compose.
    let start = before.lastIndex { MarkRun.combiningClass($0) == 0 } ?? before.count
    return before[..<start] + compositions(of: ordered, behind: Array(before[start...]), counting: &steps)
  }

  private func standardScalars(_ scalars: some Collection<Unicode.Scalar>) -> [Unicode.Scalar] {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return Array(standard(String(text)).unicodeScalars)
  }

  /// Composes scalars that are decomposed and in order, as Unicode defines it: each with the starter before it, unless
  /// a mark of the same or a greater class is between. Of each class at most one mark is tried without success.
  /// - Parameter before: A composed starter with the marks that did not compose with it; or nothing.
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

  /// Returns the scalar that two scalars compose to; nil if they do not compose.
  private func composite(of first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    let composed = Self.composed.standardScalars([first, second])
    guard composed.count == 1 else { return nil }
    // Refuses a composition that is possible only in another order of the scalars.
    let parts = Self.decomposed.standardScalars([first]) + Self.decomposed.standardScalars([second])
    return Self.decomposed.standardScalars(composed) == parts ? composed[0] : nil
  }
}
