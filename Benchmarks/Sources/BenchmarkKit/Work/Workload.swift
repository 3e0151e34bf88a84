/// The same work on several engines. Times are divided by `items` and given in `unit`.
public struct Workload {
  /// How often a body may run.
  public enum Repetition: Sendable {
    /// Any number of times: a round lasts some milliseconds at least. Reads.
    case calibrated
    /// Once a round, and so many rounds: numbers 0, 1, …. Writes.
    case once(rounds: Int)
  }

  /// The name, with its group before a slash: `page/latest-20`.
  public let name: String
  /// One line on what is done.
  public let about: String
  /// The number of messages in the stores; nil on a corpus.
  public let n: Int?
  /// The unit in which times are given.
  public let unit: Unit
  /// How many items one run of a body handles: a time is that of one item.
  public let items: Int
  /// How often a body may run.
  public let repetition: Repetition
  /// Whether the engines have to give the same answers.
  public let comparesAnswers: Bool
  /// Where the workload is written, for the link in the report.
  public let source: SourceLocation
  /// Who does it.
  public let contenders: [Contender]

  /// The same work on several engines.
  public init(
    _ name: String, about: String, n: Int?, unit: Unit = .microseconds, items: Int = 1,
    repetition: Repetition = .calibrated, comparesAnswers: Bool = true, file: String = #filePath,
    line: Int = #line, _ contenders: [Contender]
  ) {
    precondition(unit.inNanoseconds != nil, "a workload is measured in a unit of time")
    precondition(items > 0, "a workload handles one item at least")
    self.name = name
    self.about = about
    self.n = n
    self.unit = unit
    self.items = items
    self.repetition = repetition
    self.comparesAnswers = comparesAnswers
    self.source = SourceLocation(file: file, line: line)
    self.contenders = contenders
  }
}
