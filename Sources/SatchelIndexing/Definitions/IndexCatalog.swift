package import RankedKeys
package import SatchelModel

/// Every index of a store.
///
/// The numbers and columns are part of the file format.
///
/// An object is "visible" if it belongs to a conversation that a query may return: the store's user participates in it
/// now, and it has at least one message. An index of visible objects holds nothing else, so that the count of a range of
/// the index is the count of a query's result.
package enum IndexCatalog {
  private static let sentAt = Segment.optional(ObjectProperty([], .sentAt))
  private static let lastReceivedAt = Segment.optional(ObjectProperty([.lastMessage], .receivedAt))

  // Messages of conversations.

  /// For creation order, totals and complements.
  package static let messageCreated = IndexDefinition(
    1, "message.created", of: .messages, key: [.sequence], payload: [.conversation])
  /// Export walks this index beside `messageCreated`.
  package static let messageHidden = IndexDefinition(
    2, "message.hidden", of: .messages, holds: .hidden, key: [.sequence], payload: [.conversation])
  package static let messagePlace = IndexDefinition(
    3, "message.place", of: .messages, holds: .belowFirst, key: [.conversation, .position, .sequence],
    payload: [.sender, .typeSet], growsInside: true)
  package static let messagePlaceUnread = IndexDefinition(
    4, "message.placeUnread", of: .messages, holds: .unreadBelowFirst,
    key: [.conversation, .position, .sequence], payload: [.sender], growsInside: true)
  package static let messageWhen = IndexDefinition(
    5, "message.when", of: .messages, key: [sentAt, .sequence], payload: [.conversation])
  package static let messageUnread = IndexDefinition(
    6, "message.unread", of: .messages, holds: .unread, key: [sentAt, .sequence],
    payload: [.conversation, .sender])
  package static let messageSender = IndexDefinition(
    7, "message.sender", of: .messages, key: [.sender, sentAt, .sequence], payload: [.conversation],
    growsInside: true)
  package static let messageTypes = IndexDefinition(
    8, "message.types", of: .messages, key: [.typeSet, sentAt, .sequence], payload: [.conversation],
    growsInside: true)
  /// Also of announcements, whose conversation is `MessageKey.announcements`; without those in
  /// `messageIdentifierRecent`.
  package static let messageIdentifier = IndexDefinition(
    9, "message.identifier", of: .messages, holds: .lookUp, key: [.identifierHash, .sequence],
    payload: [.conversation], growsInside: true)
  /// As `messageIdentifier`, of messages and announcements that were added recently.
  ///
  /// Hashes are spread evenly: if new hashes went straight into an index of all messages, each would change a
  /// different leaf. Here they change the few leaves of a small tree. They move to `messageIdentifier` later, in runs
  /// of neighbouring hashes, which share leaves.
  package static let messageIdentifierRecent = IndexDefinition(
    30, "message.identifierRecent", of: .messages, holds: .lookUp, key: messageIdentifier.key,
    payload: messageIdentifier.payload, growsInside: true)
  /// Also of announcements, as `messageIdentifier`: those to which a server has given an identifier. What a store of an older
  /// format holds has none, so that the index is complete there as well.
  package static let messageRemoteID = IndexDefinition(
    36, "message.remoteID", of: .messages, holds: .remoteLookUp, key: messageIdentifier.key,
    payload: messageIdentifier.payload, growsInside: true)
  package static let messagePlaceSender = IndexDefinition(
    31, "message.placeSender", of: .messages, holds: .belowFirst,
    key: [.conversation, .sender, .position, .sequence], since: 2, source: messagePlace,
    growsInside: true)
  /// Two descents count the unread messages of one sender, or the unread messages of everybody else.
  package static let messageUnreadSender = IndexDefinition(
    32, "message.unreadSender", of: .messages, holds: .unread, key: [.sender, sentAt, .sequence],
    payload: [.conversation], since: 2, source: messageUnread, growsInside: true)
  /// The outbox.
  package static let messageUnsent = IndexDefinition(
    33, "message.unsent", of: .messages, holds: .unsent, key: [.sequence], payload: [.conversation, .sender],
    since: 3)
  package static let messageReceived = IndexDefinition(
    34, "message.received", of: .messages, key: [.optional(ObjectProperty([], .receivedAt)), .sequence],
    payload: [.conversation], since: 3, growsInside: true)

  /// Each value once. The row of an entry is a creation sequence; `messageCreated` knows its conversation.
  package static let messageMetadata = TextIndexDefinition(
    38, "message.metadata", of: "values in metadata of visible messages", group: "key path", text: "value",
    row: "sequence", isPartOf: .messageMetadata)

  // Parts of messages.

  package static let partType = IndexDefinition(
    10, "part.type", of: .parts, key: [.mimeType, .sequence, .partIndex], payload: [.conversation],
    growsInside: true)
  package static let partSize = IndexDefinition(
    35, "part.size", of: .parts, key: [.optional(ObjectProperty([], .size)), .sequence, .partIndex],
    payload: [.conversation], since: 3, growsInside: true)

  // Conversations.

  package static let conversationRows = IndexDefinition(
    11, "conversation.rows", of: .conversations, key: [.row])
  package static let conversationCreated = IndexDefinition(
    12, "conversation.created", of: .conversations, key: [.optional(ObjectProperty([], .createdAt)), .row])
  package static let conversationReceived = IndexDefinition(
    13, "conversation.received", of: .conversations, key: [lastReceivedAt, .row])
  package static let conversationSent = IndexDefinition(
    14, "conversation.sent", of: .conversations,
    key: [.optional(ObjectProperty([.lastMessage], .sentAt)), .row])
  package static let conversationUnread = IndexDefinition(
    15, "conversation.unread", of: .conversations, holds: .unread, key: [lastReceivedAt, .row])
  package static let conversationMember = IndexDefinition(
    16, "conversation.member", of: .conversations, holds: .oncePerFirst, key: [.member, .row])
  package static let conversationMemberSet = IndexDefinition(
    17, "conversation.memberSet", of: .conversations, holds: .belowFirst, key: [.memberSet, .row])
  package static let conversationIdentifier = IndexDefinition(
    18, "conversation.identifier", of: .conversations, holds: .lookUp, key: [.identifierHash, .row],
    growsInside: true)
  /// Those to which a server has given an identifier, as `messageRemoteID`.
  package static let conversationRemoteID = IndexDefinition(
    37, "conversation.remoteID", of: .conversations, holds: .remoteLookUp, key: [.identifierHash, .row],
    growsInside: true)
  package static let conversationMetadata = TextIndexDefinition(
    19, "conversation.metadata", of: "values in metadata of visible conversations", group: "key path",
    text: "value")

  // Identities.

  package static let identityRows = IndexDefinition(20, "identity.rows", of: .identities, key: [.row])
  package static let identityUser = IndexDefinition(21, "identity.user", of: .identities, key: [.user, .row])
  /// `NameGroup` lists the names.
  package static let identityName = TextIndexDefinition(
    22, "identity.name", of: "names of identities", group: "which name")
  package static let identityMetadata = TextIndexDefinition(
    23, "identity.metadata", of: "values in metadata of identities", group: "key path", text: "value")

  // Announcements.

  package static let announcementCreated = IndexDefinition(
    24, "announcement.created", of: .announcements, key: [.sequence])
  package static let announcementWhen = IndexDefinition(
    25, "announcement.when", of: .announcements, key: [sentAt, .sequence])
  package static let announcementUnread = IndexDefinition(
    26, "announcement.unread", of: .announcements, holds: .unread, key: [sentAt, .sequence])
  package static let announcementTypes = IndexDefinition(
    27, "announcement.types", of: .announcements, key: [.typeSet, sentAt, .sequence])

  package static let announcementMetadata = TextIndexDefinition(
    39, "announcement.metadata", of: "values in metadata of announcements", group: "key path", text: "value",
    row: "sequence", isPartOf: .messageMetadata)

  // Records of applications.

  /// The records of a type in the order of their creation.
  package static let recordCreated = IndexDefinition(
    41, "record.created", of: .records, holds: .belowFirst, key: [.recordType, .sequence])
  package static let recordIdentifier = TextIndexDefinition(
    42, "record.identifier", of: "records", group: "record type", text: "identifier", row: "sequence")
  /// The group is `IndexedRecord.group`.
  package static let recordFields = TextIndexDefinition(
    43, "record.fields", of: "values in fields of records", group: "record type and key path",
    text: "value", row: "sequence")

  // Dictionaries and aggregates.

  package static let dictionaryText = TextIndexDefinition(
    28, "dictionary.text", of: "entries of dictionaries", group: "dictionary",
    text: "entry (5.6, from offset 4 on)", row: "id")
  /// The text is an `AggregateEntryText`. The total is stored where other indexes of texts have a row; it is never 0.
  package static let aggregateTotals = TextIndexDefinition(
    29, "aggregate.totals", of: "entries of aggregates that do not come to 0", group: "aggregate",
    text: "entry", row: "total (5.13)")

  /// The entries of all indexes that applications have declared. The text is a `DeclaredKey`, or of words what `WordEntries` says. The row is
  /// a creation sequence or a row.
  package static let declaredEntries = TextIndexDefinition(
    40, "declared.entries", of: "entries of declared indexes (5.16)",
    group: "declared index and kind of entries",
    text: "values of its columns or a term (5.16)", row: "sequence or row")

  // MARK: Lists

  // Each index is in one list. The first of several paths of the same cost is taken: these lists are in the order in
  // which the planner prefers indexes, the index of every object first.

  private static let messages = [
    messageCreated, messageWhen, messageUnread, messageSender, messageTypes, messagePlace,
    messagePlaceUnread, messagePlaceSender, messageUnreadSender, messageUnsent,
    messageReceived,
  ]
  private static let parts = [partType, partSize]
  private static let conversations = [
    conversationRows, conversationCreated, conversationReceived, conversationSent, conversationUnread,
    conversationMember, conversationMemberSet,
  ]
  private static let announcements = [
    announcementCreated, announcementWhen, announcementUnread, announcementTypes,
  ]
  private static let identities = [identityRows, identityUser]
  private static let records = [recordCreated]
  /// What no answer is read from: identifiers are looked up and not scanned, and no query returns hidden messages.
  private static let aside = [
    messageHidden, messageIdentifier, messageIdentifierRecent, messageRemoteID, conversationIdentifier,
    conversationRemoteID,
  ]

  /// Returns the indexes over words by which objects of a kind can be reached; the index of every object comes first.
  package static func answering(_ kind: ObjectKind) -> [IndexDefinition] {
    switch kind {
    case .messages: messages
    case .parts: parts
    case .conversations: conversations
    case .announcements: announcements
    case .identities: identities
    case .records: records
    }
  }

  /// The indexes over words, by ascending number.
  package static let numeric = (ObjectKind.allCases.flatMap(answering) + aside)
    .sorted { $0.number < $1.number }

  /// The indexes over texts, by ascending number.
  package static let text = [
    conversationMetadata, identityName, identityMetadata, dictionaryText, aggregateTotals, messageMetadata,
    announcementMetadata, declaredEntries, recordIdentifier, recordFields,
  ]

  /// Returns the tree of the metadata of messages, or of announcements.
  package static func metadata(ofAnnouncements: Bool) -> TextTreeSchema {
    (ofAnnouncements ? announcementMetadata : messageMetadata).tree
  }

  /// Returns the tree of the index over words with a number; nil if there is none.
  package static func numericTree(_ number: UInt16) -> TreeSchema? {
    Int(number) < numericTrees.count ? numericTrees[Int(number)] : nil
  }

  /// Returns the tree of the index over texts with a number; nil if there is none.
  package static func textTree(_ number: UInt16) -> TextTreeSchema? {
    text.first { $0.number == number }?.tree
  }

  /// Returns what an index is called, and of one over texts what is in it; nil if no index has the number.
  package static func name(ofTree number: UInt16) -> String? {
    if let index = numeric.first(where: { $0.number == number }) { return index.name }
    // What stands in parentheses is a section of FORMAT.md.
    return text.first { $0.number == number }.map { index in
      let end = index.entries.firstIndex(of: "(").map { index.entries.index(before: $0) }
      let entries = index.entries[..<(end ?? index.entries.endIndex)]
      return "\(index.name) (\(entries))"
    }
  }

  /// Indexed by the number of the index.
  private static let numericTrees: [TreeSchema?] = {
    var trees: [TreeSchema?] = []
    for index in numeric {
      while trees.count < Int(index.number) { trees.append(nil) }
      trees.append(index.tree)
    }
    return trees
  }()

  /// The last set of built-in indexes.
  package static let latestSet: UInt16 = numeric.reduce(1) { max($0, $1.since) }

  /// The indexes that a store with the first set does not have.
  package static let later = numeric.filter { $0.since > 1 }
}
