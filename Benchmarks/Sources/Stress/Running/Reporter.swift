import Foundation

/// What was done beside operations.
struct Tally: CustomStringConvertible {
  var questions = 0
  var lists = 0
  var comparisons = 0
  var openings = 0
  var kills = 0
  /// Commits of killed children that only the next writer saw.
  var lateCommits = 0
  var verifications = 0

  var description: String {
    "\(questions) questions, \(lists) live comparisons, \(comparisons) of everything, \(openings) openings, "
      + "\(kills) children killed (\(lateCommits) commits seen late), \(verifications) verifications"
  }
}

/// A line a second on standard error.
struct Reporter {
  private let isOn: Bool
  private let start = Date.now
  private let first: Int
  private var told = Date.now

  init(from first: Int, isOn: Bool) {
    self.first = first
    self.isOn = isOn
  }

  mutating func tell(_ number: Int, _ model: Model, _ tally: Tally) {
    guard isOn, Date.now.timeIntervalSince(told) >= 1 else { return }
    told = .now
    let seconds = Int(told.timeIntervalSince(start))
    let line =
      "\(seconds) s: operation \(number), \((number - first) / max(seconds, 1)) a second; \(model.messages.count) messages in "
      + "\(model.conversations.count) conversations, \(model.records.count) records; \(tally)\n"
    FileHandle.standardError.write(Data(line.utf8))
  }
}
