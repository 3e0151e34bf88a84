import Foundation
import Satchel

/// What live queries cost: a commit that one controller is concerned by, with stores and numbers of controllers that grow.
///
/// Usage: LiveBenchmark [MESSAGES …]; 10,000 and 100,000 without arguments.
@main
struct LiveBenchmark {
  static func main() async throws {
    let sizes = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    print(
      "one received message a commit, durability relaxed; medians of \(Rounds.measured) commits, in microseconds"
    )
    for size in sizes.isEmpty ? [10_000, 100_000] : sizes {
      let chat = try Chat(messages: size)
      try await windows(chat)
      try await bystanders(chat)
    }
  }

  /// A window of 25 rows over all messages: from the end of the write to the change set in hand.
  private static func windows(_ chat: Chat) async throws {
    for (name, query) in [
      ("window 25, newest first", Message.order { $0.sentAt.descending }),
      ("window 25, unread ones", Message.filter { $0.isUnread }.order { $0.sentAt.descending }),
      (
        "window 25, a conversation",
        Message.filter { $0.conversation == chat.conversations[0] }.order { $0.position.descending }
      ),
    ] {
      let controller = chat.store.controller(for: query, window: .first(25))
      try await controller.execute()
      let rounds = try await Rounds.measure(chat, controller)
      print(row(chat, name, rounds))
      controller.close()
    }
  }

  /// The same commit, with 999 controllers beside it that it does not concern.
  private static func bystanders(_ chat: Chat) async throws {
    let concerned = chat.store.controller(
      for: Message.filter { $0.conversation == chat.conversations[0] }.order { $0.position.descending },
      window: .first(25))
    try await concerned.execute()
    let alone = try await Rounds.measure(chat, concerned)
    for (name, query) in [
      (
        "999 on other conversations",
        { (id: Conversation.ID) in Message.filter { $0.conversation == id }.order { $0.position.descending } }
      ),
      (
        "999 with a condition of their own, held",
        { id in Message.filter { $0.conversation == id && $0.metadata["kind"] == "file" } }
      ),
    ] {
      var others: [QueryController<Message>] = []
      for place in 0..<999 {
        let other = chat.store.controller(
          for: query(chat.conversations[1 + place % (chat.conversations.count - 1)]), window: .first(25))
        try await other.execute()
        others.append(other)
      }
      let together = try await Rounds.measure(chat, concerned)
      print(row(chat, name, together))
      let each = (together.processor - alone.processor) / 999
      print("\(chat.messages)  \(name): \(rounded(each)) more processor time for each of them")
      for other in others { other.close() }
    }
    concerned.close()
  }

  private static func row(_ chat: Chat, _ name: String, _ rounds: Rounds) -> String {
    "\(chat.messages)  \(name): \(rounded(rounds.write)) to write, \(rounded(rounds.delivery)) to the change set, \(rounded(rounds.processor)) of processor time"
  }

  private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}

/// Medians over commits, in microseconds.
struct Rounds {
  static let measured = 300

  let write: Double
  let delivery: Double
  /// Processor time of the whole process for a commit: what other processes do beside it does not count.
  let processor: Double

  static func measure(_ chat: Chat, _ controller: QueryController<Message>) async throws -> Rounds {
    var changes = controller.changes.makeAsyncIterator()
    var writes: [Double] = []
    var deliveries: [Double] = []
    let clock = ContinuousClock()
    let processorBefore = processorTime()
    for _ in 0..<measured {
      let start = clock.now
      try await chat.receive()
      let written = clock.now
      guard await changes.next() != nil else { break }
      writes.append(microseconds(written - start))
      deliveries.append(microseconds(clock.now - written))
    }
    return Rounds(
      write: median(writes), delivery: median(deliveries),
      processor: (processorTime() - processorBefore) / Double(measured))
  }

  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }

  private static func microseconds(_ duration: Duration) -> Double { duration / .microseconds(1) }

  private static func median(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.sorted()[values.count / 2]
  }
}

/// A store of so many messages in 1,000 conversations, in a temporary directory.
final class Chat: Sendable {
  let messages: Int
  let store: MessageStore
  let conversations: [Conversation.ID]
  private let directory: URL

  init(messages: Int) throws {
    self.messages = messages
    directory = FileManager.default.temporaryDirectory.appending(
      path: "satchel-benchmark-\(UUID().uuidString)")
    var options = MessageStore.Options()
    options.durability = .relaxed
    let store = try MessageStore(at: directory, user: "alice", options: options)
    self.store = store
    conversations = try store.write { transaction in
      try (0..<1000).map { try transaction.createConversation(with: [Identity.ID("user\($0)")]).id }
    }
    let start = Date(timeIntervalSince1970: 1_700_000_000)
    for batch in stride(from: 0, to: messages, by: 10_000) {
      try store.write { transaction in
        for number in batch..<min(batch + 10_000, messages) {
          let conversation = number % 1000
          try transaction.receive(
            [.text("message \(number)")], in: conversations[conversation],
            from: Identity.ID("user\(conversation)"),
            position: Int64(number), sentAt: start.addingTimeInterval(Double(number)),
            isUnread: number % 5 == 0)
        }
      }
    }
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(at: directory)
  }

  /// One more message in the first conversation.
  func receive() async throws {
    try await store.write { [conversations] transaction in
      try transaction.receive([.text("new")], in: conversations[0], from: "user0")
    }
  }
}
