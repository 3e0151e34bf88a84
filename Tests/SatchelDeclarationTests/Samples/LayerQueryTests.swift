import Foundation
import Satchel
import Testing

/// The samples of the chapter "Querying" in Layer's guide, in the order of the chapter: what they ask for, typed and as text. A
/// property is a member of the closure's parameter or a name of the text; LYRPredicateOperator is an operator of Swift or of the text.
/// LayerKit's shorter guide has the same samples up to the query controllers.
@Suite struct LayerQueryTests {
  let chats: LayerChats
  let store: MessageStore
  let lunch: Conversation.ID = "lunch"
  let everything = LayerChats.lunch + LayerChats.others

  init() throws {
    chats = try LayerChats()
    store = chats.store
  }

  /// The guide says "the latest 20" and sorts ascending, which gives the first 20. The latest ones are those of the descending order.
  @Test func twentyMessagesOfAConversation() throws {
    try store.answers(
      [
        Message.filter { $0.conversation == lunch }.order { $0.position.ascending }.limit(20).offset(0),
        Query(format: "conversation = %@", lunch).order([SortKey("position")]).limit(20).offset(0),
      ], Array(LayerChats.lunch[..<20]))
    try store.answers(
      [
        Message.filter { $0.conversation == lunch }.order { $0.position.descending }.limit(20),
        Query(format: "conversation = %@", lunch).order([SortKey("-position")]).limit(20),
      ], LayerChats.lunch[10...].reversed())
  }

  /// `[LYRQuery queryWithQueryableClass:]` of each class. Neither announcements nor messages of other people are messages.
  @Test func classes() throws {
    try store.answers([Message.all, Query(), Query(format: "TRUEPREDICATE")], everything)
    try store.answers([Conversation.all, Query(), Query(format: "TRUEPREDICATE")], LayerChats.conversations)
    try store.answers([Announcement.all, Query(), Query(format: "TRUEPREDICATE")], ["notice"])
  }

  @Test func constraint() throws {
    try store.answers(
      [
        Message.filter { $0.conversation == lunch }, Query(format: "conversation = %@", lunch),
        Query(format: "conversation = %@", "lunch"), Query(format: "conversation == 'lunch'"),
      ], LayerChats.lunch)
  }

  /// Positions of several conversations: those that are equal are in the order in which the messages came.
  @Test func sortDescriptors() throws {
    try store.answers(
      [
        Message.order { $0.position.ascending }, try Message.order([SortKey("position")]),
        Message.order([SortKey(["position"], descending: false)]),
      ], ["l1"] + LayerChats.others + LayerChats.lunch[1...])
  }

  @Test func limitsAndOffsets() throws {
    for (offset, expected) in [(0, everything[..<20]), (20, everything[20...]), (40, [])] {
      try store.answers(
        [Message.all.limit(20).offset(offset), Query(format: "TRUEPREDICATE").limit(20).offset(offset)],
        Array(expected))
    }
  }

  /// LYRQueryResultType is a function here: `fetch`, `identifiers` and `count`; `answers` asks all three.
  @Test func resultTypes() throws {
    let query = Message.filter { $0.conversation == lunch }
    #expect(try store.fetch(query).map(\.text) == (1...30).map { String($0) })
    #expect(try store.identifiers(query) == LayerChats.lunch)
    #expect(try store.count(query) == 30)
  }

  @Test func queryControllers() throws {
    let conversations = store.controller(for: Conversation.all)
    try conversations.execute()
    #expect(conversations.numberOfObjects(inSection: 0) == 6)
    #expect(try conversations.object(at: IndexPath(indexes: [0, 1]))?.id == "team")
    let last = store.controller(
      for: Message.filter { $0.conversation == lunch }.order { $0.position }, window: .tail(25))
    try last.execute()
    #expect(last.paginationWindow == -25)
    #expect(last.objects.map(\.id) == Array(LayerChats.lunch[5...]))
    #expect(last.totalNumberOfObjects == 30)
    let unread = store.controller(
      for: Query<Conversation>(), updatableProperties: ["lastMessage.isUnread"])
    try unread.execute()
    #expect(unread.objects.map(\.id) == LayerChats.conversations)
    #expect(unread.updatableProperties == ["lastMessage.isUnread"])
  }

  // MARK: Query examples

  @Test func aConversationByItsIdentifier() throws {
    let identifier: Conversation.ID = "team"
    try store.answers(
      [
        Conversation.filter { $0.identifier == identifier }, Query(format: "identifier = %@", identifier),
        Query(format: "identifier = 'team'"),
      ], ["team"])
    #expect(try store.conversation(identifier)?.id == "team")
  }

