#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension TextPattern {
  /// Returns whether the UTF-8 bytes of a text match. The text must be in the same form as the operand.
  ///
  /// Builds no string unless diacritics must be removed from a text that is not ASCII. Bytes that are not UTF-8 match
  /// only wildcards.
  /// - Complexity: O(text + pattern), for any text and pattern. Exception: a part of a LIKE pattern that is between two
  ///   `%` and has a `_` costs O(text · part / 64), which ``maximumBytes`` bounds, and AUTOCOMPLETE costs
  ///   O(text · log(words of the operand)).
  package func matches(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    var steps = NoStepCount()
    return unsafe matches(utf8, counting: &steps)
  }

  /// Returns whether a text matches.
  package func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { unsafe matches($0) }
  }

  /// Returns whether a text matches whose words are known already. Only of AUTOCOMPLETE; other patterns match no words.
  /// - Complexity: O(operand · log(words of the text)).
  package func matches(_ words: FoldedWords) -> Bool {
    if case .words(let wanted) = form { wanted.areFound(in: words) } else { false }
  }

  /// Returns whether a text matches, and counts the steps that this takes.
  package func matches(_ utf8: UnsafeBufferPointer<UInt8>, counting steps: inout some StepCount) -> Bool {
    guard options.contains(.diacriticInsensitive),
      let plain = unsafe Diacritics.removed(from: utf8, counting: &steps)
    else { return unsafe matchesPlain(utf8, counting: &steps) }
    return unsafe plain.withUnsafeBufferPointer { unsafe matchesPlain($0, counting: &steps) }
  }

  private func matchesPlain(
    _ utf8: UnsafeBufferPointer<UInt8>, counting steps: inout some StepCount
  ) -> Bool {
    switch form {
    case .like(let pattern): unsafe pattern.matches(FoldedScalars(utf8), counting: &steps)
    case .words(let words): unsafe words.areFound(in: utf8, counting: &steps)
    case .folded(let search):
      switch kind {
      case .beginsWith: unsafe FoldedScalars(utf8).end(of: search.literal, from: 0, counting: &steps) != nil
      case .endsWith: unsafe FoldedScalars(utf8).ends(with: search.literal, from: 0, counting: &steps)
      case .contains, .like, .autocomplete:
        unsafe search.literal.isEmpty
          || FoldedScalars(utf8).end(ofFirst: search, from: 0, counting: &steps) != nil
      }
    case .exact(let search):
      switch kind {
      case .beginsWith: unsafe Self.isEqual(utf8, 0, search.literal)
      case .endsWith: unsafe Self.isEqual(utf8, utf8.count - search.literal.count, search.literal)
      case .contains, .like, .autocomplete: unsafe Self.holds(utf8, search, counting: &steps)
      }
    }
  }

  // MARK: Where case counts: bytes, which in UTF-8 are never found in the middle of a scalar

  private static func isEqual(_ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ bytes: [UInt8]) -> Bool {
    guard start >= 0, bytes.count <= text.count - start else { return false }
    return unsafe bytes.withUnsafeBufferPointer { bytes in
      guard let left = text.baseAddress, let right = bytes.baseAddress, !bytes.isEmpty else { return true }
      return unsafe memcmp(left + start, right, bytes.count) == 0
    }
  }

  /// Returns whether the text contains the literal. As long as no byte matches, the system's `memchr` finds the first
  /// one.
  private static func holds(
    _ text: UnsafeBufferPointer<UInt8>, _ search: LiteralSearch<UInt8>, counting steps: inout some StepCount
  ) -> Bool {
    guard let first = search.literal.first else { return true }
    guard let base = text.baseAddress else { return false }
    var index = 0
    var matched = 0
    while text.count - index >= search.literal.count - matched {
      if matched == 0 {
        guard let found = unsafe memchr(base + index, Int32(first), text.count - index) else { return false }
        let offset = unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
        steps.add(offset - index + 1)
        index = offset + 1
        matched = 1
      } else {
        matched = unsafe search.matched(matched, then: text[index], counting: &steps)
        index += 1
      }
      if matched == search.literal.count { return true }
    }
    return false
  }
}
