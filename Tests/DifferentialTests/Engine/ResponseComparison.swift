import Foundation
import Satchel
import SatchelModel
import SatchelResponses

/// What comes with messages and conversations on request, beside the model's own counts.
enum ResponseComparison {
  /// What differs, in words.
  static func differences(_ snapshot: Snapshot, _ store: MessageStore) throws -> [String] {
    try store.read { try messages(snapshot, $0) + conversations(snapshot, $0) }
  }

  private static func messages(_ snapshot: Snapshot, _ store: StoreSnapshot) throws -> [String] {
    let found = try store.fetch(Message.all.including(\.reactions).including(\.replies))
    guard found.map({ ByteString($0.id.rawValue) }) == snapshot.messages.map(\.record.identifier) else {
      return ["other messages"]
    }
    return zip(found, snapshot.messages).flatMap { found, message in
      let reactions = found.reactionSummary?.kinds.map {
        Snapshot.ReactionKind(kind: ByteString($0.kind), count: $0.count, isMine: $0.isMine)
      }
      let replies = found.threadSummary.map {
        Snapshot.Replies(count: $0.replyCount, last: $0.lastReply.map { ByteString($0.rawValue) })
      }
      return [
        difference("reactions to \(found.id)", snapshot.reactions(to: message), reactions),
        difference("replies to \(found.id)", snapshot.replies(to: message), replies),
      ].compactMap(\.self)
    }
  }

  private static func conversations(_ snapshot: Snapshot, _ store: StoreSnapshot) throws -> [String] {
    let found = try store.fetch(Conversation.all.including(\.participation))
    guard found.map({ ByteString($0.id.rawValue) }) == snapshot.conversations.map(\.record.identifier) else {
      return ["other conversations"]
    }
    return zip(found, snapshot.conversations).flatMap { found, conversation in
      let said = conversation.own?.values.filter { key, value in
        value != .boolean(false) && (Responses.flags + Responses.values).contains(key)
      }
      return [
        difference("the state of \(found.id)", said ?? [:], found.participation.map(fields) ?? [:]),
        difference("whether anything is said of \(found.id)", said != nil, found.participation != nil),
        difference(
          "unread in \(found.id)", snapshot.unreadSinceLastRead(in: conversation), found.unreadSinceLastRead),
      ].compactMap(\.self)
    }
  }

  /// What a participation says, as the fields of its record: nothing that is false.
  private static func fields(of participation: Participation) -> [ByteString: MetadataTree] {
    func date(_ date: Date?) -> MetadataTree? { date.map { .date(SatchelModel.Timestamp($0).microseconds) } }
    func flag(_ isTrue: Bool) -> MetadataTree? { isTrue ? .boolean(true) : nil }
    let fields: [ByteString: MetadataTree?] = [
      "role": participation.role.map { .text(ByteString($0)) }, "isMuted": flag(participation.isMuted),
      "isPinned": flag(participation.isPinned), "isArchived": flag(participation.isArchived),
      "isHidden": flag(participation.isHidden), "mutedUntil": date(participation.mutedUntil),
      "pinnedAt": date(participation.pinnedAt), "archivedAt": date(participation.archivedAt),
      "joinedAt": date(participation.joinedAt),
      "lastReadPosition": participation.lastReadPosition.map { .integer($0) },
    ]
    return fields.compactMapValues(\.self)
  }

  private static func difference<Value: Equatable>(
    _ what: String, _ expected: Value, _ found: Value?
  ) -> String? {
    found == expected ? nil : "\(what): model \(expected), store \(found.map { "\($0)" } ?? "nothing")"
  }
}
