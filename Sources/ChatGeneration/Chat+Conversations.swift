internal import SatchelLines

extension Chat {
  /// Decides on every conversation and writes it. A conversation is created when the first message that it may hold
  /// is sent.
  mutating func writeConversations(to output: ([UInt8]) throws -> Void) throws {
    var random = RandomStream(seed: plan.seed, purpose: 4)
    var timeline = Timeline(plan: plan)
    var time = ChatPlan.end
    var messageIndex = -1
    // A person has at most one distinct conversation with `alice`: that is what distinct means.
    var nextPartner = 1
    conversations.reserveCapacity(plan.conversationCount)
    for index in 0..<plan.conversationCount {
      let first = plan.firstMessage(ofConversation: index)
      while messageIndex < first, messageIndex < plan.sentCount - 1 {
        time = timeline.next()
        messageIndex += 1
      }
      let isDistinct = index % 20 == 7 && nextPartner < plan.identityCount
      let hasAlice = isDistinct || index % 20 != 13
      let start = UInt32(members.count)
      if isDistinct {
        members += [0, UInt32(nextPartner)]
        nextPartner += 1
      } else {
        chooseMembers(hasAlice: hasAlice, &random)
      }
      sortMembers(from: Int(start))
      let conversation = Conversation(
        members: start..<UInt32(members.count), hasAlice: hasAlice, language: composer.chooseLanguage(),
        firstUnread: chooseFirstUnread(&random))
      conversations.append(conversation)
      try writeConversation(index, createdAt: time, isDistinct: isDistinct, &random)
      try handOn(to: output)
    }
  }

  /// Appends the participants of a conversation: two in about a third of the conversations, thirty at most. People
  /// with small numbers are more likely.
  private mutating func chooseMembers(hasAlice: Bool, _ random: inout RandomStream) {
    let wanted =
      switch random.below(20) {
      case 0..<7: 2
      case 7..<16: 3 + random.below(4)
      default: 7 + random.lowBelow(24)
      }
    let start = members.count
    if hasAlice { members.append(0) }
    // At most half of all people, so that the search for a new one ends soon.
    let count = min(wanted, max(2, plan.identityCount / 2))
    while members.count - start < count {
      let person = UInt32(1 + random.lowBelow(plan.identityCount - 1))
      if !members[start...].contains(person) { members.append(person) }
    }
  }

  private mutating func sortMembers(from start: Int) {
    let ranks = people.ranks
    members[start...].sort { ranks[Int($0)] < ranks[Int($1)] }
  }

  /// Chooses the first message that `alice` has not read: one in the last two ninths of the chat or, in every fifth
  /// conversation, none (`Int.max`). That leaves about one message in twelve unread.
  private func chooseFirstUnread(_ random: inout RandomStream) -> Int {
    random.below(5) == 0 ? Int.max : plan.sentCount - random.below(plan.sentCount * 2 / 9 + 1)
  }

  private mutating func writeConversation(
    _ index: Int, createdAt: Int64, isDistinct: Bool, _ random: inout RandomStream
  ) throws {
    let conversation = conversations[index]
    writer.beginObject()
    writer.key("kind")
    writer.string("conversation")
    writer.key("identifier")
    writer.identifier("c-", index, digits: 5)
    writer.key("participants")
    writer.beginArray()
    for memberIndex in conversation.members {
      writer.string(utf8: people.userIDs[Int(members[Int(memberIndex)])])
    }
    writer.endArray()
    try writer.date("createdAt", createdAt)
    if isDistinct {
      writer.key("isDistinct")
      writer.bool(true)
    }
    if random.chance(perMille: 950) { writeMetadata(conversation.language, hasTitle: !isDistinct, &random) }
    writer.endObject()
    writer.endLine()
  }

  private mutating func writeMetadata(_ language: Language, hasTitle: Bool, _ random: inout RandomStream) {
    writer.key("metadata")
    writer.beginObject()
    writer.key("backgroundColor")
    var color = Array("#".utf8)
    color.appendHexadecimal(random.next(), digits: 6)
    writer.string(utf8: color)
    if random.chance(perMille: 200) {
      writer.key("origin")
      writer.beginObject()
      writer.key("channel")
      writer.beginObject()
      writer.key("name")
      writer.string(["general", "random", "help", "releases"][random.below(4)])
      writer.endObject()
      writer.key("system")
      writer.string(["irc", "mail", "forum"][random.below(3)])
      writer.endObject()
    }
    writer.key("theme")
    writer.beginObject()
    writer.key("color")
    writer.string(Self.themeColors[random.lowBelow(Self.themeColors.count)])
    writer.endObject()
    if hasTitle {
      scratch.removeAll(keepingCapacity: true)
      composer.appendWords(language, count: 1 + random.lowBelow(5), to: &scratch)
      writer.key("title")
      writer.string(utf8: scratch)
    }
    writer.endObject()
  }

  private static let themeColors = ["red", "blue", "green", "yellow", "purple", "orange", "teal", "gray"]
}
