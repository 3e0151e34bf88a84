internal import SatchelLines

/// A chat while it is being generated: the decisions so far, and the lines not yet handed to the output.
struct Chat {
  let plan: ChatPlan
  var writer = JSONWriter()
  var composer: TextComposer
  var people: People
  /// The participants of all conversations, as indexes into `people`, one conversation after another.
  var members: [UInt32] = []
  var conversations: [Conversation] = []
  /// Scratch space for one text or payload.
  var scratch: [UInt8] = []

  struct Conversation {
    /// The indexes of the participants in `members`, in the order of their user ids.
    let members: Range<UInt32>
    let hasAlice: Bool
    let language: Language
    /// The index of the first message that `alice` has not read. From that message on she says nothing.
    let firstUnread: Int
    /// The position of the last message.
    var position: Int64 = 0
  }

  init(plan: ChatPlan) {
    self.plan = plan
    composer = TextComposer(seed: plan.seed)
    people = People(count: plan.identityCount, seed: plan.seed)
  }

  mutating func write(to output: ([UInt8]) throws -> Void) throws {
    writeHeader()
    for index in 0..<plan.identityCount {
      people.writeIdentity(index, to: &writer)
      try handOn(to: output)
    }
    try writeConversations(to: output)
    try writeMessages(to: output)
    try writeAnnouncements(to: output)
    if !writer.bytes.isEmpty { try output(writer.bytes) }
  }

  private mutating func writeHeader() {
    writer.beginObject()
    writer.key("kind")
    writer.string("header")
    writer.key("format")
    writer.string("satchel-interchange")
    writer.key("version")
    writer.integer(1)
    writer.endObject()
    writer.endLine()
  }

  /// Hands the finished lines to `output` when they amount to 64 KiB.
  mutating func handOn(to output: ([UInt8]) throws -> Void) throws {
    guard writer.bytes.count >= 64 << 10 else { return }
    try output(writer.bytes)
    writer.bytes.removeAll(keepingCapacity: true)
  }
}

extension JSONWriter {
  /// Writes an identifier: a prefix, then a number in at least `digits` hexadecimal digits.
  mutating func identifier(_ prefix: String, _ number: Int, digits: Int) {
    var identifier = Array(prefix.utf8)
    let needed = (Int.bitWidth - number.leadingZeroBitCount + 3) / 4
    identifier.appendHexadecimal(UInt64(number), digits: max(digits, needed))
    string(utf8: identifier)
  }

  /// Writes a key and a date of the chat as its value.
  mutating func date(_ key: String, _ microseconds: Int64) throws {
    self.key(key)
    try date(microseconds: microseconds)
  }
}
