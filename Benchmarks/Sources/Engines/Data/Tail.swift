import Satchel

/// A message that comes in after the load, and the conversation that it goes to.
public struct NewMessage: Sendable {
  public let conversation: ConversationKey
  public var record: MessageValues
  /// What the record has as a JSON object, as a program gives it to Satchel.
  public var metadata = Metadata()
}

/// The messages that come in after the load: any number of them, the same for every engine, each made from its number
/// alone. They go to the larger half of the conversations by Zipf's law; the smaller half is there to be deleted.
public struct Tail: Sendable {
  private let conversations: [ConversationKey]
  private let weights: [Double]
  private let seed: UInt64

  /// - Parameter name: What tells the messages of one workload from those of the others.
  public init(_ keys: Keys, _ name: String) {
    conversations = Array(keys.conversations.prefix(max(1, keys.conversations.count / 2)))
    var sum = 0.0
    weights = conversations.indices.map {
      sum += 1 / Double($0 + 1)
      return sum
    }
    self.name = name
    seed = name.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
  }

  private let name: String

  /// The messages of numbers.
  public func messages(_ numbers: Range<Int>) -> [NewMessage] { numbers.map(message) }

  /// The message of a number.
  public func message(_ number: Int) -> NewMessage {
    var random = SplitMix(seed: seed &+ UInt64(number) &* 0x2545_F491_4F6C_DD1D)
    let target = Double(random.next() >> 11) / Double(1 << 53) * (weights.last ?? 0)
    var (low, high) = (0, weights.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if weights[middle] > target { high = middle } else { low = middle + 1 }
    }
    var record = MessageValues()
    record.identifier = "t-\(name)-\(number)"
    record.conversation = conversations[low].identifier
    record.sender = Self.senders[random.below(Self.senders.count)]
    record.position = 1_000_000_000 + Int64(number)
    // From the end of the generated chat on.
    record.sentAt = 1_782_820_800_000_000 + Int64(number) * 1_000_000 + Int64(random.below(1_000_000))
    record.receivedAt = record.sentAt.map { $0 + Int64(random.below(800_000)) }
    record.isUnread = random.below(4) == 0
    var text = PartValues()
    text.mimeType = "text/plain"
    text.text = (0..<1 + random.below(4)).map { _ in Self.sentences[random.below(Self.sentences.count)] }
      .joined(separator: " ")
    text.size = Int64(text.text?.utf8.count ?? 0)
    record.parts = [text]
    if random.below(25) == 0 {
      var image = PartValues()
      image.mimeType = "image/png"
      image.kind = .url
      image.text = "https://media.example.org/\(number).png"
      image.size = 20_000
      record.parts.append(image)
    }
    return NewMessage(conversation: conversations[low], record: record)
  }

  private static let senders = ["noah", "olivia", "liam", "emma", "oliver", "ava", "elijah", "sophia"]
  private static let sentences = [
    "See you at noon.", "Has anybody tried the new build on the old machine?", "Yes.",
    "I have put the notes of the meeting into the shared folder, have a look when you find the time.",
    "Grüße aus Köln!", "それは良い考えですね。", "The train is late again, start without me.", "👍",
  ]
}
