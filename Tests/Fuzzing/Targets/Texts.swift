import SatchelModel
import SatchelQuery
import SatchelSearch
import SatchelText

extension FuzzTarget {
  /// A text: its NFC is its own NFC, and the same text to Swift.
  static let nfc = FuzzTarget("nfc", maximumBytes: 512) { bytes in
    bytes.withMemoryRebound(to: UInt8.self) { utf8 in
      NFC.withNormalized(utf8) { blackHole($0.count) }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    let normalized = NFC.normalized(text)
    try expect(NFC.bytes(normalized).elementsEqual(normalized.utf8), "the NFC of an NFC is another one")
    try expect(normalized == text, "the NFC is another text")
    let folded = text.unicodeScalars.map { CaseFolding.fold($0.value) }
    try expect(folded.map { CaseFolding.fold($0) } == folded, "a folded text folds to another one")
    let plain = Diacritics.removed(from: text)
    try expect(Diacritics.removed(from: plain).utf8.elementsEqual(plain.utf8), "marks are left")
    return true
  }

  /// A text that may be a stored key path, or one as the predicate language spells it: what it is split into is joined to the same bytes,
  /// and spelled as a path that is read as the same.
  static let metadataPath = FuzzTarget("metadataPath", maximumBytes: 192) { bytes in
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    let stored = MetadataPath(stored: text)
    if let stored {
      try expect(stored.storedBytes.elementsEqual(bytes), "\(stored) is stored as \(stored.stored)")
      try expect(
        stored.keys.allSatisfy { Metadata.isStoredKey($0) }, "\(stored) has a key that no record has")
    }
    for path in [stored, (try? [String](spelledPath: text)).map { MetadataPath($0) }] {
      guard let path else { continue }
      try expect(
        (try? [String](spelledPath: path.description)).map { MetadataPath($0) } == path, "spelled as \(path)")
      guard path.fault(.stored) == nil else { continue }
      try expect(MetadataPath(stored: path.stored) == path, "\(path) is stored as \(path.stored)")
    }
    return stored != nil
  }

  /// A pattern and a text: what matches is what the plainest way of matching finds. The first byte says how, the second
  /// where the pattern ends.
  static let pattern = FuzzTarget("pattern", maximumBytes: 192) { bytes in
    guard bytes.count >= 2 else { return false }
    let split = 2 + min(Int(bytes[1]), bytes.count - 2)
    let text = UnsafeRawBufferPointer(rebasing: bytes[split...])
    guard let operand = String(validating: bytes[2..<split], as: UTF8.self) else { return false }
    let kind = bytes[0] & 16 == 0 ? TextPattern.Kind(rawValue: bytes[0] & 3) ?? .like : .autocomplete
    let options = TextPattern.Options(rawValue: bytes[0] >> 2 & 3)
    let pattern = TextPattern(kind, operand, options: options)
    let matches = text.withMemoryRebound(to: UInt8.self) { pattern.matches($0) }
    // Of bytes that are no text nothing is said but that they are safe to give.
    guard let string = String(validating: text, as: UTF8.self) else { return false }
    let plainest =
      kind == .autocomplete
      ? PlainestWords(operand).areFound(in: string) : PlainestPattern(kind, operand, options).matches(string)
    try expect(
      matches == plainest,
      "\(kind) \(operand.debugDescription) of \(string.debugDescription): \(matches)")
    return true
  }
}

extension FuzzTarget {
  /// A pattern of full-text search and a text: whatever is typed is a pattern that its text gives again, one that is accepted strictly
  /// means the same as typed, and what is marked of the text is in order. The first byte says where the pattern ends.
  static let search = FuzzTarget("search", maximumBytes: 256) { bytes in
    guard let first = bytes.first else { return false }
    let split = 1 + min(Int(first), bytes.count - 1)
    let text = UnsafeRawBufferPointer(rebasing: bytes[split...])
    guard let written = String(validating: bytes[1..<split], as: UTF8.self) else { return false }
    let typed = SearchPattern(typed: written)
    let strict = try? SearchPattern(written)
    // The names of fields that a program writes are those that it knows.
    if let strict {
      let known = SearchPattern(typed: written, fields: Set(strict.fields))
      try expect(strict == known, "\(written.debugDescription) is \(known) as typed")
      let printed = try? SearchPattern(strict.description)
      try expect(printed == strict, "\(written.debugDescription) prints as \(strict)")
    }
    let again = typed.isEmpty ? typed : try? SearchPattern(typed.description)
    try expect(again == typed, "\(written.debugDescription) prints as \(typed)")
    let matches = text.withMemoryRebound(to: UInt8.self) { typed.matches($0) }
    try expect(!typed.isEmpty || !matches, "a pattern of nothing matches")
    // Of bytes that are no text nothing is said but that they are safe to give.
    guard let string = String(validating: text, as: UTF8.self) else { return false }
    try expect(typed.matches(string) == matches, "\(typed) of \(string.debugDescription) as a text")
    let highlights = typed.highlights(in: string)
    try expect(
      zip(highlights, highlights.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }
        && highlights.allSatisfy { !$0.isEmpty }, "\(typed) marks \(string.debugDescription)")
    let snippet = typed.snippet(of: string, bytes: 24)
    try expect(
      string[snippet.range].utf8.count <= 24
        && snippet.highlights.allSatisfy {
          snippet.range.contains($0.lowerBound) && $0.upperBound <= snippet.range.upperBound
        },
      "\(typed) cuts \(string.debugDescription)")
    return strict != nil
  }
}

/// Matching in the plainest way that there is.
private struct PlainestPattern {
  private enum Step: Equatable {
    case scalar(UInt32)
    case anyScalar
    case anyRun
  }

