import Satchel
import SatchelRelations
import SatchelResponses
import TestSupport

/// What hangs on messages, conversations and users: reactions, replies, participants' states and relations.
extension CommitGenerator {
  private static let reactionKinds = ["👍", "🎉", "a/b"]

  mutating func changeResponses(_ transaction: WriteTransaction) throws {
    try transaction.enable(.reactions, .threads, .relations, .participations)
    switch random.below(14) {
    case 0..<5: try changeReactions(transaction)
    case 5..<7: try changeReplies(transaction)
    case 7..<11: try changeParticipation(transaction)
    case 11..<13: try changeRelations(transaction)
    default: try respondAhead(transaction)
    }
  }

  /// A message by one of its names.
  private mutating func anyName() -> Message.ID? {
    guard let name = message() else { return nil }
    let others = contents.remote.filter { $0.value == name }.map(\.key)
    return Message.ID(others.isEmpty || random.percent(70) ? name : random.pick(others.sorted()))
  }

  private mutating func changeReactions(_ transaction: WriteTransaction) throws {
    guard let message = anyName() else { return }
    let kind = random.pick(Self.reactionKinds)
    let user: Identity.ID? = random.percent(40) ? nil : Identity.ID(random.user())
    switch random.below(10) {
    case 0..<6: try transaction.react(to: message, with: kind, by: user, at: Pools.date(random.hour()))
    case 6: try transaction.confirmReaction(to: message, with: kind, by: user, remoteID: "r")
    default: try transaction.removeReaction(from: message, with: kind, by: user)
    }
  }

  private mutating func changeReplies(_ transaction: WriteTransaction) throws {
    guard let parent = anyName() else { return }
    if random.percent(30) {
      guard let conversation = contents.messages.first(where: { $0.value.contains(parent.rawValue) })?.key
      else { return }
      let name = newName("m")
      try transaction.reply(to: parent, with: parts(), id: Message.ID(name))
      contents.messages[conversation, default: []].append(name)
      return
    }
    guard let message = anyName() else { return }
    switch random.below(6) {
    case 0: try transaction.setParent(nil, of: message)
    case 1: try transaction.setParent(Message.ID("srv/\(random.below(40))"), of: message)
    default: try transaction.setParent(parent, of: message)
    }
  }

  /// What is known of a message under a name that it may get later.
  private mutating func respondAhead(_ transaction: WriteTransaction) throws {
    let (number, user) = (random.below(40), random.pick(["bob", "carol"]))
    let message = MetadataValue.reference(Reference(Message.ID("srv/\(number)")))
    if random.percent(30), let reply = self.message() {
      return try save(
        Record(
          id: Record.ID(type: "_reply", name: reply),
          ["message": .reference(Reference(Message.ID(reply))), "parent": message]), transaction)
    }
    try save(
      Record(
        id: Record.ID(type: "_reaction", name: "srv%2F\(number)/👍/\(user)"),
        [
          "message": message, "user": .reference(Reference(Identity.ID(user))), "kind": "👍", "state": "sent",
        ]), transaction)
  }

  private func save(_ record: Record, _ transaction: WriteTransaction) throws { try transaction.save(record) }

  private mutating func changeParticipation(_ transaction: WriteTransaction) throws {
    guard let name = conversation() else { return }
    let id = Conversation.ID(name)
    let user: Identity.ID? = random.percent(70) ? nil : Identity.ID(random.user())
    let (date, isOn) = (Pools.date(random.hour()), random.percent(65))
    switch random.below(16) {
    case 0..<4: try transaction.pin(id, isOn, at: date, for: user)
    case 4..<6: try transaction.archive(id, isOn, at: date, for: user)
    case 6, 7:
      if isOn {
        try transaction.mute(id, until: random.percent(50) ? date : nil, for: user)
      } else {
        try transaction.unmute(id, for: user)
      }
    case 8: try transaction.hide(id, isOn, for: user)
    case 9, 10: try transaction.setRole(isOn ? random.pick(["admin", "é", "owner"]) : nil, of: user, in: id)
    case 11..<14: try transaction.markRead(id, upTo: Int64(random.below(60)), for: user)
    case 14:
      let position = isOn ? Int64(random.below(60)) : nil
      try transaction.setParticipation(of: user, in: id) { $0.lastReadPosition = position }
    default: try transaction.join(id, at: date, for: user)
    }
  }

  private mutating func changeRelations(_ transaction: WriteTransaction) throws {
    let kind: RelationKind = random.pick([.following, .following, .friend, .blocked])
    let (one, other) = (Identity.ID(random.percent(60) ? "alice" : random.user()), Identity.ID(random.user()))
    let (from, to) = random.percent(50) ? (one, other) : (other, one)
    if random.percent(60) {
      try transaction.relate(kind, from: from, to: to)
    } else {
      try transaction.unrelate(kind, from: from, to: to)
    }
  }
}
