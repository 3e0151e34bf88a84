extension ObjectProperty {
  /// Finds the property of a kind of object by the names of its key path. Layer's spelling `MIMEType` is accepted too.
  /// - Throws: ``SatchelError`` `unqueryableProperty`, naming the path and the names that are possible, or what is wrong with a key of
  ///   metadata.
  public init(path: [String], of kind: ObjectKind) throws {
    guard let property = Self.lookUp(path[...], in: Scope(kind)) else { throw Self.error(path, of: kind) }
    if let keys = property.field.keyPath, let fault = keys.fault(kind == .records ? .fields : .stored) {
      throw SatchelError(
        .unqueryableProperty, MetadataPath.message,
        ["property": path.spelledPath, "kind": kind.rawValue, "found": fault])
    }
    self = property
  }

  private static func error(_ path: [String], of kind: ObjectKind) -> SatchelError {
    let context = ["property": path.spelledPath, "kind": kind.rawValue]
    if let expected = OwnState.expected(insteadOf: path, of: kind) {
      return SatchelError(
        .unqueryableProperty,
        "What a conversation is to the store's user is asked in queries for conversations and messages: no declared index and no aggregate has it, and no path behind a reference",
        context.merging(["expected": expected]) { $1 })
    }
    let available = available(instead: path[...], in: Scope(kind))
    let isLead = available.contains { $0.hasPrefix(path.spelledPath + ".") }
    return SatchelError(
      .unqueryableProperty,
      isLead
        ? "The name leads on to properties, and has no value of its own: name one of these"
        : "There is no such queryable property",
      context.merging(["available": available.joined(separator: " ")]) { $1 })
  }

  /// Returns what an error lists for a path that leads to no property: the names behind its longest beginning that leads on.
  private static func available(
    instead path: ArraySlice<String>, behind names: [String] = [], in scope: Scope
  ) -> [String] {
    func spelled(_ ends: [String]) -> [String] { ends.map { (names + [$0]).joined(separator: ".") } }
    guard let first = path.first, let lead = Scope.leads[scope.rawValue].first(where: { $0.name == first })
    else { return spelled(scope.names) }
    guard case .relation(_, let next) = lead else { return spelled(lead.spellings) }
    return available(instead: path.dropFirst(), behind: names + [first], in: next)
  }

  /// The meaning of the names at one step of a path: the properties of a kind of object, or the ones that are visible
  /// through a relation.
  private enum Scope: Int, CaseIterable {
    case conversation, message, announcement, part, identity, record
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
        case .records: .record
        }
    }

    private var scopes: FieldDescription.Scopes {
      switch self {
      case .conversation: .conversation
      case .message: .message
      case .announcement: .announcement
      case .part: .part
      case .identity: .identity
      case .record: .record
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

    /// What leads on from the scope to names behind a dot.
    enum Lead {
      case relation(ObjectRelation, Scope)
      /// The sender, of whom only some names are visible.
      case sender(shows: [String])
      /// A name behind which any user id stands.
      case recipientStatus
      /// A name behind which keys of metadata stand.
      case metadata

      var name: String {
        switch self {
        case .relation(let relation, _): relation.name
        case .sender: ObjectRelation.sender.name
        case .recipientStatus: "recipientStatus"
        case .metadata: "metadata"
        }
      }

      /// What may stand behind the name, for the text of an error.
      var spellings: [String] {
        switch self {
        case .relation: [name + ".NAME"]
        case .sender(let shown): shown.map { name + "." + $0 }
        case .recipientStatus: [name + ".USER"]
        case .metadata: [name + ".KEY"]
        }
      }
    }

    /// The leads of each scope, in the order in which errors list them. Made once, as the fields by name.
    static let leads: [[Lead]] = allCases.map { scope in
      switch scope {
      case .conversation: [.metadata, .relation(.lastMessage, .lastMessage)]
      case .message:
        [
          .sender(shows: ["userID", "displayName"]), .relation(.parts, .partOfMessage),
          .relation(.conversation, .conversation), .recipientStatus, .metadata,
        ]
      case .announcement:
        [
          .sender(shows: ["userID", "displayName"]), .relation(.parts, .partOfMessage), .recipientStatus,
          .metadata,
        ]
      case .part: [.relation(.message, .message)]
      case .identity: [.metadata]
      // Every other name is one of a field, which leads on to nested dictionaries.
      case .record: []
      case .lastMessage: [.sender(shows: ["userID"])]
      case .partOfMessage: []
      }
    }

    /// The spellings of the scope, for the text of an error.
    var names: [String] {
      fields.map(\.description.name) + Self.leads[rawValue].flatMap(\.spellings)
        + (self == .record ? ["FIELD"] : [])
    }

    /// The kind of the objects whose metadata the scope shows.
    var kind: ObjectKind {
      switch self {
      case .conversation: .conversations
      case .message, .lastMessage: .messages
      case .announcement: .announcements
      case .part, .partOfMessage: .parts
      case .identity: .identities
      case .record: .records
      }
    }

    /// The names that stand for a property or lead on to some, in the order of errors.
    var continuations: [Continuation] {
      let leads = Self.leads[rawValue].map(\.name)
      return fields.map { field in
        let name = field.description.name
        return Continuation(name: name, property: ObjectProperty([], field), leadsOn: leads.contains(name))
      }
        + leads.filter { Self.named[rawValue][$0] == nil }.map {
          Continuation(name: $0, property: nil, leadsOn: true)
        }
    }
  }

  private static func lookUp(_ path: ArraySlice<String>, in scope: Scope) -> ObjectProperty? {
    if scope == .record { return lookUpInRecord(path) }
    // The names of properties are ASCII. Any other text would be compared in its canonical form, at an unbounded cost.
    guard let first = path.first, first.isASCII else { return nil }
    let rest = path.dropFirst()
    if rest.isEmpty {
      let name = first == "MIMEType" ? "mimeType" : first
      return Scope.named[scope.rawValue][name].map { ObjectProperty([], $0) }
    }
    guard let lead = Scope.leads[scope.rawValue].first(where: { $0.name == first }) else { return nil }
    switch lead {
    case .relation(let relation, let scope): return lookUp(rest, in: scope)?.behind(relation)
    case .sender(let shown):
      guard rest.count == 1, let name = rest.first, name.isASCII, shown.contains(name) else { return nil }
      return name == "userID" ? ObjectProperty([], .senderUserID) : ObjectProperty([.sender], .displayName)
    case .recipientStatus:
      guard rest.count == 1, let user = rest.first, !user.isEmpty else { return nil }
      return ObjectProperty([], .recipientStatus(Identity.ID(user)))
    // Which keys there may be is checked where the whole path is known.
    case .metadata: return ObjectProperty([], .metadataValue(MetadataPath(Array(rest))))
    }
  }
}

