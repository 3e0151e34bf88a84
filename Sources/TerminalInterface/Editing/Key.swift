/// What somebody does at a terminal while a line is edited.
enum Key: Hashable {
  case text(String)
  case enter, complete
  case left, right, start, end, wordLeft, wordRight
  case earlier, later, search
  case deleteLeft, deleteRight, cutToStart, cutToEnd, cutWordLeft, cutWordRight, paste
  /// Ctrl-D: deletes to the right or, on an empty line, ends the input.
  case deleteOrEnd
  case interrupt, suspend, clear
  /// Bytes that are nothing that is known.
  case unknown
  /// A signal has come: the terminal may have another width, or other modes.
  case signal
  /// There will be nothing more.
  case closed

  /// The keys of control characters, as in other line editors.
  init(control byte: UInt8) {
    self =
      switch byte {
      case 0x01: .start
      case 0x02: .left
      case 0x03: .interrupt
      case 0x04: .deleteOrEnd
      case 0x05: .end
      case 0x06: .right
      case 0x08, 0x7F: .deleteLeft
      case 0x09: .complete
      case 0x0A, 0x0D: .enter
      case 0x0B: .cutToEnd
      case 0x0C: .clear
      case 0x0E: .later
      case 0x10: .earlier
      case 0x12: .search
      case 0x15: .cutToStart
      case 0x17: .cutWordLeft
      case 0x19: .paste
      case 0x1A: .suspend
      default: .unknown
      }
  }

  /// The keys of the sequences behind ESC: `[` or `O` and their rest, or one letter.
  init(sequence: String) {
    self =
      switch sequence {
      case "[A", "OA": .earlier
      case "[B", "OB": .later
      case "[C", "OC": .right
      case "[D", "OD": .left
      case "[H", "OH", "[1~", "[7~": .start
      case "[F", "OF", "[4~", "[8~": .end
      case "[3~": .deleteRight
      case "[1;5C", "[1;3C", "f": .wordRight
      case "[1;5D", "[1;3D", "b": .wordLeft
      case "d": .cutWordRight
      case "\u{7F}", "\u{08}": .cutWordLeft
      default: .unknown
      }
  }
}
