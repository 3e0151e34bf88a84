import SatchelSearch
import SatchelText
import TestSupport
import Testing

@Suite struct TextFolderTests {
  /// As `CONTAINS[cd]` folds.
  private func definition(_ text: String) -> [UInt8] {
    var scalars = String.UnicodeScalarView()
    for scalar in Diacritics.removed(from: text).unicodeScalars {
      scalars.append(Unicode.Scalar(CaseFolding.fold(scalar.value)) ?? "\u{FFFD}")
    }
    return Array(String(scalars).utf8)
  }

  @Test func singleScalars() {
    for value: UInt32 in Array(0..<0x3400) + stride(from: 0x3400, to: 0x11_0000, by: 37) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(scalar)
      #expect(TextFolder.folded(text) == definition(text), "\(value)")
      #expect(TextFolder.folded("가" + text + "a") == definition("가" + text + "a"), "\(value)")
    }
  }

  @Test func againstTheDefinition() {
    var texts = RandomTexts(random: SeededGenerator())
    var folder = TextFolder()
    for _ in 0..<TestEnvironment.rounds(5000) {
      var text = texts.text(upTo: texts.random.oneIn(10) ? 100 : 10)
      text.withUTF8 { folder.fold($0, keepingPlaces: true) }
      #expect(folder.bytes == definition(text), "\(text.debugDescription)")
      // The places lead from the folded text to whole scalars of the original, and leave nothing out.
      let count = text.utf8.count
      var end = 0
      for (index, place) in folder.places.enumerated() {
        let next = index + 1 < folder.places.count ? Int(folder.places[index + 1].folded) : folder.bytes.count
        let original = folder.original(of: Int(place.folded)..<next, textCount: count)
        #expect(index == 0 || original.lowerBound == end)
        end = original.upperBound
        let utf8 = Array(text.utf8)[original]
        #expect(
          definition(String(decoding: utf8, as: UTF8.self)) == Array(folder.bytes[Int(place.folded)..<next]))
      }
      #expect(folder.places.isEmpty || end == count)
    }
  }

  @Test func bytesThatAreNoText() {
    for bytes: [UInt8] in [
      [0xFF], [0x61, 0xC3], [0xED, 0xA0, 0x80, 0x41], [0xF4, 0x90, 0x80, 0x80], [0x80, 0xCC],
    ] {
      var folder = TextFolder()
      bytes.withUnsafeBufferPointer { folder.fold($0, keepingPlaces: true) }
      let folded = folder.bytes
      #expect(String(validating: folded, as: UTF8.self) != nil)
      #expect(folder.original(of: folded.indices, textCount: bytes.count).upperBound <= bytes.count)
    }
  }
}
