/// Runs of combining marks: what canonical ordering may move.
enum MarkRun {
  /// The least scalar that is a mark.
  private static let first: UInt32 = 0x300

  /// True for a scalar that canonical ordering moves, or that decomposes to such ones alone: what a starter may compose with
  /// from afar.
  static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= first else { return false }
    switch scalar.value {
    // Vowel signs of Tibetan of class 0 whose decompositions have other classes: no other scalar is like them.
    case 0xF73, 0xF75, 0xF81: return true
    default: return combiningClass(scalar) != 0
    }
  }

  static func combiningClass(_ scalar: Unicode.Scalar) -> UInt8 {
    scalar.value < first ? 0 : scalar.properties.canonicalCombiningClass.rawValue
  }

  /// Scalars with the marks behind the last starter in the order of their classes; those of one class keep theirs.
  static func ordered(
    _ scalars: [Unicode.Scalar], counting steps: inout some StepCount
  ) -> [Unicode.Scalar] {
    let start = scalars.lastIndex { combiningClass($0) == 0 }.map { $0 + 1 } ?? 0
    let marks = scalars[start...].map { (scalar: $0, combiningClass: Int(combiningClass($0))) }
    steps.add(3 * marks.count)
    guard zip(marks, marks.dropFirst()).contains(where: { $0.combiningClass > $1.combiningClass }) else {
      return scalars
    }
    var places = [Int](repeating: 0, count: 257)
    steps.add(places.count)
    for mark in marks { places[mark.combiningClass + 1] += 1 }
    places[0] = start
    for index in 1..<places.count { places[index] += places[index - 1] }
    var result = scalars
    for mark in marks {
      result[places[mark.combiningClass]] = mark.scalar
      places[mark.combiningClass] += 1
    }
    return result
  }

  /// True where more marks follow each other than the standard library is given. The bytes are UTF-8.
  ///
  /// A mark has two bytes at least, so a long run lies under one of some probes: nearly always one look in 64 bytes is
  /// all that this costs.
  static func isAnyLong(
    _ text: UnsafeBufferPointer<UInt8>, counting steps: inout some StepCount
  ) -> Bool {
    let distance = 2 * CanonicalForm.longestRun
    var probe = distance
    while probe < text.count {
      steps.add(1)
      var index = probe
      probe += distance
      if text[index] < 0xCC, text[index] & 0xC0 != 0x80 { continue }
      while index > 0, text[index] & 0xC0 == 0x80 { index -= 1 }
      guard isMark(text, at: index) else { continue }
      // Counted both ways, no farther than is needed.
      var count = 1
      var back = index
      while back > 0, count <= CanonicalForm.longestRun {
        back -= 1
        while back > 0, text[back] & 0xC0 == 0x80 { back -= 1 }
        guard isMark(text, at: back) else { break }
        count += 1
        steps.add(1)
      }
      var next = index + length(text[index])
      while next < text.count, count <= CanonicalForm.longestRun, isMark(text, at: next) {
        next += length(text[next])
        count += 1
        steps.add(1)
      }
      if count > CanonicalForm.longestRun { return true }
    }
    return false
  }

  private static func length(_ lead: UInt8) -> Int { lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4 }

  private static func isMark(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    let lead = text[index]
    let length = length(lead)
    guard lead >= 0xCC, index + length <= text.count else { return false }
    var value = UInt32(lead) & (0x7F >> UInt32(length))
    for offset in 1..<length { value = value << 6 | UInt32(text[index + offset] & 0x3F) }
    return Unicode.Scalar(value).map(isMark) ?? false
  }
}
