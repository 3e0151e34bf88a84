public import SatchelModel
public import SatchelRecords

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// That a user reacted to a message. There is one reaction of a user of a kind to a message.
///
/// It is kept as a record: the queries of ``recordType`` are queries for reactions, and `as: Reaction.self` gives values.
public struct Reaction: StorableRecord, Hashable {
  /// How far a reaction has come.
  public enum State: String, Sendable, Hashable, Codable, CaseIterable {
    /// It was stored before it was sent.
    case pending
    /// The service has it.
    case sent
  }

  /// The type of the records: `_reaction`.
  public static var recordType: RecordType { StoreFeature.reactions.recordType }

  /// The message, by its identifier.
  public let message: Message.ID
  /// Who reacted.
  public let user: Identity.ID
  /// What the user reacted with, such as "👍".
  public let kind: String
  /// Whether the service has it.
  public let state: State
  /// The identifier that the service has given it; nil if it has given none.
  public let remoteID: String?
  /// When the user reacted.
  public let date: Date

  init(message: Message.ID, user: Identity.ID, kind: String, state: State, remoteID: String?, date: Date) {
    self.message = message
    self.user = user
    self.kind = kind
    self.state = state
    self.remoteID = remoteID
    self.date = date
  }

  /// Its record, as it is made of any value that is kept as one, without an encoder: to react is one of the writes that are made most.
  var record: Record {
    // By ascending names.
    var fields: [Metadata.Entry] = [
      Metadata.Entry(key: "date", value: .date(Timestamp(date))),
      Metadata.Entry(key: "kind", value: .text(kind)),
      Metadata.Entry(key: "message", value: .reference(Reference(message))),
    ]
    if let remoteID { fields.append(Metadata.Entry(key: "remoteID", value: .text(remoteID))) }
    fields.append(Metadata.Entry(key: "state", value: .text(state.rawValue)))
    fields.append(Metadata.Entry(key: "user", value: .reference(Reference(user))))
    return Record(id: Record.ID(type: Self.recordType.name, name: id), Metadata(ascending: fields))
  }

  /// The name of the record: message, kind and user with slashes between them, in each of which a slash is `%2F` and a percent sign `%25`.
  public var id: String { ReactionName.name(message: message.rawValue, kind: kind, user: user.rawValue) }

  private enum Key: String, CodingKey { case message, user, kind, state, remoteID, date, createdAt }

  /// Decodes what `encode(to:)` encodes. Without a date it is that of the record.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    message = Message.ID(try container.decode(Reference.self, forKey: .message).name)
    user = Identity.ID(try container.decode(Reference.self, forKey: .user).name)
    kind = try container.decode(String.self, forKey: .kind)
    state = try container.decode(State.self, forKey: .state)
    remoteID = try container.decodeIfPresent(String.self, forKey: .remoteID)
    date =
      try container.decodeIfPresent(Date.self, forKey: .date)
      ?? container.decode(Date.self, forKey: .createdAt)
  }

  /// Encodes the fields of the record.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(Reference(message), forKey: .message)
    try container.encode(Reference(user), forKey: .user)
    try container.encode(kind, forKey: .kind)
    try container.encode(state, forKey: .state)
    try container.encodeIfPresent(remoteID, forKey: .remoteID)
    try container.encode(date, forKey: .date)
  }
}
