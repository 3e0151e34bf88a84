extension WrongQuery {
  private static let leadsOn =
    "The name leads on to properties, and has no value of its own: name one of these"
  private static let ownState =
    "What a conversation is to the store's user is asked in queries for conversations and messages: no declared index and no aggregate has it, and no path behind a reference"

  /// Names that are misspelled, that another kind of object has, or that are texts without quotes.
  static let names: [WrongQuery] = [
    WrongQuery(.messages, "colour = 1", .unqueryableProperty, "property: colour"),
    WrongQuery(.messages, "isunread = TRUE", .unqueryableProperty, "property: isunread"),
    WrongQuery(.messages, "is_unread = TRUE", .unqueryableProperty, "property: is_unread"),
    WrongQuery(.messages, "sendAt > 2026-01-01T00:00:00Z", .unqueryableProperty, "property: sendAt"),
    WrongQuery(
      .messages, "sender = 'bob'", .unqueryableProperty, leadsOn, "property: sender"),
    WrongQuery(.messages, "sender.name = 'Bob'", .unqueryableProperty, "property: sender.name"),
    WrongQuery(.messages, "sender.userId = 'bob'", .unqueryableProperty, "property: sender.userId"),
    WrongQuery(
      .messages, "parts = 'image/png'", .unqueryableProperty, leadsOn, "property: parts"),
    WrongQuery(.messages, "parts.MimeType = 'image/png'", .unqueryableProperty, "property: parts.MimeType"),
    WrongQuery(.messages, "part.mimeType = 'image/png'", .unqueryableProperty, "property: part.mimeType"),
    WrongQuery(.messages, "text CONTAINS 'noon'", .unqueryableProperty, "property: text"),
    WrongQuery(
      .messages, "conversation.title = 'Lunch'", .unqueryableProperty, "property: conversation.title"),
    WrongQuery(.messages, "conversation.id = 'c'", .unqueryableProperty, "property: conversation.id"),
    WrongQuery(.messages, "id = 'm'", .unqueryableProperty, "property: id"),
    WrongQuery(.messages, "metaData.title = 'x'", .unqueryableProperty, "property: metaData.title"),
    WrongQuery(.messages, "title = 'Lunch'", .unqueryableProperty, "property: title"),
    WrongQuery(
      .messages, "recipientStatus = 'read'", .unqueryableProperty, leadsOn, "property: recipientStatus"),
    WrongQuery(
      .messages, "recipientStatus.bob.at = 'read'", .unqueryableProperty, "property: recipientStatus.bob.at"),
    WrongQuery(
      .messages, "conversation.lastMessage.parts.size > 1", .unqueryableProperty,
      "property: conversation.lastMessage.parts.size"),
    WrongQuery(.messages, "position.value > 1", .unqueryableProperty, "property: position.value"),
    WrongQuery(.messages, "unreadCount > 0", .unqueryableProperty, "property: unreadCount"),
    WrongQuery(.messages, "participants CONTAINS 'bob'", .unqueryableProperty, "property: participants"),
    WrongQuery(
      .messages, "metadata.'' = 'x'", .unqueryableProperty,
      "A metadata key has 1 to 256 UTF-8 bytes and no NUL, a key path 1 to 64 keys",
      "found: an empty key, property: metadata.''"),
    WrongQuery(
      .messages, "conversation.metadata.'' = 1", .unqueryableProperty,
      "A metadata key has 1 to 256 UTF-8 bytes and no NUL, a key path 1 to 64 keys",
      "found: an empty key, property: conversation.metadata.''"),
    WrongQuery(.messages, "self.isUnread", .unqueryableProperty, "property: self.isUnread"),
    WrongQuery(.messages, "parts.count > 1", .unqueryableProperty, "property: parts.count"),
    WrongQuery(
      .messages, "sender.userID = alice", .unqueryableProperty,
      "expected: a text needs quotes: 'alice', property: alice"),
    WrongQuery(
      .messages, "parts.text CONTAINS noon", .unqueryableProperty,
      "expected: a text needs quotes: 'noon', property: noon"),
    WrongQuery(
      .messages, "sentAt > yesterday", .unqueryableProperty,
      "expected: a text needs quotes: 'yesterday', property: yesterday"),
    WrongQuery(
      .messages, "identifier = colour", .unqueryableProperty,
      "expected: a text needs quotes: 'colour', property: colour"),
    WrongQuery(.messages, "FALSEPREDICATE AND colour = 1", .unqueryableProperty, "property: colour"),
    WrongQuery(.messages, "TRUEPREDICATE OR colour = 1", .unqueryableProperty, "property: colour"),
    WrongQuery(.conversations, "isUnread = TRUE", .unqueryableProperty, "property: isUnread"),
    WrongQuery(.conversations, "position > 5", .unqueryableProperty, "property: position"),
    WrongQuery(
      .conversations, "participants.userID = 'bob'", .unqueryableProperty, "property: participants.userID"),
    WrongQuery(.conversations, "lastMessage.text = 'x'", .unqueryableProperty, "property: lastMessage.text"),
    WrongQuery(
      .conversations, "lastMessage.sender = 'bob'", .unqueryableProperty, leadsOn,
      "property: lastMessage.sender"),
    WrongQuery(
      .parts, "message.conversation.my.isPinned = TRUE", .unqueryableProperty, ownState,
      "expected: in queries: my.NAME of conversations, conversation.my.NAME of messages, property: message.conversation.my.isPinned"
    ),
    WrongQuery(
      .messages, "my.role = 'admin'", .unqueryableProperty, ownState,
      "expected: conversation.my.role, property: my.role"),
    WrongQuery(
      .conversations, "conversation.my.role = 'admin'", .unqueryableProperty, ownState,
      "expected: my.role, property: conversation.my.role"),
    WrongQuery(.conversations, "messages.text = 'x'", .unqueryableProperty, "property: messages.text"),
    WrongQuery(
      .conversations, "bob IN participants", .unqueryableProperty,
      "expected: a text needs quotes: 'bob', property: bob"),
    WrongQuery(.parts, "conversation = 'c'", .unqueryableProperty, "property: conversation"),
    WrongQuery(.parts, "message.text = 'x'", .unqueryableProperty, "property: message.text"),
    WrongQuery(.parts, "parts.size > 5", .unqueryableProperty, "property: parts.size"),
    WrongQuery(.parts, "content = 'x'", .unqueryableProperty, "property: content"),
    WrongQuery(.announcements, "conversation = 'c'", .unqueryableProperty, "property: conversation"),
    WrongQuery(.identities, "name = 'Bob'", .unqueryableProperty, "property: name"),
    WrongQuery(.identities, "sender.userID = 'bob'", .unqueryableProperty, "property: sender.userID"),
  ]
}
