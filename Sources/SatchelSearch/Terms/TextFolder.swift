internal import SatchelText

/// Folds texts: canonical decomposition without nonspacing marks and ``InvisibleScalars``, canonical composition, simple case folding, one
/// form of the apostrophe. So a word is the same with and without a soft hyphen or a joiner in it.
///
/// One folder serves many texts: it keeps its buffers, and remembers what single scalars become. So a text costs no allocation, unless it
/// has marks that folding has to put in order, or scalars that become several, which are rare (Hangul tone marks, notes).
package struct TextFolder: Sendable {
  /// The folded text, as UTF-8.
  package private(set) var bytes: [UInt8] = []
  /// Where runs of the folded text are in the original one, ascending; only if asked for. A run goes on as long as the scalars of both texts have
  /// as many bytes: a text that folding makes neither longer nor shorter has one. Marks that are dropped belong to the scalar before them.
  /// Scalars that were left out have an empty run, and the text behind them one of its own.
  package private(set) var places: [Place] = []
  /// Where scalars were left out that are not seen, as offsets of ``bytes``, ascending, each once: a word that has one within is several, too.
  /// There is none before a mark that is left, which goes on with what stands before it.
  package private(set) var breaks: [Int] = []
  /// Empty as long as no scalar was met that ``common`` does not have.
  private var memory: [Entry] = []
  private static let memoryCount = 1024

  /// What scalars fold to, or what two of them compose to; found by `key % memory.count`.
  private struct Entry: Sendable {
    /// Two scalars, of which the first may be missing.
    var key: UInt64
    var value: Folded
  }

  /// What a scalar becomes; scalars that compose have no case.
  private struct Folded: OptionSet, Sendable {
    var rawValue: UInt32
    /// It may compose with the scalar before it.
    static let composing = Self(rawValue: 1 << 31)
    /// It may have to change places with the scalar before it.
    static let moving = Self(rawValue: 1 << 30)
    /// It becomes none.
    static let dropped = Self(rawValue: 1 << 29)
    /// It becomes more than one.
    static let several = Self(rawValue: 1 << 28)
    /// It is not seen, and becomes none unless it joins emoji.
    static let invisible = Self(rawValue: 1 << 27)
    var scalar: UInt32 { rawValue & 0x1F_FFFF }
    var isPlain: Bool { rawValue <= 0x1F_FFFF }
  }

  package init() {}

  /// Folds a text into ``bytes``.
  /// - Complexity: O(text), for any text.
  package mutating func fold(_ utf8: UnsafeBufferPointer<UInt8>, keepingPlaces: Bool = false) {
    bytes.removeAll(keepingCapacity: true)
    bytes.reserveCapacity(utf8.count)
    places.removeAll(keepingCapacity: true)
    breaks.removeAll(keepingCapacity: true)
    var index = 0
    while index < utf8.count {
      let first = unsafe utf8[index]
      if first < 0x80 {
        let end = unsafe utf8.endOfASCII(from: index)
        unsafe foldASCII(UnsafeBufferPointer(rebasing: utf8[index..<end]), from: index, keepingPlaces)
        index = end
        continue
      }
      let (value, next) = unsafe utf8.scalarBeyondASCII(at: index, first)
      // Han, and syllables of Hangul.
      if value &- 0x3400 < 0x6C00 || value &- 0xAC00 < 0x2BA4 {
        if keepingPlaces { keepPlace(index) }
        append(folded: value)
        index = next
        continue
      }
      // Bytes that are no scalar become the replacement character, as in a String.
      let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
      let folded = remembered(scalar)
      if folded.isPlain {
        if keepingPlaces { keepPlace(index) }
        append(folded: folded.scalar)
      } else if folded.contains(.invisible) {
        if folded.scalar == InvisibleScalars.joiner, unsafe joinsEmoji(utf8, next) {
          if keepingPlaces { keepPlace(index) }
          append(folded: folded.scalar)
        } else {
          leaveOut(folded.scalar, from: index, keepingPlaces)
        }
      } else if !folded.contains(.dropped) {
        if !folded.isDisjoint(with: [.moving, .several]) {
          unsafe foldPiecewise(utf8, keepingPlaces: keepingPlaces)
          return
        }
        // What is left is a mark, and goes on with what stands before it.
        if breaks.last == bytes.count { breaks.removeLast() }
        if !compose(with: folded.scalar) {
          if keepingPlaces { keepPlace(index) }
          append(folded: folded.scalar)
        }
      }
      index = next
    }
  }

  /// Begins a run at the end of ``bytes``, unless the last one goes on.
  @inline(__always)
  private mutating func keepPlace(_ original: Int, isWhole: Bool = false) {
    if let last = places.last, !last.isWhole, !isWhole,
      original - bytes.count == last.original - Int(last.folded)
    {
      return
    }
    places.append(Place(folded: bytes.count, original: original, isWhole: isWhole))
  }

  /// Appends the folding of bytes of ASCII, which stand in the text from `start` on.
  private mutating func foldASCII(_ text: UnsafeBufferPointer<UInt8>, from start: Int, _ keepsPlaces: Bool) {
    let count = bytes.count
    if keepsPlaces { keepPlace(start) }
    unsafe bytes.append(contentsOf: text)
    unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      for index in count..<bytes.count {
        let byte = unsafe bytes[index]
        unsafe bytes[index] = byte &- 0x41 < 26 ? byte | 0x20 : byte
      }
    }
  }

  /// Appends what a scalar without marks folds to.
  private mutating func append(_ scalar: UInt32) { append(folded: Self.fold(scalar)) }

  /// Simple case folding, and U+0027 for the other two scalars that are written as an apostrophe.
  private static func fold(_ scalar: UInt32) -> UInt32 {
    scalar == 0x2019 || scalar == 0x2BC ? 0x27 : CaseFolding.fold(scalar)
  }

  @inline(__always)
  private mutating func append(folded scalar: UInt32) {
    if scalar < 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: scalar))
    } else if scalar < 0x800 {
      bytes.append(UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6))
      bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
    } else if scalar < 0x1_0000 {
      bytes.append(UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12))
      bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F))
      bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
    } else {
      bytes.append(UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18))
      bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 12 & 0x3F))
      bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F))
      bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
    }
  }

  // MARK: Single scalars, and what two compose to

  private static func plain(_ text: String) -> String { Diacritics.removed(from: text) }

  private mutating func remembered(_ scalar: Unicode.Scalar) -> Folded {
    if scalar.value < Self.commonEnd { return Self.common[Int(scalar.value)] }
    if memory.isEmpty { allocateMemory() }
    let slot = Int(scalar.value) % Self.memoryCount
    if memory[slot].key == UInt64(scalar.value) { return memory[slot].value }
    let value = Self.folded(scalar)
    memory[slot] = Entry(key: UInt64(scalar.value), value: value)
    return value
  }

  private mutating func allocateMemory() {
    memory = [Entry](repeating: Entry(key: 0, value: []), count: Self.memoryCount)
  }

  /// What the scalars of the alphabets of Europe and the Near East become, which all folders of a process share.
  private static let common = (0..<commonEnd).map { Unicode.Scalar($0).map(folded) ?? [] }
  private static let commonEnd: UInt32 = 0x700

  private static func folded(_ scalar: Unicode.Scalar) -> Folded {
    let plain = plain(String(scalar)).unicodeScalars
    var value = Folded(rawValue: plain.first.map { fold($0.value) } ?? 0)
    if InvisibleScalars.contains(scalar.value) { value.insert(.invisible) }
    if plain.isEmpty { value.insert(.dropped) }
    if plain.count > 1 { value.insert(.several) }
    if continues(scalar), !plain.isEmpty {
      value.insert(.composing)
      if scalar.properties.canonicalCombiningClass != .notReordered { value.insert(.moving) }
    }
    return value
  }

  /// Whether canonical composition and ordering may join a scalar to what stands before it: marks, and the vowels and finals of Hangul.
  private static func continues(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value &- 0x1160 < 0xA0 { return true }
    return switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  /// Composes a scalar with the last one of ``bytes``; returns false if they do not compose.
  private mutating func compose(with second: UInt32) -> Bool {
    let found = unsafe bytes.withUnsafeBufferPointer { unsafe $0.scalarBeyondASCII(endingAt: $0.count) }
    guard let (last, start) = found, let first = Unicode.Scalar(last), let next = Unicode.Scalar(second)
    else { return false }
    let key = UInt64(last) << 32 | UInt64(second)
    if memory.isEmpty { allocateMemory() }
    let slot = Int(last &* 31 &+ second) % Self.memoryCount
    if memory[slot].key != key {
      var pair = String.UnicodeScalarView()
      pair.append(first)
      pair.append(next)
      let composed = NFC.normalized(String(pair)).unicodeScalars
      let isOne = composed.count == 1
      memory[slot] = Entry(
        key: key, value: isOne ? Folded(rawValue: composed[composed.startIndex].value) : .dropped)
    }
    let value = memory[slot].value
    guard value.isPlain else { return false }
    bytes.removeSubrange(start...)
    // What is not seen and stood between the two is within the one that they are now.
    while let place = places.last, place.folded > start { places.removeLast() }
    append(value.scalar)
    return true
  }

  // MARK: What is not seen

  /// Leaves a scalar out. It ends the run, so that what stands beside it is shown without it; but a joiner belongs to the scalar before.
  private mutating func leaveOut(_ scalar: UInt32, from original: Int, _ keepsPlaces: Bool) {
    // Where nothing came since the last place, others were left out, which end the run for this one, too.
    if keepsPlaces, !InvisibleScalars.isJoiner(scalar),
      places.last.map({ Int($0.folded) < bytes.count }) ?? true
    {
      places.append(Place(folded: bytes.count, original: original, isWhole: false))
    }
    if breaks.last != bytes.count { breaks.append(bytes.count) }
  }

  /// Whether a joiner joins the emoji that the folded text ends with to one that stands at a place of the original.
  private func joinsEmoji(_ utf8: UnsafeBufferPointer<UInt8>, _ next: Int) -> Bool {
    guard next < utf8.count, unsafe utf8[next] >= 0x80 else { return false }
    return unsafe joinsEmoji(to: utf8.scalarBeyondASCII(at: next, utf8[next]).scalar)
  }

  private func joinsEmoji(to next: UInt32) -> Bool {
    guard InvisibleScalars.isEmoji(Self.fold(next)) else { return false }
    return unsafe bytes.withUnsafeBufferPointer { unsafe InvisibleScalars.endsWithEmoji($0) }
  }

  // MARK: Texts with marks that may have to change places

  /// Folds pieces of the text that no mark can leave.
  private mutating func foldPiecewise(_ utf8: UnsafeBufferPointer<UInt8>, keepingPlaces: Bool) {
    bytes.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    breaks.removeAll(keepingCapacity: true)
    let scalars = unsafe String(decoding: utf8, as: UTF8.self).unicodeScalars
    var piece = String.UnicodeScalarView()
    // What is not seen and stands behind the piece, unless a mark of the piece follows.
    var behind: [(scalar: UInt32, original: Int)] = []
    var (start, original) = (0, 0)
    var index = scalars.startIndex
    while index < scalars.endIndex {
      let scalar = scalars[index]
      scalars.formIndex(after: &index)
      // Repaired bytes may make the copy longer than the text: places are kept within it.
      let place = min(original, utf8.count)
      original += UTF8.width(scalar)
      if InvisibleScalars.contains(scalar.value) {
        guard scalar.value == InvisibleScalars.joiner, index < scalars.endIndex,
          InvisibleScalars.isEmoji(Self.fold(scalars[index].value))
        else {
          behind.append((scalar.value, place))
          continue
        }
        // An emoji follows, so that the piece ends here in any case.
        endPiece(&piece, from: start, &behind, keepingPlaces)
        start = place
        if joinsEmoji(to: scalars[index].value) {
          piece.append(scalar)
        } else {
          behind.append((scalar.value, place))
        }
      } else if Self.continues(scalar) {
        if piece.isEmpty { start = place }
        piece.append(scalar)
        if !remembered(scalar).contains(.dropped) { behind.removeAll(keepingCapacity: true) }
      } else {
        endPiece(&piece, from: start, &behind, keepingPlaces)
        start = place
        piece.append(scalar)
      }
    }
    endPiece(&piece, from: start, &behind, keepingPlaces)
  }

  private mutating func endPiece(
    _ piece: inout String.UnicodeScalarView, from start: Int,
    _ behind: inout [(scalar: UInt32, original: Int)],
    _ keepsPlaces: Bool
  ) {
    let plain = Self.plain(String(piece)).unicodeScalars
    if let first = plain.first {
      if keepsPlaces { keepPlace(start, isWhole: plain.index(after: plain.startIndex) < plain.endIndex) }
      append(first.value)
      for scalar in plain.dropFirst() { append(scalar.value) }
    }
    for (scalar, original) in behind { leaveOut(scalar, from: original, keepsPlaces) }
    piece = String.UnicodeScalarView()
    behind.removeAll(keepingCapacity: true)
  }
}
