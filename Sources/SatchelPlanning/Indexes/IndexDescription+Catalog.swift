import SatchelIndexing
package import SatchelModel

extension IndexDescription {
  private static let sentAt = Segment.date(Property([], .sentAt))

  /// Returns the indexes over words by which objects of a kind can be reached; the index of every object comes first.
  ///
  /// The indexes of identifiers are not listed, because identifiers are looked up and not scanned. Neither are the
  /// indexes of hidden messages, because no query returns hidden messages.
  package static func all(of kind: ObjectKind) -> [IndexDescription] {
    switch kind {
    case .messages: messages
    case .parts: parts
    case .conversations: conversations
    case .announcements: announcements
    case .identities: identities
    }
  }

  private static let messages = [
    IndexDescription(
      IndexCatalog.messageCreated, of: .messages, key: [.sequence], payload: [.conversation]),
    IndexDescription(
      IndexCatalog.messageWhen, of: .messages, key: [sentAt, .sequence], payload: [.conversation]),
    IndexDescription(
      IndexCatalog.messageUnread, of: .messages, key: [sentAt, .sequence], payload: [.conversation, .sender],
      holds: .unread),
    IndexDescription(
      IndexCatalog.messageSender, of: .messages, key: [.sender, sentAt, .sequence], payload: [.conversation]),
    IndexDescription(
      IndexCatalog.messageTypes, of: .messages, key: [.typeSet, sentAt, .sequence], payload: [.conversation]),
    IndexDescription(
      IndexCatalog.messagePlace, of: .messages, key: [.conversation, .position, .sequence],
      payload: [.sender, .typeSet], holds: .belowFirst),
    IndexDescription(
      IndexCatalog.messagePlaceUnread, of: .messages, key: [.conversation, .position, .sequence],
      payload: [.sender], holds: .unreadBelowFirst),
    IndexDescription(
      IndexCatalog.messagePlaceSender, of: .messages, key: [.conversation, .sender, .position, .sequence],
      holds: .belowFirst, indexSet: 2),
    IndexDescription(
      IndexCatalog.messageUnreadSender, of: .messages, key: [.sender, sentAt, .sequence],
      payload: [.conversation], holds: .unread, indexSet: 2),
  ]

  private static let parts = [
    IndexDescription(
      IndexCatalog.partType, of: .parts, key: [.mimeType, .sequence, .partIndex], payload: [.conversation])
  ]

  private static let conversations = [
    IndexDescription(IndexCatalog.conversationRows, of: .conversations, key: [.row]),
    IndexDescription(
      IndexCatalog.conversationCreated, of: .conversations, key: [.date(Property([], .createdAt)), .row]),
    IndexDescription(
      IndexCatalog.conversationReceived, of: .conversations,
      key: [.date(Property([.lastMessage], .receivedAt)), .row]),
    IndexDescription(
      IndexCatalog.conversationSent, of: .conversations,
      key: [.date(Property([.lastMessage], .sentAt)), .row]),
    IndexDescription(
      IndexCatalog.conversationUnread, of: .conversations,
      key: [.date(Property([.lastMessage], .receivedAt)), .row], holds: .unread),
    IndexDescription(
      IndexCatalog.conversationMember, of: .conversations, key: [.member, .row], holds: .oncePerFirst),
    IndexDescription(
      IndexCatalog.conversationMemberSet, of: .conversations, key: [.memberSet, .row], holds: .belowFirst),
  ]

  private static let announcements = [
    IndexDescription(IndexCatalog.announcementCreated, of: .announcements, key: [.sequence]),
    IndexDescription(IndexCatalog.announcementWhen, of: .announcements, key: [sentAt, .sequence]),
    IndexDescription(
      IndexCatalog.announcementUnread, of: .announcements, key: [sentAt, .sequence], holds: .unread),
    IndexDescription(
      IndexCatalog.announcementTypes, of: .announcements, key: [.typeSet, sentAt, .sequence]),
  ]

  private static let identities = [
    IndexDescription(IndexCatalog.identityRows, of: .identities, key: [.row]),
    IndexDescription(IndexCatalog.identityUser, of: .identities, key: [.user, .row]),
  ]
}
