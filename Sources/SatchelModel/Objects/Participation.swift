#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a conversation is to one of its participants, and what he is in it: pinned, muted, archived or hidden by him, up to where he has
/// read it, and his role. See `WriteTransaction.setParticipation(of:in:_:)` of SatchelResponses.
public struct Participation: Hashable, Sendable {
  /// The conversation.
  public let conversation: Conversation.ID
  /// The participant.
  public let user: Identity.ID
  /// What the participant may do there, such as `admin`: any text that the service has for it; nil if it has said nothing.
  public var role: String?
  /// Whether the participant wants no notice of what is said there. It stays so when ``mutedUntil`` has passed: see ``isMuted(at:)``.
  public var isMuted = false { didSet { if !isMuted, mutedUntil != nil { mutedUntil = nil } } }
  /// Until when it is muted; nil if that has no end, or if it is not muted.
  public var mutedUntil: Date? { didSet { if mutedUntil != nil, !isMuted { isMuted = true } } }
  /// Whether the participant keeps it above others.
  public var isPinned = false { didSet { if !isPinned, pinnedAt != nil { pinnedAt = nil } } }
  /// When it was pinned; nil if it is not. What is pinned without a date is given the present time when it is stored.
  public var pinnedAt: Date? { didSet { if isPinned != (pinnedAt != nil) { isPinned = pinnedAt != nil } } }
  /// Whether the participant has put it away.
  public var isArchived = false { didSet { if !isArchived, archivedAt != nil { archivedAt = nil } } }
  /// When it was archived; nil if it is not. What is archived without a date is given the present time when it is stored.
  public var archivedAt: Date? {
    didSet { if isArchived != (archivedAt != nil) { isArchived = archivedAt != nil } }
  }
  /// Whether the participant does not want to see it.
  public var isHidden = false
  /// When the participant joined; nil if that is not known.
  public var joinedAt: Date?
  /// The position of the last message that the participant has read; nil if he has read none.
  public var lastReadPosition: Int64?

  /// Makes the participation of somebody of whom nothing is said.
  public init(conversation: Conversation.ID, user: Identity.ID) {
    self.conversation = conversation
    self.user = user
  }

  /// Whether it is muted at a time: without an end, or until later.
  public func isMuted(at date: Date) -> Bool { isMuted && (mutedUntil.map { date < $0 } ?? true) }

  /// The same, with the dates that it lacks.
  package func dated(_ date: Date) -> Participation {
    var dated = self
    if isPinned, pinnedAt == nil { dated.pinnedAt = date }
    if isArchived, archivedAt == nil { dated.archivedAt = date }
    return dated
  }
}

/// What comes with a conversation of what it is to the store's user.
package final class OwnParticipation: Hashable, Sendable {
  /// Nil if nothing is said of it.
  package let participation: Participation?
  /// How many messages of others came after the last one that the user has read.
  package let unread: Int

  package init(_ participation: Participation?, unread: Int) {
    self.participation = participation
    self.unread = unread
  }

  package static func == (left: OwnParticipation, right: OwnParticipation) -> Bool {
    left.participation == right.participation && left.unread == right.unread
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(participation)
    hasher.combine(unread)
  }
}
