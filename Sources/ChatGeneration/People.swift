internal import SatchelLines

/// The people of a chat: number 0 is the authenticated user.
struct People {
  /// User ids, and the same in UTF-8.
  let names: [String]
  let userIDs: [[UInt8]]
  /// The rank of each person when all user ids are sorted by their bytes.
  let ranks: [UInt32]
  private var random: RandomStream

  init(count: Int, seed: UInt64) {
    names = (0..<count).map { Self.userID($0) }
    let userIDs = names.map { Array($0.utf8) }
    var ranks = [UInt32](repeating: 0, count: count)
    let order = userIDs.indices.sorted { userIDs[$0].lexicographicallyPrecedes(userIDs[$1]) }
    for (rank, index) in order.enumerated() { ranks[index] = UInt32(rank) }
    self.userIDs = userIDs
    self.ranks = ranks
    random = RandomStream(seed: seed, purpose: 2)
  }

  /// Returns the name's Latin form, with a number from the second person of that name on.
  private static func userID(_ index: Int) -> String {
    guard index > 0 else { return ChatGenerator.authenticatedUser }
    let (round, nameIndex) = (index - 1).quotientAndRemainder(dividingBy: PersonNames.all.count)
    return PersonNames.all[nameIndex].nick + (round == 0 ? "" : String(round + 1))
  }

  mutating func writeIdentity(_ index: Int, to writer: inout JSONWriter) {
    let name = index == 0 ? PersonNames.alice : PersonNames.all[(index - 1) % PersonNames.all.count]
    let group = PersonNames.groups[name.group]
    let last = random.chance(perMille: 920) ? group.last[random.below(group.last.count)] : nil
    let userID = names[index]

    writer.beginObject()
    writer.key("kind")
    writer.string("identity")
    writer.key("userID")
    writer.string(userID)
    writer.key("displayName")
    writer.string(group.displayName(name.first, last))
    writer.key("firstName")
    writer.string(name.first)
    if let last {
      writer.key("lastName")
      writer.string(last)
    }
    if random.chance(perMille: 600) {
      writer.key("emailAddress")
      writer.string(userID + ["@example.org", "@example.com", "@mail.example.net"][random.below(3)])
    }
    if random.chance(perMille: 250) {
      writer.key("phoneNumber")
      writer.string("+1 555 01" + String(10 + random.below(90)))
    }
    if random.chance(perMille: 300) {
      writer.key("avatarURL")
      writer.string("https://media.example.org/avatars/" + userID + ".png")
    }
    if random.chance(perMille: 700) { writeMetadata(group, to: &writer) }
    writer.endObject()
    writer.endLine()
  }

  private mutating func writeMetadata(_ group: PersonNames.Group, to writer: inout JSONWriter) {
    writer.key("metadata")
    writer.beginObject()
    writer.key("locale")
    writer.beginObject()
    writer.key("language")
    writer.string(group.languageCode)
    writer.endObject()
    writer.key("team")
    writer.string(["design", "sales", "support", "platform", "research", "people"][random.lowBelow(6)])
    writer.endObject()
  }
}
