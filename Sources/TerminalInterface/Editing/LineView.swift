import SatchelModel
import SatchelText

/// What a terminal is given to show a line that is being edited in one of its rows. A line for which the row is too narrow is shown
/// in part, around the cursor.
struct LineView {
  private let prompt: String
  private let shown: String
  /// The column of the cursor, from 0.
  let cursor: Int

  init(_ line: EditedLine, prompt: String, columns: Int) {
    // Where there is hardly room for the prompt, the line has all of it.
    self.prompt = columns >= prompt.displayWidth + Self.least ? prompt : columns >= Self.least ? "> " : ""
    // Nothing is written in the last column: terminals differ in where the cursor is then.
    let room = max(columns - self.prompt.displayWidth - 1, 1)
    let (after, widthAfter) = Self.take(line.after, upTo: room)
    // At least a quarter of the row shows what is behind the cursor, if there is so much.
    let roomBefore = room - min(widthAfter, room / 4)
    let (before, widthBefore) = Self.takeLast(line.before, upTo: roomBefore)
    let rest = Self.fit(after, upTo: room - widthBefore)
    shown = before + rest
    cursor = self.prompt.displayWidth + widthBefore
  }

  /// The bytes that show the line in the row of the cursor.
  var text: String {
    "\r" + prompt + shown + "\u{1B}[K\r" + (cursor > 0 ? "\u{1B}[\(cursor)C" : "")
  }

  private static let least = 10

  /// Returns the characters at the beginning of a text that have room, as they are shown, and their width.
  private static func take(_ text: String, upTo room: Int) -> (cells: [String], width: Int) {
    var cells: [String] = []
    var width = 0
    for character in text {
      let cell = String(character).oneLine
      guard width + cell.displayWidth <= room else { break }
      width += cell.displayWidth
      cells.append(cell)
    }
    return (cells, width)
  }

  private static func fit(_ cells: [String], upTo room: Int) -> String {
    var text = ""
    var width = 0
    for cell in cells {
      width += cell.displayWidth
      guard width <= room else { break }
      text += cell
    }
    return text
  }

  /// Returns the end of a text that has room, as it is shown, and its width. A text that is longer begins with `…`.
  private static func takeLast(_ text: String, upTo room: Int) -> (shown: String, width: Int) {
    var cells: [String] = []
    var width = 0
    for character in text.reversed() {
      let cell = String(character).oneLine
      if width + cell.displayWidth > room {
        while let first = cells.last, width + 1 > room {
          width -= first.displayWidth
          cells.removeLast()
        }
        return ("…" + cells.reversed().joined(), width + 1)
      }
      width += cell.displayWidth
      cells.append(cell)
    }
    return (cells.reversed().joined(), width)
  }
}
