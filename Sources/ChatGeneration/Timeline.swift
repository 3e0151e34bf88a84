/// The times at which a chat's messages are sent: ascending, in bursts with pauses between, some in the same
/// microsecond, the last one exactly at the end.
///
/// The pauses are drawn twice from the same stream: first for their sum, then to spread them over the duration.
struct Timeline {
  private let start: Int64
  private let duration: UInt64
  private let total: UInt64
  private var random: RandomStream
  private var elapsed: UInt64 = 0
  private var isFirst = true

  init(plan: ChatPlan) {
    random = RandomStream(seed: plan.seed, purpose: 1)
    var rehearsal = random
    var total: UInt64 = 0
    for _ in 0..<max(0, plan.sentCount - 1) { total += Self.pause(&rehearsal) }
    self.total = total
    duration = UInt64(plan.duration)
    // Without pauses every message is sent at the end.
    start = total == 0 ? ChatPlan.end : ChatPlan.end - plan.duration
  }

  /// Returns the next time, in microseconds since 1970. Call it once for each sent message.
  mutating func next() -> Int64 {
    if isFirst {
      isFirst = false
    } else {
      elapsed += Self.pause(&random)
    }
    guard total > 0, elapsed < total else { return ChatPlan.end }
    // elapsed < total, so the quotient is below the duration and cannot overflow.
    return start + Int64(total.dividingFullWidth(elapsed.multipliedFullWidth(by: duration)).quotient)
  }

  /// Returns a pause in an arbitrary unit: only its share of the sum matters.
  private static func pause(_ random: inout RandomStream) -> UInt64 {
    switch random.below(256) {
    case 0..<4: 0
    case 4..<216: UInt64(random.exponential(mean: 4_096))
    default: UInt64(random.exponential(mean: 4_096 * 40))
    }
  }
}
