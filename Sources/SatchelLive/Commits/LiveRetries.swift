/// When to try again after a read of live queries has failed for a reason that may go by: soon at first, then ever more
/// rarely, and not for ever.
package struct LiveRetries: Sendable {
  /// The time at which the live queries are given up; nil as long as reads succeed.
  private var end: ContinuousClock.Instant?
  private var pause = shortestPause

  package init() {}

  /// For how long reads are tried again.
  package static let patience = Duration.seconds(30)
  private static let shortestPause = 0.01
  private static let longestPause = 1.0

  /// Takes note of a read that has succeeded, or that has failed for good.
  package mutating func reset() { self = LiveRetries() }

  /// Takes note of a read that has failed, and returns the seconds to wait before the next one; nil if it is time to give up.
  package mutating func pause(at now: ContinuousClock.Instant = .now) -> Double? {
    let end = self.end ?? now + Self.patience
    guard now < end else { return nil }
    self.end = end
    defer { pause = min(2 * pause, Self.longestPause) }
    return pause
  }
}
