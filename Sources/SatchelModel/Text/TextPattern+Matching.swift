#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension TextPattern {
  /// True for the UTF-8 bytes of a text that matches; the text has to be in the form that the operand is in.
  ///
  /// No string is built unless diacritics are to be dropped from a text that is not ASCII. Bytes that are no UTF-8
  /// match nothing but wildcards.
  /// - Complexity: O(pattern × text).
  package func matches(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    guard options.contains(.diacriticInsensitive), let plain = Diacritics.removed(from: utf8) else {
      return matchesPlain(utf8)
    }
    return plain.withUnsafeBufferPointer { matchesPlain($0) }
  }

  /// True for a text that matches.
  package func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { matches($0) }
  }

  private func matchesPlain(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    if options.contains(.caseInsensitive) {
      return scalars.withUnsafeBufferPointer { scalars in
        switch kind {
        case .like: Self.isLike(utf8, scalars)
        case .beginsWith: Self.begins(utf8, at: 0, with: scalars) != nil
        case .endsWith: Self.ends(utf8, with: scalars)
        case .contains: Self.holds(utf8, scalars)
        }
      }
    }
    return bytes.withUnsafeBufferPointer { bytes in
      switch kind {
      case .beginsWith: Self.isEqual(utf8, 0, bytes)
      case .endsWith: Self.isEqual(utf8, utf8.count - bytes.count, bytes)
      case .contains, .like: Self.holds(utf8, bytes)
      }
    }
  }

  // MARK: Where case counts: bytes, which in UTF-8 are never found in the middle of a scalar

  private static func isEqual(
    _ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard start >= 0, bytes.count <= text.count - start else { return false }
    guard let left = text.baseAddress, let right = bytes.baseAddress, !bytes.isEmpty else { return true }
    return memcmp(left + start, right, bytes.count) == 0
  }

  private static func holds(_ text: UnsafeBufferPointer<UInt8>, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = bytes.first else { return true }
    guard let base = text.baseAddress else { return false }
    var start = 0
    while bytes.count <= text.count - start {
      let candidates = text.count - bytes.count - start + 1
      guard let found = memchr(base + start, Int32(first), candidates) else { return false }
      start = UnsafeRawPointer(found) - UnsafeRawPointer(base)
      if isEqual(text, start, bytes) { return true }
      start += 1
    }
    return false
  }

  // MARK: Where case does not count: scalars, folded as they are read

  /// Two pointers; on a mismatch the text's one goes back to one scalar after where the last `%` was tried.
  private static func isLike(_ text: UnsafeBufferPointer<UInt8>, _ pattern: UnsafeBufferPointer<UInt32>)
    -> Bool
  {
    var index = 0
    var position = 0
    var afterRun = -1
    var retry = 0
    while index < text.count {
      if position < pattern.count, pattern[position] == anyRun {
        position += 1
        if position == pattern.count { return true }
        afterRun = position
        retry = index
        continue
      }
      let (scalar, next) = read(text, at: index)
      if position < pattern.count, pattern[position] == scalar || pattern[position] == anyScalar {
        position += 1
        index = next
      } else if afterRun >= 0 {
        position = afterRun
        retry = read(text, at: retry).next
        index = retry
      } else {
        return false
      }
    }
    while position < pattern.count, pattern[position] == anyRun { position += 1 }
    return position == pattern.count
  }

  /// Where the text goes on after the scalars, if they stand at an index of it.
  private static func begins(
    _ text: UnsafeBufferPointer<UInt8>, at start: Int, with scalars: UnsafeBufferPointer<UInt32>
  ) -> Int? {
    var index = start
    for wanted in scalars {
      guard index < text.count else { return nil }
      let (scalar, next) = read(text, at: index)
      guard scalar == wanted else { return nil }
      index = next
    }
    return index
  }

  private static func ends(_ text: UnsafeBufferPointer<UInt8>, with scalars: UnsafeBufferPointer<UInt32>)
    -> Bool
  {
    // A folded scalar may have another length, so the beginning is found by counting scalars backwards.
    var start = text.count
    for _ in 0..<scalars.count {
      guard start > 0 else { return false }
      start -= 1
      while start > 0, text[start] & 0xC0 == 0x80 { start -= 1 }
    }
    return begins(text, at: start, with: scalars) == text.count
  }

  private static func holds(_ text: UnsafeBufferPointer<UInt8>, _ scalars: UnsafeBufferPointer<UInt32>)
    -> Bool
  {
    guard let first = scalars.first else { return true }
    var index = 0
    while index < text.count {
      let (scalar, next) = read(text, at: index)
      if scalar == first, begins(text, at: index, with: scalars) != nil { return true }
      index = next
    }
    return false
  }

  /// The folded scalar at an index and the index of the next one; a value that no scalar has for a byte that does not
  /// begin one.
  @inline(__always)
  private static func read(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> (scalar: UInt32, next: Int) {
    let first = text[index]
    if first < 0x80 { return (CaseFolding.fold(UInt32(first)), index + 1) }
    return readBeyondASCII(text, at: index, first)
  }

  private static func readBeyondASCII(
    _ text: UnsafeBufferPointer<UInt8>, at index: Int, _ first: UInt8
  ) -> (scalar: UInt32, next: Int) {
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard first >= 0xC2, first < 0xF5, length <= text.count - index else { return (0x11_0000, index + 1) }
    var scalar = UInt32(first) & (0x7F >> UInt32(length))
    for offset in 1..<length {
      let byte = text[index + offset]
      guard byte & 0xC0 == 0x80 else { return (0x11_0000, index + 1) }
      scalar = scalar << 6 | UInt32(byte & 0x3F)
    }
    return (CaseFolding.fold(scalar), index + length)
  }
}
