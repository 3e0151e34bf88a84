/// A line on standard error that shows how far a long command has got. It is silent for the first second, and if
/// standard error is not a terminal.
package final class ProgressBar {
  private var total: Int
  private let unit: String
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var next: ContinuousClock.Instant
  private var calls = 0
  private var isShown = false
  private let isEnabled: Bool

  /// - Parameters:
  ///   - total: The value that `update` will reach; 0 if it is unknown.
  ///   - unit: What is counted; `bytes` are shown as megabytes.
  package init(total: Int, unit: String) {
    self.total = total
    self.unit = unit
    start = clock.now
    next = start + .seconds(1)
    isEnabled = Terminal.isErrorOutput
  }

  /// Shows how much is done of a total that is known only now; for few and large steps.
  package func update(_ done: Int, of total: Int) {
    self.total = total
    calls |= 0xFF
    update(done)
  }

  /// Shows how much is done; cheap enough to be called for every line.
  package func update(_ done: Int) {
    guard isEnabled else { return }
    calls &+= 1
    guard calls & 0xFF == 0 else { return }
    let now = clock.now
    guard now >= next else { return }
    next = now + .milliseconds(100)
    isShown = true
    StandardError.write("\r" + text(done, seconds: Double((now - start).components.seconds)) + "\u{1B}[K")
  }

  /// Removes the line.
  package func end() {
    if isShown { StandardError.write("\r\u{1B}[K") }
    isShown = false
  }

  private func text(_ done: Int, seconds: Double) -> String {
    let amount = unit == "bytes" ? "\(done / 1_000_000) MB" : "\(done) \(unit)"
    guard total > 0 else { return "\(amount), \(Int(seconds)) s" }
    let share = min(1, Double(done) / Double(total))
    let filled = Int(share * 30)
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
    return "\(bar) \(Int(share * 100)) %  \(amount), \(Int(seconds)) s"
  }
}
