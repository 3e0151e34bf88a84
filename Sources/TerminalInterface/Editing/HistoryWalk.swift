/// A walk through earlier lines, and back to the one that is being typed.
struct HistoryWalk {
  private let history: [String]
  /// Which line is shown; the number of lines for the one that is being typed.
  private var index: Int
  private var typed = ""

  init(_ history: [String]) {
    self.history = history
    index = history.count
  }

  mutating func earlier(_ line: inout EditedLine) {
    guard index > 0 else { return }
    if index == history.count { typed = line.text }
    index -= 1
    line.replace(with: history[index])
  }

  mutating func later(_ line: inout EditedLine) {
    guard index < history.count else { return }
    index += 1
    line.replace(with: index < history.count ? history[index] : typed)
  }
}

/// A search for an earlier line that contains a text.
struct HistorySearch {
  private(set) var text = ""
  /// How many lines that contain it are passed over.
  private var passed = 0

  mutating func add(_ more: String) { text += more }

  mutating func deleteLast() {
    _ = text.popLast()
    passed = 0
  }

  /// Goes on to the line before.
  mutating func goOn() { if !text.isEmpty { passed += 1 } }

  /// Returns the line that is found, or the first one of all if there are no more; nil if there is none.
  func match(in history: [String]) -> String? {
    guard !text.isEmpty else { return nil }
    let matches = history.reversed().lazy.filter { $0.contains(text) }
    return matches.dropFirst(passed).first ?? Array(matches).last
  }
}
