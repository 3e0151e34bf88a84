import SatchelModel

extension Chat {
  /// Writes the sent messages in the order of time, then the unsent ones.
  mutating func writeMessages(to output: ([UInt8]) throws -> Void) throws {
    var random = RandomStream(seed: plan.seed, purpose: 6)
    var timeline = Timeline(plan: plan)
    var schedule = BurstSchedule(plan: plan)
    var lastSender = 0
    // The last conversation in which `alice` said something and has read everything: she may be writing there now.
    var openConversation = 0
    for index in 0..<plan.sentCount {
      let conversation = schedule.next()
      let sender = chooseSender(in: conversation, at: index, after: lastSender, &random)
      if sender == 0, conversations[conversation].firstUnread == Int.max { openConversation = conversation }
      lastSender = sender
      try writeMessage(index, conversation: conversation, sender: sender, sentAt: timeline.next(), &random)
      try handOn(to: output)
    }
    for index in plan.sentCount..<plan.sentCount + plan.unsentCount {
      try writeMessage(index, conversation: openConversation, sender: 0, sentAt: nil, &random)
      try handOn(to: output)
    }
  }

  /// Chooses a sender: the sender of the message before, `alice`, or another participant; now and then any person,
  /// also one who has left.
  private func chooseSender(
    in index: Int, at messageIndex: Int, after lastSender: Int, _ random: inout RandomStream
  ) -> Int {
    let conversation = conversations[index]
    let present = members[Int(conversation.members.lowerBound)..<Int(conversation.members.upperBound)]
    let aliceSpeaks = conversation.hasAlice && messageIndex < conversation.firstUnread
    if lastSender != 0 || aliceSpeaks, random.below(4) == 0, present.contains(UInt32(lastSender)) {
      return lastSender
    }
    if aliceSpeaks, random.below(present.count == 2 ? 2 : 4) == 0 { return 0 }
    if random.chance(perMille: 3) { return 1 + random.below(plan.identityCount - 1) }
    // Chosen from everyone but `alice`: her index in `present` is skipped.
    let choice = present.startIndex + random.lowBelow(present.count - (conversation.hasAlice ? 1 : 0))
    guard conversation.hasAlice, let alice = present.firstIndex(of: 0), alice <= choice else {
      return Int(present[choice])
    }
    return Int(present[choice + 1])
  }

  /// - Parameter sentAt: Microseconds since 1970; nil for an unsent message.
  private mutating func writeMessage(
    _ index: Int, conversation: Int, sender: Int, sentAt: Int64?, _ random: inout RandomStream
  ) throws {
    writer.beginObject()
    writer.key("kind")
    writer.string("message")
    writer.key("identifier")
    writer.identifier("m-", index, digits: 8)
    writer.key("conversation")
    writer.identifier("c-", conversation, digits: 5)
    writer.key("sender")
    writer.string(utf8: people.userIDs[sender])
    if let sentAt {
      conversations[conversation].position += random.below(16) == 0 ? 2 + Int64(random.lowBelow(8)) : 1
      writer.key("position")
      writer.integer(conversations[conversation].position)
      try writer.date("sentAt", sentAt)
      let delay = sender == 0 ? 0 : Self.delay(&random)
      try writer.date("receivedAt", min(sentAt + delay, ChatPlan.end))
    } else {
      writer.key("isSent")
      writer.bool(false)
    }
    if sender != 0, conversations[conversation].hasAlice, index >= conversations[conversation].firstUnread {
      writer.key("isUnread")
      writer.bool(true)
    }
    writeParts(of: index, conversations[conversation].language, &random)
    if sender == 0, sentAt != nil { writeRecipientStatus(index, conversation, &random) }
    if random.chance(perMille: 30) { try writeMetadata(of: index, sentAt, &random) }
    writer.endObject()
    writer.endLine()
  }

  /// Returns the microseconds until somebody else's message arrives: a fraction of a second, or hours if they were
  /// offline.
  private static func delay(_ random: inout RandomStream) -> Int64 {
    let milliseconds = random.exponential(mean: random.chance(perMille: 8) ? 7_200_000 : 400)
    return Int64(milliseconds) * 1_000 + Int64(random.below(1_000))
  }

  /// Writes how far `alice`'s message got with each of the other participants. Nearly all have read the old ones.
  private mutating func writeRecipientStatus(_ index: Int, _ conversation: Int, _ random: inout RandomStream)
  {
    writer.key("recipientStatus")
    writer.beginObject()
    let isRecent = index >= plan.sentCount - plan.sentCount / 12
    for memberIndex in conversations[conversation].members {
      let member = members[Int(memberIndex)]
      if member == 0 { continue }
      writer.key(people.names[Int(member)])
      let stage = random.below(100)
      writer.string(
        isRecent
          ? stage < 50 ? "read" : stage < 80 ? "delivered" : stage < 95 ? "sent" : "pending"
          : stage < 93 ? "read" : "delivered")
    }
    writer.endObject()
  }

  private mutating func writeMetadata(of index: Int, _ sentAt: Int64?, _ random: inout RandomStream) throws {
    writer.key("metadata")
    writer.beginObject()
    switch random.below(4) {
    case 0:
      writer.key("priority")
      writer.string(["high", "low", "urgent"][random.below(3)])
    case 1 where index > 0:
      writer.key("reply")
      writer.beginObject()
      writer.key("to")
      writer.identifier("m-", index - 1 - random.lowBelow(min(index, 200)), digits: 8)
      writer.endObject()
    case 2 where sentAt != nil:
      writer.key("edited")
      writer.beginObject()
      try writer.date("at", min((sentAt ?? 0) + Self.delay(&random), ChatPlan.end))
      writer.endObject()
    default:
      writer.key("label")
      writer.beginObject()
      writer.key("color")
      writer.string(["red", "green", "blue"][random.below(3)])
      writer.key("name")
      writer.string(["todo", "done", "später", "重要"][random.below(4)])
      writer.endObject()
    }
    writer.endObject()
  }

  /// Writes the announcements: one a day, the last at the end of the chat. The last two are unread.
  mutating func writeAnnouncements(to output: ([UInt8]) throws -> Void) throws {
    var random = RandomStream(seed: plan.seed, purpose: 7)
    for index in 0..<plan.announcementCount {
      let daysAgo = Int64(plan.announcementCount - 1 - index)
      let sentAt = ChatPlan.end - daysAgo * RFC3339.secondsInDay * RFC3339.microsecondsInSecond
      writer.beginObject()
      writer.key("kind")
      writer.string("announcement")
      writer.key("identifier")
      writer.identifier("a-", index, digits: 4)
      writer.key("sender")
      writer.string(utf8: people.userIDs[1])
      writer.key("position")
      writer.integer(Int64(index + 1))
      try writer.date("sentAt", sentAt)
      try writer.date("receivedAt", sentAt)
      if daysAgo < 2 {
        writer.key("isUnread")
        writer.bool(true)
      }
      writeParts(of: plan.sentCount + plan.unsentCount + index, .english, &random)
      writer.endObject()
      writer.endLine()
      try handOn(to: output)
    }
  }
}
