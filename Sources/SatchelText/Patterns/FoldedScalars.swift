/// The scalars of a text's UTF-8 bytes, case-folded as they are read.
///
/// A byte that does not begin a valid scalar is read as 0x110000, a value that no scalar has. Unsafe to use: nothing
/// checks that the bytes outlive it, or that an offset lies within them.
@unsafe struct FoldedScalars {
  let utf8: UnsafeBufferPointer<UInt8>

  init(_ utf8: UnsafeBufferPointer<UInt8>) { unsafe self.utf8 = utf8 }

  /// Returns the folded scalar at an offset, and the offset of the next one.
  @inline(__always)
  func read(at index: Int) -> (scalar: UInt32, next: Int) {
    let first = unsafe utf8[index]
    if first < 0x80 { return (CaseFolding.fold(UInt32(first)), index + 1) }
    let (scalar, next) = unsafe utf8.scalarBeyondASCII(at: index, first)
    return (CaseFolding.fold(scalar), next)
  }

  /// Returns the offset after a sequence of scalars if the text has the sequence at an offset; otherwise nil.
  /// ``LikePattern/anyScalar`` matches every scalar.
  func end(of scalars: [UInt32], from start: Int, counting steps: inout some StepCount) -> Int? {
    var index = start
    for wanted in scalars {
      steps.add(1)
      guard unsafe index < utf8.count else { return nil }
      let (scalar, next) = unsafe read(at: index)
      guard scalar == wanted || wanted == LikePattern.anyScalar else { return nil }
      index = next
    }
    return index
  }

  /// Returns the offset after the first occurrence of a sequence at or after an offset; nil if there is none.
  func end(
    ofFirst search: LiteralSearch<UInt32>, from start: Int, counting steps: inout some StepCount
  ) -> Int? {
    var index = start
    var matched = 0
    while unsafe index < utf8.count {
      let (scalar, next) = unsafe read(at: index)
      matched = search.matched(matched, then: scalar, counting: &steps)
      index = next
      if matched == search.literal.count { return index }
    }
    return nil
  }

  /// Returns whether the text ends with a sequence of scalars that begins at or after an offset.
  func ends(with scalars: [UInt32], from first: Int, counting steps: inout some StepCount) -> Bool {
    // A folded scalar may have another length in bytes, so the start is found by counting scalars backwards.
    var start = unsafe utf8.count
    for _ in 0..<scalars.count {
      steps.add(1)
      guard start > first else { return false }
      start -= 1
      while start > first, unsafe utf8[start] & 0xC0 == 0x80 { start -= 1 }
    }
    return unsafe end(of: scalars, from: start, counting: &steps) == utf8.count
  }
}
