import BenchmarkKit
import Engines
import Histogram
import Synchronization

/// What each of many commits takes, beside other work.
struct CommitTimes: ~Copyable {
  private let times = Mutex(Histogram<UInt64>(numberOfSignificantValueDigits: .three))

  /// Makes a commit and takes note of its time.
  func measure(_ commit: () throws -> Void) rethrows {
    let start = SuspendingClock.now
    try commit()
    let taken = UInt64(max(0, (SuspendingClock.now - start) / .nanoseconds(1)))
    times.withLock { _ = $0.record(taken) }
  }

  /// The median, the 99th percentile and the longest time, in microseconds.
  /// - Parameters:
  ///   - name: What their names begin with.
  ///   - about: What a commit is.
  func figures(_ name: String, about: String, n: Int?, _ engine: EngineName) -> [Figure] {
    let histogram = times.withLock { $0 }
    return [("p50", 50.0), ("p99", 99), ("max", 100)].map { which, percentile in
      Figure(
        "\(name)-\(which)", about: "\(about) (\(histogram.totalCount) of them)", n: n, engine: engine,
        value: Double(histogram.valueAtPercentile(percentile)) / 1000, unit: .microseconds)
    }
  }
}
