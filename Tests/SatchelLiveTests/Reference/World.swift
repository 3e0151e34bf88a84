import Satchel
import SatchelExecution
import SatchelPlanning
import SatchelReading
import SatchelResponses
import SatchelStorage

/// An object of any kind.
enum StoredValue: Sendable, Hashable {
  case conversation(Conversation)
  case message(Message)
  case part(MessagePart)
  case announcement(Announcement)
  case identity(Identity)
  case record(Record)
}

/// An object as fresh queries give it.
struct WorldObject: Sendable {
  let identifier: String
  let reference: RowReference
  let value: StoredValue
}

/// Everything that the user can see in one snapshot, read by fresh queries; of the records, those of one type.
final class World {
  let snapshot: StoreSnapshot
  /// The number of the commit that it is after.
  let sequence: UInt64
  private var tables: [ObjectKind: [String: WorldObject]] = [:]
  /// Texts that do not come with their parts.
  private(set) var texts: [String: String] = [:]
  /// What is said of conversations to the store's user, by their identifiers.
  private var ownStates: [String: Metadata] = [:]
  /// Objects with what comes along, by their identifiers.
  private var included: [Included: [String: StoredValue]] = [:]
  /// What was worked out of objects already.
  var known: [Known: ExpectedValue] = [:]

  struct Known: Hashable {
    let watch: Int
    let reference: RowReference
  }

  private struct Included: Hashable {
    let kind: ObjectKind
    let inclusions: [QueryInclusion]
  }

  init(_ snapshot: StoreSnapshot) throws {
    self.snapshot = snapshot
    sequence = snapshot.sequence
    for kind in ObjectKind.builtIn where kind != .parts { tables[kind] = try table(of: kind) }
    tables[.parts] = try parts()
    ownStates = try Self.ownStates(snapshot)
  }

  private static func ownStates(_ snapshot: StoreSnapshot) throws -> [String: Metadata] {
    let type = Participation.recordType
    guard try snapshot.types().contains(where: { $0.type.name == type.name }) else { return [:] }
    let own = try snapshot.fetch(type.query).filter { $0["user"]?.referenceValue?.name == "alice" }
    return Dictionary(
      uniqueKeysWithValues: own.map { ($0["conversation"]?.referenceValue?.name ?? "", $0.fields) })
  }

  /// What a conversation is to the store's user: a flag is false where nothing is said.
  func ownState(_ name: String, of conversation: Conversation) -> ExpectedValue {
    let value = ExpectedValue(ownStates[conversation.id.rawValue] ?? [:], at: [name])
    guard value == .missing, name.hasPrefix("is") else { return value }
    return ExpectedValue([name: false], at: [name])
  }

  private init(_ world: World, _ snapshot: StoreSnapshot) {
    self.snapshot = snapshot
    sequence = world.sequence
    tables = world.tables
    texts = world.texts
    included = world.included
    ownStates = world.ownStates
    known = world.known
  }

  /// The same world for another snapshot of the same commit.
  func again(_ snapshot: StoreSnapshot) -> World { World(self, snapshot) }

  func object(_ identifier: String, _ kind: ObjectKind) -> WorldObject? { tables[kind]?[identifier] }

  /// The object with what comes along with the results of a query.
  func object(_ identifier: String, of query: QueryDescription) throws -> WorldObject? {
    if query.membersOf != nil { return try member(identifier) }
    guard let plain = object(identifier, query.kind), !query.inclusions.isEmpty else {
      return object(identifier, query.kind)
    }
    let key = Included(kind: query.kind, inclusions: query.inclusions)
    let values = try included[key] ?? values(key)
    included[key] = values
    return values[identifier].map {
      WorldObject(identifier: identifier, reference: plain.reference, value: $0)
    }
  }

  /// A user as a member of a conversation, with an identity or without one.
  private func member(_ user: String) throws -> WorldObject? {
    guard let number = try snapshot.base.users.number(of: user) else { return nil }
    return WorldObject(
      identifier: user, reference: .member(number),
      value: object(user, .identities)?.value ?? .identity(Identity(userID: Identity.ID(user))))
  }

  /// The identifiers of everything that can be seen in a store now.
  static func identifiers(in store: MessageStore) throws -> [ObjectKind: [String]] {
    let world = try store.read { try World($0) }
    return Dictionary(uniqueKeysWithValues: ObjectKind.builtIn.map { ($0, world.identifiers($0)) })
  }

  func identifiers(_ kind: ObjectKind) -> [String] { (tables[kind] ?? [:]).keys.sorted() }

  // MARK: Reading

  private func values(_ included: Included) throws -> [String: StoredValue] {
    var all = QueryDescription(kind: included.kind)
    all.inclusions = included.inclusions
    func values<Object: StoredObject>(
      _ type: Object.Type, _ wrap: (Object) -> StoredValue
    ) throws -> [String: StoredValue] {
      let objects = try snapshot.fetch(Query<Object>(all) ?? Query())
      return Dictionary(uniqueKeysWithValues: objects.map { ($0.id.identifier, wrap($0)) })
    }
    return switch included.kind {
    case .conversations: try values(Conversation.self) { .conversation($0) }
    case .messages: try values(Message.self) { .message($0) }
    case .parts: try values(MessagePart.self) { .part($0) }
    case .announcements: try values(Announcement.self) { .announcement($0) }
    case .identities: try values(Identity.self) { .identity($0) }
    // Nothing comes along with records.
    case .records: [:]
    }
  }

  private func table(of kind: ObjectKind) throws -> [String: WorldObject] {
    let executor = snapshot.executor
    let task = CommitGenerator.task
    var query = QueryDescription(kind: kind)
    if kind == .records {
      guard try snapshot.types().contains(where: { $0.type.name == task.name }) else { return [:] }
      query.recordType = task.name
    }
    var references: [RowReference] = []
    try executor.forEach(executor.plan(executor.question(query))) {
      references.append($0)
      return true
    }
    let objects: [(String, StoredValue)] =
      switch kind {
      case .conversations:
        try snapshot.fetch(Conversation.all).map { ($0.id.identifier, .conversation($0)) }
      case .messages: try snapshot.fetch(Message.all).map { ($0.id.identifier, .message($0)) }
      case .announcements: try snapshot.fetch(Announcement.all).map { ($0.id.identifier, .announcement($0)) }
      case .identities: try snapshot.fetch(Identity.all).map { ($0.id.identifier, .identity($0)) }
      case .records: try snapshot.fetch(task.query).map { ($0.id.name, .record($0)) }
      case .parts: []
      }
    precondition(objects.count == references.count)
    return Dictionary(
      uniqueKeysWithValues: zip(objects, references).map { object, reference in
        (object.0, WorldObject(identifier: object.0, reference: reference, value: object.1))
      })
  }

  private func parts() throws -> [String: WorldObject] {
    var parts: [String: WorldObject] = [:]
    for object in (tables[.messages] ?? [:]).values {
      guard case .message(let message) = object.value else { continue }
      for part in message.parts {
        if part.content == .storedText {
          texts[part.id.identifier] = String(decoding: try snapshot.content(of: part.id), as: UTF8.self)
        }
        var reference = object.reference
        reference.part = UInt32(part.index)
        parts[part.id.identifier] = WorldObject(
          identifier: part.id.identifier, reference: reference, value: .part(part))
      }
    }
    return parts
  }
}
