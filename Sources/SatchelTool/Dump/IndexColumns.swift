import RankedIndex
import SatchelIndexing

/// The columns of an index's rows by name, keys first: what each word of a row means.
enum IndexColumns {
  struct Column {
    enum Kind {
      case number, flag, hash, date, position, user, typeSet, mimeType, participantSet
    }

    let name: String
    let kind: Kind
  }

  static func of(_ index: TreeSchema) -> [Column] {
    let names: [String] =
      switch index {
      case IndexCatalog.messageCreated, IndexCatalog.messageHidden: ["sequence", "conversation"]
      case IndexCatalog.messagePlace:
        ["conversation", "isUnsent", "position", "sequence", "sender", "typeSet"]
      case IndexCatalog.messagePlaceUnread: ["conversation", "isUnsent", "position", "sequence", "sender"]
      case IndexCatalog.messageWhen: ["hasDate", "sentAt", "sequence", "conversation"]
      case IndexCatalog.messageUnread: ["hasDate", "sentAt", "sequence", "conversation", "sender"]
      case IndexCatalog.messagePlaceSender:
        ["conversation", "sender", "isUnsent", "position", "sequence"]
      case IndexCatalog.messageSender, IndexCatalog.messageUnreadSender:
        ["sender", "hasDate", "sentAt", "sequence", "conversation"]
      case IndexCatalog.messageTypes: ["typeSet", "hasDate", "sentAt", "sequence", "conversation"]
      case IndexCatalog.messageIdentifier, IndexCatalog.messageIdentifierRecent:
        ["identifierHash", "sequence", "conversation"]
      case IndexCatalog.partType: ["mimeType", "sequence", "index", "conversation"]
      case IndexCatalog.conversationCreated: ["hasDate", "createdAt", "row"]
      case IndexCatalog.conversationReceived, IndexCatalog.conversationUnread:
        ["hasDate", "receivedAt", "row"]
      case IndexCatalog.conversationSent: ["hasDate", "sentAt", "row"]
      case IndexCatalog.conversationMember, IndexCatalog.identityUser: ["user", "row"]
      case IndexCatalog.conversationMemberSet: ["participantSet", "isHidden", "row"]
      case IndexCatalog.conversationIdentifier: ["identifierHash", "row"]
      case IndexCatalog.announcementWhen, IndexCatalog.announcementUnread: ["hasDate", "sentAt", "sequence"]
      case IndexCatalog.announcementTypes: ["typeSet", "hasDate", "sentAt", "sequence"]
      case IndexCatalog.announcementCreated: ["sequence"]
      default: ["row"]
      }
    return (0..<index.keyColumns + index.payloadColumns).map { place in
      let name = place < names.count ? names[place] : "column\(place)"
      return Column(name: name, kind: kind(name))
    }
  }

  private static func kind(_ name: String) -> Column.Kind {
    switch name {
    case "isUnsent", "hasDate", "isHidden": .flag
    case "identifierHash": .hash
    case "sentAt", "receivedAt", "createdAt": .date
    case "position": .position
    case "sender", "user": .user
    case "typeSet": .typeSet
    case "mimeType": .mimeType
    case "participantSet": .participantSet
    default: .number
    }
  }
}
