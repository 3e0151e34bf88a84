#if os(Linux)
  import SatchelModel
  import SatchelStorage
  import SatchelWriting
  import TestSupport
  import Testing
  import TortureKit

  /// A store without a lock file, on a disk that has no room for one.
  @Suite(.serialized) struct SoleReadingTests {
    /// It opens for reading, with the commits of its journal. Until it is closed, nobody else opens it: what he would write takes the
    /// pages that are read.
    @Test(arguments: [false, true]) func aStoreWithoutRoomForItsLockFileIsReadAlone(hasJournal: Bool) throws {
      guard let place = try SmallPlace(.tmpfs, bytes: 4 << 20) else { return }
      let satchel = try Kit.programs().satchel
      let path = place.path + "/store"
      let scratch = try Scratch()
      try Files.makeDirectory(scratch("out"))
      func run(_ command: String, _ arguments: String...) throws -> Child.Result {
        try Child.run(satchel, [command, path] + arguments, in: scratch("out"))
      }
      try fill(scratch("whole"), hasJournal: hasJournal, copy: path)
      try place.takeRest()

      var reading = Store.Options()
      reading.create = false
      reading.readOnly = true
      let store = try Store.open(directory: path, user: nil, options: reading)
      defer { store.close() }
      #expect(try count(store) == 20)
      #expect(throws: SatchelError.self) { _ = try Store.open(directory: path, user: nil) }
      for other in [try run("query", "messages"), try run("verify")] {
        #expect(
          other.end == .exited(1) && other.errors.contains("reads the store with nobody beside it"),
          "\(other)")
      }
      #expect(try count(store) == 20)

      store.close()
      let after = try run("query", "messages")
      #expect(after.end == .exited(0), "\(after)")
      #expect(after.output.split(separator: UInt8(ascii: "\n")).count == 20)
      // Whoever wants to write is told what there is no room for.
      let error = #expect(throws: SatchelError.self) { _ = try Store.open(directory: path, user: nil) }
      #expect(error?.code == .storeFull && error?.description.contains("lock.mdb") == true)
      Files.remove(place.path + "/others")
      let writer = try Store.open(directory: path, user: nil)
      defer { writer.close() }
      try writer.write { _ = try $0.insertMessage(draft(20), in: "c") }
      #expect(try count(writer) == 21)
    }

    /// Makes a store, and copies it without its lock file and its journal's head.
    private func fill(_ path: String, hasJournal: Bool, copy: String) throws {
      var options = Store.Options()
      options.journal.use = hasJournal ? .always : .never
      let store = try Store.open(directory: path, user: "me", options: options)
      defer { store.close() }
      try store.write {
        _ = try $0.createConversation(ConversationDraft(identifier: "c", participants: ["me", "bob"]))
      }
      for number in 0..<20 { try store.write { _ = try $0.insertMessage(draft(number), in: "c") } }
      try Files.makeDirectory(copy)
      #expect(Files.exists(path + "/journal") == hasJournal)
      for name in hasJournal ? ["data.mdb", "journal"] : ["data.mdb"] {
        try Files.write(Files.read(path + "/" + name), to: copy + "/" + name)
      }
    }

    private func draft(_ number: Int) -> MessageDraft {
      MessageDraft(
        identifier: Message.ID("message \(number)"), sender: "bob",
        sentAt: Timestamp(microseconds: Int64(number)), isUnread: true, parts: [.text("text \(number)")])
    }

    private func count(_ store: Store) throws -> Int {
      try store.read { snapshot in
        var count = 0
        try snapshot.forEachVisibleMessage { _ in
          count += 1
          return true
        }
        return count
      }
    }
  }
#endif
