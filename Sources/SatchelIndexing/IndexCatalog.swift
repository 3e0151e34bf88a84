package import RankedIndex

/// Every index of a store: its number in the file, its name, and its columns.
///
/// The numbers and columns are part of the file format. Each index below lists its columns: the key columns before
/// the bar, the payload columns after it. `seq` is the creation sequence.
///
/// An object is "visible" if it belongs to a conversation that a query may return: the store's user participates in
/// it now, and it has at least one message. An index of visible objects holds nothing else, so that the count of a
/// range of the index is the count of a query's result.
///
/// An optional value takes two columns: whether there is a value (`sent?` for `sentAt`), then its order-preserving
/// word. Missing values therefore sort first. A position takes two columns as well: `unsent`, then its word. Unsent
/// messages therefore sort last.
package enum IndexCatalog {
  // Messages of conversations.

  /// `seq | conversation` of visible messages: for creation order, totals and complements.
  package static let messageCreated = TreeSchema(
    id: 1, name: "message.created", keyColumns: 1, payloadColumns: 1)
  /// `seq | conversation` of messages that are not visible. Export walks this index beside `messageCreated`.
  package static let messageHidden = TreeSchema(
    id: 2, name: "message.hidden", keyColumns: 1, payloadColumns: 1)
  /// `conversation, unsent, position, seq | sender, type set` of all live messages.
  package static let messagePlace = TreeSchema(
    id: 3, name: "message.place", keyColumns: 4, payloadColumns: 2)
  /// `conversation, unsent, position, seq | sender` of all live unread messages.
  package static let messagePlaceUnread = TreeSchema(
    id: 4, name: "message.placeUnread", keyColumns: 4, payloadColumns: 1)
  /// `sent?, sentAt, seq | conversation` of visible messages.
  package static let messageWhen = TreeSchema(id: 5, name: "message.when", keyColumns: 3, payloadColumns: 1)
  /// `sent?, sentAt, seq | conversation, sender` of visible unread messages.
  package static let messageUnread = TreeSchema(
    id: 6, name: "message.unread", keyColumns: 3, payloadColumns: 2)
  /// `sender, sent?, sentAt, seq | conversation` of visible messages.
  package static let messageSender = TreeSchema(
    id: 7, name: "message.sender", keyColumns: 4, payloadColumns: 1)
  /// `type set, sent?, sentAt, seq | conversation` of visible messages.
  package static let messageTypes = TreeSchema(id: 8, name: "message.types", keyColumns: 4, payloadColumns: 1)
  /// `identifier's hash, seq | conversation` of all live messages and announcements that are not in
  /// `messageIdentifierRecent`. The conversation of an announcement is `MessageKey.announcements`.
  package static let messageIdentifier = TreeSchema(
    id: 9, name: "message.identifier", keyColumns: 2, payloadColumns: 1)
  /// `type, seq, index | conversation` of the parts of visible messages.
  package static let partType = TreeSchema(id: 10, name: "part.type", keyColumns: 3, payloadColumns: 1)

  // Conversations.

  /// `row` of visible conversations.
  package static let conversationRows = TreeSchema(id: 11, name: "conversation.rows", keyColumns: 1)
  /// `created?, createdAt, row` of visible conversations.
  package static let conversationCreated = TreeSchema(id: 12, name: "conversation.created", keyColumns: 3)
  /// `received?, receivedAt of the last message, row` of visible conversations.
  package static let conversationReceived = TreeSchema(id: 13, name: "conversation.received", keyColumns: 3)
  /// `sent?, sentAt of the last message, row` of visible conversations.
  package static let conversationSent = TreeSchema(id: 14, name: "conversation.sent", keyColumns: 3)
  /// `received?, receivedAt of the last message, row` of visible conversations with unread messages.
  package static let conversationUnread = TreeSchema(id: 15, name: "conversation.unread", keyColumns: 3)
  /// `user, row` for each participant of a visible conversation.
  package static let conversationMember = TreeSchema(id: 16, name: "conversation.member", keyColumns: 2)
  /// `participant set, hidden, row` of all live conversations; `hidden` is 0 if the conversation is visible, else 1.
  package static let conversationMemberSet = TreeSchema(id: 17, name: "conversation.memberSet", keyColumns: 3)
  /// `identifier's hash, row` of all live conversations.
  package static let conversationIdentifier = TreeSchema(
    id: 18, name: "conversation.identifier", keyColumns: 2)
  /// `metadata key path, text in NFC, row` of visible conversations.
  package static let conversationMetadata = TextTreeSchema(id: 19, name: "conversation.metadata")

  // Identities.

  /// `row` of all identities.
  package static let identityRows = TreeSchema(id: 20, name: "identity.rows", keyColumns: 1)
  /// `user, row` of all identities.
  package static let identityUser = TreeSchema(id: 21, name: "identity.user", keyColumns: 2)
  /// `name, text in NFC, row` of all identities; `NameGroup` lists the names.
  package static let identityName = TextTreeSchema(id: 22, name: "identity.name")
  /// `metadata key path, text in NFC, row` of all identities.
  package static let identityMetadata = TextTreeSchema(id: 23, name: "identity.metadata")

  // Announcements.

  /// `seq` of all announcements.
  package static let announcementCreated = TreeSchema(id: 24, name: "announcement.created", keyColumns: 1)
  /// `sent?, sentAt, seq` of all announcements.
  package static let announcementWhen = TreeSchema(id: 25, name: "announcement.when", keyColumns: 3)
  /// `sent?, sentAt, seq` of unread announcements.
  package static let announcementUnread = TreeSchema(id: 26, name: "announcement.unread", keyColumns: 3)
  /// `type set, sent?, sentAt, seq` of all announcements.
  package static let announcementTypes = TreeSchema(id: 27, name: "announcement.types", keyColumns: 4)

  // Dictionaries.

  /// `dictionary, bytes, id` of all dictionary entries; the bytes are those of the text, or of the set's encoded ids.
  package static let dictionaryText = TextTreeSchema(id: 28, name: "dictionary.text")

  // Aggregates.

  /// `aggregate, bytes of the group, total` of all aggregates' groups (`AggregateGroup`) whose total is not 0. The
  /// total is stored where other indexes of texts have a row.
  package static let aggregateTotals = TextTreeSchema(id: 29, name: "aggregate.totals")

  // The newest messages.

  /// The columns of `messageIdentifier`, for messages and announcements that were added recently.
  ///
  /// Hashes are spread evenly: if new hashes went straight into an index of all messages, each would change a
  /// different leaf. Here they change the few leaves of a small tree. They move to `messageIdentifier` later, in runs
  /// of neighbouring hashes, which share leaves.
  package static let messageIdentifierRecent = TreeSchema(
    id: 30, name: "message.identifierRecent", keyColumns: 2, payloadColumns: 1)

  // Messages by sender.

  /// `conversation, sender, unsent, position, seq` of all live messages.
  package static let messagePlaceSender = TreeSchema(id: 31, name: "message.placeSender", keyColumns: 5)
  /// `sender, sent?, sentAt, seq | conversation` of visible unread messages. Two descents count the unread messages
  /// of one sender, or the unread messages of everybody else.
  package static let messageUnreadSender = TreeSchema(
    id: 32, name: "message.unreadSender", keyColumns: 4, payloadColumns: 1)

  /// The trees of numeric rows, by ascending id.
  package static let numeric: [TreeSchema] = [
    messageCreated, messageHidden, messagePlace, messagePlaceUnread, messageWhen, messageUnread,
    messageSender,
    messageTypes, messageIdentifier, partType, conversationRows, conversationCreated, conversationReceived,
    conversationSent, conversationUnread, conversationMember, conversationMemberSet, conversationIdentifier,
    identityRows, identityUser, announcementCreated, announcementWhen, announcementUnread, announcementTypes,
    messageIdentifierRecent, messagePlaceSender, messageUnreadSender,
  ]

  /// The trees that a store with the first set of indexes does not have.
  package static let later: [TreeSchema] = [messagePlaceSender, messageUnreadSender]

  /// The trees of texts, by ascending id.
  package static let text: [TextTreeSchema] = [
    conversationMetadata, identityName, identityMetadata, dictionaryText, aggregateTotals,
  ]
}

/// The groups of `identity.name`: which of an identity's names a text is.
package enum NameGroup: UInt64, CaseIterable, Sendable {
  case displayName = 1
  case firstName = 2
  case lastName = 3
  case emailAddress = 4
  case phoneNumber = 5
}
