import SatchelModel
import SatchelQuery
import SatchelRecords

/// The properties whose changes count as an update of an object. They are named by dotted key paths, which may cross
/// relations.
struct WatchedProperties: Sendable, Hashable {
  /// One watched property, as seen from an object.
  indirect enum Item: Sendable, Hashable {
    /// A property that has one value.
    case property(ObjectProperty)
    /// The participants of a conversation.
    case participants
    /// The status of every recipient of a message.
    case recipients
    /// The metadata under a path of keys; all metadata if the path is empty.
    case metadata(MetadataPath)
    /// The transfer status of every part of a message.
    case transfers
    /// All that an edit of a message's parts changes: which there are, and their contents.
    case contents(withTransfers: Bool)
    /// The preview of a message's first text.
    case preview
    /// An item of the object that a relation leads to.
    case through(ObjectRelation, Item)
  }

  /// The watched items.
  let items: [Item]
  /// True if any change of the object's own value counts, whatever `items` says.
  let comparesValues: Bool

  /// Returns everything that an object's value shows, and what it shares with related objects. The counters and the
  /// last message of a message's conversation are left out: they change with every message, and count only if they are
  /// named.
  static func all(of kind: ObjectKind) -> WatchedProperties {
    WatchedProperties(items: related(of: kind), comparesValues: true)
  }

  /// Resolves the named properties.
  /// - Throws: ``SatchelError`` `unqueryableProperty` for a name that no property has.
  init(names: Set<String>, of queried: QueriedType) throws {
    items = try names.sorted().map { name in
      // What does not follow the language is the name of no property.
      let path = (try? [String](spelledPath: name)) ?? [name]
      if let property = try Self.referenced(path, of: queried) { return .property(property) }
      return try Self.item(path[...], of: queried.kind, name)
    }
    comparesValues = false
  }

  /// Returns the property of what a record refers to, or of what a conversation is to the store's user, that a path leads to; nil if it
  /// leads elsewhere.
  private static func referenced(_ path: [String], of queried: QueriedType) throws -> ObjectProperty? {
    switch queried.kind {
    case .records
    where path.count > 1 && (ReferenceStep(user: path[0]) != nil || !RecordType.isReserved(path[0])): break
    case .conversations where path.first == OwnState.name: break
    default: return nil
    }
    let property = try queried.property(path)
    guard case .referenced = property.field else { return nil }
    guard property.isSortable else {
      throw SatchelError(
        .unqueryableProperty, "Of what a record refers to, properties are watched of which it has one value",
        ["property": property.path.spelledPath])
    }
    return property
  }

  /// What is watched of objects that records refer to, as seen from the records.
  var referenced: [ObjectProperty] {
    items.compactMap { item in
      guard case .property(let property) = item, case .referenced = property.field else { return nil }
      return property
    }
  }

  private init(items: [Item], comparesValues: Bool) {
    self.items = items
    self.comparesValues = comparesValues
  }

  /// Returns whether something is watched of the object that a relation leads to.
  func looks(through relation: ObjectRelation) -> Bool { items.contains { $0.looks(through: relation) } }

  private static func related(of kind: ObjectKind) -> [Item] {
    switch kind {
    case .messages:
      [senderName]
        + [
          .participants, .metadata(MetadataPath([])), .property(ObjectProperty([], .isDistinct)),
          .property(ObjectProperty([], .createdAt)), .property(ObjectProperty([], .remoteID)),
        ]
        .map { .through(.conversation, $0) }
    case .announcements: [senderName]
    case .parts:
      (related(of: .messages) + [.recipients, .metadata(MetadataPath([]))]
        + [
          .remoteID, .position, .sentAt, .receivedAt, .editedAt, .deletedAt, .updatedAt, .isSent, .isUnread,
        ].map {
          .property(ObjectProperty([], $0))
        })
        .map { .through(.message, $0) }
    case .conversations, .identities, .records: []
    }
  }

  private static let senderName = Item.property(ObjectProperty([.sender], .displayName))

  private static func item(_ path: ArraySlice<String>, of kind: ObjectKind, _ name: String) throws -> Item {
    let rest = path.dropFirst()
    switch (kind, path.first) {
    case (.conversations, "participants") where rest.isEmpty: return .participants
    case (.parts, _) where path.first != "message": break
    case (.records, let first?) where !RecordType.isReserved(first):
      let path = MetadataPath(Array(path))
      if path.fault(.stored) == nil { return .metadata(path) }
    case (_, "metadata"):
      let path = MetadataPath(Array(rest))
      if rest.isEmpty || path.fault(.stored) == nil { return .metadata(path) }
    case (.messages, "recipientStatus") where rest.isEmpty,
      (.announcements, "recipientStatus") where rest.isEmpty:
      return .recipients
    case (.messages, "parts"), (.announcements, "parts"):
      if rest.isEmpty { return .contents(withTransfers: true) }
      if rest == ["transferStatus"] { return .transfers }
      _ = try item(rest, of: .parts, name)
      return .contents(withTransfers: false)
    case (.messages, "preview") where rest.isEmpty, (.announcements, "preview") where rest.isEmpty:
      return .preview
    case (.messages, "sender") where rest.isEmpty, (.announcements, "sender") where rest.isEmpty:
      return senderName
    case (.messages, "conversation") where !rest.isEmpty:
      return .through(.conversation, try item(rest, of: .conversations, name))
    case (.conversations, "lastMessage") where !rest.isEmpty:
      return .through(.lastMessage, try item(rest, of: .messages, name))
    case (.parts, "message") where !rest.isEmpty:
      return .through(.message, try item(rest, of: .messages, name))
    default: break
    }
    do {
      return .property(try ObjectProperty(path: Array(path), of: kind))
    } catch let error as SatchelError {
      throw SatchelError(
        error.code, "There is no such property to watch for updates",
        ["property": name, "kind": kind.rawValue, "available": error.context["available"] ?? ""])
    }
  }
}

extension WatchedProperties.Item {
  fileprivate func looks(through relation: ObjectRelation) -> Bool {
    switch self {
    case .property(let property): property.relations.contains(relation)
    case .through(let first, let item): first == relation || item.looks(through: relation)
    case .participants, .recipients, .transfers, .metadata, .contents, .preview: false
    }
  }
}
