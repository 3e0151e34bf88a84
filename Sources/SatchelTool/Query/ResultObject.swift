import Satchel
import SatchelInterchange
import SatchelModel
import SatchelQuery

/// A result of a query of any kind.
enum ResultObject {
  case conversation(Conversation)
  case message(Message)
  case part(MessagePart)
  case announcement(Announcement)
  case identity(Identity)
}

extension StoreSnapshot {
  /// Calls `body` with each result of a query, in order.
  func forEachObject(_ description: QueryDescription, _ body: (ResultObject) throws -> Void) throws {
    // The kind decides which of the typed queries the description is.
    switch description.kind {
    case .conversations:
      try Query<Conversation>(description).map { try forEach($0) { try body(.conversation($0)) } }
    case .messages: try Query<Message>(description).map { try forEach($0) { try body(.message($0)) } }
    case .parts: try Query<MessagePart>(description).map { try forEach($0) { try body(.part($0)) } }
    case .announcements:
      try Query<Announcement>(description).map { try forEach($0) { try body(.announcement($0)) } }
    case .identities: try Query<Identity>(description).map { try forEach($0) { try body(.identity($0)) } }
    }
  }
}

extension ObjectEncoder {
  /// Writes an object with its contents, wherever they are kept.
  mutating func append(_ object: ResultObject, of snapshot: StoreSnapshot) throws {
    switch object {
    case .conversation(let conversation): try append(conversation)
    case .message(let message): try append(message) { try snapshot.content(of: $0.id) }
    case .part(let part): try append(part) { try snapshot.content(of: $0.id) }
    case .announcement(let announcement): try append(announcement) { try snapshot.content(of: $0.id) }
    case .identity(let identity): append(identity)
    }
  }
}
