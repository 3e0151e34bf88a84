import RankedKeys
import SatchelCoding
import SatchelIndexing
import SatchelModel

/// The entries that an object has by the definitions of the indexes alone: from what each index holds, and from what each
/// of its columns means.
struct DefinedEntries {
  /// A row, and the number of the index that has it.
  struct Row: Hashable {
    let index: UInt16
    let words: Words
  }

  /// A text, and the number of the index that has it.
  struct Text: Hashable {
    let index: UInt16
    let key: TextKey
  }

  private(set) var rows: Set<Row> = []
  private(set) var texts: Set<Text> = []

  /// An index has a column that none of its objects has a value for.
  struct NoSuchColumn: Error {
    let index: String
    let segment: Segment
  }

  init() {}

  init(_ message: IndexedMessage) throws {
    for index in IndexCatalog.numeric where index !== IndexCatalog.messageIdentifierRecent {
      guard message.isAnnouncement ? index.holdsAnnouncements : index.holdsMessages,
        index.holds(isVisible: message.isAnnouncement || message.isVisible),
        message.fields.meets(index.holds.restriction),
        index.holds != .remoteLookUp || message.remoteIDHash != nil
      else { continue }
      for part in index.kind == .parts ? message.parts.indices : 0..<1 {
        try add(index) { segment in
          switch segment {
          case .conversation: [UInt64(message.conversation)]
          case .position: message.fields.position.map { [0, KeyWords.word($0)] } ?? [1, 0]
          case .sequence: [message.sequence]
          case .optional(ObjectProperty([], .sentAt)): Self.words(message.fields.sentAt)
          case .optional(ObjectProperty([], .receivedAt)): Self.words(message.fields.receivedAt)
          case .optional(ObjectProperty([], .size)): Self.words(message.parts[part].size)
          case .sender: [UInt64(message.fields.sender)]
          case .typeSet: [UInt64(message.fields.typeSet)]
          case .mimeType: [UInt64(message.parts[part].mimeType)]
          case .partIndex: [UInt64(part)]
          case .identifierHash:
            [index.holds == .remoteLookUp ? message.remoteIDHash ?? 0 : message.identifierHash]
          case .optional, .row, .member, .memberSet, .user, .recordType: nil
          }
        }
      }
    }
    if message.isAnnouncement {
      add(message.metadata, row: message.sequence, to: IndexCatalog.announcementMetadata)
    } else if message.isVisible {
      add(message.metadata, row: message.sequence, to: IndexCatalog.messageMetadata)
    }
  }

  init(_ conversation: IndexedConversation) throws {
    for index in IndexCatalog.numeric where index.kind == .conversations {
      guard index.holds(isVisible: conversation.isVisible),
        index.holds.restriction == nil || conversation.hasUnread,
        index.holds != .remoteLookUp || conversation.remoteIDHash != nil
      else { continue }
      for member in index.holds == .oncePerFirst ? conversation.members.indices : 0..<1 {
        try add(index) { segment in
          switch segment {
          case .row: [UInt64(conversation.row)]
          case .optional(ObjectProperty([], .createdAt)): Self.words(conversation.createdAt)
          case .optional(ObjectProperty([.lastMessage], .receivedAt)): Self.words(conversation.lastReceivedAt)
          case .optional(ObjectProperty([.lastMessage], .sentAt)): Self.words(conversation.lastSentAt)
          case .member: [UInt64(conversation.members[member])]
          case .memberSet: [UInt64(conversation.memberSet), KeyWords.word(!conversation.isVisible)]
          case .identifierHash:
            [index.holds == .remoteLookUp ? conversation.remoteIDHash ?? 0 : conversation.identifierHash]
          case .optional, .conversation, .position, .sequence, .sender, .typeSet, .mimeType, .partIndex,
            .user, .recordType:
            nil
          }
        }
      }
    }
    if conversation.isVisible {
      add(conversation.metadata, row: UInt64(conversation.row), to: IndexCatalog.conversationMetadata)
    }
  }

