#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Lines of a terminal that edits them itself.
package enum PlainLines {
  package enum Input {
    case line(String)
    case interrupted, end
    case invalid(String)
  }

  /// Waits for the next line.
  /// - Parameters:
  ///   - bytes: What was read behind the line before.
  ///   - limit: The most bytes of a line.
  package static func read(_ bytes: inout [UInt8], limit: Int) -> Input {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      if let end = bytes.firstIndex(of: 0x0A) {
        let line = String(validating: bytes[..<end], as: UTF8.self)
        bytes.removeSubrange(...end)
        return line.map { .line($0) } ?? .invalid("not UTF-8")
      }
      let isInterrupted = !TerminalSignals.awaitInput()
      let count = isInterrupted ? -1 : unsafe readInput(&buffer, buffer.count)
      guard count > 0 else {
        guard count < 0, isInterrupted || errno == EINTR, !TerminalSignals.isEnding else { return .end }
        guard TerminalSignals.takeInterrupt() else { continue }
        // The terminal has thrown away what was typed of the line.
        bytes.removeAll()
        return .interrupted
      }
      bytes.append(contentsOf: buffer[..<count])
      guard bytes.count <= limit else {
        bytes.removeAll()
        return .invalid("longer than \(limit) bytes")
      }
    }
  }

  private static func readInput(_ buffer: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
    #if canImport(Darwin)
      return unsafe Darwin.read(0, buffer, count)
    #elseif canImport(Glibc)
      return unsafe Glibc.read(0, buffer, count)
    #elseif canImport(Musl)
      return unsafe Musl.read(0, buffer, count)
    #endif
  }
}
