internal import SatchelModel
internal import SatchelWriting

// What a service delivers of messages that are there. Deliveries say that they were edited later than any edit before.
extension RandomOperations {
  /// A message is received once more, with other values.
  mutating func receiveAgain(_ writer: Writer?) throws {
    guard case (let conversation, var message)? = someMessage() else { return }
    let draft = delivery(of: message.sender, named: message.id)
    take(draft, into: &message)
    if !draft.isUnread { message.isUnread = false }
    _ = try writer?.deliver(
      draft, in: conversation, ifExists: .merge, merging: MessageUpdate(merging: draft))
    put(message, message.id, conversation)
  }

  /// A message gets the name that its service has for it. A delivery under that name may have overtaken this: both become one.
  mutating func confirmMessage(_ writer: Writer?) throws {
    guard case (let conversation?, var message)? = someMessage(), message.remoteID == nil else { return }
    let name = Message.ID("srv\(model.next())")
    message.remoteID = name
    if generator.chance(60) {
      let draft = delivery(of: message.sender, named: name)
      take(draft, into: &message)
      _ = try writer?.insertMessage(draft, in: conversation)
    }
    try writer?.confirmMessage(message.id, as: name, MessageUpdate())
    put(message, message.id, conversation)
  }

  private mutating func delivery(of sender: Identity.ID, named id: Message.ID) -> MessageDraft {
    var draft = newMessage().1
    draft.identifier = id
    draft.remoteID = nil
    draft.sender = sender
    draft.editedAt = Timestamp(microseconds: 4_000_000_000_000_000 + Int64(model.next()))
    return draft
  }

  private func take(_ draft: MessageDraft, into message: inout ReferenceStore.Message) {
    message.position = draft.position ?? message.position
    message.sentAt = draft.sentAt?.microseconds ?? message.sentAt
    guard !message.isDeleted else { return }
    message.parts = draft.parts.map(\.mimeType)
    try? message.metadata.merge(draft.metadata)
  }
}
