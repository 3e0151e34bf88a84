extension Property {
  /// The property of a kind of object that a path of names spells, Layer's spellings (`MIMEType`) included.
  /// - Throws: ``SatchelError`` `unqueryableProperty`, naming the path and what could stand there.
  public init(path: [String], of kind: ObjectKind) throws {
    guard let property = Self.lookUp(path[...], in: Scope(kind)) else {
      throw SatchelError(
        .unqueryableProperty, "There is no such queryable property",
        [
          "property": path.joined(separator: "."), "kind": kind.rawValue,
          "available": Scope(kind).names.joined(separator: " "),
        ])
    }
    self = property
  }

  /// What names mean at a place of a path: a kind of object, or the part of one that a relation shows.
  private enum Scope: Int, CaseIterable {
    case conversation, message, announcement, part, identity
    /// What a conversation shows of its last message.
    case lastMessage
    /// What a message shows of its parts.
    case partOfMessage

    init(_ kind: ObjectKind) {
      self =
        switch kind {
        case .conversations: .conversation
        case .messages: .message
        case .parts: .part
        case .announcements: .announcement
        case .identities: .identity
        }
    }

    /// The fields of the scope that are spelled by one name.
    var fields: [Field] {
      switch self {
      case .conversation:
        [
          .identifier, .participants, .participantCount, .createdAt, .isDistinct, .hasUnreadMessages,
          .unreadCount,
          .messageCount, .lastMessage, .metadata,
        ]
      case .message:
        [.identifier, .conversation, .position, .sentAt, .receivedAt, .isSent, .isUnread, .metadata]
      case .announcement: [.identifier, .position, .sentAt, .receivedAt, .isSent, .isUnread, .metadata]
      case .part: [.identifier, .message, .index, .mimeType, .size, .text]
      case .identity:
        [
          .identifier, .userID, .displayName, .firstName, .lastName, .emailAddress, .phoneNumber, .avatarURL,
          .followed, .metadata,
        ]
      case .lastMessage: [.sentAt, .receivedAt, .position, .isUnread]
      case .partOfMessage: [.mimeType, .size, .text]
      }
    }

    /// The fields of each scope by their names: every query looks some up.
    static let named: [[String: Field]] = allCases.map { scope in
      var fields: [String: Field] = [:]
      for field in scope.fields where field.path.count == 1 { fields[field.path[0]] = field }
      return fields
    }

    /// The spellings of the scope, for an error.
    var names: [String] {
      let own = fields.map { $0.path.joined(separator: ".") }
      return switch self {
      case .conversation: own + ["metadata.KEY", "lastMessage.NAME"]
      case .message:
        own + [
          "sender.userID", "sender.displayName", "parts.NAME", "conversation.NAME", "recipientStatus.USER",
          "metadata.KEY",
        ]
      case .announcement:
        own + ["sender.userID", "sender.displayName", "parts.NAME", "recipientStatus.USER", "metadata.KEY"]
      case .part: own + ["message.NAME"]
      case .identity: own + ["metadata.KEY"]
      case .lastMessage, .partOfMessage: own
      }
    }
  }

  private static func lookUp(_ path: ArraySlice<String>, in scope: Scope) -> Property? {
    // What properties are called is ASCII; anything else would be compared in its canonical form, whatever that costs.
    guard let first = path.first, first.isASCII else { return nil }
    let rest = path.dropFirst()
    if rest.isEmpty {
      let name = first == "MIMEType" ? "mimeType" : first
      return Scope.named[scope.rawValue][name].map { Property([], $0) }
    }
    switch (scope, first) {
    case (.conversation, "metadata"), (.message, "metadata"), (.announcement, "metadata"),
      (.identity, "metadata"):
      guard rest.count <= Metadata.maximumDepth, rest.allSatisfy(Metadata.isValidKey) else { return nil }
      return Property([], .metadataValue(Array(rest)))
    case (.conversation, "lastMessage"):
      return lookUp(rest, in: .lastMessage)?.behind(.lastMessage)
    case (.message, "conversation"):
      return lookUp(rest, in: .conversation)?.behind(.conversation)
    case (.message, "parts"), (.announcement, "parts"):
      return lookUp(rest, in: .partOfMessage)?.behind(.parts)
    case (.message, "sender"), (.announcement, "sender"), (.lastMessage, "sender"):
      guard rest.count == 1, let name = rest.first, name.isASCII else { return nil }
      if name == "userID" { return Property([], .senderUserID) }
      guard scopeShowsSenderName(scope), name == "displayName" else { return nil }
      return Property([.sender], .displayName)
    case (.message, "recipientStatus"), (.announcement, "recipientStatus"):
      guard rest.count == 1, let user = rest.first, !user.isEmpty else { return nil }
      return Property([], .recipientStatus(Identity.ID(user)))
    case (.part, "message"):
      return lookUp(rest, in: .message)?.behind(.message)
    default: return nil
    }
  }

  private static func scopeShowsSenderName(_ scope: Scope) -> Bool {
    if case .lastMessage = scope { false } else { true }
  }
}

extension String {
  fileprivate var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
