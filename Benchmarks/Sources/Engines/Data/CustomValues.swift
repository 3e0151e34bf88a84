import Satchel

/// The application's own data of a message, the same for every engine, made from a number alone: a service's name for the
/// message, an integer, a number, and tags of which half of the messages have one to three.
public struct CustomValues: Sendable {
  public let serverID: String
  /// From 0 on, below `priorities`.
  public let priority: Int
  /// From 0 on, below `amounts`: a multiple of a quarter, which every engine keeps exactly.
  public let amount: Double
  public let tags: [String]

  public static let priorities = 1_000
  public static let amounts = 25_000
  /// The tags that there are, the most frequent one first: a quarter of the messages has it, and one in 500 the last one.
  public static let allTags = ["open", "bug", "urgent", "billing", "question", "travel", "late", "idea"]

  /// The values of the message of a number.
  public init(number: Int) {
    var random = SplitMix(seed: 20_261_128 &+ UInt64(number) &* 0x2545_F491_4F6C_DD1D)
    let digits = String(random.next(), radix: 16)
    serverID = "evt_" + String(repeating: "0", count: 16 - digits.count) + digits
    priority = random.below(Self.priorities)
    amount = Double(random.below(Self.amounts * 4)) / 4
    var tags: [String] = []
    if random.below(2) == 0 {
      for _ in 0...random.below(3) {
        // The smaller of three is often small.
        let place = min(random.below(8), random.below(8), random.below(8))
        if !tags.contains(Self.allTags[place]) { tags.append(Self.allTags[place]) }
      }
    }
    self.tags = tags
  }

  /// The values but the tags, as a program gives them to Satchel.
  public var untagged: Metadata { ["serverID": serverID, "priority": priority, "amount": amount] }

  /// The same as a JSON object.
  public var untaggedJSON: String { #"{"serverID":"\#(serverID)",\#(numbers)}"# }

  /// All values as a JSON object.
  var json: String {
    let list = tags.map { "\"\($0)\"" }.joined(separator: ",")
    return tags.isEmpty ? untaggedJSON : #"{"serverID":"\#(serverID)",\#(numbers),"tags":[\#(list)]}"#
  }

  /// The integer and the number alone.
  var numbersJSON: String { "{\(numbers)}" }

  private var numbers: String { #""priority":\#(priority),"amount":\#(amount)"# }
}
