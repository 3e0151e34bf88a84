import SatchelInterchange
import SatchelModel
import StoreFiles

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The lines that were typed, of this session and earlier ones: in a file for its owner alone, as long as it can be written. Whatever
/// is wrong with the file, the lines of the session are there.
package struct CommandHistory {
  package private(set) var lines: [String] = []
  private let path: String?

  /// The most lines that the file has when a session begins.
  package static let mostLines = 1000
  /// The most bytes of a line that is kept in it.
  package static let longestLine = 16 << 10

  /// Reads the lines of earlier sessions from a file, and makes the file shorter if it is long.
  /// - Parameter path: Nil for a history of this session alone.
  package init(path: String? = CommandHistory.usualPath) {
    self.path = path
    guard let path, RegularFile.isAt(path), let found = try? Self.read(path) else { return }
    lines = found.suffix(Self.mostLines)
    guard found.count > lines.count else { return }
    let text = lines.map { $0 + "\n" }.joined()
    try? OutputFile.write(to: path) { try FileDescriptor.write($0, Array(text.utf8)[...]) }
  }

  /// The file in which programs keep what they remember of sessions: below `XDG_STATE_HOME`, or what that is without being set; on Apple's
  /// systems, below Application Support. Nil for somebody without a home.
  package static var usualPath: String? {
    let home = EnvironmentVariable.text("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    #if canImport(Darwin)
      return home.map { $0 + "/Library/Application Support/satchel/history" }
    #else
      let state = EnvironmentVariable.text("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
      return (state ?? home.map { $0 + "/.local/state" }).map { $0 + "/satchel/history" }
    #endif
  }

  /// Adds a line, unless it is empty, begins with a space or is the last one again.
  package mutating func add(_ line: String) {
    guard !line.isEmpty, !line.hasPrefix(" "), line != lines.last else { return }
    lines.append(line)
    // A line of the file is one line, whatever was completed in it.
    guard let path, line.utf8.count <= Self.longestLine,
      !line.unicodeScalars.contains(where: { $0 == "\n" || $0 == "\r" })
    else { return }
    Self.append(line, to: path)
  }

  private static func read(_ path: String) throws -> [String] {
    let file = try InputFile(path)
    var reader = LineReader(.descriptor(file.descriptor), limit: longestLine, hashes: false)
    var bytes: [UInt8] = []
    var lines: [String] = []
    while true {
      do {
        guard try reader.next(into: &bytes) else { return lines }
        if let line = String(validating: bytes, as: UTF8.self) { lines.append(line) }
      } catch is LineReader.LineTooLong {}
      // Twice as many as are kept: who looks at a file of any length holds no more.
      if lines.count > 2 * mostLines { lines.removeFirst(mostLines) }
    }
  }

  /// Adds a line to the file, which is made with its directories if it is not there. Does nothing if that fails.
  private static func append(_ line: String, to path: String) {
    makeDirectories(above: path)
    let descriptor = unsafe open(
      path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC, S_IRUSR | S_IWUSR)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    // Messages stand in it: nobody else is to read them, also if it was made by somebody less careful.
    if status.st_mode & (S_IRWXG | S_IRWXO) != 0 { fchmod(descriptor, S_IRUSR | S_IWUSR) }
    try? FileDescriptor.write(descriptor, Array((line + "\n").utf8)[...])
  }

  private static func makeDirectories(above path: String) {
    let names = path.split(separator: "/").dropLast()
    for count in 1...max(names.count, 1) {
      unsafe mkdir("/" + names.prefix(count).joined(separator: "/"), S_IRWXU)
    }
  }
}
