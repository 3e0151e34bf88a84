import Satchel
import SatchelScenes
import Testing

/// What one read may read, and the cancellation of its task: it ends in the middle of whatever it does, and its snapshot with it.
@Suite struct ReadBoundsTests {
  static let messages = 3000
  let scratch: Scratch
  var store: MessageStore { scratch.store }

  init() throws {
    scratch = try Scratch()
    try scratch.store.write { tx in
      try tx.createConversation(with: ["bob"], id: "c")
      for place in 0..<Self.messages {
        try tx.receive(
          [.text("text \(place % 7)")], in: "c", from: "bob", id: Message.ID("\(place)"),
          position: Int64(place),
          metadata: ["even": .boolean(place % 2 == 0), "thousandth": .integer(Int64(place % 1000))])
      }
    }
  }

  /// Questions that no index answers by itself, and what each has to read of all messages.
  enum Work: String, CaseIterable {
    case count, fetch, sort, identifiers, groups, records, rank, union

    func run(_ snapshot: StoreSnapshot) throws -> Int {
      let text = Message.filter { $0.parts.any { $0.text.contains("6") } }
      switch self {
      case .count: return try snapshot.count(text)
      case .fetch: return try snapshot.fetch(text).count
      case .sort: return try snapshot.fetch(text.order { ($0.isSent, $0.position) }.limit(3)).count
      case .identifiers: return try snapshot.identifiers(text).count
      case .groups: return try snapshot.counts(of: text, by: { $0.sender.userID }).count
      case .records:
        var count = 0
        try snapshot.forEachRecord(of: text.unordered()) { _ in count += 1 }
        return count
      case .rank: return try snapshot.rank(of: "2995", in: text) ?? -1
      case .union:
        return try snapshot.count(
          Message.filter {
            $0.parts.any { $0.text.contains("6") } || $0.parts.any { $0.text.beginsWith("text 5") }
          })
      }
    }
  }

  @Test(arguments: Work.allCases) func records(_ work: Work) throws {
    let whole = try store.read { try work.run($0) }
    #expect(try store.read(lease: .init(records: 100 * Self.messages)) { try work.run($0) } == whole)
    let error = failure(.snapshotExpired) {
      _ = try store.read(lease: .init(records: 500)) { try work.run($0) }
    }
    #expect(error?.context["bound"] == "recordsRead" && error?.context["most"] == "500", "\(work)")
    let read = try #require(error.flatMap { $0.context["recordsRead"] }.flatMap { Int($0) })
    #expect(read > 500 && read < Self.messages, "\(work): \(read)")
    #expect(error?.context["store"] != nil && error?.context["entriesRead"] != nil)
  }

  @Test func entries() throws {
    // A merge of many runs, and more rows than are wanted.
    let query = Message.filter {
      $0.metadata.thousandth.number < 900 && $0.parts.any { $0.text.contains("6") }
    }
    let whole = try store.count(query)
    #expect(try store.read(lease: .init(entries: 100 * Self.messages)) { try $0.count(query) } == whole)
    let error = failure(.snapshotExpired) {
      _ = try store.read(lease: .init(entries: 300)) { try $0.count(query) }
    }
    #expect(error?.context["bound"] == "entriesRead" && error?.context["most"] == "300")
    let read = try #require(error.flatMap { $0.context["entriesRead"] }.flatMap { Int($0) })
    #expect(read > 300 && read < 1000)
  }

  /// All questions of a read together have what it may read.
  @Test func severalQuestions() throws {
    var answered = 0
    failure(.snapshotExpired) {
      try store.read(lease: .init(records: 4000)) { snapshot in
        for _ in 0..<5 {
          _ = try Work.count.run(snapshot)
          answered += 1
        }
      }
    }
    #expect(answered == 1)
  }

  @Test(arguments: Work.allCases) func time(_ work: Work) throws {
    failure(.snapshotExpired) { _ = try store.read(lease: .init(seconds: 0)) { try work.run($0) } }
  }

  /// Very many values are counted while the question is planned.
  @Test func manyValues() throws {
    let values = (0..<300_000).map { Message.ID("\($0 * 2)") }
    let query = Message.filter { $0.identifier.in(values) }
    #expect(try store.count(query) == Self.messages / 2)
    let numbers = Message.filter { $0.metadata.thousandth.number.in(stride(from: 0, to: 300_000, by: 3)) }
    #expect(try store.count(numbers) == 3 * 334)
    failure(.snapshotExpired) { _ = try store.read(lease: .init(seconds: 0)) { try $0.count(numbers) } }
  }

  @Test(arguments: Work.allCases) func cancellation(_ work: Work) async throws {
    let store = store
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await store.read { try work.run($0) }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    let whole = try Self.answer(work, store)
    #expect(try await store.read { try work.run($0) } == whole)
  }

  /// The single questions too, and what is asked synchronously in a task goes on to its end.
  @Test func cancelledQuestions() async throws {
    let store = store
    let query = Message.filter { $0.parts.any { $0.text.contains("6") } }
    let whole = try Self.answer(.count, store)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      let ended = Result { try Self.count(query, store) }
      await #expect(throws: CancellationError.self) { try await store.count(query) }
      await #expect(throws: CancellationError.self) { try await store.fetch(query) }
      await #expect(throws: CancellationError.self) { try await store.forEach(query) { _ in } }
      return try ended.get()
    }
    #expect(try await task.value == whole)
    // Each of them has given its snapshot back.
    try await store.suspend()
    try await store.resume()
    #expect(try Self.count(query, store) == whole)
  }

  private static func answer(_ work: Work, _ store: MessageStore) throws -> Int {
    try store.read { try work.run($0) }
  }

  private static func count(_ query: Query<Message>, _ store: MessageStore) throws -> Int {
    try store.count(query)
  }
}
