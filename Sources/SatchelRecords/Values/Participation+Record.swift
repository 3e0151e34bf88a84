public import SatchelModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Participation: StorableRecord {
  /// The type of the records: `_participation`.
  public static var recordType: RecordType { StoreFeature.participations.recordType }

  /// The name of the record: the conversation's identifier and the user id, with a slash between them. A slash in one of them is `%2F`
  /// there, and a percent sign `%25`.
  public var id: String { ParticipationName.name(conversation: conversation.rawValue, user: user.rawValue) }

  private enum Key: String, CodingKey {
    case conversation, user, role, isMuted, mutedUntil, isPinned, pinnedAt, isArchived, archivedAt, isHidden
    case joinedAt, lastReadPosition
  }

  /// Decodes what `encode(to:)` encodes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      conversation: Conversation.ID(try container.decode(Reference.self, forKey: .conversation).name),
      user: Identity.ID(try container.decode(Reference.self, forKey: .user).name))
    role = try container.decodeIfPresent(String.self, forKey: .role)
    isMuted = try container.decodeIfPresent(Bool.self, forKey: .isMuted) ?? false
    mutedUntil = try container.decodeIfPresent(Date.self, forKey: .mutedUntil)
    // No observer of a property runs in an initialiser.
    pinnedAt = try container.decodeIfPresent(Date.self, forKey: .pinnedAt)
    isPinned = pinnedAt != nil
    archivedAt = try container.decodeIfPresent(Date.self, forKey: .archivedAt)
    isArchived = archivedAt != nil
    isHidden = try container.decodeIfPresent(Bool.self, forKey: .isHidden) ?? false
    joinedAt = try container.decodeIfPresent(Date.self, forKey: .joinedAt)
    lastReadPosition = try container.decodeIfPresent(Int64.self, forKey: .lastReadPosition)
  }

  /// Encodes the fields of the record: what is false, and what is nil, is no field.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(Reference(conversation), forKey: .conversation)
    try container.encode(Reference(user), forKey: .user)
    try container.encodeIfPresent(role, forKey: .role)
    for (isTrue, key) in [
      (isMuted, Key.isMuted), (isPinned, .isPinned), (isArchived, .isArchived), (isHidden, .isHidden),
    ] where isTrue {
      try container.encode(true, forKey: key)
    }
    try container.encodeIfPresent(mutedUntil, forKey: .mutedUntil)
    try container.encodeIfPresent(pinnedAt, forKey: .pinnedAt)
    try container.encodeIfPresent(archivedAt, forKey: .archivedAt)
    try container.encodeIfPresent(joinedAt, forKey: .joinedAt)
    try container.encodeIfPresent(lastReadPosition, forKey: .lastReadPosition)
  }
}
