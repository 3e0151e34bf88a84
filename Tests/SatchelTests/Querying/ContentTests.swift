import Satchel
import SatchelScenes
import Testing

@Suite struct ContentTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try scratch.store.write { tx in try tx.createConversation(with: ["bob"], id: "c") }
  }

  /// Up to what a record holds, one more, a page, what comes with a message, one more, and a film.
  static let sizes = [0, 1, 512, 513, 4080, 4081, 8161, 65_536, 65_537, 5_000_000]

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

  @Test(arguments: [0, 400, 513, 70_000]) func withoutContents(_ count: Int) throws {
    let bytes = Self.bytes(count)
    let text = String(decoding: bytes, as: UTF8.self)
    try store.write { tx in
      try tx.send(
        [.text(text), .data(bytes, mimeType: "image/png"), .url("a:" + text, mimeType: "video/mp4")], to: "c")
      try tx.announce([.text(text)], from: "bob", id: "a")
    }
    let isStored = count > 500
    let query = Message.all.withoutContents()
    #expect(query.description == "messages without contents" && query != Message.all)
    var streamed: [Message] = []
    try store.read { try $0.forEach(query) { streamed.append($0) } }
    let written = try store.write { tx in try tx.read { try $0.fetch(query) } }
    let conversation = try #require(try store.first(Conversation.all.withoutContents()))
    for messages in [try store.fetch(query), streamed, written, [try #require(conversation.lastMessage)]] {
      let parts = try #require(messages.first).parts
      #expect(parts[0].content == (isStored ? .storedText : .text(text)))
      #expect(parts[1].content == (isStored ? .storedData : .data(bytes)))
      #expect(parts[2].content == .url("a:" + text))
      #expect(messages[0].text == (isStored ? nil : text))
    }
    #expect(try store.fetch(MessagePart.all.withoutContents()) == streamed[0].parts)
    #expect(try store.first(Announcement.all.withoutContents())?.text == (isStored ? nil : text))
    let controller = store.controller(for: query, window: .last(5))
    try controller.execute()
    #expect(controller.objects.map(\.text) == [isStored ? nil : text])
    #expect(try store.fetch(Message.all)[0].text == text)
  }

  @Test func textAndData() throws {
    let text = "aé漢👋z"
    try store.write { tx in
      try tx.send(
        [.text(text), .data([0, 255, 7], mimeType: "t/t"), .url(text, mimeType: "t/t")], to: "c", id: "m")
    }
    for part: MessagePart.ID in ["m/parts/0", "m/parts/2"] {
      #expect(try store.text(of: part) == text && Array(try store.data(of: part)) == Array(text.utf8))
      for start in 0...12 {
        for end in start...12 {
          // The characters that lie wholly in the range.
          var (expected, offset) = ("", 0)
          for character in text {
            let next = offset + character.utf8.count
            if offset >= start, next <= end { expected.append(character) }
            offset = next
          }
          #expect(try store.text(of: part, in: start..<end) == expected, "\(start)..<\(end)")
        }
      }
    }
    #expect(Array(try store.data(of: "m/parts/1", in: 1..<9)) == [255, 7])
    let error = failure(.invalidValue) { _ = try store.text(of: "m/parts/1") }
    #expect(error?.message.contains("data(of:)") == true)
    failure(.unknownMessage) { _ = try store.text(of: "m/parts/3") }
    failure(.unknownMessage) { _ = try store.data(of: "n/parts/0") }
  }

  @Test(arguments: [0, 1, 100, 5000, 200_000]) func chunks(_ count: Int) async throws {
    let bytes = Self.bytes(count)
    _ = try store.synchronously { store in
      try store.write { tx in try tx.send([.data(bytes, mimeType: "t/t")], to: "c", id: "m") }
    }
    for size in [1000, 4096, 65_536] {
      var read: [UInt8] = []
      for try await chunk in store.chunks(of: "m/parts/0", bytes: size) {
        #expect(chunk.count == min(size, count - read.count))
        read += chunk
      }
      #expect(read == bytes)
    }
    let none = try await store.data(of: "m/parts/0", in: 0..<0)
    #expect(none.isEmpty)
  }

  @Test func chunksOfAMessageThatIsReplaced() async throws {
    func send() throws {
      try store.write { tx in try tx.send([.data(Self.bytes(9000), mimeType: "t/t")], to: "c", id: "m") }
    }
    try store.synchronously { _ in try send() }
    var chunks = store.chunks(of: "m/parts/0", bytes: 4000).makeAsyncIterator()
    let first = try await chunks.next()
    #expect(first?.count == 4000)
    try store.synchronously { store in
      try store.write { tx in try tx.delete(Message.ID("m")) }
      try send()
    }
    let error = await #expect(throws: SatchelError.self) { _ = try await chunks.next() }
    #expect(error?.code == .unknownMessage)
    var none = store.chunks(of: "m/parts/7").makeAsyncIterator()
    let missing = await #expect(throws: SatchelError.self) { _ = try await none.next() }
    #expect(missing?.code == .unknownMessage)
  }

  /// A short content is in the record, a long one is not.
  @Test(arguments: [300, 900_000]) func chunksOfAMessageThatIsEdited(_ count: Int) async throws {
    let (old, new) = ([UInt8](repeating: 7, count: count), [UInt8](repeating: 9, count: count))
    let edits: [(inout MessageChanges) -> Void] = [
      { $0.parts = [.data(new, mimeType: "t/t"), .text("x")] }, { $0.removedParts = [0] },
      { $0.replacedParts = [0: .data(new, mimeType: "t/t")] }, { $0.removedParts = [0, 1] },
    ]
    for edit in edits {
      let id = try store.synchronously { store in
        try store.write {
          try $0.send([.data(old, mimeType: "t/t"), .data(new, mimeType: "t/t")], to: "c")
        }
      }
      var chunks = store.chunks(of: .init("\(id)/parts/0"), bytes: 100).makeAsyncIterator()
      let first = try await chunks.next()
      #expect(first.map { Array($0) } == Array(old.prefix(100)))
      try store.synchronously { store in try store.write { try $0.update(id, edit) } }
      let error = await #expect(throws: SatchelError.self) { _ = try await chunks.next() }
      #expect(error?.code == .unknownMessage)
    }
    // What leaves the content as it is does not end it.
    let id = try store.synchronously { store in
      try store.write { try $0.send([.data(old, mimeType: "t/t")], to: "c") }
    }
    var read: [UInt8] = []
    for try await chunk in store.chunks(of: .init("\(id)/parts/0"), bytes: 100 + count / 3) {
      read += chunk
      try store.synchronously { store in
        try store.write { tx in
          try tx.update(id) { $0.appendedParts = [.text("more")] }
          try tx.setMetadata(read.count, at: "read", of: .message(id))
        }
      }
    }
    #expect(read == old)
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
