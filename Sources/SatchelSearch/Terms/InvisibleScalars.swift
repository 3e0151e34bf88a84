internal import SatchelText

/// The scalars that are not seen, and that folding leaves out: soft hyphens, joiners, spaces without width and marks of direction. They are
/// those of general category Cf that are Default_Ignorable, up to U+FFFF.
///
/// A zero-width joiner between two emoji is none of them: it makes one picture of both.
package enum InvisibleScalars {
  static let joiner: UInt32 = 0x200D

  package static func contains(_ scalar: UInt32) -> Bool {
    if scalar < 0x2000 { return scalar == 0xAD || scalar == 0x61C || scalar == 0x180E }
    return switch scalar {
    case 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2064, 0x2066...0x206F, 0xFEFF: true
    default: false
    }
  }

  /// Whether it is one of the two that Unicode keeps in one character with the scalar before.
  static func isJoiner(_ scalar: UInt32) -> Bool { scalar == 0x200C || scalar == joiner }

  static func isEmoji(_ scalar: UInt32) -> Bool {
    guard scalar >= 0x80 else { return false }
    var properties = WordPropertyFinder()
    return properties.property(of: scalar).isPictographic
  }

  /// Whether a folded text ends with an emoji, which may have a colour of skin.
  static func endsWithEmoji(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    var end = utf8.count
    for _ in 0..<2 {
      guard let (scalar, start) = unsafe utf8.scalarBeyondASCII(endingAt: end) else { return false }
      if scalar &- 0x1F3FB >= 5 { return isEmoji(scalar) }
      end = start
    }
    return false
  }
}
