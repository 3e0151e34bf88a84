import Foundation
import Satchel

// Scrollback STORE CONVERSATION: the latest ten messages of a conversation. Each press of the return key loads ten older
// ones, until there are none or standard input ends. Messages that arrive meanwhile are added below.

guard CommandLine.arguments.count == 3 else {
  print("usage: Scrollback STORE CONVERSATION")
  exit(64)
}

let store = try MessageStore(existingAt: CommandLine.arguments[1])
let conversation = Conversation.ID(CommandLine.arguments[2])
guard try store.conversation(conversation) != nil else {
  print("there is no conversation \(conversation)")
  exit(1)
}

// A tail begins with the last ten rows and grows by what arrives, so that nothing moves away while it is read.
let messages = store.controller(
  for: Message.filter { $0.conversation == conversation }.order { $0.position }, window: .tail(10))
try messages.execute()

func show(_ messages: QueryController<Message>) {
  for message in messages.objects {
    let types = message.parts.map(\.mimeType).joined(separator: ", ")
    print("\(message.sender): \(message.text ?? "[\(types)]")")
  }
  print("-- \(messages.rowsBefore) older --")
}

show(messages)
while messages.hasMoreBefore, readLine() != nil {
  try messages.loadPrevious(10)
  show(messages)
}
store.close()
