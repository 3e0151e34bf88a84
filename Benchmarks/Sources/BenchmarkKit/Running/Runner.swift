/// Runs workloads: the engines take turns round by round, in changing order, so that what else the machine does hits
/// them alike. Answers are compared before times are taken.
public final class Runner {
  /// How many rounds a workload gets unless the pace leaves time for fewer.
  let rounds: Int
  let progress: ProgressBar

  /// Divides a limited time over the workloads; without it each gets all its rounds.
  public var pace: Pace?
  /// The corpus that is measured: its name is added to those of the workloads without a size.
  public var corpus: String?

  private var rows: [Result] = []

  /// A runner without results.
  public init(rounds: Int, progress: ProgressBar) {
    self.rounds = rounds
    self.progress = progress
  }

  /// The rows of all workloads and figures up to now, with ratios to SQLite's.
  public var results: [Result] { rows.withRatios() }

  /// Adds a figure as a row.
  public func add(_ figure: Figure) {
    guard let statistics = Statistics([figure.value]), figure.value.isFinite else { return }
    append(
      figure.name, figure.about, figure.n, figure.engine, figure.unit, statistics, figure.source.link)
  }

  /// Runs a workload and adds a row for each of its contenders.
  ///
  /// Throws `AnswersDiffer` where the engines do not agree, and whatever a contender throws.
  public func run(_ workload: Workload) throws {
    progress.show(workload.n.map { "\(workload.name), \($0) messages" } ?? workload.name)
    let times = try measure(workload)
    for (contender, nanoseconds) in zip(workload.contenders, times) {
      let scale = Double(workload.items) * (workload.unit.inNanoseconds ?? 1)
      guard let statistics = Statistics(nanoseconds.map { $0 / scale }) else { continue }
      append(
        workload.name, workload.about, workload.n, contender.engine, workload.unit, statistics,
        workload.source.link)
    }
  }

  private func append(
    _ name: String, _ about: String, _ n: Int?, _ engine: EngineName, _ unit: Unit,
    _ statistics: Statistics, _ source: String
  ) {
    let full = if n == nil, let corpus { "\(name)@\(corpus)" } else { name }
    rows.append(
      Result(
        workload: full, n: n, engine: engine, unit: unit, statistics: statistics, about: about,
        source: source))
  }
}
