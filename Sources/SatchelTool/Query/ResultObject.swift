import Satchel
import SatchelLines
import SatchelModel
import SatchelQuery

/// A result of a query for objects of any kind.
enum ResultObject {
  case conversation(Conversation)
  case message(Message)
  case part(MessagePart)
  case announcement(Announcement)
  case identity(Identity)
  case record(Record)

  /// The identifier by which `--after` finds the object.
  var identifier: String {
    switch self {
    case .conversation(let value): value.id.rawValue
    case .message(let value): value.id.rawValue
    case .part(let value): value.id.rawValue
    case .announcement(let value): value.id.rawValue
    case .identity(let value): value.userID.rawValue
    case .record(let value): value.id.name
    }
  }
}

/// A kind of object that can be turned into a result.
protocol ListedObject: StoredObject {
  var result: ResultObject { get }
}

extension Conversation: ListedObject {
  var result: ResultObject { .conversation(self) }
}

extension Message: ListedObject {
  var result: ResultObject { .message(self) }
}

extension MessagePart: ListedObject {
  var result: ResultObject { .part(self) }
}

extension Announcement: ListedObject {
  var result: ResultObject { .announcement(self) }
}

extension Identity: ListedObject {
  var result: ResultObject { .identity(self) }
}

extension Record: ListedObject {
  var result: ResultObject { .record(self) }
}

extension ObjectKind {
  /// The type of the kind's objects.
  var objectType: any ListedObject.Type {
    switch self {
    case .conversations: Conversation.self
    case .messages: Message.self
    case .parts: MessagePart.self
    case .announcements: Announcement.self
    case .identities: Identity.self
    case .records: Record.self
    }
  }
}

extension StoreSnapshot {
  /// Calls `body` with each result of a query, in order.
  func forEachObject(_ description: QueryDescription, _ body: (ResultObject) throws -> Void) throws {
    try forEach(description.kind.objectType, description, body)
  }

  /// Returns the objects with these identifiers of the kind, or of the record type, that a query asks for, in the order of the identifiers,
  /// without those that are not there.
  /// - Throws: ``SatchelError`` `unknownRecordType`.
  func objects(_ description: QueryDescription, _ identifiers: [String]) throws -> [ResultObject] {
    if let type = description.recordType { _ = try declaredType(named: type) }
    return try objects(description.kind.objectType, description.recordType, identifiers)
  }

  private func objects<Object: ListedObject>(
    _ type: Object.Type, _ recordType: String?, _ identifiers: [String]
  ) throws -> [ResultObject] {
    try objects(identifiers.map { Object.ID(identifier: $0, recordType: recordType) }, of: type).map(\.result)
  }

  /// Runs a description as a query for objects of `type`, the type of its kind.
  private func forEach<Object: ListedObject>(
    _ type: Object.Type, _ description: QueryDescription, _ body: (ResultObject) throws -> Void
  ) throws {
    guard let query = Query<Object>(description) else { return }
    try forEach(query) { try body($0.result) }
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
    case .identity(let identity): try append(identity)
    case .record(let record): try append(record)
    }
  }
}
