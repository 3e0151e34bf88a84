import SatchelText
import Testing

@Suite struct CaseFoldingTests {
  @Test(
    arguments: [
      ("A", "a"), ("z", "z"), ("[", "["), ("@", "@"), ("À", "à"), ("×", "×"), ("ß", "ß"), ("ẞ", "ß"),
      ("İ", "İ"),
      ("ı", "ı"), ("Σ", "σ"), ("ς", "σ"), ("σ", "σ"), ("µ", "μ"), ("\u{212A}", "k"), ("\u{212B}", "å"),
      ("ſ", "s"),
      ("Ǆ", "ǆ"), ("ǅ", "ǆ"), ("Ā", "ā"), ("ā", "ā"), ("Ĺ", "ĺ"), ("Ÿ", "ÿ"), ("Ϗ", "ϗ"), ("Ꭰ", "Ꭰ"),
      ("ꭰ", "Ꭰ"),
      ("Ა", "ა"), ("ᾳ", "ᾳ"), ("ᾼ", "ᾳ"), ("Ⅷ", "ⅷ"), ("Ⓐ", "ⓐ"), ("Ａ", "ａ"), ("𐐀", "𐐨"), ("𞤀", "𞤢"),
      ("漢", "漢"),
    ] as [(Unicode.Scalar, Unicode.Scalar)])
  func folds(_ scalar: Unicode.Scalar, _ expected: Unicode.Scalar) {
    #expect(CaseFolding.fold(scalar.value) == expected.value)
  }

  /// Folding is settled after one step, gives scalars, and agrees with lower case for most cased letters.
  @Test func everyScalar() {
    var folded = 0
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let result = CaseFolding.fold(value)
      guard result != value else { continue }
      folded += 1
      #expect(CaseFolding.fold(result) == result)
      let lower = scalar.properties.lowercaseMapping.unicodeScalars
      let foldedScalar = Unicode.Scalar(result)
      // A letter and its folding are the same letter: their upper or lower cases meet.
      #expect(
        foldedScalar.map {
          lower.elementsEqual([$0])
            || $0.properties.uppercaseMapping == scalar.properties.uppercaseMapping
            || $0.properties.lowercaseMapping == scalar.properties.lowercaseMapping
        } == true, "U+\(String(value, radix: 16))")
    }
    // The mappings of status C and S in the table's version of Unicode.
    #expect(folded == 1454)
    #expect(CaseFolding.unicodeVersion == "15.0.0")
  }
}
