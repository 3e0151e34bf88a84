import SatchelInterchange

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What the program is connected to.
enum Terminal {
  static var isOutput: Bool { isatty(1) == 1 }
  static var isErrorOutput: Bool { isatty(2) == 1 }

  /// The columns that a table may use: the terminal's, what `COLUMNS` says, or 110.
  static var columns: Int {
    var size = winsize()
    if isOutput, unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    if let text = unsafe getenv("COLUMNS"), let columns = unsafe Int(String(cString: text)), columns > 0 {
      return columns
    }
    return 110
  }
}

/// Standard error: text for people, apart from what programs read.
enum StandardError {
  /// Writes a text. A failure is ignored, since nobody is left to be told.
  static func write(_ text: String) {
    try? FileDescriptor.write(2, Array(text.utf8)[...])
  }
}
