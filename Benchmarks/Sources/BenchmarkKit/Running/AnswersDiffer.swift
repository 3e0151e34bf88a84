/// Two engines answered differently, so that their times would not be those of the same work.
public struct AnswersDiffer: Error, CustomStringConvertible {
  /// The workload.
  public let workload: String
  /// The number of messages; nil on a corpus.
  public let n: Int?
  /// The number of the run whose answers differ.
  public let run: Int
  /// What each engine answered, in the workload's order.
  public let answers: [(engine: EngineName, answer: Answer)]

  public var description: String {
    let size = n.map { " with \($0) messages" } ?? ""
    let each = answers.map { "\($0.engine.title) \($0.answer)" }.joined(separator: "; ")
    return "\(workload)\(size): the engines answer run \(run) differently: \(each)"
  }
}
