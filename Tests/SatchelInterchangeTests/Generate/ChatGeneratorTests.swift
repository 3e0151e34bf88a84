import ChatGeneration
import SatchelBytes
import SatchelInterchange
import TestSupport
import Testing

@Suite struct ChatGeneratorTests {
  private static func digest(messages: Int, seed: UInt64) throws -> String {
    var hash = SHA256()
    try ChatGenerator(messages: messages, seed: seed).generate { hash.update($0) }
    return hash.hexadecimalDigest()
  }

  private static func lines(messages: Int, seed: UInt64) throws -> [[UInt8]] {
    var bytes: [UInt8] = []
    try ChatGenerator(messages: messages, seed: seed).generate { chunk in
      #expect(chunk.last == UInt8(ascii: "\n"))
      bytes += chunk
    }
    return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().map {
      Array($0)
    }
  }

  /// Benchmarks and bug reports name a chat by its size and seed: if the bytes change, that is to be said.
  @Test func bytesArePinned() throws {
    #expect(
      try Self.digest(messages: 1_000, seed: 1)
        == "f83ac9360f5b76f5d4561cd8c47c49183e05d2d44c89793bbd117faef9eadc61")
    #expect(
      try Self.digest(messages: 30_000, seed: 7)
        == "5a65347f284c9d59870435e20f04473134d2a7c47a526a7d67631e1e30abf880")
  }

  @Test func anotherSeedIsAnotherChat() throws {
    #expect(try Self.digest(messages: 100, seed: 2) == Self.digest(messages: 100, seed: 2))
    #expect(try Self.digest(messages: 100, seed: 2) != Self.digest(messages: 100, seed: 3))
  }

  @Test(arguments: [-1, 0, 1, 2, 3, 7, 19, 20, 49, 50, 61, 299, 2_500]) func everyReferenceIsDefined(
    _ count: Int
  ) throws {
    var random = SeededGenerator(for: "chat references")
    var chat = ChatModel()
    for line in try Self.lines(messages: count, seed: random.next()) { try chat.read(line) }
    #expect(chat.kinds["message", default: 0] == max(0, count))
    #expect(chat.kinds["header"] == 1)
    #expect(chat.kinds["identity", default: 0] >= 8)
    #expect(chat.kinds["conversation", default: 0] >= 5)
    if count > 0 { #expect(chat.lastSentAt == "2026-06-30T12:00:00Z") }
  }

  @Test func proportions() throws {
    var chat = ChatModel()
    var byteCount = 0
    for line in try Self.lines(messages: 30_000, seed: 7) {
      try chat.read(line)
      byteCount += line.count + 1
    }
    #expect(chat.kinds["identity"] == 173)
    #expect(chat.kinds["conversation"] == 500)
    #expect(chat.kinds["announcement"] == 5)
    #expect(chat.unsentCount == 4)
    #expect((300...400).contains(byteCount / 30_000))
    #expect((465...485).contains(chat.conversationsOfAlice))
    #expect(chat.messageCounts.count == 490)
    #expect((1_800...3_000).contains(chat.unreadCount))
    #expect(chat.distinctCount == 25)
    let parts = chat.partTypes.values.reduce(0, +)
    #expect((83...87).contains(chat.partTypes["text/plain", default: 0] * 100 / parts))
    #expect(
      Set(chat.partTypes.keys) == [
        "text/plain", "text/html", "image/png", "image/jpeg", "application/json", "video/mp4",
        "application/pdf",
      ])
    #expect(chat.longestText > 3_000)
    #expect(chat.hasDecomposedText && chat.hasJoinedEmoji)
    // Zipf: a few conversations hold much, most hold little.
    let sizes = chat.messageCounts.values.sorted(by: >)
    #expect(sizes[..<25].reduce(0, +) > 12_000)
    #expect(sizes[250] < 40)
  }

  @Test func stopsWhereTheOutputThrows() {
    struct Full: Error {}
    var chunks = 0
    #expect(throws: Full.self) {
      try ChatGenerator(messages: 10_000, seed: 1).generate { _ in
        chunks += 1
        if chunks == 3 { throw Full() }
      }
    }
    #expect(chunks == 3)
  }

  @Test func chunksAreSmall() throws {
    var largest = 0
    try ChatGenerator(messages: 20_000, seed: 5).generate { largest = max(largest, $0.count) }
    #expect(largest < 128 << 10)
  }
}
