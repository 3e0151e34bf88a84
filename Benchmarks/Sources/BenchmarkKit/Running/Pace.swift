/// Divides the time that a run may take over what it still has to do.
public final class Pace {
  private let seconds: Double
  private let clock = Stopwatch()
  /// The weight of the workloads still to come, in shares.
  private var coming = 0.0

  /// A run that may take so many minutes.
  public init(minutes: Double) {
    seconds = minutes * 60
  }

  /// Announces workloads.
  public func expect(_ workloads: Int) {
    coming += Double(workloads)
  }

  /// Seconds that the next workload may take. Most need far less than their share, so that one may take several:
  /// what it takes is missing for those after it.
  func allowance() -> Double {
    let left = max(0, seconds - clock.seconds)
    let share = left / max(1, coming)
    return min(left, share * 4)
  }

  /// One workload is done.
  func finish() {
    coming = max(0, coming - 1)
  }
}
