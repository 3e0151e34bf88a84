import Satchel
import SatchelScenes
import Testing

@Suite struct PagingTests {
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try scratch.store.write { tx in
      try tx.createConversation(with: ["bob"], id: "c")
      for place in 0..<100 {
        try tx.receive(
          [], in: "c", from: "bob", id: Message.ID("\(place)"), position: Int64(place),
          isUnread: place % 2 == 0)
      }
    }
  }

  func numbers(_ query: Query<Message>) throws -> [Int] {
    let numbers = try store.identifiers(query).compactMap { Int($0.rawValue) }
    #expect(try store.count(query) == numbers.count, "\(query)")
    #expect(try store.fetch(query).count == numbers.count, "\(query)")
    return numbers
  }

  @Test(arguments: [
    Message.all, Message.order { $0.position },
    Message.filter { $0.conversation == "c" }.order { $0.position },
    Message.order { $0.receivedAt }, Message.order { ($0.isSent, $0.sentAt, $0.position) },
  ]) func limitsAndOffsets(_ all: Query<Message>) throws {
    #expect(try numbers(all.limit(3)) == [0, 1, 2])
    #expect(try numbers(all.limit(3).offset(10)) == [10, 11, 12])
    #expect(try numbers(all.offset(98)) == [98, 99])
    #expect(try numbers(all.offset(99).limit(5)) == [99])
    #expect(try numbers(all.offset(100)) == [])
    #expect(try numbers(all.offset(.max)) == [])
    #expect(try numbers(all.offset(.max).limit(.max)) == [])
    #expect(try numbers(all.limit(0)) == [])
    #expect(try numbers(all.limit(.max)).count == 100)
    #expect(try numbers(all.limit(.max).offset(1)).count == 99)
    #expect(try numbers(all.filter { $0.isUnread }.offset(10).limit(2)) == [20, 22])
    #expect(try store.totalCount(all.limit(3).offset(10)) == 100)
    #expect(try store.first(all.offset(7))?.id == "7")
    #expect(try store.first(all.limit(0)) == nil)
    let page = try store.page(all.filter { $0.isUnread }.limit(3).offset(1))
    #expect(page.objects.map(\.id) == ["2", "4", "6"] && page.totalCount == 50)
    #expect(try store.page(all.limit(0)).totalCount == 100)
  }

  @Test func whatIsNoStretch() throws {
    for query in [
      Message.all.limit(-1), Message.all.offset(-1), Message.all.around("5", before: -1, after: 0),
      Message.order { $0.sentAt }.around(date(0), before: 0, after: -1),
      Message.all.around(date(0), before: 1, after: 1),
      Message.order { $0.identifier }.around(date(0), before: 1, after: 1),
    ] {
      failure(.invalidValue) { _ = try store.fetch(query) }
      failure(.invalidValue) { _ = try store.identifiers(query) }
      failure(.invalidValue) { _ = try store.count(query) }
      failure(.invalidValue) { _ = try store.page(query) }
    }
    failure(.invalidValue) { _ = try store.first(Message.all.limit(-1)) }
    #expect(
      failure(.invalidValue) { _ = try store.fetch(Message.all.after("nobody's")) }?.context["identifier"]
        == "nobody's")
    failure(.invalidValue) { _ = try store.fetch(Message.all.before("")) }
    failure(.invalidValue) { _ = try store.fetch(Conversation.all.around("0", before: 1, after: 1)) }
  }

  @Test func scrollingBothWays() throws {
    let order = Message.filter { $0.conversation == "c" }.order { $0.position }
    var seen: [Int] = []
    var query = order.limit(7)
    while true {
      let page = try store.fetch(query)
      guard let last = page.last else { break }
      seen += page.compactMap { Int($0.id.rawValue) }
      query = order.limit(7).after(last.id)
    }
    #expect(seen == Array(0..<100))
    seen = []
    query = order.limit(9).before("99")
    while true {
      let page = try store.fetch(query)
      guard let first = page.first else { break }
      seen = page.compactMap { Int($0.id.rawValue) } + seen
      query = order.limit(9).before(first.id)
    }
    #expect(seen == Array(0..<99))
    #expect(try numbers(order.around("50", before: 2, after: 3)) == [48, 49, 50, 51, 52, 53])
    #expect(try numbers(order.around("0", before: 5, after: 1)) == [0, 1])
    #expect(try numbers(order.around("51", before: 0, after: 0)) == [51])
    let unread = order.filter { $0.isUnread }
    #expect(try numbers(unread.after("51").limit(1)) == [52])
    #expect(try numbers(unread.before("51").limit(1)) == [50])
    #expect(try numbers(order.around("99", before: .max, after: .max)) == Array(0..<100))
  }

  struct Enough: Error {}

  @Test func streamsEndEarly() throws {
    for order in [Message.order { $0.position.descending }, Message.order { $0.identifier }] {
      var seen = 0
      #expect(throws: Enough.self) {
        try store.read { snapshot in
          try snapshot.forEach(order) { _ in
            seen += 1
            if seen == 5 { throw Enough() }
          }
        }
      }
      #expect(seen == 5)
    }
    var nested = 0
    try store.read { snapshot in
      try snapshot.forEach(Conversation.all) { conversation in
        try snapshot.forEach(Message.filter { $0.conversation == conversation.id }) { message in
          nested += try snapshot.count(Message.filter { $0.identifier == message.id })
        }
      }
    }
    #expect(nested == 100)
    #expect(try store.count(Message.all) == 100)
  }

  @Test func aStreamThatTakesTooLongEnds() throws {
    try store.write { tx in for _ in 0..<2000 { try tx.send([], to: "c") } }
    var seen = 0
    let error = failure(.snapshotExpired) {
      try store.read(lease: .init(seconds: 0)) { snapshot in
        try snapshot.forEach(Message.all) { _ in seen += 1 }
      }
    }
    #expect(seen > 0 && seen < 2100 && error?.context["store"] != nil)
    #expect(try store.count(Message.all) == 2100)
  }

  @Test func aSnapshotStaysAsItWas() throws {
    let other = try scratch.reopened()
    try store.read { snapshot in
      let before = try snapshot.fetch(Message.all)
      let done = Task.detached {
        try await other.write { tx in
          try tx.delete(Message.ID("5"))
          try tx.send([.text("new")], to: "c")
        }
      }
      while try snapshot.sequence == Self.sequence(of: other) { _ = done }
      #expect(try snapshot.fetch(Message.all) == before)
      #expect(try snapshot.message("5") != nil)
    }
    #expect(try store.read { try $0.message("5") } == nil)
  }

  /// The newest sequence, read on a thread of its own.
  private static func sequence(of store: MessageStore) throws -> UInt64 {
    try onThread { try store.read { $0.sequence } }
  }
}