extension ObjectProperty {
  /// Every name that is none of a property is that of a field.
  private static func lookUpInRecord(_ path: ArraySlice<String>) -> ObjectProperty? {
    guard let first = path.first else { return nil }
    if first.isASCII, let field = Scope.named[Scope.record.rawValue][first] {
      return path.count == 1 ? ObjectProperty([], field) : nil
    }
    return ObjectProperty([], .recordValue(MetadataPath(Array(path))))
  }
}

// MARK: - What may stand behind a path

extension ObjectProperty {
  /// A name that may stand behind the names of a path.
  package struct Continuation: Sendable, Hashable {
    package let name: String
    /// The property that the path with this name is; nil if it is none.
    package let property: ObjectProperty?
    /// Whether further names may follow behind a dot.
    package let leadsOn: Bool
  }

  /// What may stand behind the names of a path.
  package enum Continuations: Sendable, Hashable {
    /// One of these names.
    case names([Continuation])
    /// A key of the metadata that objects of a kind have, behind these keys.
    case metadata(of: ObjectKind, behind: [String])
    /// The id of a user.
    case users
  }

  /// Returns what may stand behind the names of a path that begins at an object of a kind; nil if nothing may.
  package static func continuations(of path: [String], of kind: ObjectKind) -> Continuations? {
    continuations(of: path[...], in: Scope(kind)) { $0 }
  }

  private static func continuations(
    of path: ArraySlice<String>, in scope: Scope, _ whole: (ObjectProperty) -> ObjectProperty
  ) -> Continuations? {
    guard let first = path.first else {
      return .names(
        scope.continuations.map {
          Continuation(name: $0.name, property: $0.property.map(whole), leadsOn: $0.leadsOn)
        })
    }
    let rest = path.dropFirst()
    switch Scope.leads[scope.rawValue].first(where: { $0.name == first }) {
    case nil: return nil
    case .relation(let relation, let scope)?:
      return continuations(of: rest, in: scope) { whole($0.behind(relation)) }
    case .sender(let shown)?:
      guard rest.isEmpty else { return nil }
      return .names(
        shown.map {
          Continuation(name: $0, property: lookUp([first, $0], in: scope).map(whole), leadsOn: false)
        })
    case .recipientStatus?: return rest.isEmpty ? .users : nil
    case .metadata?: return .metadata(of: scope.kind, behind: Array(rest))
    }
  }
}

extension String {
  fileprivate var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
