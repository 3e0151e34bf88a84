import Satchel
import SatchelCoding
import SatchelExecution
import SatchelLive
import SatchelPlanning
import SatchelReading

/// What a live query is asked in the test: what the engine knows, and what the test needs beside it.
struct LiveQuestion: Sendable {
  /// A condition of the program's own.
  struct Residual: Sendable {
    let name: String
    let test: @Sendable (StoredValue) -> Bool
  }

  var specification: LiveQuery<StoredValue>.Specification
  var residual: Residual?

  var kind: ObjectKind { specification.query.kind }
  var query: QueryDescription { specification.query }

  /// Whether it asks for relations or for what conversations are to the user, or that or what is said to messages comes along.
  var isOfResponses: Bool {
    let text = query.description
    return text.contains("my.") || text.contains("RELATED")
      || query.inclusions.contains { ["reactions", "replies", "participation"].contains($0.path.first) }
  }

  /// Whether a date is looked for among positions.
  var isByPosition: Bool {
    (kind == .messages || kind == .announcements) && query.sort.first?.path == ["position"]
  }

  var source: LiveQuery<StoredValue>.Source {
    let kind = kind
    return LiveQuery.Source(read: { try Self.read(kind, $0, $1, $2) }, residual: residual?.test)
  }

  /// The key paths whose changes are updates; where all count, those that an object's own value does not show.
  var watchedPaths: [[String]] {
    guard let names = specification.updatableProperties else { return Self.related[kind] ?? [] }
    return names.sorted().map(Self.path)
  }

  /// The key path of the sections.
  var sectionPath: [String]? { specification.sectionKey.map(Self.path) }

  /// The names of a key path as it is spelled, with quotation marks around keys that are no names.
  private static func path(_ spelled: String) -> [String] {
    do {
      return try SortKey(spelled).path
    } catch {
      preconditionFailure("a key path that is none: \(spelled): \(error)")
    }
  }

  private static let ofMessages = [
    ["sender", "displayName"], ["conversation", "participants"], ["conversation", "metadata"],
    ["conversation", "isDistinct"], ["conversation", "createdAt"], ["conversation", "remoteID"],
  ]

  private static let related: [ObjectKind: [[String]]] = [
    .messages: ofMessages, .announcements: [["sender", "displayName"]],
    .parts:
      (ofMessages + [
        ["remoteID"], ["position"], ["sentAt"], ["receivedAt"], ["editedAt"], ["deletedAt"], ["updatedAt"],
        ["isSent"], ["isUnread"], ["metadata"], ["recipientStatus"],
      ]).map { ["message"] + $0 },
  ]

  static func read(
    _ kind: ObjectKind, _ snapshot: Snapshot, _ row: RowReference, _ along: Accompaniment
  ) throws -> StoredValue {
    switch kind {
    case .conversations:
      return .conversation(try snapshot.makeConversation(UInt32(truncatingIfNeeded: row.sequence), along))
    case .messages:
      return .message(try snapshot.makeMessage(conversation: row.conversation, sequence: row.sequence, along))
    case .parts:
      let view = try snapshot.message(conversation: row.conversation, sequence: row.sequence)
      guard let part = try snapshot.makePart(view, index: Int(row.part), along) else {
        throw SatchelError(.corrupted, "There is no such part")
      }
      return .part(part)
    case .announcements: return .announcement(try snapshot.makeAnnouncement(row.sequence, along))
    case .identities:
      if let user = row.member { return .identity(try snapshot.makeIdentity(ofUser: user)) }
      return .identity(try snapshot.makeIdentity(UInt32(truncatingIfNeeded: row.sequence)))
    case .records:
      return .record(
        try snapshot.makeRecord(TypedRecordKey(type: row.conversation, sequence: row.sequence)))
    }
  }
}

extension LiveQuestion: CustomStringConvertible {
  var description: String {
    var text = "\(query) window \(specification.window)"
    if !specification.showsRows { text += " counted" }
    if let key = specification.sectionKey { text += " sections \(key)" }
    if let names = specification.updatableProperties { text += " updates \(names.sorted())" }
    if let residual { text += " residual \(residual.name)" }
    return text
  }
}
