import Foundation
import Satchel
import Testing

/// Lists whose rows come with objects that they refer to: a change of one of these is an update of the rows that show it.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct IncludingListTests {
  let chats: ChatStore

  init() throws {
    chats = try ChatStore()
    try chats.write { tx in
      for user in ["bob", "carol"] { try tx.put(Identity(userID: Identity.ID(user), displayName: user)) }
    }
    try chats.chat("a", with: ["bob", "carol"], messages: 3)
    try chats.chat("b", with: ["carol"], messages: 2)
    try chats.receive("four", in: "a", from: "carol", id: "a-4", at: 4)
    try chats.receive("five", in: "a", from: "dave", id: "a-5", at: 5)
  }

  private let messages = Message.filter { $0.conversation == "a" }.order { $0.position }
  private let conversations = Conversation.order { $0.createdAt }

  /// The rows that a write updates; nothing else may happen.
  private func updates<Object: StoredObject>(
    of query: Query<Object>, updatableProperties: Set<String>? = nil,
    after write: (WriteTransaction) throws -> Void
  ) async throws -> [Object] {
    let controller = chats.store.controller(for: query, updatableProperties: updatableProperties)
    let table = ModelTable<Object>()
    table.isDrawnAnew = updatableProperties == nil
    try await table.show(controller)
    try chats.write(write)
    try await chats.settled()
    try await controller.execute()
    let fresh = try chats.fetch(query)
    #expect(controller.list.objects == fresh)
    #expect(table.changes.allSatisfy { $0.type == .update })
    return table.changes.compactMap { change in controller.list.first { $0.id.identifier == change.id } }
  }

  private func put(_ user: Identity.ID, _ avatar: String) -> (WriteTransaction) throws -> Void {
    { try $0.put(Identity(userID: user, displayName: user.rawValue, avatarURL: avatar)) }
  }

  @Test func aSenderThatChangesUpdatesItsRowsAlone() async throws {
    let query = messages.including(\.sender)
    let ofBob = try await updates(of: query, after: put("bob", "x:1"))
    #expect(ofBob.map(\.id) == ["a-1", "a-2", "a-3"])
    #expect(ofBob.allSatisfy { $0.included(\.sender)?.avatarURL == "x:1" })
    let ofCarol = try await updates(of: query, after: put("carol", "x:2"))
    #expect(ofCarol.map(\.id) == ["a-4"])
    // One who had no identity gets one.
    let ofDave = try await updates(of: query) { try $0.put(Identity(userID: "dave", phoneNumber: "+1")) }
    #expect(ofDave.map(\.id) == ["a-5"] && ofDave.first?.included(\.sender)?.phoneNumber == "+1")
    // Nobody is shown who is not there, and without inclusions only the name is.
    #expect(try await updates(of: query, after: put("erin", "x:3")).isEmpty)
    #expect(try await updates(of: messages, after: put("bob", "x:4")).isEmpty)
    // What is put as it was is no change.
    #expect(try await updates(of: query, after: put("bob", "x:4")).isEmpty)
    // A set of properties says what counts; what is shown is new nevertheless.
    #expect(try await updates(of: query, updatableProperties: ["isUnread"], after: put("bob", "x:5")).isEmpty)
  }

  @Test func otherRows() async throws {
    let rows = conversations.including(\.lastMessage.sender)
    #expect(try await updates(of: rows, after: put("carol", "x:1")).map(\.id) == ["b"])
    #expect(try await updates(of: rows, after: put("bob", "x:1")).isEmpty)
    let parts = MessagePart.filter { $0.message.conversation == "b" }.including(\.message.sender)
    #expect(try await updates(of: parts, after: put("carol", "x:2")).map(\.message) == ["b-1", "b-2"])
    let withConversation = messages.including(\.conversation)
    let counted = try await updates(of: withConversation) { try $0.markAsRead("a-1" as Message.ID) }
    #expect(counted.map(\.id) == ["a-1", "a-2", "a-3", "a-4", "a-5"])
    #expect(counted.allSatisfy { $0.included(\.conversation)?.unreadCount == 4 })
    let last = messages.including(\.conversation.lastMessage.sender)
    #expect(try await updates(of: last) { try $0.put(Identity(userID: "dave", displayName: "D")) }.count == 5)
  }

  @Test func anotherQueryIncludesSomethingElse() async throws {
    let controller = chats.store.controller(for: messages, window: .last(2))
    try await controller.execute()
    #expect(controller.list.allSatisfy { $0.included(\.sender) == nil })
    try await controller.setQuery(messages.including(\.sender))
    #expect(controller.list.first?.included(\.sender)?.displayName == "carol")
    let long = String(repeating: "long ", count: 300)
    try chats.receive(long, in: "a", id: "a-6", at: 6)
    try await controller.setQuery(messages.withoutContents())
    #expect(controller.list.last?.id == "a-6" && controller.list.last?.text == nil)
    #expect(controller.list.last?.preview == String(long.prefix(256)))
    #expect(controller.list.allSatisfy { $0.included(\.sender) == nil })
  }

  /// Nothing has been committed in between: the rows show something else nevertheless.
  @Test func rowsThatComeWithSomethingElseAreUpdates() async throws {
    let controller = chats.store.controller(for: messages)
    let table = ModelTable<Message>()
    try await table.show(controller)
    try await controller.setQuery(messages.including(\.sender))
    #expect(table.changes.count == 5 && table.changes.allSatisfy { $0.type == .update })
    #expect(table.sections == ModelTable.rows(of: controller))
  }

  @Test func aVirtualListTellsRowsThatShowAChange() async throws {
    for query in [messages, messages.filter { $0.isSent }.order { $0.metadata.rank }] {
      let list = try synchronously { try chats.store.virtualList(of: query.including(\.sender)) }
      let ids = try synchronously { try chats.store.identifiers(query) }
      try chats.write(put("carol", "x:\(UUID())"))
      try await chats.settled()
      let change = await list.next()
      #expect(change?.isReset == false)
      #expect(change?.difference.updates.map { ids[$0.after] } == ["a-4"])
      let carol = try synchronously { try chats.store.identity("carol") }
      let row = try synchronously { try list.object(at: 3) }
      #expect(carol != nil && row?.included(\.sender) == carol)
    }
    let rows = try synchronously {
      try chats.store.virtualList(of: conversations.including(\.lastMessage.sender))
    }
    try chats.write(put("carol", "x:y"))
    let change = await rows.next()
    #expect(change?.difference.updates.map(\.after) == [1])
  }
}
