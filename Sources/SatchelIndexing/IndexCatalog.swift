package import RankedIndex

/// Every index of a store: its number in the file, its name, and its columns.
///
/// The numbers and columns are part of the file format. "Visible" objects are those of conversations that a query may
/// return: the store's user participates now and there is at least one message. A tree of visible objects holds nothing
/// else, so that the count of a range of it is the count of an answer. Optional values are two columns, whether there is
/// a value and then its order-preserving word, so that missing ones sort first; a position is "unsent" and then its
/// word, so that unsent messages sort last.
package enum IndexCatalog {
  // Messages of conversations.

  /// seq | conversation, of visible messages: creation order, totals, complements.
  package static let messageCreated = TreeSchema(
    id: 1, name: "message.created", keyColumns: 1, payloadColumns: 1)
  /// seq | conversation, of the messages that are not visible: export walks it beside `messageCreated`.
  package static let messageHidden = TreeSchema(
    id: 2, name: "message.hidden", keyColumns: 1, payloadColumns: 1)
  /// conversation, unsent, position, seq | sender, type set, of all live messages.
  package static let messagePlace = TreeSchema(
    id: 3, name: "message.place", keyColumns: 4, payloadColumns: 2)
  /// conversation, unsent, position, seq | sender, of all live unread messages.
  package static let messagePlaceUnread = TreeSchema(
    id: 4, name: "message.placeUnread", keyColumns: 4, payloadColumns: 1)
  /// sent?, sentAt, seq | conversation, of visible messages.
  package static let messageWhen = TreeSchema(id: 5, name: "message.when", keyColumns: 3, payloadColumns: 1)
  /// sent?, sentAt, seq | conversation, sender, of visible unread messages.
  package static let messageUnread = TreeSchema(
    id: 6, name: "message.unread", keyColumns: 3, payloadColumns: 2)
  /// sender, sent?, sentAt, seq | conversation, of visible messages.
  package static let messageSender = TreeSchema(
    id: 7, name: "message.sender", keyColumns: 4, payloadColumns: 1)
  /// type set, sent?, sentAt, seq | conversation, of visible messages.
  package static let messageTypes = TreeSchema(id: 8, name: "message.types", keyColumns: 4, payloadColumns: 1)
  /// identifier's hash, seq | conversation, of all live messages and announcements that are not in
  /// `messageIdentifierRecent`; an announcement's conversation is `MessageKey.announcements`.
  package static let messageIdentifier = TreeSchema(
    id: 9, name: "message.identifier", keyColumns: 2, payloadColumns: 1)
  /// type, seq, index | conversation, of the parts of visible messages.
  package static let partType = TreeSchema(id: 10, name: "part.type", keyColumns: 3, payloadColumns: 1)

  // Conversations.

  /// row, of visible conversations.
  package static let conversationRows = TreeSchema(id: 11, name: "conversation.rows", keyColumns: 1)
  /// created?, createdAt, row, of visible conversations.
  package static let conversationCreated = TreeSchema(id: 12, name: "conversation.created", keyColumns: 3)
  /// received?, the last message's receivedAt, row, of visible conversations.
  package static let conversationReceived = TreeSchema(id: 13, name: "conversation.received", keyColumns: 3)
  /// sent?, the last message's sentAt, row, of visible conversations.
  package static let conversationSent = TreeSchema(id: 14, name: "conversation.sent", keyColumns: 3)
  /// received?, the last message's receivedAt, row, of visible conversations with unread messages.
  package static let conversationUnread = TreeSchema(id: 15, name: "conversation.unread", keyColumns: 3)
  /// user, row, for each participant of a visible conversation.
  package static let conversationMember = TreeSchema(id: 16, name: "conversation.member", keyColumns: 2)
  /// participant set, hidden (0 visible, 1 not), row, of all live conversations.
  package static let conversationMemberSet = TreeSchema(id: 17, name: "conversation.memberSet", keyColumns: 3)
  /// identifier's hash, row, of all live conversations.
  package static let conversationIdentifier = TreeSchema(
    id: 18, name: "conversation.identifier", keyColumns: 2)
  /// metadata key path, text in NFC, row, of visible conversations.
  package static let conversationMetadata = TextTreeSchema(id: 19, name: "conversation.metadata")

  // Identities.

  /// row.
  package static let identityRows = TreeSchema(id: 20, name: "identity.rows", keyColumns: 1)
  /// user, row.
  package static let identityUser = TreeSchema(id: 21, name: "identity.user", keyColumns: 2)
  /// name (see `NameGroup`), text in NFC, row.
  package static let identityName = TextTreeSchema(id: 22, name: "identity.name")
  /// metadata key path, text in NFC, row.
  package static let identityMetadata = TextTreeSchema(id: 23, name: "identity.metadata")

  // Announcements.

  /// seq.
  package static let announcementCreated = TreeSchema(id: 24, name: "announcement.created", keyColumns: 1)
  /// sent?, sentAt, seq.
  package static let announcementWhen = TreeSchema(id: 25, name: "announcement.when", keyColumns: 3)
  /// sent?, sentAt, seq, of unread announcements.
  package static let announcementUnread = TreeSchema(id: 26, name: "announcement.unread", keyColumns: 3)
  /// type set, sent?, sentAt, seq.
  package static let announcementTypes = TreeSchema(id: 27, name: "announcement.types", keyColumns: 4)

  // Dictionaries.

  /// dictionary, bytes of the text or of the set's encoded ids, id.
  package static let dictionaryText = TextTreeSchema(id: 28, name: "dictionary.text")

  // Aggregates.

  /// aggregate, bytes of the group (`AggregateGroup`), the group's total in the place of a row; never 0.
  package static let aggregateTotals = TextTreeSchema(id: 29, name: "aggregate.totals")

  // The newest messages.

  /// As `messageIdentifier`, of messages that have come lately.
  ///
  /// Hashes are spread evenly: put straight into an index of all messages, every new one would change another leaf. Here
  /// they change the few leaves of a small tree, and move on in stretches, which share leaves.
  package static let messageIdentifierRecent = TreeSchema(
    id: 30, name: "message.identifierRecent", keyColumns: 2, payloadColumns: 1)

  // By who sent them.

  /// conversation, sender, unsent, position, seq, of all live messages.
  package static let messagePlaceSender = TreeSchema(id: 31, name: "message.placeSender", keyColumns: 5)
  /// sender, sent?, sentAt, seq | conversation, of visible unread messages: of whom they are, and how many are not of
  /// somebody, in two descents.
  package static let messageUnreadSender = TreeSchema(
    id: 32, name: "message.unreadSender", keyColumns: 4, payloadColumns: 1)

  /// The trees of rows of numbers, by ascending id.
  package static let numeric: [TreeSchema] = [
    messageCreated, messageHidden, messagePlace, messagePlaceUnread, messageWhen, messageUnread,
    messageSender,
    messageTypes, messageIdentifier, partType, conversationRows, conversationCreated, conversationReceived,
    conversationSent, conversationUnread, conversationMember, conversationMemberSet, conversationIdentifier,
    identityRows, identityUser, announcementCreated, announcementWhen, announcementUnread, announcementTypes,
    messageIdentifierRecent, messagePlaceSender, messageUnreadSender,
  ]

  /// The trees that stores of the first set of indexes lack.
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