  /// The authenticated user may be among the users, as in the guide, or not: `=` adds that user.
  @Test func conversationsOfASetOfParticipants() throws {
    let participants: [Identity.ID] = ["alice", "dave"]
    try store.answers(
      [
        Conversation.filter { $0.participants == participants },
        Conversation.filter { $0.participants == Set(participants) },
        Conversation.filter { $0.participants == ["dave"] },
        Query(format: "participants = %@", participants),
        Query(format: "participants = %@", Set(participants)),
        Query(format: "participants = {'alice', 'dave'}"), Query(format: "participants = {'dave'}"),
      ], ["nested", "blue", "red", "big"])
    try store.answers(
      [
        Conversation.filter { $0.participants == ["bob"] }, Query(format: "participants = %@", ["bob"]),
      ], ["lunch"])
  }

  @Test func unreadMessagesOfOthers() throws {
    let user = store.user
    try store.answers(
      [
        Message.filter { $0.isUnread && $0.sender.userID != user },
        Message.filter { $0.isUnread == true }.filter { $0.sender.userID != user },
        Query(format: "isUnread = %@ AND sender.userID != %@", true, user),
        Query(format: "isUnread == YES && sender.userID <> 'alice'"),
      ], ["l21", "l23", "l25", "l27", "l29", "t1"])
  }

  @Test func messagesOfThePastWeek() throws {
    let lastWeek = Date.now.addingTimeInterval(-60 * 60 * 24 * 7)
    try store.answers(
      [
        Message.filter { $0.sentAt > lastWeek }, Query(format: "sentAt > %@", lastWeek),
        Query(format: "sentAt > %@", Timestamp(lastWeek)),
      ], Array(LayerChats.lunch[5...]) + ["t1"])
  }

  /// Layer spells the property `MIMEType`, which the text takes too.
  @Test func pictures() throws {
    try store.answers(
      [
        Message.filter { $0.parts.any { $0.mimeType == "image/png" } },
        Query(format: "parts.MIMEType = %@", "image/png"), Query(format: "parts.mimeType = 'image/png'"),
        Query(format: "'image/png' IN parts.mimeType"),
      ], ["t1"])
    try store.answers(
      [
        MessagePart.filter { $0.mimeType == "image/png" }, Query(format: "MIMEType = %@", "image/png"),
        Query(format: "mimeType = 'image/png'"),
      ], ["t1/parts/1"])
  }

  // MARK: Metadata queries

  /// The guide asks for "value" and says that this finds "NestedResult"; what finds it is that text.
  @Test func metadata() throws {
    for (text, expected) in [("NestedResult", ["nested"]), ("value", [])] as [(String, [Conversation.ID])] {
      try store.answers(
        [
          Conversation.filter { $0.metadata.first.second.third == text },
          Conversation.filter { $0.metadata["first.second.third"] == text },
          Query(format: "metadata.first.second.third = %@", text),
          Query(format: "%K = %@", "metadata.first.second.third", text),
        ], expected)
    }
    try store.answers(
      [
        Conversation.filter { $0.metadata.backgroundColor.in(["red", "blue"]) },
        Query(format: "metadata.backgroundColor IN %@", ["red", "blue"]),
        Query(format: "metadata.backgroundColor IN {'red', 'blue'}"),
      ], ["blue", "red"])
    // Keys of digits, as in the guide's largest dictionary.
    try store.answers(
      [
        Conversation.filter { $0.metadata["1.3.4"] == "Hola" }, Query(format: "metadata.1.3.4 = %@", "Hola"),
      ], ["big"])
  }

  // MARK: Compound predicates

  @Test func messagesOfAConversationAndASender() throws {
    let sender: Identity.ID = "bob"
    try store.answers(
      [
        Message.filter { $0.sender.userID == sender && $0.conversation == lunch },
        Query(format: "sender.userID = %@ AND conversation = %@", sender, lunch),
        Message.all.filter(
          .and([
            QueryPredicate(format: "sender.userID = %@", sender),
            QueryPredicate(format: "conversation = 'lunch'"),
          ])
        ),
      ], (1...30).filter { !$0.isMultiple(of: 2) }.map { LayerChats.lunch[$0 - 1] })
  }

  @Test func coloursAndATitle() throws {
    try store.answers(
      [
        Conversation.filter {
          $0.metadata.backgroundColor.in(["red", "blue"]) && $0.metadata.title == "testUser"
        },
        Query(
          format: "metadata.backgroundColor IN %@ AND metadata.title = %@", ["red", "blue"], "testUser"),
      ], ["red"])
  }
}
