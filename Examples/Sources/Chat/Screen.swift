import Foundation

/// Where pictures are shown.
@MainActor
protocol Screen {
  var rows: Int { get }
  func show(_ picture: Picture)
  func close()
}

/// A terminal in raw mode, with another page than the shell's.
@MainActor
final class Terminal: Screen {
  private var original = termios()

  init() {
    tcgetattr(0, &original)
    var raw = original
    cfmakeraw(&raw)
    tcsetattr(0, TCSAFLUSH, &raw)
    // Another page, no cursor, and no line that is too long goes on in the next one.
    write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
  }

  func close() {
    write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    tcsetattr(0, TCSAFLUSH, &original)
  }

  var rows: Int {
    var size = winsize()
    return ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_row > 0 ? Int(size.ws_row) : 24
  }

  /// Everything anew, in one write. The right pane is drawn over what the left one has too much.
  func show(_ picture: Picture) {
    var text = "\u{1B}[H"
    for (left, right) in zip(picture.left, picture.right) {
      text += "\u{1B}[K\(styled(left))\u{1B}[\(Picture.leftColumns)G\u{1B}[K│ \(styled(right))\r\n"
    }
    write(text + "\u{1B}[K" + picture.bottom)
  }

  private func styled(_ cell: Picture.Cell) -> String { cell.style.rawValue + cell.text + "\u{1B}[m" }

  private func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}

/// Pictures one below the other, as text.
@MainActor
final class Printout: Screen {
  private var last: Picture?
  let rows = 16

  func close() {}
  func show(_ picture: Picture) {
    guard picture != last else { return }
    last = picture
    var text = ""
    for (left, right) in zip(picture.left, picture.right) {
      let space = String(repeating: " ", count: max(0, Picture.leftColumns - 1 - left.text.count))
      text += left.text + space + "│ " + right.text + "\n"
    }
    FileHandle.standardOutput.write(Data((text + picture.bottom + "\n\n").utf8))
  }
}
