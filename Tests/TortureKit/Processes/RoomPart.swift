internal import LMDB
internal import SatchelCare
internal import SatchelExecution
internal import SatchelModel
internal import SatchelReading
internal import SatchelStorage
internal import SatchelWriting

/// What a store's file comes to: beside an old reader, after compaction, and where it may grow no further.
package struct RoomPart {
  package let seed: UInt64
  package let commits: Int

  package init(seed: UInt64, commits: Int) {
    self.seed = seed
    self.commits = commits
  }

  package func run() throws -> PartResult {
    try PartResult.measuring("room", seed: seed) { result in
      let alone = try grow(besideReader: false, &result)
      let beside = try grow(besideReader: true, &result)
      result["file bytes without a reader"] = alone
      result["file bytes beside one old reader"] = beside
      result.controls.append(
        .init("growth beside an old reader", tried: 1, found: beside > alone * 3 / 2 ? 1 : 0))
      try fill(hasJournal: false, &result)
      try fill(hasJournal: true, &result)
    }
  }

  /// - Parameter hasJournal: Whether commits go to the journal; not where it is the file of LMDB that is measured.
  private func open(_ path: String, limit: Int? = nil, hasJournal: Bool = false) throws -> Store {
    var options = Store.Options()
    options.durability = .relaxed
    options.journal.use = hasJournal ? .always : .never
    options.aggregateEvaluator = QueryAggregateEvaluator()
    if let limit { options.maximumFileBytes = limit }
    return try Store.open(directory: path, user: "me", options: options)
  }

  /// Commits that replace what is there: a file without readers stays about as large.
  private func grow(besideReader: Bool, _ result: inout PartResult) throws -> Int {
    let scratch = try Scratch()
    let store = try open(scratch("store"))
    defer { store.close() }
    try store.write { writer in
      _ = try writer.createConversation(ConversationDraft(identifier: "c", participants: ["bob"]))
      for index in 0..<500 {
        _ = try writer.insertMessage(
          MessageDraft(identifier: Message.ID("m\(index)"), sender: "bob", parts: [.text("text \(index)")]),
          in: "c")
      }
    }
    func churn() throws {
      for number in 0..<commits {
        try store.write { writer in
          var update = MessageUpdate()
          update.position = .set(Int64(number))
          try writer.updateMessage(Message.ID("m\(number * 7 % 500)"), update)
        }
      }
    }
    if besideReader {
      // In the middle of a read of this thread another one writes.
      try store.read { snapshot in
        let before = try snapshot.users.count
        try onAnotherThread { try churn() }
        guard try snapshot.users.count == before else { throw TortureError("the snapshot has changed") }
      }
    } else {
      try onAnotherThread { try churn() }
    }
    let bytes = try Files.read(scratch("store") + "/" + StoreFile.durable[0]).count
    if besideReader {
      let copy = scratch("copy")
      try Files.write([], to: copy)
      try Descriptor.writing(copy) { try store.environment.copy(to: $0, compact: true) }
      result["bytes after compaction"] = try Files.read(copy).count
      result["free bytes before it"] = try store.statistics().freeBytes
    }
    if let faults = try store.faults() { result.fail(faults) }
    return bytes
  }

  /// Until the file may not grow: what is in it stays, it can be deleted, and its room is used again.
  private func fill(hasJournal: Bool, _ result: inout PartResult) throws {
    let scratch = try Scratch()
    let way = hasJournal ? ", with a journal" : ""
    let store = try open(scratch("store"), limit: 6 << 20, hasJournal: hasJournal)
    defer { store.close() }
    _ = try store.write {
      try $0.createConversation(ConversationDraft(identifier: "c", participants: ["bob"]))
    }
    var count = 0
    while count < 10_000, try add("m\(count)", to: store) { count += 1 }
    result["commits until the file was full\(way)"] = count
    guard count < 10_000 else { return result.fail("the file was never full\(way)") }
    try check(store, messages: count, "full\(way)", &result)

    // A deletion writes before it frees: the last pages are kept for it.
    var deleted = 0
    while deleted < count / 2, try delete("m\(deleted)", from: store) { deleted += 1 }
    result["deletions in the full file\(way)"] = deleted
    if deleted < count / 2 { result.fail("\(deleted) deletions of \(count / 2) in the full file\(way)") }
    var added = 0
    while added < count / 4, try add("again\(added)", to: store) { added += 1 }
    result["commits after the deletions\(way)"] = added
    if added < count / 4 { result.fail("\(added) commits of \(count / 4) after the deletions\(way)") }
    try check(store, messages: count - deleted + added, "after the deletions\(way)", &result)
  }

  private func check(_ store: Store, messages: Int, _ when: String, _ result: inout PartResult) throws {
    let found = try store.read { $0.seal[.messages].count }
    if found != messages { result.fail("\(when): \(found) messages of \(messages)") }
    if let faults = try store.faults() { result.fail("\(when): \(faults)") }
  }

  /// Adds a message of 20,000 bytes; false where there is no room.
  private func add(_ id: String, to store: Store) throws -> Bool {
    try unlessFull {
      try store.write { writer in
        let content = [UInt8](repeating: 1, count: 20_000)
        _ = try writer.insertMessage(
          MessageDraft(
            identifier: Message.ID(id), sender: "bob", parts: [.data(content, mimeType: "a/b")]), in: "c")
      }
    }
  }

  private func delete(_ id: String, from store: Store) throws -> Bool {
    try unlessFull { try store.write { try $0.deleteMessage(Message.ID(id)) } }
  }

  private func unlessFull(_ body: () throws -> Void) throws -> Bool {
    do {
      try body()
      return true
    } catch let error as SatchelError where error.code == .storeFull { return false }
  }
}
