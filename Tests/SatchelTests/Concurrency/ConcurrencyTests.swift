import Foundation
import Satchel
import SatchelScenes
import TestSupport
import Testing

/// Reads see one commit, however many there are meanwhile.
@Suite struct ConcurrencyTests {
  private static let commits = TestEnvironment.rounds(150)

  /// Every commit leaves both conversations with as many messages, as many unread ones and the same metadata.
  @Test(.timeLimit(.minutes(5))) func readersSeeOneCommit() throws {
    var random = SeededGenerator(for: "readers and a writer")
    let scratch = try Scratch()
    let writer = scratch.store
    try writer.write { tx in
      for room: Conversation.ID in ["a", "b"] {
        try tx.createConversation(with: ["bob"], id: room)
        try tx.receive([], in: room, from: "bob", id: Message.ID("\(room) 0"), position: 0)
      }
    }
    let isDone = Shared(false)
    let reads = Shared(0)
    let failures = Shared<[String]>([])
    let handles = [writer, writer, try scratch.reopened()]
    let readers = DispatchGroup()
    for (number, store) in handles.enumerated() {
      readers.enter()
      let thread = Thread {
        defer { readers.leave() }
        var last: UInt64 = 0
        while !isDone.value {
          do {
            try store.read { snapshot in
              if let fault = try Self.fault(snapshot, number) { failures.update { $0.append(fault) } }
              if snapshot.sequence < last { failures.update { $0.append("an older commit") } }
              last = snapshot.sequence
            }
            reads.update { $0 += 1 }
          } catch {
            failures.update { $0.append("\(error)") }
            return
          }
        }
      }
      thread.start()
    }
    var numbers = [0]
    for commit in 1...Self.commits {
      try writer.write { tx in
        let victim = numbers.count > 20 && random.percent(40) ? numbers.randomElement(using: &random) : nil
        let isRead = random.percent(30) ? numbers.randomElement(using: &random) : nil
        for room: Conversation.ID in ["a", "b"] {
          try tx.receive(
            [
              .text("\(commit)"),
              .data([UInt8](repeating: 3, count: commit % 7 == 0 ? 5000 : 5), mimeType: "t/\(commit)"),
            ],
            in: room, from: Identity.ID("user \(commit % 9)"), id: Message.ID("\(room) \(commit)"),
            position: Int64(commit))
          if let isRead { try tx.markAsRead(Message.ID("\(room) \(isRead)")) }
          if let victim { try tx.delete(Message.ID("\(room) \(victim)")) }
          try tx.setMetadata(.text("\(commit)"), at: "commit", of: .conversation(room))
        }
        numbers.append(commit)
        if let victim { numbers.removeAll { $0 == victim } }
      }
      if random.percent(30) {
        // One that is thrown away is seen by nobody.
        struct Discarded: Error {}
        #expect(throws: Discarded.self) {
          try writer.write { tx in
            try tx.delete(Conversation.ID("a"))
            _ = try tx.count(Message.all)
            throw Discarded()
          }
        }
      }
    }
    while reads.value < 20, failures.value.isEmpty {}
    isDone.update { $0 = true }
    readers.wait()
    #expect(failures.value.prefix(3) == [])
    print("\(reads.value) reads beside \(Self.commits) commits")
    try expectSound(writer)
  }

  /// What is wrong with a snapshot; nil where it is one commit's state.
  private static func fault(_ snapshot: StoreSnapshot, _ way: Int) throws -> String? {
    func pair<Value: Equatable>(_ what: String, _ value: (Conversation.ID) throws -> Value) throws -> String?
    {
      let (a, b) = (try value("a"), try value("b"))
      return a == b ? nil : "\(what): \(a) and \(b)"
    }
    let (first, second) = (try snapshot.conversation("a"), try snapshot.conversation("b"))
    guard let first, let second else { return "a conversation is missing" }
    return try pair("counts") { id in try snapshot.count(Message.filter { $0.conversation == id }) }
      ?? pair("unread") { id in try snapshot.count(Message.filter { $0.conversation == id && $0.isUnread }) }
      ?? pair("positions") { id in
        try snapshot.fetch(Message.filter { $0.conversation == id }.order { $0.position }).map(\.position)
      }
      ?? pair("contents") { id in
        try snapshot.fetch(Message.filter { $0.conversation == id }.order { $0.position.descending }.limit(3))
          .flatMap { try $0.parts.map { try snapshot.content(of: $0.id).count } }
      }
      ?? (first.messageCount == second.messageCount && first.unreadCount == second.unreadCount
        && first.metadata == second.metadata && first.lastMessage?.position == second.lastMessage?.position
        ? nil : "the conversations differ")
      ?? (try snapshot.count(Message.all) == first.messageCount + second.messageCount
        ? nil : "the total differs")
      ?? (way > 0 && (try snapshot.fetch(Message.all).count) != first.messageCount * 2
        ? "the list differs" : nil)
  }

  @Test func manyWriters() async throws {
    let scratch = try Scratch()
    let handles = [scratch.store, try scratch.reopened()]
    let room = try await handles[0].write { tx in try tx.createConversation(with: ["bob"], id: "c").id }
    try await withThrowingTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          for number in 0..<15 {
            let store = handles[task % 2]
            try await store.write { tx in
              // Read, then write what was read: lost updates would show.
              let count = try tx.count(Message.all)
              try tx.send([.text("\(count)")], to: room, id: Message.ID("\(task) \(number)"))
              try tx.setMetadata(.text("\(count + 1)"), at: "count", of: .conversation(room))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let messages = try await handles[1].fetch(Message.all)
    #expect(messages.map(\.text) == (0..<120).map { "\($0)" })
    #expect(try await handles[0].first(Conversation.all)?.metadata["count"] == "120")
    try expectSound(handles[0])
  }
}
