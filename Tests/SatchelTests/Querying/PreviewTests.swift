import Foundation
import Satchel
import SatchelScenes
import TestSupport
import Testing

/// The beginning of a message's text comes with the message, however it is read and whatever is left out.
@Suite struct PreviewTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try scratch.store.write { tx in try tx.createConversation(with: ["bob"], id: "c") }
  }

  /// The longest beginning of a text that has at most 256 bytes, scalar by scalar.
  static func beginning(_ text: String) -> String {
    var beginning = String.UnicodeScalarView()
    var bytes = 0
    for scalar in text.unicodeScalars {
      bytes += UTF8.width(scalar)
      guard bytes <= 256 else { break }
      beginning.append(scalar)
    }
    return String(beginning)
  }

  /// A text of scalars of one to four bytes, combining marks and joiners among them, with so many bytes or up to three fewer.
  static func text(_ bytes: Int, using random: inout SeededGenerator) -> String {
    let scalars: [Unicode.Scalar] = [
      "a", " ", "\u{E9}", "\u{301}", "\u{6F22}", "\u{200D}", "\u{1F469}", "\u{FEFF}",
    ]
    var text = String.UnicodeScalarView()
    var count = 0
    while bytes - count >= 4 {
      let scalar = scalars[Int.random(in: 0..<scalars.count, using: &random)]
      text.append(scalar)
      count += UTF8.width(scalar)
    }
    return String(text)
  }

  /// Compares byte by byte: `==` of strings takes two spellings of one text for the same.
  static func areEqual(_ left: String?, _ right: String?) -> Bool {
    left.map { Array($0.utf8) } == right.map { Array($0.utf8) }
  }

  /// Expects a preview on every way to a message.
  private func expect(
    _ id: Message.ID, _ preview: String?, in store: MessageStore,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let query = Message.filter { $0.identifier == id }
    var found: [Message?] = []
    try store.read { snapshot in
      for query in [query, query.withoutContents()] {
        found += [
          try snapshot.first(query), try snapshot.page(query).objects.first,
          try snapshot.fetch(query.unordered()).first,
        ]
        try snapshot.forEach(query) { found.append($0) }
        found.append(found[0]?.detached())
        found.append(found.last??.detached())
        try snapshot.forEachRecord(of: query) { record in
          let here = try record.preview
          #expect(Self.areEqual(here, preview), sourceLocation: sourceLocation)
        }
      }
      found.append(try snapshot.message(id))
    }
    let controller = store.controller(for: query.withoutContents())
    try controller.execute()
    found.append(controller.objects.first)
    found.append(try store.virtualList(of: query.withoutContents()).object(at: 0))
    try store.write { tx in
      try tx.read { snapshot in
        found += [try snapshot.first(query), try snapshot.first(query.withoutContents())]
      }
    }
    let copies = try found.compactMap { $0 }.map { message in
      try JSONDecoder().decode(Message.self, from: JSONEncoder().encode(message))
    }
    #expect(copies.count == found.count, sourceLocation: sourceLocation)
    for message in found + copies {
      #expect(Self.areEqual(message?.preview, preview), "\(id)", sourceLocation: sourceLocation)
    }
    #expect(copies == found.compactMap { $0 }, sourceLocation: sourceLocation)
  }

  /// Texts in the record and outside it, cut in the midst of a scalar and not, in the journal and in the tables.
  @Test func isTheFirstBytesOfWholeScalars() throws {
    var random = SeededGenerator()
    let lengths =
      [0, 4, 255, 256, 257, 258, 259, 260, 300, 511, 512, 513, 516, 700, 4072, 5000, 9000, 70_000]
      + (0..<20).map { _ in Int.random(in: 0...1100, using: &random) }
    var texts: [String] = []
    for (number, length) in lengths.enumerated() {
      let text = Self.text(length, using: &random)
      texts.append(text)
      try store.write { tx in
        // In front of it something else, so that a short text also comes to lie outside the record.
        let before = [UInt8](repeating: 7, count: number % 3 == 0 ? 500 : 1)
        try tx.receive(
          [
            .data(before, mimeType: "a/b"), .data(before, mimeType: "a/b"), .text(text), .text("other"),
          ], in: "c", from: "bob", id: Message.ID("m\(number)"), position: Int64(number))
      }
      try expect(Message.ID("m\(number)"), Self.beginning(text), in: store)
    }
    try store.checkpoint()
    let reopened = try scratch.reopened()
    for (number, text) in texts.enumerated() {
      try expect(Message.ID("m\(number)"), Self.beginning(text), in: reopened)
    }
    // Pages of many, whose blocks have previews of some rows only.
    for query in [Message.order { $0.position }, Message.order { $0.position.descending }] {
      let page = try reopened.fetch(query.withoutContents())
      let expected = texts.map(Self.beginning)
      let found = query.untyped.sort[0].descending ? Array(page.reversed()) : page
      #expect(found.count == texts.count)
      for (message, preview) in zip(found, expected) { #expect(Self.areEqual(message.preview, preview)) }
    }
    try expectSound(reopened)
  }

  @Test func ofOtherMessages() throws {
    let long = String(repeating: "long ", count: 400)
    try store.write { tx in
      try tx.receive(
        [.data([1], mimeType: "a/b"), .url("x:y", mimeType: "a/b")], in: "c", from: "bob", id: "no",
        position: 1)
      try tx.receive([], in: "c", from: "bob", id: "empty", position: 2)
      try tx.receive([.text("")], in: "c", from: "bob", id: "blank", position: 3)
      try tx.receive([.text(long)], in: "c", from: "bob", id: "gone", position: 4)
      try tx.receive([.text("short")], in: "c", from: "bob", id: "edited", position: 5)
      try tx.announce([.data([1], mimeType: "a/b"), .text(long)], from: "bob", id: "notice")
    }
    try store.write { tx in
      try tx.delete("gone" as Message.ID, for: .everyone)
      try tx.update("edited" as Message.ID) { $0.parts = [.text(long)] }
    }
    try expect("no", nil, in: store)
    try expect("empty", nil, in: store)
    try expect("blank", "", in: store)
    try expect("gone", nil, in: store)
    try expect("edited", Self.beginning(long), in: store)
    for query in [Announcement.all, Announcement.all.withoutContents()] {
      #expect(try store.first(query)?.preview == Self.beginning(long))
      #expect(try store.write { tx in try tx.read { try $0.first(query) } }?.preview == Self.beginning(long))
    }
    let draft = Message(id: "x", conversation: "c", sender: "bob", parts: [.text(long), .text("other")])
    #expect(draft.preview == Self.beginning(long) && draft.text == long)
  }

  /// What a chat list reads does not grow with the texts: of each that lies outside its record, one piece.
  @Test func aListOfConversationsCostsTheSameForLongTexts() throws {
    for (kind, bytes) in [("short", 600), ("long", 1 << 20)] {
      try store.write { tx in
        for number in 0..<25 {
          let id = Conversation.ID("\(kind)\(number)")
          try tx.createConversation(with: ["bob"], id: id, metadata: ["kind": .text(kind)])
          try tx.receive(
            [.text("\(number) " + String(repeating: "z", count: bytes))], in: id, from: "bob", position: 1)
        }
      }
    }
    try store.checkpoint()
    let list = Conversation.order { $0.lastMessage.sentAt.descending }.limit(25)
    for isWhole in [true, false] {
      var costs: [(records: Int, bodies: Int, pieces: Int, bytes: Int)] = []
      for kind in ["short", "long"] {
        let query = list.filter { $0.metadata.kind == kind }
        try store.read { snapshot in
          let rows = try snapshot.fetch(isWhole ? query : query.withoutContents())
          #expect(rows.count == 25 && rows.allSatisfy { $0.lastMessage?.preview?.utf8.count == 256 })
          let metrics = snapshot.base.metrics
          costs.append((metrics.recordsRead, metrics.bodiesRead, metrics.piecesRead, metrics.bodyBytesRead))
        }
      }
      #expect(costs[1].records == costs[0].records && costs[1].bodies == 25 && costs[0].bodies == 25)
      #expect(costs[1].pieces == 25 && costs[0].pieces == 25)
      #expect(costs[1].bytes == 25 * 257 && costs[0].bytes <= 25 * 610)
    }
    // A text in the record costs nothing beside it.
    try store.write { tx in
      try tx.receive([.text("At noon?")], in: "short1", from: "bob", position: 2)
    }
    try store.read { snapshot in
      let row = try snapshot.first(Conversation.filter { $0.identifier == "short1" }.withoutContents())
      #expect(row?.lastMessage?.preview == "At noon?")
      #expect(snapshot.base.metrics.piecesRead == 0)
    }
  }
}
