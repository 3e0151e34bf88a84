import Foundation
import Satchel
import Testing

/// The code of the article "Handling errors".
@Suite struct HandlingErrorsGuide {
  let chats: GuideStore
  let store: MessageStore

  init() throws {
    chats = try GuideStore()
    store = chats.store
    try chats.chat("lunch", messages: 2)
  }

  @Test func fields() throws {
    do {
      _ = try store.fetch(Message.order([SortKey(["parts", "mimeType"])]))
    } catch let error as SatchelError {
      print(error.code)  // unsupportedSort
      print(error.message)
      print(error.context["property"] ?? "")  // parts.mimeType
    }
    let error = #expect(throws: SatchelError.self) {
      try store.fetch(Message.order([SortKey(["parts", "mimeType"])]))
    }
    #expect(error?.code == .unsupportedSort)
    #expect(error?.context["property"] == "parts.mimeType")
    #expect(error?.description.hasPrefix(error?.message ?? "?") == true)
  }

  @Test func queries() {
    func code(_ format: String) -> SatchelError.Code? {
      do {
        _ = try store.count(Query<Message>(format: format))
        return nil
      } catch { return (error as? SatchelError)?.code }
    }
    #expect(code("isUnread = TRUE") == nil)
    #expect(code("colour = 'red'") == .unqueryableProperty)
    #expect(code("isUnread < TRUE") == .unsupportedPredicate)
    #expect(code("position = 'first'") == .invalidValue)
    #expect(code("position =") == .syntaxError)
    #expect(code("parts.text MATCHES-TEXT 'noon OR'") == .syntaxError)
    #expect(code("ANY parts.size = nil") == .notAvailable)
  }

  @Test func distinct() throws {
    func newConversation(with users: [Identity.ID]) throws -> Conversation.ID {
      do {
        return try store.write { try $0.createConversation(with: users, isDistinct: true).id }
      } catch let error as SatchelError {
        guard let existing = error.existingConversation else { throw error }
        return existing
      }
    }
    let first = try newConversation(with: ["carol"])
    #expect(try newConversation(with: ["carol"]) == first)
  }

  @Test func opening() throws {
    func open(_ directory: URL, as user: Identity.ID) throws -> MessageStore? {
      do {
        return try MessageStore(at: directory, user: user)
      } catch let error as SatchelError {
        switch error.code {
        case .newerFormat: print("Update the app to open its messages.")
        case .wrongUser: print("These messages belong to somebody else.")
        case .corrupted: print("The messages are damaged: restore a backup.")
        default: throw error
        }
        return nil
      }
    }
    #expect(try open(chats.directory, as: "mallory") == nil)
    #expect(try open(chats.directory, as: "alice") != nil)
  }

  @Test func nested() throws {
    try store.read { snapshot in
      let unread = try snapshot.count(Message.filter { $0.isUnread })  // not store.count
      print(unread)
    }
    let error = #expect(throws: SatchelError.self) {
      try store.read { _ in try store.count(Message.all) }
    }
    #expect(error?.code == .nestedTransaction)
  }

  @Test func leases() throws {
    var last: Message.ID?
    var isComplete = false
    while !isComplete {
      do {
        try store.read { snapshot in
          let rest = last.map { Message.all.after($0) } ?? Message.all
          try snapshot.forEach(rest) { message in
            print(message.id)
            last = message.id
          }
        }
        isComplete = true
      } catch let error as SatchelError where error.code == .snapshotExpired {
        continue  // with a new snapshot, after the last message that was handled
      }
    }
    #expect(last == "lunch-2")
  }

  @Test func waiting() throws {
    var options = MessageStore.Options()
    options.writeWait = 5
    options.onWriteWait = { process, seconds in
      print("waiting for process", process ?? 0, "for", seconds, "seconds")
    }
    let patient = try MessageStore(at: chats.directory, user: "alice", options: options)
    #expect(try patient.write { try $0.count(Message.all) } == 2)
  }

  /// Every code of the library has its row in the article.
  @Test func everyCodeIsExplained() throws {
    let codes = try Repository.text("Sources/SatchelModel/Errors/SatchelError+Codes.swift")
    let names = codes.matches(of: /public static let (\w+) = Self/).map { String($0.1) }
    #expect(names.count > 30)
    let article = try Repository.text("Sources/Satchel/Satchel.docc/HandlingErrors.md")
    let rows = article.matches(of: /\n\| `(\w+)` \|/).map { String($0.1) }
    #expect(rows.sorted() == names.sorted())
  }
}