  init(_ identity: IndexedIdentity) throws {
    for index in IndexCatalog.numeric where index.kind == .identities {
      try add(index) { segment in
        switch segment {
        case .row: [UInt64(identity.row)]
        case .user: [UInt64(identity.user)]
        default: nil
        }
      }
    }
    for name in identity.names {
      let key = TextKey(group: name.group.rawValue, text: name.text, row: UInt64(identity.row))
      texts.insert(Text(index: IndexCatalog.identityName.number, key: key))
    }
    add(identity.metadata, row: UInt64(identity.row), to: IndexCatalog.identityMetadata)
  }

  private mutating func add(_ index: IndexDefinition, _ words: (Segment) -> [UInt64]?) throws {
    var row = Words()
    var column = 0
    for segment in index.key + index.payload {
      guard let words = words(segment) else { throw NoSuchColumn(index: index.name, segment: segment) }
      for word in words {
        row[column] = word
        column += 1
      }
    }
    rows.insert(Row(index: index.number, words: row))
  }

  private mutating func add(_ metadata: [IndexedValue], row: UInt64, to index: TextIndexDefinition) {
    for value in metadata {
      let key =
        switch value.value {
        case .text(let text): TextKey(group: UInt64(value.path), text: text, row: row)
        case .scalar(let scalar):
          TextKey(group: 0x1_0000_0000 + UInt64(value.path), text: scalar.bytes, row: row)
        case .reference(let key):
          TextKey(group: 0x1_0000_0000 + UInt64(value.path), text: [7] + key, row: row)
        }
      texts.insert(Text(index: index.number, key: key))
    }
  }

  private static func words(_ date: Int64?) -> [UInt64] { date.map { [1, KeyWords.word($0)] } ?? [0, 0] }
}

extension DefinedEntries {
  /// Returns the numbers of the indexes that have other entries.
  func indexesThatDiffer(from other: DefinedEntries) -> Set<UInt16> {
    Set(rows.symmetricDifference(other.rows).map(\.index))
      .union(texts.symmetricDifference(other.texts).map(\.index))
  }

  /// A change that cannot be applied.
  struct Impossible: Error {
    let change: String
  }

  /// Applies changes, as an index does. Throws for a change that does not fit the entries that are there.
  mutating func apply(_ changes: IndexChanges) throws {
    for change in changes.numeric {
      let row = Row(index: change.schema.id, words: change.row)
      switch change.kind {
      case .insert:
        guard !hasKey(of: change) else { throw Impossible(change: "\(change)") }
      case .remove:
        guard rows.remove(row) != nil else { throw Impossible(change: "\(change)") }
        continue
      case .replace:
        guard hasKey(of: change) else { throw Impossible(change: "\(change)") }
        rows = rows.filter { !isOfKey($0, change) }
      }
      rows.insert(row)
    }
    for change in changes.text {
      let text = Text(index: change.schema.id, key: change.key)
      let isPossible = change.isInsertion ? texts.insert(text).inserted : texts.remove(text) != nil
      guard isPossible else { throw Impossible(change: "\(change)") }
    }
  }

  private func hasKey(of change: IndexChanges.Numeric) -> Bool { rows.contains { isOfKey($0, change) } }

  private func isOfKey(_ row: Row, _ change: IndexChanges.Numeric) -> Bool {
    row.index == change.schema.id && row.words.compare(change.row, columns: change.schema.keyColumns) == 0
  }
}

extension IndexDefinition {
  fileprivate var holdsAnnouncements: Bool {
    kind == .announcements || self === IndexCatalog.messageIdentifier || self === IndexCatalog.messageRemoteID
  }

  fileprivate var holdsMessages: Bool { kind == .messages || kind == .parts }

  fileprivate func holds(isVisible: Bool) -> Bool {
    switch holds {
    case .visible, .oncePerFirst, .unread, .unsent: isVisible
    case .belowFirst, .lookUp, .remoteLookUp, .unreadBelowFirst: true
    case .hidden: !isVisible
    }
  }
}

extension MessageFixedFields {
  fileprivate func meets(_ restriction: IndexDefinition.Restriction?) -> Bool {
    switch restriction {
    case .unread: isUnread
    case .unsent: !isSent
    case nil: true
    }
  }
}
