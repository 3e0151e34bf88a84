extension ObjectProperty {
  /// Finds the property of a kind of object by the names of its key path. Layer's spelling `MIMEType` is accepted too.
  /// - Throws: ``SatchelError`` `unqueryableProperty`, naming the path and the names that are possible.
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

  /// The meaning of the names at one step of a path: the properties of a kind of object, or the ones that are visible
  /// through a relation.
  private enum Scope: Int, CaseIterable {
    case conversation, message, announcement, part, identity
    /// The properties of its last message that a conversation shows.
    case lastMessage
    /// The properties of its parts that a message shows.
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

    private var scopes: FieldDescription.Scopes {
      switch self {
      case .conversation: .conversation
      case .message: .message
      case .announcement: .announcement
      case .part: .part
      case .identity: .identity
      case .lastMessage: .lastMessage
      case .partOfMessage: .partOfMessage
      }
    }

    /// The fields of the scope that have a single name.
    private var fields: [ObjectField] { ObjectField.named.filter { $0.description.scopes.contains(scopes) } }

    /// The fields of each scope by name. Made once, because every query looks some up.
    static let named: [[String: ObjectField]] = allCases.map { scope in
      var fields: [String: ObjectField] = [:]
      for field in scope.fields { fields[field.description.name] = field }
      return fields
    }

    /// The spellings of the scope, for the text of an error.
    var names: [String] {
      let own = fields.map(\.description.name)
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

  private static func lookUp(_ path: ArraySlice<String>, in scope: Scope) -> ObjectProperty? {
    // The names of properties are ASCII. Any other text would be compared in its canonical form, at an unbounded cost.
    guard let first = path.first, first.isASCII else { return nil }
    let rest = path.dropFirst()
    if rest.isEmpty {
      let name = first == "MIMEType" ? "mimeType" : first
      return Scope.named[scope.rawValue][name].map { ObjectProperty([], $0) }
    }
    switch (scope, first) {
    case (.conversation, "metadata"), (.message, "metadata"), (.announcement, "metadata"),
      (.identity, "metadata"):
      guard rest.count <= Metadata.maximumDepth, rest.allSatisfy(Metadata.isValidKey) else { return nil }
      return ObjectProperty([], .metadataValue(Array(rest)))
    case (.conversation, "lastMessage"):
      return lookUp(rest, in: .lastMessage)?.behind(.lastMessage)
    case (.message, "conversation"):
      return lookUp(rest, in: .conversation)?.behind(.conversation)
    case (.message, "parts"), (.announcement, "parts"):
      return lookUp(rest, in: .partOfMessage)?.behind(.parts)
    case (.message, "sender"), (.announcement, "sender"), (.lastMessage, "sender"):
      guard rest.count == 1, let name = rest.first, name.isASCII else { return nil }
      if name == "userID" { return ObjectProperty([], .senderUserID) }
      guard scopeShowsSenderName(scope), name == "displayName" else { return nil }
      return ObjectProperty([.sender], .displayName)
    case (.message, "recipientStatus"), (.announcement, "recipientStatus"):
      guard rest.count == 1, let user = rest.first, !user.isEmpty else { return nil }
      return ObjectProperty([], .recipientStatus(Identity.ID(user)))
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
