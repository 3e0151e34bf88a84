#if os(Linux)
  import LMDB
  import SatchelCare
  import SatchelModel
  import SatchelStorage
  import SatchelWriting
  import TestSupport
  import Testing
  import TortureKit

  /// A store whose free pages are holes, on a disk that others have filled since.
  @Suite(.serialized) struct HolesOnAFullDiskTests {
    private static let conversations = 300
    private static let ofConversation = 30

    /// Its commits go on for longer than the pages last that had blocks when the disk became full: what each gives up has blocks.
    @Test(arguments: [SmallPlace.Kind.tmpfs, .ext4]) func commitsAndDeletionsGoOn(_ kind: SmallPlace.Kind)
      throws
    {
      guard let place = try SmallPlace(kind, bytes: 40 << 20) else { return }
      var options = Store.Options()
      options.journal.use = .never
      let store = try Store.open(directory: place.path + "/store", user: "me", options: options)
      defer { store.close() }
      for number in 0..<Self.conversations { try store.write { try Self.fill(number, $0) } }
      for number in 0..<Self.conversations where number % 4 != 0 {
        try store.write { try $0.deleteConversation(Self.conversation(number)) }
      }
      try store.compact()
      let info = try store.environment.info
      #expect(info.diskBytes < info.fileBytes / 4 * 3)
      try place.takeRest()

      // Each copies some tens of pages: all together several times as many as the file has.
      for number in 0..<400 {
        let message = Self.message(number / 75, of: number % 75 * 4)
        try store.write { try $0.markRead([message]) }
      }
      #expect(try store.verify().faultCount == 0)
      for number in stride(from: 0, to: Self.conversations, by: 8) {
        try store.write { try $0.deleteConversation(Self.conversation(number)) }
      }
      #expect(try store.verify().faultCount == 0)
    }

    /// Where the disk has plenty the file has a part of the reserve. It takes the rest when the disk has little, before others take all.
    @Test(arguments: [SmallPlace.Kind.tmpfs, .ext4]) func theReserveIsTakenWhenTheDiskHasLittle(
      _ kind: SmallPlace.Kind
    ) throws {
      guard let place = try SmallPlace(kind, bytes: 64 << 20) else { return }
      var options = Store.Options()
      options.givingBack.keptWherePlenty = 1 << 20
      options.journal.use = .never
      let store = try Store.open(directory: place.path + "/store", user: "me", options: options)
      defer { store.close() }
      for number in 0..<Self.conversations { try store.write { try Self.fill(number, $0) } }
      func state() throws -> (blocks: Int, used: Int, reserve: Int, kept: Int) {
        let used = try #require(store.environment.usedBytes)
        return (
          try store.environment.info.diskBytes, used, Environment.reserve(besideUsed: used),
          store.environment.keptBytes(besideUsed: used)
        )
      }
      let before = try state()
      #expect(before.kept < before.reserve, "\(before)")
      try place.takeRest(leaving: 12 << 20)
      for number in 0..<4 { try store.write { try Self.fill(Self.conversations + number, $0) } }
      let after = try state()
      #expect(after.kept == after.reserve && after.blocks >= after.used + after.reserve, "\(after)")
      try place.takeRest()
      for number in stride(from: 0, to: Self.conversations, by: 2) {
        try store.write { try $0.deleteConversation(Self.conversation(number)) }
      }
      #expect(try store.verify().faultCount == 0)
    }

    private static func fill(_ number: Int, _ writer: Writer) throws {
      _ = try writer.createConversation(
        ConversationDraft(identifier: conversation(number), participants: ["me", "bob"]))
      for index in 0..<ofConversation {
        let text = String(repeating: "text \(index) ", count: 100)
        _ = try writer.insertMessage(
          MessageDraft(
            identifier: message(index, of: number), sender: "bob",
            sentAt: Timestamp(microseconds: Int64(index * conversations + number)), isUnread: true,
            parts: [.text(text)]), in: conversation(number))
      }
    }

    private static func conversation(_ number: Int) -> Conversation.ID { Conversation.ID("c\(number)") }

    private static func message(_ index: Int, of conversation: Int) -> Message.ID {
      Message.ID("message \(index) of \(conversation)")
    }
  }
#endif
