/// Runs of combining marks, which canonical ordering may reorder.
enum MarkRun {
  /// The lowest scalar that is a mark.
  private static let first: UInt32 = 0x300

  /// Returns whether canonical ordering may move a scalar, or the scalar decomposes only to such scalars: a starter may
  /// compose with it even if other marks are between.
  static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= first else { return false }
    switch scalar.value {
    // Tibetan vowel signs of class 0 that decompose to scalars of other classes: the only such scalars.
    case 0xF73, 0xF75, 0xF81: return true
    default: return combiningClass(scalar) != 0
    }
  }

  static func combiningClass(_ scalar: Unicode.Scalar) -> UInt8 {
    scalar.value < first ? 0 : scalar.properties.canonicalCombiningClass.rawValue
  }

  /// Returns the scalars with the marks after the last starter sorted by class. Marks of one class keep their order.
  static func ordered(
    _ scalars: [Unicode.Scalar], counting steps: inout some StepCount
  ) -> [Unicode.Scalar] {
    let start = scalars.lastIndex { combiningClass($0) == 0 }.map { $0 + 1 } ?? 0
    let marks = scalars[start...].map { (scalar: $0, combiningClass: Int(combiningClass($0))) }
    steps.add(3 * marks.count)
    guard zip(marks, marks.dropFirst()).contains(where: { $0.combiningClass > $1.combiningClass }) else {
      return scalars
    }
    var nextIndices = [Int](repeating: 0, count: 257)
    steps.add(nextIndices.count)
    for mark in marks { nextIndices[mark.combiningClass + 1] += 1 }
    nextIndices[0] = start
    for index in 1..<nextIndices.count { nextIndices[index] += nextIndices[index - 1] }
    var result = scalars
    for mark in marks {
      result[nextIndices[mark.combiningClass]] = mark.scalar
      nextIndices[mark.combiningClass] += 1
    }
    return result
  }

  /// Returns whether UTF-8 bytes have more successive marks than the standard library may get.
  ///
  /// A mark has at least two bytes, so at least one of the probes below falls into a long run. Nearly always this costs
  /// one look in 64 bytes.
  static func isAnyLong(
    _ text: UnsafeBufferPointer<UInt8>, counting steps: inout some StepCount
  ) -> Bool {
    let distance = 2 * CanonicalForm.longestRun
    var probe = distance
    while probe < text.count {
      steps.add(1)
      var index = probe
      probe += distance
      if unsafe text[index] < 0xCC, unsafe text[index] & 0xC0 != 0x80 { continue }
      while index > 0, unsafe text[index] & 0xC0 == 0x80 { index -= 1 }
      guard unsafe isMark(text, at: index) else { continue }
      // Counts the marks in both directions, no further than needed.
      var count = 1
      var back = index
      while back > 0, count <= CanonicalForm.longestRun {
        back -= 1
        while back > 0, unsafe text[back] & 0xC0 == 0x80 { back -= 1 }
        guard unsafe isMark(text, at: back) else { break }
        count += 1
        steps.add(1)
      }
      var next = unsafe index + length(text[index])
      while next < text.count, count <= CanonicalForm.longestRun, unsafe isMark(text, at: next) {
        unsafe next += length(text[next])
        count += 1
        steps.add(1)
      }
      if count > CanonicalForm.longestRun { return true }
    }
    return false
  }

  private static func length(_ lead: UInt8) -> Int { lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4 }

  private static func isMark(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    let lead = unsafe text[index]
    let length = length(lead)
    guard lead >= 0xCC, index + length <= text.count else { return false }
    var value = UInt32(lead) & (0x7F >> UInt32(length))
    for offset in 1..<length { value = unsafe value << 6 | UInt32(text[index + offset] & 0x3F) }
    return Unicode.Scalar(value).map(isMark) ?? false
  }
}
