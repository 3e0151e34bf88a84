extension TextFolder {
  /// Where a run begins in both texts.
  package struct Place: Sendable {
    package let folded: Int32
    private let code: Int32

    init(folded: Int, original: Int, isWhole: Bool) {
      self.folded = Int32(truncatingIfNeeded: folded)
      let original = Int32(truncatingIfNeeded: original)
      code = isWhole ? ~original : original
    }

    package var original: Int { Int(code < 0 ? ~code : code) }
    /// Whether no scalar of the folded run is one of the original by itself.
    package var isWhole: Bool { code < 0 }
  }

  /// Returns the folded form of a text.
  package static func folded(_ text: String) -> [UInt8] {
    var folder = TextFolder()
    var text = text
    text.withUTF8 { unsafe folder.fold($0) }
    return folder.bytes
  }

  /// Returns which bytes of the original text a part of the folded one is of, with the marks behind its last scalar. Only after a text was
  /// folded with its places kept.
  /// - Parameter range: From one scalar of the folded text to another one, or to its end.
  /// - Complexity: O(log(text)).
  package func original(of range: Range<Int>, textCount: Int) -> Range<Int> {
    let start = index { $0 <= range.lowerBound }
    let end = index { $0 < range.upperBound }
    let lower = start > 0 ? original(of: range.lowerBound, in: places[start - 1]) : 0
    // What ends where a run begins, or with the text, has the marks up to there; within a run its next scalar begins.
    var upper = textCount
    if end < places.count, Int(places[end].folded) == range.upperBound || end == 0 || places[end - 1].isWhole
    {
      upper = places[end].original
    } else if end > 0, range.upperBound < bytes.count, !places[end - 1].isWhole {
      upper = original(of: range.upperBound, in: places[end - 1])
    }
    return lower..<max(lower, min(upper, textCount))
  }

  private func original(of offset: Int, in place: Place) -> Int {
    place.isWhole ? place.original : place.original + offset - Int(place.folded)
  }

  /// Returns how many places come before the first one that does not meet a condition.
  private func index(_ isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(Int(places[middle].folded)) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
