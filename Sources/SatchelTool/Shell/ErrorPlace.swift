import SatchelModel
import SatchelQuery
import SatchelText
import TerminalInterface

/// Shows where in a predicate an error is.
enum ErrorPlace {
  /// Shows the predicate of a line with a mark below the place where it goes wrong, at a terminal; does nothing if it is right. What is
  /// wrong is told by the command.
  static func show(_ line: ShellLine) {
    guard Terminal.isErrorOutput, Terminal.isInput,
      let option = line.words.prefix(while: { $0.text != CommandArguments.endOfOptions })
        .firstIndex(where: { $0.text == "--where" }), option + 1 < line.words.count
    else { return }
    let text = line.words[option + 1].text
    do {
      _ = try QueryPredicate(format: text, arguments: [])
    } catch let error as SatchelError {
      guard let column = error.context["column"].flatMap(Int.init) else { return }
      StandardError.write(lines(text, column, columns: Terminal.columns))
    } catch {}
  }

  /// Returns two lines: the part of the text around a column that has room, and the mark.
  private static func lines(_ text: String, _ column: Int, columns: Int) -> String {
    let room = max(columns - indent.count - 1, 1)
    var before = String(String.UnicodeScalarView(text.unicodeScalars.prefix(column - 1))).oneLine
    let after = String(String.UnicodeScalarView(text.unicodeScalars.dropFirst(column - 1))).oneLine
    while before.displayWidth > room / 2, !before.isEmpty { before.unicodeScalars.removeFirst() }
    let shown = before + after.cut(to: max(room - before.displayWidth, 1))
    let spaces = String(repeating: " ", count: before.displayWidth)
    return indent + shown + "\n" + indent + spaces + "^\n"
  }

  private static let indent = "  "
}
