import Satchel
import SatchelScenes
import Testing

@Suite struct OrderTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  /// Messages 0...9 in the order of their creation, with the values that the tests sort by.
  init() throws {
    scratch = try Scratch()
    let positions: [Int64?] = [5, nil, 3, 5, -2, nil, 3, .min, .max, 5]
    let seconds: [Double?] = [2, 1, nil, 2, 0, nil, 3, 1, 2, nil]
    try scratch.store.write { tx in
      try tx.createConversation(with: ["bob"], id: "c")
      for number in 0..<10 {
        let id = Message.ID("\(number)")
        try tx.receive(
          [], in: "c", from: number % 2 == 0 ? "bob" : "alice", id: id, position: positions[number],
          isUnread: number % 3 == 0,
          metadata: number % 4 == 0 ? [:] : ["k": .text(["b", "a", "A"][number % 3])])
        try tx.update(id) { $0.sentAt = .some(seconds[number].map(date)) }
      }
    }
  }

  func order(_ query: Query<Message>) throws -> String {
    let identifiers = try store.identifiers(query)
    #expect(try store.fetch(query).map(\.id) == identifiers)
    return identifiers.map(\.rawValue).joined()
  }

  @Test func creationOrderWithoutASort() throws {
    #expect(try order(Message.all) == "0123456789")
    #expect(try order(Message.filter { $0.sender.userID == "bob" }) == "02468")
  }

  @Test func unsentMessagesAreTheNewest() throws {
    #expect(try order(Message.order { $0.position }) == "7426039815")
    #expect(try order(Message.order { $0.position.descending }) == "5189306247")
    let room = Message.filter { $0.conversation == "c" }
    #expect(try order(room.order { $0.position }) == "7426039815")
    #expect(try order(room.order { $0.position.descending }) == "5189306247")
    // In comparisons they have no position.
    #expect(try order(Message.filter { $0.position < 4 }) == "2467")
    #expect(try order(Message.filter { $0.position > 4 }) == "0389")
    #expect(try order(Message.filter { $0.position == nil }) == "15")
    #expect(try order(Message.filter { $0.position != 5 }) == "1245678")
    #expect(try order(Message.filter { $0.position == 5.0 }) == "039")
  }

  @Test func missingValuesComeFirst() throws {
    #expect(try order(Message.order { $0.sentAt }) == "2594170386")
    #expect(try order(Message.order { $0.sentAt.descending }) == "6830714952")
    #expect(try order(Message.order { $0.metadata.k }) == "0482517369")
    #expect(try order(Message.order { $0.metadata.k.descending }) == "9637152840")
  }

  @Test func severalKeysAndTies() throws {
    #expect(try order(Message.order { $0.isUnread }) == "1245780369")
    #expect(try order(Message.order { $0.isUnread.descending }) == "9630875421")
    // Ties go the way of the last key.
    #expect(try order(Message.order { ($0.isUnread.descending, $0.position) }) == "6039" + "7428" + "15")
    #expect(
      try order(Message.order { ($0.isUnread, $0.position.descending) }) == "51" + "8247" + "9306")
    #expect(
      try order(Message.order { ($0.sender.userID, $0.isUnread, $0.sentAt.descending) })
        == "715" + "39" + "842" + "60")
  }

  @Test func whatCannotBeSortedBy() throws {
    for key in [
      "metadata", "conversation.participants", "conversation.metadata", "parts.mimeType",
      "recipientStatus.bob", "nonsense",
    ] {
      let error = failure(key == "nonsense" ? .unqueryableProperty : .unsupportedSort) {
        _ = try store.fetch(Message.order([SortKey(key.split(separator: ".").map(String.init))]))
      }
      #expect(error?.context["property"] != nil, "\(error.map { "\($0)" } ?? "")")
    }
  }
}
