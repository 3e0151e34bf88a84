import Satchel
import Testing

@Suite struct ContentTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try scratch.store.write { tx in try tx.createConversation(with: ["bob"], id: "c") }
  }

  /// Up to what a record holds, one more, a page, what comes with a message, one more, and a film.
  static let sizes = [0, 1, 512, 513, 2048, 2049, 4080, 4081, 8161, 5_000_000]

  static func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) % 26 + 97 }
  }

  @Test(arguments: sizes) func contents(_ count: Int) throws {
    let bytes = Self.bytes(count)
    let text = String(decoding: bytes, as: UTF8.self)
    let id = try store.write { tx in
      let id = try tx.send(
        [.text(text), .data(bytes, mimeType: "image/png"), .url(text, mimeType: "video/mp4")], to: "c")
      for index in 0..<3 {
        #expect(try tx.read { try $0.content(of: .init("\(id)/parts/\(index)")) } == bytes)
      }
      return id
    }
    let message = try #require(try store.read { try $0.message(id) })
    let stored = count > MessagePart.inlineBytes
    // The first text comes whatever its size.
    #expect(message.parts[0].content == .text(text))
    #expect(message.parts[1].content == (stored ? .storedData : .data(bytes)))
    #expect(message.parts[2].content == .url(text))
    #expect(message.parts.map(\.size) == [Int64(count), Int64(count), nil])
    #expect(message.text == text)
    #expect(try store.fetch(MessagePart.filter { $0.message == id }) == message.parts)
    let middle = count / 2
    for part in message.parts {
      #expect(try store.content(of: part.id) == bytes)
      #expect(try store.content(of: part.id, in: 0..<count) == bytes)
      for range in [
        0..<0, 0..<1, 511..<514, 2040..<2060, 4079..<4082, middle..<middle + 9000, count..<count + 5,
      ] {
        #expect(
          try store.content(of: part.id, in: range)
            == Array(bytes[min(range.lowerBound, count)..<min(range.upperBound, count)]), "\(range)")
      }
      #expect(try store.content(of: part.id, in: max(0, count - 3)..<Int.max) == Array(bytes.suffix(3)))
      #expect(try store.content(of: part.id, in: Int.min..<2) == Array(bytes.prefix(2)))
    }
    #expect(try store.count(MessagePart.filter { $0.size == count }) == 2)
    #expect(try store.count(MessagePart.filter { $0.text == text }) == 1)
    #expect(try store.count(MessagePart.filter { $0.text.endsWith(String(text.suffix(20))) }) == 1)
    try expectSound(store)
  }

  @Test func partsThatAreNotThere() throws {
    try store.write { tx in
      try tx.send([.text("0"), .text("1")], to: "c", id: "a/parts/b")
      try tx.send([.text("00")], to: "c", id: "m")
      try tx.createConversation(with: ["bob"], id: "left")
      try tx.send([.text("secret"), .data(Self.bytes(9000), mimeType: "t/t")], to: "left", id: "hidden")
      try tx.removeParticipants(["alice"], from: "left")
      for part: MessagePart.ID in ["hidden/parts/0", "hidden/parts/1"] {
        failure(.unknownMessage) { _ = try tx.read { try $0.content(of: part) } }
      }
    }
    #expect(try store.content(of: "a/parts/b/parts/1") == Array("1".utf8))
    for part: MessagePart.ID in [
      "hidden/parts/0", "hidden/parts/1", "", "m", "m/parts/", "m/parts/1", "m/parts/-1", "m/parts/00",
      "m/parts/+0",
      "m/part/0", "/parts/0", "m/parts/0/", "m/parts/99999999999999999999", "M/parts/0", "parts/0",
      "a/parts/b",
    ] {
      let error = failure(.unknownMessage) { _ = try store.content(of: part) }
      #expect(error?.context.isEmpty == false)
      failure(.unknownMessage) { _ = try store.content(of: part, in: 0..<1) }
      #expect(try store.count(MessagePart.filter { $0.identifier == part }) == 0)
    }
  }

  @Test func textsKeepTheirBytes() throws {
    let texts = ["e\u{301}", "\u{E9}", "\u{FEFF}bom", "a\0b", "line\r\nend", "👩‍👩‍👧", "\u{10FFFF}"]
    let id = try store.write { tx in try tx.send(texts.map { .text($0) }, to: "c") }
    let message = try #require(try store.read { try $0.message(id) })
    for (part, text) in zip(message.parts, texts) {
      guard case .text(let kept) = part.content else { throw Missing() }
      #expect(Array(kept.utf8) == Array(text.utf8))
      #expect(part.size == Int64(text.utf8.count))
    }
    // Texts match in their composed form.
    #expect(try store.count(MessagePart.filter { $0.text == "\u{E9}" }) == 2)
  }

  struct Missing: Error {}
}
