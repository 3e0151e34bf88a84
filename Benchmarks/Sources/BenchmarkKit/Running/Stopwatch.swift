/// Time by a clock that only goes forward (CLOCK_MONOTONIC on Linux).
struct Stopwatch {
  private let start = SuspendingClock.now

  /// Nanoseconds since it was made.
  var nanoseconds: Double {
    let (seconds, attoseconds) = (SuspendingClock.now - start).components
    return Double(seconds) * 1e9 + Double(attoseconds) / 1e9
  }

  /// Seconds since it was made.
  var seconds: Double { nanoseconds / 1e9 }
}
