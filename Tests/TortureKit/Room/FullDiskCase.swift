internal import SatchelExecution
internal import SatchelImport
internal import SatchelModel
internal import SatchelStorage
internal import SatchelWriting

/// A store that is filled until there is no room, used all the same, and emptied in part; and what of that does not work.
package struct FullDiskCase {
  /// How messages come into the store.
  package enum Way: String, CaseIterable, Sendable {
    case single, batches, imports

    /// How many messages a write has.
    var size: Int { self == .single ? 1 : 100 }
  }

  /// What is deleted of the full store.
  package enum Deletion: String, CaseIterable, Sendable {
    /// The conversations that were begun first, which have half of the messages.
    case olderHalf = "older half"
    case everySecond = "every second"
  }

  package let kind: SmallPlace.Kind
  package let bytes: Int
  package let way: Way
  package let isSynced: Bool
  package let deletion: Deletion

  package init(_ kind: SmallPlace.Kind, bytes: Int, _ way: Way, isSynced: Bool, _ deletion: Deletion) {
    self.kind = kind
    self.bytes = bytes
    self.way = way
    self.isSynced = isSynced
    self.deletion = deletion
  }

  package var name: String {
    "\(bytes >> 20) MB of \(kind), \(way), \(isSynced ? "full" : "relaxed"), \(deletion.rawValue)"
  }

  /// A line of the table of full disks.
  func columns(_ outcome: Outcome) -> [String] {
    [
      "\(bytes >> 20) MB of \(kind)", way.rawValue, isSynced ? "full" : "relaxed", String(outcome.filled),
      "\(outcome.deleted), \(deletion.rawValue)", String(outcome.again), String(outcome.failures.count),
    ]
  }

  /// What a run has come to.
  package struct Outcome: Sendable {
    /// How many messages the full store has.
    package var filled = 0
    package var deleted = 0
    /// How many could be written in the room of those.
    package var again = 0
    /// What should not have been.
    package var failures: [String] = []
  }

  /// Returns nil where there can be no such place.
  package func run() throws -> Outcome? {
    guard let place = try SmallPlace(kind, bytes: bytes) else { return nil }
    var run = FullDiskRun(self, place)
    return run.perform()
  }
}

/// One run of a case.
struct FullDiskRun {
  private let test: FullDiskCase
  private let place: SmallPlace
  private var store: Store?
  private var outcome = FullDiskCase.Outcome()
  /// The number of the next message: each is used once.
  private var next = 0
  private var expected = 0
  /// The numbers of the messages of each conversation that was begun.
  private var conversations: [Int: [Int]] = [:]

  init(_ test: FullDiskCase, _ place: SmallPlace) {
    self.test = test
    self.place = place
  }

  private var path: String { place.path + "/store" }

  mutating func perform() -> FullDiskCase.Outcome {
    attempt("open") { $0.store = try $0.open() }
    defer { store?.close() }
    guard store != nil else { return outcome }
    outcome.filled = fill(.max)
    attempt("take what room others find") { try $0.place.takeRest() }
    check("full")
    use()
    outcome.deleted = delete()
    check("after the deletions")
    outcome.again = fill(outcome.deleted, refusals: 1)
    if outcome.again < outcome.deleted / 2 {
      outcome.failures.append("\(outcome.again) messages in the room of \(outcome.deleted) that were deleted")
    }
    check("at the end")
    reopen("at the end")
    return outcome
  }

  // MARK: Steps

  /// Writes messages until there is no room, or there are so many. Returns how many there are.
  /// - Parameter refusals: How many writes may be refused before: a refusal lets the next one find what can be used again.
  private mutating func fill(_ most: Int, refusals: Int = 0) -> Int {
    var written = 0
    var refusals = refusals
    while written < most {
      let count = min(test.way.size, most - written)
      let isWritten = attempt("write", mayBeFull: true) { run in
        let numbers = run.next..<run.next + count
        run.next = numbers.upperBound
        if run.test.way == .imports { try run.bring(numbers) } else { try run.write(numbers) }
      }
      guard isWritten else {
        refusals -= 1
        if refusals < 0 { break }
        continue
      }
      for number in next - count..<next {
        conversations[number / Self.ofConversation, default: []].append(number)
      }
      written += count
      expected += count
    }
    return written
  }

  /// Everything that has to work in a full store.
  private mutating func use() {
    let begun = conversations.keys.sorted()
    for number in stride(from: 0, to: begun.count, by: max(1, begun.count / 8)) {
      attempt("mark a conversation as read") { run in
        _ = try run.store?.write { try $0.markAllRead(in: Self.conversation(begun[number])) }
      }
    }
    let messages = begun.flatMap { conversations[$0, default: []] }
    for number in stride(from: 1, to: messages.count, by: max(1, messages.count / 50)) {
      attempt("mark a message as read") { run in
        try run.store?.write { try $0.markRead([Self.message(messages[number])]) }
      }
    }
    attempt("checkpoint") { try $0.store?.checkpoint() }
    check("after a checkpoint")
    reopen("full")
    attempt("open for reading") { run in
      run.store?.close()
      let store = try run.open(readOnly: true)
      defer { store.close() }
      let found = try Self.count(store)
      if found != run.expected { run.outcome.failures.append("a reader finds \(found) of \(run.expected)") }
    }
    attempt("open") { $0.store = try $0.open() }
  }

