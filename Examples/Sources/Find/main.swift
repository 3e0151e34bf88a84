import Foundation
import Satchel

// Find STORE KEY VALUE: the conversations with a text in their metadata, as in `Find chat.satchel title Lunch` or
// `Find chat.satchel theme.color red`, and their latest message. A star at the end of the text stands for anything.

guard CommandLine.arguments.count == 4 else {
  print("usage: Find STORE KEY VALUE")
  exit(64)
}
let (key, value) = (CommandLine.arguments[2], CommandLine.arguments[3])

let store = try MessageStore(existingAt: CommandLine.arguments[1])
let query =
  value.hasSuffix("*")
  ? try Query<Conversation>(format: "%K BEGINSWITH %@", "metadata." + key, String(value.dropLast()))
  : try Query<Conversation>(format: "%K = %@", "metadata." + key, value)

let page = try store.page(query.order { $0.lastMessage.receivedAt.descending }.limit(20))
for conversation in page.objects {
  let text = conversation.lastMessage?.text ?? ""
  print("\(conversation.id)  \(conversation.metadata[key] ?? "")  \(text.prefix(40))")
}
print("\(page.totalCount) found")
store.close()