  private let kind: TextPattern.Kind
  private let options: TextPattern.Options
  private let steps: [Step]

  init(_ kind: TextPattern.Kind, _ operand: String, _ options: TextPattern.Options) {
    self.kind = kind
    self.options = kind == .like ? options.union(.caseInsensitive) : options
    let scalars = Self.scalars(operand, self.options, folds: false)
    var steps: [Step] = []
    var isEscaped = false
    for scalar in scalars {
      if kind == .like, !isEscaped, scalar == 0x5C {
        isEscaped = true
      } else if kind == .like, !isEscaped, scalar == 0x25 {
        steps.append(.anyRun)
      } else if kind == .like, !isEscaped, scalar == 0x5F {
        steps.append(.anyScalar)
      } else {
        steps.append(.scalar(self.options.contains(.caseInsensitive) ? CaseFolding.fold(scalar) : scalar))
        isEscaped = false
      }
    }
    if isEscaped { steps.append(.scalar(0x5C)) }
    switch kind {
    case .like: self.steps = steps
    case .beginsWith: self.steps = steps + [.anyRun]
    case .endsWith: self.steps = [.anyRun] + steps
    case .contains, .autocomplete: self.steps = [.anyRun] + steps + [.anyRun]
    }
  }

  private static func scalars(_ text: String, _ options: TextPattern.Options, folds: Bool) -> [UInt32] {
    let text = options.contains(.diacriticInsensitive) ? Diacritics.removed(from: text) : text
    return text.unicodeScalars.map {
      folds && options.contains(.caseInsensitive) ? CaseFolding.fold($0.value) : $0.value
    }
  }

  /// Which beginnings of the text each step can end at.
  func matches(_ text: String) -> Bool {
    let scalars = Self.scalars(text, options, folds: true)
    var ends = [Bool](repeating: false, count: scalars.count + 1)
    ends[0] = true
    for step in steps {
      var next = [Bool](repeating: false, count: scalars.count + 1)
      for index in ends.indices {
        switch step {
        case .anyRun: next[index] = ends[index] || (index > 0 && next[index - 1])
        case .anyScalar: next[index] = index > 0 && ends[index - 1]
        case .scalar(let scalar): next[index] = index > 0 && ends[index - 1] && scalars[index - 1] == scalar
        }
      }
      ends = next
    }
    return ends[scalars.count]
  }
}

/// Words and the words that they begin, in the plainest way that there is.
private struct PlainestWords {
  private let words: [[UInt32]]

  init(_ text: String) {
    let folded = String(
      String.UnicodeScalarView(
        Diacritics.removed(from: text).unicodeScalars.map {
          Unicode.Scalar(CaseFolding.fold($0.value)) ?? $0
        }))
    let bytes = Array(folded.utf8)
    words = bytes.withUnsafeBufferPointer { utf8 in
      var segments = WordSegments(utf8)
      var words: [[UInt32]] = []
      while let segment = segments.next() {
        guard segment.isWord else { continue }
        words.append(String(decoding: bytes[segment.range], as: UTF8.self).unicodeScalars.map(\.value))
      }
      return words
    }
  }

  func areFound(in text: String) -> Bool {
    let others = PlainestWords(text).words
    return !words.isEmpty && words.allSatisfy { word in others.contains { $0.starts(with: word) } }
  }
}
