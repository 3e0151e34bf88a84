internal import SatchelCare
internal import SatchelModel
package import SatchelReading
internal import SatchelRecords
package import SatchelStorage
internal import SatchelWriting
package import StoreModel

/// What a script's process has been told is committed.
package struct Acknowledged: Sendable {
  /// The script's commits, in order.
  package var numbers: [Int] = []
  /// People that threads beside the script follow.
  package var users: [String] = []
  /// Whether the store had been opened.
  package var isOpen = false

  package init() {}

  /// Reads a file of marks; none where there is no file. A line that was cut off by a kill was not said.
  package init(file: String) throws {
    guard Files.exists(file) else { return }
    let bytes = try Files.read(file)
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
      add(String(decoding: line, as: UTF8.self))
    }
  }

  package mutating func add(_ mark: String) {
    if let number = Int(mark) {
      isOpen = true
      if number > 0 { numbers.append(number) }
    } else {
      users.append(mark)
    }
  }

  /// What of a store after an accident is not as it was promised; nil when all is well.
  /// - Parameter undone: How many of the last commits the accident may have undone.
  package func difference(
    _ snapshot: Snapshot, _ history: [ReferenceStore], mayLose undone: Int = 0
  ) throws -> String? {
    let progress = try Workload.progress(snapshot)
    let least = numbers.dropLast(undone).last ?? 0
    guard progress >= least else { return "lost: commit \(least) has returned, the store has \(progress)" }
    guard progress < history.count else { return "wrong: commit \(progress) was never begun" }
    if let difference = try history[progress].difference(snapshot) {
      return "wrong: not the state of commit \(progress): \(difference)"
    }
    if undone == 0 {
      for user in users where try snapshot.users.number(of: user) == nil {
        return "lost: \(user) was followed"
      }
    }
    return nil
  }
}

extension Store {
  /// The faults that a verification of everything finds; nil when there are none.
  package func faults() throws -> String? {
    let report = try read { try Verifier.verify($0) }
    guard let first = report.faults.first else { return nil }
    return "verify: \(report.faultCount) faults, the first: \(first.location) \(first.key): \(first.finding)"
  }

  /// Goes on with work: a few more commits, and all is well after them.
  package func goesOn() throws -> String? {
    for _ in 0..<3 {
      try write { writer in
        let id = Conversation.ID("afterwards-\(writer.commit)")
        _ = try writer.createConversation(ConversationDraft(identifier: id, participants: ["bob"]))
        _ = try writer.insertMessage(MessageDraft(sender: "bob", isUnread: true), in: id)
        try writer.declare([RecordType("afterwards") { $0.reference("conversation") }])
        try writer.save(
          Record(id: Record.ID(type: "afterwards", name: id.rawValue), ["conversation": .reference(id)]))
      }
    }
    return try faults().map { "after more commits, " + $0 }
  }
}
