/// One row of the results: what one engine needed for one workload at one size.
public struct Result: Hashable, Sendable, Decodable {
  /// The workload's name; on a corpus with the corpus after an at sign, `seed/unread@zulip-full`.
  public var workload: String
  /// The number of messages; nil on a corpus.
  public var n: Int?
  /// Whose row it is.
  public var engine: EngineName
  /// The median of the rounds, in `unit`; the figure itself where there are no rounds.
  public var median: Double
  /// What the figures count.
  public var unit: Unit
  /// The median in medians of SQLite in the same run, below 1 where it is faster or smaller; nil without a row of SQLite's.
  public var ratio: Double?
  /// The fastest round.
  public var minimum: Double
  /// The slowest round.
  public var maximum: Double
  /// A quarter of the rounds is below.
  public var lowerQuartile: Double
  /// A quarter of the rounds is above.
  public var upperQuartile: Double
  /// How many rounds there were.
  public var rounds: Int
  /// One line on what is done.
  public var about: String
  /// A link to the line of code that measured it, relative to the folder of the report.
  public var source: String

  /// A row with the statistics of its rounds.
  public init(
    workload: String, n: Int?, engine: EngineName, unit: Unit, statistics: Statistics, about: String,
    source: String
  ) {
    self.workload = workload
    self.n = n
    self.engine = engine
    self.median = statistics.median
    self.unit = unit
    self.minimum = statistics.minimum
    self.maximum = statistics.maximum
    self.lowerQuartile = statistics.lowerQuartile
    self.upperQuartile = statistics.upperQuartile
    self.rounds = statistics.count
    self.about = about
    self.source = source
  }
}

/// The same work at the same size: what rows have to share to be compared.
public struct WorkKey: Hashable, Sendable {
  /// The workload's name.
  public let workload: String
  /// The number of messages; nil on a corpus.
  public let n: Int?

  /// The work of a name at a size.
  public init(_ workload: String, _ n: Int?) {
    self.workload = workload
    self.n = n
  }
}

extension Result {
  /// What the row has in common with those of the other engines.
  public var key: WorkKey { WorkKey(workload, n) }

  /// The corpus that the row is of; nil for generated chats.
  public var corpus: String? {
    n == nil ? workload.lastIndex(of: "@").map { String(workload[workload.index(after: $0)...]) } : nil
  }

  /// The workload's name without the corpus.
  public var name: String { corpus.map { String(workload.dropLast($0.count + 1)) } ?? workload }

  /// What the name begins with: `page` of `page/latest-20`.
  public var group: String { String(workload.prefix { $0 != "/" }) }
}

extension [Result] {
  /// The rows with their ratios to SQLite's.
  public func withRatios() -> [Result] {
    var reference: [WorkKey: Double] = [:]
    for row in self where row.engine == .sqlite { reference[row.key] = row.median }
    return map { row in
      var row = row
      row.ratio = reference[row.key].flatMap { $0 > 0 ? row.median / $0 : nil }
      return row
    }
  }
}
