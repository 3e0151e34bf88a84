import SatchelInterchange
import SatchelModel
import SatchelText

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Lets somebody edit lines at a terminal. Everything happens in one row: the terminal need only know how to go to the
/// beginning of the row, some columns to the right, and to clear the rest of it.
package struct LineEditor {
  package enum Input {
    case line(String)
    /// The line was given up.
    case interrupted
    case end
  }

  private let prompt: String
  private let complete: (String) -> Completion
  private var keys = KeyReader()
  private var line = EditedLine()
  private var search: HistorySearch?
  private var walk: HistoryWalk

  /// - Parameter complete: Says what may stand at the end of a text.
  package init(prompt: String, complete: @escaping (String) -> Completion) {
    self.prompt = prompt
    self.complete = complete
    walk = HistoryWalk([])
  }

  /// The most bytes of a line: those of a script.
  private static let limit = 1 << 20

  /// Lets somebody edit a line.
  /// - Parameter history: Earlier lines, the last one at the end.
  package mutating func read(history: [String]) -> Input {
    guard let mode = TerminalMode.enter() else { return .end }
    write("\u{1B}[?2004h")
    defer {
      write("\u{1B}[?2004l")
      TerminalMode.leave(mode)
    }
    line = EditedLine()
    walk = HistoryWalk(history)
    search = nil
    keys.begin()
    show()
    while true {
      let key = keys.next()
      if search != nil, searchOn(key, history) { continue }
      switch key {
      case .enter:
        line.moveToEnd()
        show()
        write("\n")
        return .line(line.text)
      case .interrupt:
        line.moveToEnd()
        show()
        write("^C\n")
        return .interrupted
      case .deleteOrEnd where line.isEmpty, .closed:
        write("\n")
        return .end
      case .signal:
        if TerminalSignals.isEnding { return .end }
        // Whoever continues a stopped program may have changed the modes.
        _ = TerminalMode.enter()
      case .suspend: suspend(mode)
      case .search: search = HistorySearch()
      default: edit(key)
      }
      // One of many bytes that were pasted need not be shown before the others.
      if !keys.hasInput { show() }
    }
  }

  private mutating func edit(_ key: Key) {
    switch key {
    case .text(let text):
      guard line.text.utf8.count + text.utf8.count <= Self.limit else { return write("\u{07}") }
      line.insert(text)
    case .complete: completeWord()
    case .left: line.moveLeft()
    case .right: line.moveRight()
    case .start: line.moveToStart()
    case .end: line.moveToEnd()
    case .wordLeft: line.moveWordLeft()
    case .wordRight: line.moveWordRight()
    case .earlier: walk.earlier(&line)
    case .later: walk.later(&line)
    case .deleteLeft: line.deleteLeft()
    case .deleteRight, .deleteOrEnd: line.deleteRight()
    case .cutToStart: line.cutToStart()
    case .cutToEnd: line.cutToEnd()
    case .cutWordLeft: line.cutWordLeft()
    case .cutWordRight: line.cutWordRight()
    case .paste: line.paste()
    case .clear: write("\u{1B}[H\u{1B}[2J")
    default: write("\u{07}")
    }
  }

  /// Stops the program until somebody continues it.
  private func suspend(_ mode: termios) {
    write("\n")
    TerminalMode.leave(mode)
    kill(0, SIGTSTP)
    _ = TerminalMode.enter()
  }

  // MARK: Searching

  /// Goes on with a search of the history. Returns whether the key belongs to it; otherwise the search has ended.
  private mutating func searchOn(_ key: Key, _ history: [String]) -> Bool {
    switch key {
    case .text(let text): search?.add(text)
    case .deleteLeft: search?.deleteLast()
    case .search: search?.goOn()
    case .signal where !TerminalSignals.isEnding: break
    case .interrupt:
      search = nil
      show()
      return true
    default:
      if let found = search?.match(in: history) { line.replace(with: found) }
      search = nil
      return false
    }
    if search?.match(in: history) == nil { write("\u{07}") }
    show(history)
    return true
  }

  // MARK: Completing

  private mutating func completeWord() {
    let completion = complete(line.before)
    guard !completion.candidates.isEmpty else { return write("\u{07}") }
    let before = line.before
    let common = completion.commonText
    // What all have in common may be less than what was typed, in another case.
    if completion.candidates.count == 1
      || common.unicodeScalars.count + completion.start > before.unicodeScalars.count
    {
      line.replace(from: completion.start, with: common)
    } else {
      list(completion.candidates)
    }
  }

  private func list(_ candidates: [Completion.Candidate]) {
    let names = candidates.prefix(Self.mostCandidates).map { $0.name.oneLine }
    let columns = Terminal.columns
    let width = min((names.map(\.displayWidth).max() ?? 0) + 2, max(columns - 1, 1))
    let perRow = max((columns - 1) / width, 1)
    var text = "\n"
    for (index, name) in names.enumerated() {
      let isLast = index % perRow == perRow - 1 || index == names.count - 1
      let cell = name.cut(to: width - 1)
      text += isLast ? cell + "\n" : cell.padded(to: width)
    }
    if candidates.count > names.count { text += "and \(candidates.count - names.count) more\n" }
    write(text)
  }

  private static let mostCandidates = 100

  // MARK: Showing

  private func show(_ history: [String] = []) {
    if let search {
      let found = EditedLine(search.match(in: history) ?? "")
      write(LineView(found, prompt: "(search: \(search.text.oneLine)) ", columns: Terminal.columns).text)
    } else {
      write(LineView(line, prompt: prompt, columns: Terminal.columns).text)
    }
  }

  /// Writes to the terminal. A terminal that is gone is noticed when it is read.
  private func write(_ text: String) { try? FileDescriptor.write(1, Array(text.utf8)[...]) }
}
