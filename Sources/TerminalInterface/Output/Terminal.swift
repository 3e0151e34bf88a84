import SatchelInterchange

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What the program is connected to.
package enum Terminal {
  package static var isInput: Bool { isatty(0) == 1 }
  package static var isOutput: Bool { isatty(1) == 1 }
  package static var isErrorOutput: Bool { isatty(2) == 1 }

  /// Whether standard output takes colours: a terminal that has them, of somebody who wants them (https://no-color.org).
  package static var hasColours: Bool {
    isOutput && (EnvironmentVariable.text("NO_COLOR") ?? "").isEmpty
      && EnvironmentVariable.text("TERM") != "dumb"
  }

  /// The columns that a table may use: the terminal's, what `COLUMNS` says, or 110.
  package static var columns: Int {
    var size = winsize()
    if isOutput, unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    if let columns = EnvironmentVariable.text("COLUMNS").flatMap(Int.init), columns > 0 { return columns }
    return 110
  }
}

/// The variables that the program was started with.
package enum EnvironmentVariable {
  /// Returns the value of a variable; nil if there is none.
  package static func text(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}

/// A colour of text in a terminal, or its weight; its number is that of the control sequence.
package enum Colour: Int {
  case bold = 1
  case red = 31
  case green = 32
  case yellow = 33
  case cyan = 36
}

/// Standard error: text for people, apart from what programs read.
package enum StandardError {
  /// Writes a text. A failure is ignored, since nobody is left to be told.
  package static func write(_ text: String) {
    try? FileDescriptor.write(2, Array(text.utf8)[...])
  }
}
