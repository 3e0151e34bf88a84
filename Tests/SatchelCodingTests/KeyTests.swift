import SatchelCoding
import TestSupport
import Testing

/// Keys sort like what they are made of, and read back.
struct KeyTests {
  @Test func messageKeysSortByConversationThenSequence() throws {
    var random = SeededGenerator()
    let keys = (0..<TestEnvironment.rounds(500)).map { _ in
      MessageKey(conversation: random.number() >> 1, sequence: random.number())
    }
    for (left, right) in zip(keys, keys.dropFirst()) {
      #expect((left < right) == left.bytes.array.lexicographicallyPrecedes(right.bytes.array))
      #expect((left < right) == (left.bytes < right.bytes))
      #expect(try left.bytes.withUnsafeBytes { try MessageKey(messages: $0) } == left)
    }
  }

  @Test func bodyKeysSortByMessagePartAndPiece() throws {
    var random = SeededGenerator()
    for _ in 0..<TestEnvironment.rounds(500) {
      let message = random.messageKey()
      let key = BodyKey(message: message, part: random.number(), piece: random.number() >> 1)
      let next = BodyKey(message: message, part: key.part, piece: key.piece + 1)
      #expect(key.bytes < next.bytes)
      #expect(try key.bytes.withUnsafeBytes { try BodyKey($0) } == key)
    }
  }

  @Test func objectKeysReadBackAndSortByKind() throws {
    let keys: [ObjectKey] = [
      .header, .seal, .conversation(row: 0), .conversation(row: 256), .identity(row: 1),
      .announcement(sequence: 5), .dictionary(.users, id: 9), .dictionary(.mimeTypes, id: 0),
      .changeLog(commit: 3),
      .consumer(id: 1), .purge(MessageKey(conversation: 2, sequence: 8)),
      .purge(MessageKey(conversation: 2, sequence: MessageKey.wholeConversation)),
      .staging(importNumber: 1, ordinal: 500), .staging(importNumber: 2, ordinal: 0),
    ]
    for key in keys { #expect(try key.bytes.withUnsafeBytes { try ObjectKey($0) } == key) }
    #expect(keys.map(\.bytes) == keys.map(\.bytes).sorted())
    #expect(keys.map(\.bytes.array).sorted { $0.lexicographicallyPrecedes($1) } == keys.map(\.bytes.array))
  }

  @Test func otherKeysAreRefused() {
    let bad: [[UInt8]] = [
      [], [0], [0, 2], [0, 0, 0], [0x10, 0, 0, 0], [0x11, 0, 0, 0, 0], [0x40, 9, 0, 0, 0, 0],
      [0x50, 0, 0, 0, 0, 0, 0, 0],
      [0x70, 0],
    ]
    for bytes in bad { #expect(throws: CodingError.self) { try bytes.withUnsafeBytes { try ObjectKey($0) } } }
    for count in 0...30 where count != 12 {
      let bytes = [UInt8](repeating: 0, count: count)
      #expect(throws: CodingError.self) { try bytes.withUnsafeBytes { try MessageKey(messages: $0) } }
    }
    let announcements = [UInt8](repeating: 0xFF, count: 12)
    #expect(throws: CodingError.self) { try announcements.withUnsafeBytes { try MessageKey(messages: $0) } }
    #expect(throws: CodingError.self) { try announcements.withUnsafeBytes { try BodyKey($0) } }
  }

  @Test func wordsSortLikeValues() {
    var random = SeededGenerator()
    for _ in 0..<TestEnvironment.rounds(2000) {
      let left = random.optional { $0.signed() }
      let right = random.optional { $0.signed() }
      if let left, let right { #expect((left < right) == (KeyWords.word(left) < KeyWords.word(right))) }
      // Missing first, as columns; a position is the one exception.
      let order: (Int64?, Int64?) -> Bool = { first, second in
        guard let second else { return false }
        return first.map { $0 < second } ?? true
      }
      #expect(
        KeyWords.value(presence: KeyWords.words(left).presence, word: KeyWords.words(left).word) == left)
      #expect((KeyWords.words(left) < KeyWords.words(right)) == order(left, right))
      let positions = (KeyWords.words(position: left), KeyWords.words(position: right))
      #expect(KeyWords.position(unsent: positions.0.unsent, word: positions.0.word) == left)
      #expect((positions.0 < positions.1) == (left != nil && (right == nil || left! < right!)))
    }
    #expect(KeyWords.word(false) < KeyWords.word(true))
    #expect(KeyWords.word(Int64.min) == 0)
    #expect(KeyWords.word(Int64.max) == .max)
  }

  /// Wherever a key lies, nothing is read of what is behind it, and nothing behind the end of the bytes.
  @Test func keysAreTakenFromAnyRangeOfBytes() {
    var random = SeededGenerator()
    let bytes = (0..<40).map { _ in UInt8(truncatingIfNeeded: random.next() | 1) }
    for end in 0...bytes.count {
      let shorter = Array(bytes[..<end])
      for start in 0...end {
        for count in 0...30 {
          let key = KeyBytes(shorter.span.bytes, start..<start + count)
          guard (1...24).contains(count), start + count <= end else {
            #expect(key == nil)
            continue
          }
          var expected = KeyBytes()
          for byte in shorter[start..<start + count] { expected.append(byte) }
          #expect(key == expected, "\(count) bytes at \(start) of \(end)")
        }
      }
    }
    #expect(KeyBytes(bytes.span.bytes, -1..<3) == nil)
  }
}
