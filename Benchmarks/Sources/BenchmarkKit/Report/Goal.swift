/// Something that the project wants to reach, and what was measured.
public struct Goal: Hashable, Sendable {
  /// What is wanted.
  public let title: String
  /// What was measured, with its worst case.
  public internal(set) var figure: String
  /// Whether it is reached; nil if it was not measured.
  public internal(set) var isMet: Bool?
  /// Why it is not reached, as far as is known: what the time goes to.
  public var reason: String?

  /// The goal with what is to be said if it is missed.
  func missed(because reason: String) -> Goal {
    var goal = self
    goal.reason = reason
    return goal
  }
}

/// Where the goals are looked up: the rows of one run, at one size.
struct GoalRows {
  let rows: [Result]
  /// The size that goals are about: 10^6, or the largest that was measured.
  let n: Int?

  private let medians: [RowKey: Double]

  /// The size of store that the goals name.
  static let wanted = 1_000_000

  init(_ rows: [Result]) {
    self.rows = rows
    let sizes = rows.compactMap(\.n)
    n = sizes.contains(Self.wanted) ? Self.wanted : sizes.max()
    medians = Dictionary(rows.map { (RowKey($0), $0.median) }) { $1 }
  }

  /// The median of an engine; nil if it was not measured.
  func median(_ workload: String, _ engine: EngineName, n: Int?) -> Double? {
    medians[RowKey(work: WorkKey(workload, n), engine: engine)]
  }

  /// How many times an engine takes what Satchel takes, for each workload of a group for which both are known.
  func speedups(over engine: EngineName, group: String) -> [(workload: String, times: Double)] {
    rows.filter { $0.engine == .satchel && $0.n == n && $0.workload.hasPrefix(group + "/") }
      .filter { !$0.workload.hasSuffix("-codable") }
      .compactMap { row in
        speedup(row.workload, over: engine).map { (row.workload, $0) }
      }
  }

  /// How many times an engine takes what Satchel takes.
  func speedup(_ workload: String, over engine: EngineName) -> Double? {
    guard let own = median(workload, .satchel, n: n), own > 0 else { return nil }
    return median(workload, engine, n: n).map { $0 / own }
  }
}

extension RowKey {
  init(work: WorkKey, engine: EngineName) {
    self.work = work
    self.engine = engine
  }
}
