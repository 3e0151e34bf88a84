/// Unicode simple case folding: the C and S lines of CaseFolding.txt, one scalar to one scalar.
///
/// It is derived, not copied: a scalar folds to its lower case when that is one scalar, except for the scalars below.
/// The exceptions were found by comparing all scalars with the file's C and S lines (Unicode 15.0).
enum CaseFolding {
  /// Scalars whose folding is not their lower case: the first ... last of a run, and what the first folds to.
  private static let exceptions: [(first: UInt32, last: UInt32, folded: UInt32)] = [
    (0x00B5, 0x00B5, 0x03BC), (0x017F, 0x017F, 0x0073), (0x0345, 0x0345, 0x03B9), (0x03C2, 0x03C2, 0x03C3),
    (0x03D0, 0x03D0, 0x03B2), (0x03D1, 0x03D1, 0x03B8), (0x03D5, 0x03D5, 0x03C6), (0x03D6, 0x03D6, 0x03C0),
    (0x03F0, 0x03F0, 0x03BA), (0x03F1, 0x03F1, 0x03C1), (0x03F5, 0x03F5, 0x03B5), (0x13A0, 0x13F5, 0x13A0),
    (0x13F8, 0x13FD, 0x13F0), (0x1C80, 0x1C80, 0x0432), (0x1C81, 0x1C81, 0x0434), (0x1C82, 0x1C82, 0x043E),
    (0x1C83, 0x1C84, 0x0441), (0x1C85, 0x1C85, 0x0442), (0x1C86, 0x1C86, 0x044A), (0x1C87, 0x1C87, 0x0463),
    (0x1C88, 0x1C88, 0xA64B), (0x1E9B, 0x1E9B, 0x1E61), (0x1FBE, 0x1FBE, 0x03B9), (0xAB70, 0xABBF, 0x13A0),
  ]

  /// By scalar value. Everything above U+1FFFF folds to itself.
  private static let table: [UInt32] = {
    var table = (UInt32(0)..<0x20000).map { value -> UInt32 in
      guard let scalar = Unicode.Scalar(value) else { return value }
      let lower = scalar.properties.lowercaseMapping.unicodeScalars
      return lower.count == 1 ? lower.first!.value : value
    }
    for run in exceptions {
      for value in run.first...run.last { table[Int(value)] = run.folded + (value - run.first) }
    }
    return table
  }()

  static func fold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard scalar.value < 0x20000 else { return scalar }
    return Unicode.Scalar(table[Int(scalar.value)]) ?? scalar
  }
}
