/// Decides in which conversation each message is sent. At any time a few conversations are in the middle of a burst
/// and take turns. When a burst is over, another conversation begins one, drawn by Zipf's law from those that exist
/// by then.
struct BurstSchedule {
  private struct Burst {
    var conversation: Int
    var remaining: Int
  }

  private let plan: ChatPlan
  /// For each conversation, the sum of the weights up to and including its own.
  private let weights: [UInt64]
  private var random: RandomStream
  private var bursts: [Burst] = []
  private var current = 0
  private var messageIndex = 0
  /// How many conversations exist, and how many of them had their first burst.
  private var existing = 1
  private var opened = 0

  /// How many conversations are active at a time.
  private static let width = 6

  init(plan: ChatPlan) {
    self.plan = plan
    random = RandomStream(seed: plan.seed, purpose: 5)
    weights = Self.cumulativeWeights(plan.conversationCount, &random)
  }

  /// Returns whether a conversation stays without a message: one in fifty does.
  private static func isEmpty(_ conversation: Int) -> Bool {
    conversation % 50 == 37
  }

  /// Returns the conversation of the next message. Call it once for each sent message.
  mutating func next() -> Int {
    while existing < plan.conversationCount, plan.firstMessage(ofConversation: existing) <= messageIndex {
      existing += 1
    }
    messageIndex += 1
    if bursts.count < Self.width {
      bursts.append(begin())
      current = bursts.count - 1
    } else {
      // Two messages in three stay in the conversation of the one before.
      if random.below(3) == 0 { current = random.below(bursts.count) }
      if bursts[current].remaining == 0 { bursts[current] = begin() }
    }
    bursts[current].remaining -= 1
    return bursts[current].conversation
  }

  /// Begins a burst of a conversation that has just been made, or else of one that has had a burst before.
  private mutating func begin() -> Burst {
    while opened < existing {
      opened += 1
      if !Self.isEmpty(opened - 1) {
        return Burst(conversation: opened - 1, remaining: 1 + random.exponential(mean: 6))
      }
    }
    let target = UInt64(random.below(Int(weights[existing - 1])))
    // Find the first conversation whose sum is greater than the target.
    var (low, high) = (0, existing - 1)
    while low < high {
      let middle = (low + high) / 2
      if weights[middle] > target { high = middle } else { low = middle + 1 }
    }
    return Burst(conversation: low, remaining: 1 + random.exponential(mean: 14))
  }

  /// Returns the sums of Zipf's weights, 1 / rank. The ranks are shuffled over short distances, so that the largest
  /// conversations are old ones but not simply the oldest.
  private static func cumulativeWeights(_ count: Int, _ random: inout RandomStream) -> [UInt64] {
    var ranks = Array(UInt64(1)...UInt64(count))
    for index in ranks.indices {
      ranks.swapAt(index, index + random.below(min(count - index, count / 8 + 1)))
    }
    var sum: UInt64 = 0
    return ranks.indices.map { index in
      if !isEmpty(index) { sum += 1 << 40 / ranks[index] }
      return sum
    }
  }
}
