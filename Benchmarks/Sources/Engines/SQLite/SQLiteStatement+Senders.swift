extension SQLiteStatement {
  /// The messages of a statement of `SQL.messagesWithSenders` for the conversation given.
  public func messagesWithSenders(of conversation: String) throws -> [SentMessage] {
    defer { reset() }
    var messages: [SentMessage] = []
    messages.reserveCapacity(20)
    var id: Int64 = -1
    while try step() {
      let row = integer(MessageColumn.id)
      if row != id {
        id = row
        messages.append(SentMessage(message: messageRecord(of: conversation), sender: sender()))
      }
      // Where it stands, without a copy.
      appendPart(to: &messages[messages.count - 1].message)
    }
    return messages
  }

  private func sender() -> IdentityValues? {
    guard let user = optionalText(SenderColumn.user) else { return nil }
    var sender = IdentityValues()
    sender.userID = user
    sender.displayName = optionalText(SenderColumn.displayName)
    sender.firstName = optionalText(SenderColumn.firstName)
    sender.lastName = optionalText(SenderColumn.lastName)
    sender.emailAddress = optionalText(SenderColumn.emailAddress)
    sender.phoneNumber = optionalText(SenderColumn.phoneNumber)
    sender.avatarURL = optionalText(SenderColumn.avatarURL)
    sender.metadata = optionalText(SenderColumn.metadata)
    return sender
  }
}