  /// Deletes half of the messages. Returns how many.
  private mutating func delete() -> Int {
    let before = expected
    let begun = conversations.keys.sorted()
    switch test.deletion {
    case .olderHalf:
      for number in begun.prefix(begun.count / 2) {
        let isDeleted = attempt("delete a conversation") { run in
          try run.store?.write { try $0.deleteConversation(Self.conversation(number)) }
        }
        if isDeleted { expected -= conversations[number]?.count ?? 0 }
      }
    case .everySecond:
      let messages = begun.flatMap { conversations[$0, default: []] }
      let numbers = stride(from: 0, to: messages.count, by: 2).map { messages[$0] }
      for number in numbers {
        let isDeleted = attempt("delete a message") { run in
          try run.store?.write { try $0.deleteMessage(Self.message(number)) }
        }
        if isDeleted { expected -= 1 }
      }
    }
    return before - expected
  }

  private mutating func reopen(_ when: String) {
    store?.close()
    store = nil
    attempt("open again") { $0.store = try $0.open() }
    check("opened again, \(when)")
  }

  private mutating func check(_ when: String) {
    attempt("read, \(when)") { run in
      guard let store = run.store else { return }
      let found = try Self.count(store)
      if found != run.expected {
        run.outcome.failures.append("\(when): \(found) messages of \(run.expected)")
      }
      if let faults = try store.faults() { run.outcome.failures.append("\(when): \(faults)") }
    }
  }

  /// Does something. If it fails, notes that, unless it may fail for want of room. Returns whether it has succeeded.
  @discardableResult
  private mutating func attempt(
    _ what: String, mayBeFull: Bool = false, _ body: (inout FullDiskRun) throws -> Void
  ) -> Bool {
    do {
      try body(&self)
      return true
    } catch {
      if mayBeFull, (error as? SatchelError)?.code == .storeFull { return false }
      let text = String(describing: error).prefix(240)
      outcome.failures.append("\(what): \(text)")
      return false
    }
  }

  /// How many messages a reader finds: those that are deleted and not removed yet are none.
  private static func count(_ store: Store) throws -> Int {
    try store.read { snapshot in
      var count = 0
      try snapshot.forEachVisibleMessage { _ in
        count += 1
        return true
      }
      return count
    }
  }

  // MARK: Contents

  private func open(readOnly: Bool = false) throws -> Store {
    var options = Store.Options()
    options.durability = test.isSynced ? .full : .relaxed
    options.aggregateEvaluator = QueryAggregateEvaluator()
    options.readOnly = readOnly
    if let limit = place.limit { options.maximumFileBytes = limit }
    return try Store.open(directory: path, user: readOnly ? nil : "me", options: options)
  }

  private func write(_ numbers: Range<Int>) throws {
    try store?.write { writer in
      for number in numbers {
        if begins(number, numbers) { _ = try writer.createConversation(Self.draft(of: number)) }
        _ = try writer.insertMessage(Self.text(number), in: Self.conversation(of: number))
      }
    }
  }

  /// Whether a message is the first of its conversation in a write, and no write before has begun that.
  private func begins(_ number: Int, _ numbers: Range<Int>) -> Bool {
    conversations[number / Self.ofConversation] == nil
      && (number == numbers.lowerBound || number.isMultiple(of: Self.ofConversation))
  }

  private func bring(_ numbers: Range<Int>) throws {
    guard let store else { return }
    var left = numbers
    _ = try ImportSession.run(
      into: store,
      next: { session in
        guard let number = left.popFirst() else { return false }
        if begins(number, numbers) { try session.addConversation(Self.draft(of: number), line: 1) }
        try session.addMessage(Self.text(number), in: Self.conversation(of: number), line: 1)
        return true
      }, apply: { _, _, _ in })
  }

  /// How many messages a conversation has.
  private static let ofConversation = 25

  private static func conversation(_ number: Int) -> Conversation.ID { Conversation.ID("c\(number)") }
  private static func conversation(of message: Int) -> Conversation.ID {
    conversation(message / ofConversation)
  }
  private static func message(_ number: Int) -> Message.ID { Message.ID("message \(number)") }

  private static func draft(of message: Int) -> ConversationDraft {
    ConversationDraft(identifier: conversation(of: message), participants: ["me", "bob"])
  }

  private static func text(_ number: Int) -> MessageDraft {
    let length = 100 + number &* 7919 % 900
    return MessageDraft(
      identifier: message(number), sender: "bob",
      sentAt: Timestamp(microseconds: 1_700_000_000_000_000 + Int64(number) * 60_000_000),
      isUnread: number.isMultiple(of: 3),
      parts: [.text(String(repeating: "text \(number) ", count: length / 8))])
  }
}
