/// Which conversation speaks next. A few are in the middle of a burst at any time and take turns; when a burst is
/// over, another conversation begins one, by Zipf's law among those that exist by then.
struct BurstSchedule {
  private struct Burst {
    var conversation: Int
    var remaining: Int
  }

  private let plan: ChatPlan
  /// The sum of the conversations' weights up to and including each.
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

  /// One conversation in fifty stays without a message.
  private static func isEmpty(_ conversation: Int) -> Bool {
    conversation % 50 == 37
  }

  /// The conversation of the next message; to be called once for every sent one.
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

  /// A new burst: of a conversation that has just been made, or of one that is known.
  private mutating func begin() -> Burst {
    while opened < existing {
      opened += 1
      if !Self.isEmpty(opened - 1) {
        return Burst(conversation: opened - 1, remaining: 1 + random.exponential(mean: 6))
      }
    }
    let target = UInt64(random.below(Int(weights[existing - 1])))
    // The first conversation whose sum is beyond the target.
    var (low, high) = (0, existing - 1)
    while low < high {
      let middle = (low + high) / 2
      if weights[middle] > target { high = middle } else { low = middle + 1 }
    }
    return Burst(conversation: low, remaining: 1 + random.exponential(mean: 14))
  }

  /// Zipf's weights, 1 / rank. The ranks are shuffled over short distances, so that the largest conversations are
  /// old ones but not simply the oldest.
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
