import Foundation
import Satchel

// Inbox STORE: the twenty conversations heard of last, each with how many of its messages are unread. They are printed
// again whenever any process commits something that changes them; with --once, only once.

let arguments = CommandLine.arguments.dropFirst()
guard let path = arguments.first else {
  print("usage: Inbox STORE [--once]")
  exit(64)
}

func show(_ conversations: [Conversation]) {
  for conversation in conversations {
    let others = conversation.participants.filter { $0 != conversation.lastMessage?.sender }
    let title = conversation.metadata["title"] ?? others.map(\.rawValue).joined(separator: ", ")
    let badge = conversation.unreadCount > 0 ? "(\(conversation.unreadCount)) " : ""
    print(badge + title + ": " + (conversation.lastMessage?.preview ?? "no text").prefix(40))
  }
  print("")
}

let store = try MessageStore(existingAt: path)
let inbox = store.controller(
  for: Conversation.order { $0.lastMessage.receivedAt.descending }.withoutContents(), window: .first(20))
try inbox.execute()
show(inbox.objects)

if !arguments.contains("--once") {
  for await changes in inbox.changes { show(changes.after.objects) }
}
store.close()
