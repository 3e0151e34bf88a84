import SatchelText
@_spi(_Unicode) import Swift
import TestSupport
import Testing

/// The canonical forms of texts that the standard library takes long for: as it makes them, in linear time.
@Suite struct CanonicalFormTests {
  /// Marks of many classes, those that decompose and compose, starters that compose with marks or with each other,
  /// singletons, exclusions, Hangul, and what is none of these.
  static let marks: [UInt32] = [
    0x300, 0x301, 0x302, 0x303, 0x308, 0x30A, 0x316, 0x323, 0x327, 0x328, 0x331, 0x338, 0x340, 0x341, 0x343,
    0x344, 0x345, 0x34F, 0x35C, 0x360, 0x5B0, 0x5B9, 0x5C1, 0x64B, 0x651, 0x670, 0x93C, 0x94D, 0x9BC, 0xBCD,
    0xC55,
    0xE38, 0xF39, 0xF71, 0xF72, 0xF73, 0xF74, 0xF75, 0xF80, 0xF81, 0x1DCE, 0x20D0, 0x20DD, 0x302A, 0x302E,
    0x3099,
    0x309A, 0x16FF0, 0x1D165, 0x1D16E, 0x1E94A, 0xFE0F,
  ]
  static let others: [UInt32] = [
    0x41, 0x61, 0x65, 0x6F, 0x75, 0xC5, 0xE9, 0x1EA1, 0x1EAD, 0x1B0, 0x3B1, 0x3C9, 0x1F82, 0x1FA7, 0x915,
    0x958,
    0x9C7, 0x9BE, 0x9D7, 0x9CB, 0xB47, 0xB3E, 0x1025, 0x102E, 0x1100, 0x1161, 0x11A8, 0x1112, 0xAC00, 0xAC01,
    0xD55C,
    0x212B, 0x2126, 0x2ADC, 0x3042, 0x304B, 0x304C, 0xFB1D, 0xFB2A, 0x1D15E, 0x1D160, 0x11099, 0x110BA,
    0x11347,
    0x1133E, 0x1F468, 0x200D, 0x5D0, 0x627, 0x6D5, 0xF40, 0x20, 0x2E,
  ]

  static func text(_ values: some Sequence<UInt32>) -> String {
    var view = String.UnicodeScalarView()
    for value in values { if let scalar = Unicode.Scalar(value) { view.append(scalar) } }
    return String(view)
  }

  #if !canImport(Darwin)
    private static func standard(_ text: String) -> (nfc: [Unicode.Scalar], nfd: [Unicode.Scalar]) {
      (Array(text._nfc), Array(text._nfd))
    }

    @Test func randomTextsAreAsTheStandardLibraryHasThem() {
      var random = SeededGenerator()
      var long = 0
      for _ in 0..<TestEnvironment.rounds(2000) {
        var values: [UInt32] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          for _ in 0..<Int.random(in: 0...3, using: &random) {
            values.append(Self.others.randomElement(using: &random) ?? 0)
          }
          // Around the length from which on runs are ordered here, and far beyond it.
          let count = [0, 1, 3, 30, 31, 32, 33, 34, 60, 150].randomElement(using: &random) ?? 0
          let choice = Self.marks.shuffled(using: &random).prefix(Int.random(in: 1...12, using: &random))
          for _ in 0..<count { values.append(choice.randomElement(using: &random) ?? 0) }
          if count > 32 { long += 1 }
        }
        let text = Self.text(values)
        let (nfc, nfd) = Self.standard(text)
        let found = Array(NFC.normalized(text).unicodeScalars)
        #expect(found == nfc, "\(values.map { String($0, radix: 16) })")
        let bare = String.UnicodeScalarView(nfd.filter { $0.properties.generalCategory != .nonspacingMark })
        #expect(Array(Diacritics.removed(from: text).unicodeScalars) == Self.standard(String(bare)).nfc)
      }
      #expect(long > TestEnvironment.rounds(2000) / 2)
    }

    /// Every scalar that is moved or composed, in the middle of a long run and after one.
    @Test func everyScalarBesideALongRun() {
      let run = (0..<40).map { Self.marks[$0 * 7 % 12] }
      for value in UInt32(0x80)..<0x3_0000 {
        guard let scalar = Unicode.Scalar(value) else { continue }
        let properties = scalar.properties
        let isPlain =
          properties.canonicalCombiningClass == .notReordered && Array(String(scalar)._nfd) == [scalar]
        // Of the others some are enough.
        guard !isPlain || value % 97 == 0 || (0x1100..<0x1200).contains(value) else { continue }
        for values in [
          [0x61] + run + [value, 0x301], [value] + run, run + [value], [0x1100, value] + run + [value],
        ] {
          let text = Self.text(values)
          #expect(
            Array(NFC.normalized(text).unicodeScalars) == Self.standard(text).nfc,
            "\(String(value, radix: 16))")
        }
      }
    }
  #endif

  @Test(
    arguments: [
      [0x301, 0x316], [0x316, 0x301], [0x302E, 0x1D165], [0xF73, 0xF39], [0x344, 0x323, 0x327], [0xF75],
    ] as [[UInt32]])
  func aRunOfMarksCostsLinearSteps(_ marks: [UInt32]) {
    func text(_ count: Int) -> String {
      Self.text([0x61] + (0..<count).map { marks[$0 % marks.count] } + [0x62])
    }
    let composed = Growth(2000) { count in CountedSteps.of { _ = NFC.normalized(text(count), counting: &$0) }
    }
    #expect(composed.isLinear, "\(composed)")
    let plain = Growth(2000) { count in
      CountedSteps.of { _ = Diacritics.removed(from: text(count), counting: &$0) }
    }
    #expect(plain.isLinear, "\(plain)")
  }

  /// Many runs, each as long as the standard library may see it, and each a little longer.
  @Test(arguments: [31, 32, 33, 34, 1000]) func manyRunsCostLinearSteps(_ length: Int) {
    func text(_ count: Int) -> String {
      Self.text((0..<count).map { $0 % (length + 1) == 0 ? 0x61 : [0x301, 0x316, 0x323][$0 % 3] })
    }
    let growth = Growth(20_000) { count in CountedSteps.of { _ = NFC.normalized(text(count), counting: &$0) }
    }
    #expect(growth.isLinear, "\(growth)")
    // And few steps a mark, too.
    #expect(growth.steps[2] < 80_000 * 40, "\(growth)")
  }
}
