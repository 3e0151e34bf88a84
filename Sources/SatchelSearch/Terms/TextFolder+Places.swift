extension TextFolder {
  /// Returns the folded form of a text.
  package static func folded(_ text: String) -> [UInt8] {
    var folder = TextFolder()
    var text = text
    text.withUTF8 { unsafe folder.fold($0) }
    return folder.bytes
  }

  /// Returns which bytes of the original text a part of the folded one is of, with the marks behind its last scalar. Only after a text was
  /// folded with its places kept.
  /// - Complexity: O(log(text)).
  package func original(of range: Range<Int>, textCount: Int) -> Range<Int> {
    let start = index { $0 <= range.lowerBound }
    let end = index { $0 < range.upperBound }
    let lower = start > 0 ? Int(places[start - 1].original) : 0
    let upper = end < places.count ? Int(places[end].original) : textCount
    return lower..<max(lower, upper)
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
