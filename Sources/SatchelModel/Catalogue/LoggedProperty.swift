/// The properties that the change log distinguishes, by their number in the log. A number never changes its meaning.
package enum LoggedProperty: UInt8, Sendable, Hashable, CaseIterable {
  // Of several kinds of objects.
  case identifier = 0
  case metadata = 1
  // Of a message or announcement.
  case position = 2
  case sentAt = 3
  case receivedAt = 4
  case isSent = 5
  case isUnread = 6
  case sender = 7
  case typeSet = 8
  case recipientStatus = 9
  case parts = 10
  // Of a conversation.
  case participantSet = 11
  case createdAt = 12
  case isDistinct = 13
  case isVisible = 14
  case messageCount = 15
  case unreadCount = 16
  /// The creation sequence of the last message; the five properties after it are properties of that message.
  case lastMessage = 17
  case lastPosition = 18
  case lastSentAt = 19
  case lastReceivedAt = 20
  case lastIsUnread = 21
  case lastSender = 22
  // Of an identity.
  case displayName = 23
  case firstName = 24
  case lastName = 25
  case emailAddress = 26
  case phoneNumber = 27
  case avatarURL = 28
  case followed = 29
  case publicKey = 30
  case lastSeenAt = 31
  case presenceStatus = 32
  // Of a message or announcement.
  case editedAt = 33
  case deletedAt = 34
  case updatedAt = 35
  /// Which parts there are, and what is in them.
  case contents = 36
  /// Of a conversation, a message or an announcement.
  case remoteID = 37
  // Of a record.
  case owner = 38
  case updatedBy = 39
}

extension LoggedProperty {
  /// The property by which a query asks for the value; nil if none does.
  package var property: ObjectProperty? {
    switch self {
    case .identifier: ObjectProperty([], .identifier)
    case .metadata: ObjectProperty([], .metadata)
    case .position: ObjectProperty([], .position)
    case .sentAt: ObjectProperty([], .sentAt)
    case .receivedAt: ObjectProperty([], .receivedAt)
    case .isSent: ObjectProperty([], .isSent)
    case .isUnread: ObjectProperty([], .isUnread)
    case .sender: ObjectProperty([], .senderUserID)
    case .typeSet: ObjectProperty([.parts], .mimeType)
    case .participantSet: ObjectProperty([], .participants)
    case .createdAt: ObjectProperty([], .createdAt)
    case .isDistinct: ObjectProperty([], .isDistinct)
    case .messageCount: ObjectProperty([], .messageCount)
    case .unreadCount: ObjectProperty([], .unreadCount)
    case .lastMessage: ObjectProperty([], .lastMessage)
    case .lastPosition: ObjectProperty([.lastMessage], .position)
    case .lastSentAt: ObjectProperty([.lastMessage], .sentAt)
    case .lastReceivedAt: ObjectProperty([.lastMessage], .receivedAt)
    case .lastIsUnread: ObjectProperty([.lastMessage], .isUnread)
    case .lastSender: ObjectProperty([.lastMessage], .senderUserID)
    case .displayName: ObjectProperty([], .displayName)
    case .firstName: ObjectProperty([], .firstName)
    case .lastName: ObjectProperty([], .lastName)
    case .emailAddress: ObjectProperty([], .emailAddress)
    case .phoneNumber: ObjectProperty([], .phoneNumber)
    case .avatarURL: ObjectProperty([], .avatarURL)
    case .publicKey: ObjectProperty([], .publicKey)
    case .followed: ObjectProperty([], .followed)
    case .lastSeenAt: ObjectProperty([], .lastSeenAt)
    case .presenceStatus: ObjectProperty([], .presenceStatus)
    case .editedAt: ObjectProperty([], .editedAt)
    case .deletedAt: ObjectProperty([], .deletedAt)
    case .updatedAt: ObjectProperty([], .updatedAt)
    case .remoteID: ObjectProperty([], .remoteID)
    case .owner: ObjectProperty([], .owner)
    case .updatedBy: ObjectProperty([], .updatedBy)
    case .recipientStatus, .parts, .contents, .isVisible: nil
    }
  }
}

/// A set of properties: one bit each, at the property's number.
package struct LoggedProperties: OptionSet, Sendable, Hashable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Makes the set of one property.
  package init(_ property: LoggedProperty) {
    rawValue = 1 << UInt64(property.rawValue)
  }

  /// Makes the set of some properties.
  package init(_ properties: [LoggedProperty]) {
    self = properties.reduce(into: []) { $0.formUnion(LoggedProperties($1)) }
  }

  /// Every property that has a number.
  package static let all = LoggedProperties(LoggedProperty.allCases)

  /// Returns whether a property is in the set.
  package func contains(_ property: LoggedProperty) -> Bool { contains(LoggedProperties(property)) }

  /// Adds a property.
  package mutating func insert(_ property: LoggedProperty) { formUnion(LoggedProperties(property)) }

  /// The properties, by ascending number.
  package var properties: [LoggedProperty] { LoggedProperty.allCases.filter { contains($0) } }
}
