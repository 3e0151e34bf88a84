public import Satchel
public import SatchelModel
import SatchelReading
import SatchelRecords
import SatchelWriting

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension WriteTransaction {
  /// Changes what a conversation is to a participant. If nothing has been said of that before, this says it.
  ///
  /// ```swift
  /// try transaction.setParticipation(in: lunch) {
  ///   $0.isPinned = true
  ///   $0.isMuted = false
  /// }
  /// ```
  ///
  /// What is pinned or archived without a date is given the present time. What changes nothing writes nothing.
  /// - Parameters:
  ///   - user: The participant; nil for the store's user. Whoever is not a participant yet may have a participation already, such as one
  ///     who was invited.
  ///   - conversation: The conversation, by any of its identifiers.
  ///   - change: Changes it.
  /// - Returns: The participation as it is stored then.
  /// - Throws: ``SatchelError`` `unknownRecordType` if participations are off in the store; `unknownConversation`; `invalidIdentifier`; what
  ///   `change` throws. In each case nothing has changed.
  /// - Complexity: O(log n).
  @discardableResult
  public func setParticipation(
    of user: Identity.ID? = nil, in conversation: Conversation.ID,
    _ change: (inout Participation) throws -> Void
  ) throws -> Participation {
    try perform {
      let type = try writer.flushed.read { try $0.participationType() }
      let id = try writer.identifier(of: conversation)
      let user = user ?? writer.user
      try Writer.check(identifier: user.rawValue, "user")
      let empty = Participation(conversation: id, user: user)
      let record = Record.ID(type: Participation.recordType.name, name: empty.id)
      let known = try writer.flushed.read { snapshot in
        try snapshot.locateRecord(ofType: type, Array(record.name.utf8)).map { try snapshot.makeRecord($0) }
      }
      var participation = try known?.value(as: Participation.self) ?? empty
      try change(&participation)
      guard participation.conversation == id, participation.user == user else {
        throw SatchelError(
          .invalidValue, "A participation stays that of its user in its conversation",
          ["conversation": id.rawValue, "user": user.rawValue, "found": participation.id])
      }
      participation = participation.dated(writer.now.date)
      let new = try Record(participation)
      guard let known else {
        // Nothing is said of it, and nothing is to be.
        if participation != empty { try writer.save(new) }
        return participation
      }
      var fields = known.fields
      // Fields that are no participation's are those of the program.
      for field in Participation.recordType.fields {
        fields.set(new.fields.value(forKey: field.name), forKey: field.name)
      }
      if fields != known.fields { try writer.update(record: record) { $0.fields = fields } }
      return participation
    }
  }

  /// Pins a conversation for a participant, or takes that back. One that is pinned keeps its date, unless another one is given.
  /// - Parameters:
  ///   - isPinned: False to unpin it.
  ///   - date: When it was pinned; nil for the present time, or the time that is known.
  ///   - user: The participant; nil for the store's user.
  /// - Throws: As ``setParticipation(of:in:_:)``.
  /// - Complexity: O(log n).
  public func pin(
    _ conversation: Conversation.ID, _ isPinned: Bool = true, at date: Date? = nil,
    for user: Identity.ID? = nil
  ) throws {
    try setParticipation(of: user, in: conversation) {
      $0.isPinned = isPinned
      if isPinned, let date { $0.pinnedAt = date }
    }
  }

  /// Archives a conversation for a participant, or takes that back. One that is archived keeps its date, unless another one is given.
  /// - Parameters:
  ///   - isArchived: False to bring it back.
  ///   - date: When it was archived; nil for the present time, or the time that is known.
  ///   - user: The participant; nil for the store's user.
  /// - Throws: As ``setParticipation(of:in:_:)``.
  /// - Complexity: O(log n).
  public func archive(
    _ conversation: Conversation.ID, _ isArchived: Bool = true, at date: Date? = nil,
    for user: Identity.ID? = nil
  ) throws {
    try setParticipation(of: user, in: conversation) {
      $0.isArchived = isArchived
      if isArchived, let date { $0.archivedAt = date }
    }
  }

  /// Mutes a conversation for a participant.
  /// - Parameters:
  ///   - date: Until when; nil for no end. The conversation stays muted in queries when the time has passed: `Participation.isMuted(at:)`
  ///     compares it.
  ///   - user: The participant; nil for the store's user.
  /// - Throws: As ``setParticipation(of:in:_:)``.
  /// - Complexity: O(log n).
  public func mute(
    _ conversation: Conversation.ID, until date: Date? = nil, for user: Identity.ID? = nil
  ) throws {
    try setParticipation(of: user, in: conversation) {
      $0.isMuted = true
      $0.mutedUntil = date
    }
  }

  /// Lets a participant be told again of what is said in a conversation.
  /// - Throws: As ``setParticipation(of:in:_:)``.
  /// - Complexity: O(log n).
  public func unmute(_ conversation: Conversation.ID, for user: Identity.ID? = nil) throws {
    try setParticipation(of: user, in: conversation) { $0.isMuted = false }
  }

  /// Hides a conversation from a participant, or shows it again. That is no more than a state: queries leave it out that ask for it.
  /// - Throws: As ``setParticipation(of:in:_:)``.
  /// - Complexity: O(log n).
  public func hide(
    _ conversation: Conversation.ID, _ isHidden: Bool = true, for user: Identity.ID? = nil
  ) throws {
    try setParticipation(of: user, in: conversation) { $0.isHidden = isHidden }
  }

  /// Says what a participant may do in a conversation.
  /// - Parameters:
  ///   - role: Any text; nil for none.
  ///   - user: The participant; nil for the store's user.
  /// - Throws: As ``setParticipation(of:in:_:)``.
  /// - Complexity: O(log n).
  public func setRole(
    _ role: String?, of user: Identity.ID? = nil, in conversation: Conversation.ID
  ) throws {
    try setParticipation(of: user, in: conversation) { $0.role = role }
  }

  /// Makes a user a participant of a conversation, if he is none, and stores since when he is.
  /// - Parameters:
  ///   - user: The participant; nil for the store's user.
  ///   - role: The role; nil to leave it as it is.
  ///   - date: When the user joined; nil for the time that is known, or the present time.
  /// - Throws: As ``setParticipation(of:in:_:)``.
  /// - Complexity: O(log n), and as `addParticipants(_:to:)`.
  public func join(
    _ conversation: Conversation.ID, as role: String? = nil, at date: Date? = nil,
    for user: Identity.ID? = nil
  ) throws {
    try setParticipation(of: user, in: conversation) {
      $0.joinedAt = date ?? $0.joinedAt ?? writer.now.date
      if let role { $0.role = role }
    }
    try addParticipants([user ?? writer.user], to: conversation)
  }

  /// Stores up to where a participant has read a conversation. What is known of a later position stays; to go back, set
  /// `lastReadPosition` by ``setParticipation(of:in:_:)``.
  ///
  /// The messages themselves, and with them `isUnread` and `unreadCount`, are not changed by this: `markAsRead` does that.
  /// - Parameters:
  ///   - position: The position of the last message that was read. There need not be one.
  ///   - user: The participant; nil for the store's user.
  /// - Throws: As ``setParticipation(of:in:_:)``.
  /// - Complexity: O(log n).
  public func markRead(
    _ conversation: Conversation.ID, upTo position: Int64, for user: Identity.ID? = nil
  ) throws {
    try setParticipation(of: user, in: conversation) {
      $0.lastReadPosition = max(position, $0.lastReadPosition ?? position)
    }
  }
}
