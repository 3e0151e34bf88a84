/// The rules of UAX #29 for word boundaries as they are written, a place at a time with all that is before and behind it: what the one
/// pass of the sources is compared with. It has its own list of scalars and what they are.
enum WrittenRules {
  enum Kind {
    case other, cr, lf, newline, extend, zwj, format, regional, katakana, hebrew, letter, single, double,
      midNumLet
    case midLetter, midNum, numeric, extendNumLet, space, pictograph
    /// A letter that is a pictograph too: Ⓜ.
    case pictographicLetter

    var isSkipped: Bool { self == .extend || self == .zwj || self == .format }
    var isLineBreak: Bool { self == .cr || self == .lf || self == .newline }
    var isPictograph: Bool { self == .pictograph || self == .pictographicLetter }
    var isLetter: Bool { self == .letter || self == .hebrew || self == .pictographicLetter }
    var isMidLetter: Bool { self == .midLetter || self == .midNumLet || self == .single }
    var isMidNumber: Bool { self == .midNum || self == .midNumLet || self == .single }
    var joinsUnderscores: Bool { isLetter || self == .numeric || self == .katakana || self == .extendNumLet }
  }

  static let samples: [(scalar: Unicode.Scalar, kind: Kind)] = [
    ("?", .other), ("字", .other), ("ひ", .other), ("ท", .other), ("\r", .cr), ("\n", .lf),
    ("\u{85}", .newline),
    ("\u{2028}", .newline), ("\u{308}", .extend), ("\u{FE0F}", .extend), ("\u{1F3FD}", .extend),
    ("\u{200D}", .zwj),
    ("\u{AD}", .format), ("🇩", .regional), ("🇪", .regional), ("カ", .katakana), ("ー", .katakana),
    ("א", .hebrew),
    ("ת", .hebrew), ("a", .letter), ("Z", .letter), ("é", .letter), ("ж", .letter), ("한", .letter),
    ("'", .single), ("\"", .double), (".", .midNumLet), ("’", .midNumLet), (":", .midLetter),
    ("·", .midLetter),
    (",", .midNum), (";", .midNum), ("7", .numeric), ("٣", .numeric), ("_", .extendNumLet),
    ("‿", .extendNumLet),
    (" ", .space), ("\u{3000}", .space), ("😀", .pictograph), ("©", .pictograph), ("Ⓜ", .pictographicLetter),
  ]

  static func isBoundary(before index: Int, of kinds: [Kind]) -> Bool {
    let (left, right) = (kinds[index - 1], kinds[index])
    if left == .cr, right == .lf { return false }  // WB3
    if left.isLineBreak || right.isLineBreak { return true }  // WB3a, WB3b
    if left == .zwj, right.isPictograph { return false }  // WB3c
    if left == .space, right == .space { return false }  // WB3d
    if right.isSkipped { return false }  // WB4
    // From here on what is skipped is not there, but at the beginning of the text and behind a line break.
    let before = kinds[..<index].enumerated().filter { place, kind in
      !kind.isSkipped || place == 0 || kinds[place - 1].isLineBreak
    }.map(\.element)
    let behind = kinds[(index + 1)...].first { !$0.isSkipped } ?? .other
    let last = before.last ?? .other
    let second = before.dropLast().last ?? .other
    if last.isLetter, right.isLetter { return false }  // WB5
    if last.isLetter, right.isMidLetter, behind.isLetter { return false }  // WB6
    if second.isLetter, last.isMidLetter, right.isLetter { return false }  // WB7
    if last == .hebrew, right == .single { return false }  // WB7a
    if last == .hebrew, right == .double, behind == .hebrew { return false }  // WB7b
    if second == .hebrew, last == .double, right == .hebrew { return false }  // WB7c
    if last == .numeric || last.isLetter, right == .numeric { return false }  // WB8, WB9
    if last == .numeric, right.isLetter { return false }  // WB10
    if second == .numeric, last.isMidNumber, right == .numeric { return false }  // WB11
    if last == .numeric, right.isMidNumber, behind == .numeric { return false }  // WB12
    if last == .katakana, right == .katakana { return false }  // WB13
    if last.joinsUnderscores, right == .extendNumLet { return false }  // WB13a
    if last == .extendNumLet, right.joinsUnderscores { return false }  // WB13b
    let flags = before.reversed().prefix { $0 == .regional }.count
    return !(right == .regional && flags % 2 == 1)  // WB15, WB16, WB999
  }
}
