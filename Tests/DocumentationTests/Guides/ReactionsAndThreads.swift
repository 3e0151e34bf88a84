import Foundation
import Satchel
import SatchelResponses
import Testing

/// The code of the article "Reactions and threads".
@Suite struct ReactionsAndThreadsGuide {
  @Test func reactingAndAnswering() throws {
    let chats = try GuideStore()
    let store = chats.store
    let lunch: Conversation.ID = "lunch"
    try chats.chat(lunch, messages: 3)
    let (noon, received): (Message.ID, Message.ID) = ("lunch-1", "lunch-2")
    let when = GuideStore.date(9)
    try store.enable(.reactions, .threads)
    try store.write { transaction in
      try transaction.react(to: noon, with: "👍")
      try transaction.react(to: noon, with: "🎉", by: "bob", at: when)
    }
    #expect(try store.reactionSummary(of: noon).kinds.map(\.kind) == ["🎉", "👍"])
    #expect(try store.count(Reaction.recordType.filter { $0.state == "pending" }) == 1)
    try store.write { transaction in
      try transaction.confirmReaction(to: noon, with: "👍", remoteID: "r-17")
      try transaction.removeReaction(from: noon, with: "🎉", by: "bob")
    }
    let unsent = Reaction.recordType.filter { $0.state == "pending" }
    print(try store.count(unsent), "reactions are still to be sent")
    #expect(try store.count(unsent) == 0)
    let summary = try store.reactionSummary(of: noon)
    print(summary.kinds.map { "\($0.kind) \($0.count)" }, "mine:", summary.mine)
    let thumbs = try store.reactions(to: noon).filter { $0.kind == "👍" }
    for reaction in try store.fetch(thumbs.limit(50), as: Reaction.self) {
      print(reaction.user, reaction.date)
    }
    #expect(summary.mine == ["👍"] && summary.count == 1)
    #expect(try store.fetch(thumbs, as: Reaction.self).map(\.user) == ["alice"])
    let reply = try store.write { transaction in
      try transaction.setParent(noon, of: received)
      return try transaction.reply(to: noon, with: [.text("I am in")])
    }
    print(try store.parent(of: reply) == noon)
    #expect(try store.parent(of: reply) == noon)
    let thread = try store.thread(of: noon)
    print(thread.replyCount, thread.participants, thread.lastReply ?? "none")
    let replies = try store.replies(to: noon).including(\.message)
    for record in try store.fetch(replies.limit(20)) {
      print(record.included("message", as: Message.self)?.text ?? "")
    }
    let controller = store.controller(for: replies, window: .tail(20))
    try controller.execute()
    #expect(thread.replyCount == 2 && thread.lastReply == reply && thread.participants == ["bob", "alice"])
    #expect(controller.list.map(\.id.name) == [received.rawValue, reply.rawValue])
    controller.close()
    let page = Message.filter { $0.conversation == lunch }.order { $0.position.descending }.limit(20)
    for message in try store.fetch(page.including(\.reactions).including(\.replies)) {
      let reactions = message.reactionSummary?.kinds.map { "\($0.kind) \($0.count)" } ?? []
      print(message.text ?? "", reactions, message.threadSummary?.replyCount ?? 0)
    }
    let messages = try store.fetch(page.including(\.reactions).including(\.replies))
    let first = try #require(messages.first { $0.id == noon })
    #expect(first.reactionSummary?["👍"] == 1 && first.threadSummary?.replyCount == 2)
    // What the table says.
    try store.write { try $0.delete(noon, for: .everyone) }
    #expect(try store.reactionSummary(of: noon).isEmpty && store.thread(of: noon).replyCount == 2)
    try store.write { try $0.delete(noon) }
    #expect(try store.parent(of: reply) == nil && store.message(reply) != nil)
    try store.write { try $0.delete(lunch) }
    #expect(try store.types().map(\.records) == [0, 0])
  }
}
