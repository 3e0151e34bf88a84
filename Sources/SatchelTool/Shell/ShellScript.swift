import ArgumentParser
import SatchelInterchange
import SatchelModel
import TerminalInterface

/// Carries out the lines of standard input where that is no terminal.
struct ShellScript {
  private let runner: CommandRunner
  private let keepsGoing: Bool

  init(_ runner: CommandRunner, keepsGoing: Bool) {
    self.runner = runner
    self.keepsGoing = keepsGoing
  }

  /// The most bytes of a line.
  static let limit = 1 << 20

  /// Carries out the lines until one fails, or all of them.
  /// - Returns: The status of the first one that has failed; 0 if none has.
  func run() throws -> Int32 {
    var reader = LineReader(.descriptor(0), limit: Self.limit, hashes: false, keepsEmptyLines: true)
    var bytes: [UInt8] = []
    var first = ExitStatus.success
    while true {
      let status: Int32
      do {
        guard try reader.next(into: &bytes) else { return first }
        guard let outcome = try run(bytes, isFirst: reader.lineNumber == 1) else { continue }
        guard case .done(let result) = outcome else {
          return TerminalSignals.isEnding ? 128 + TerminalSignals.ending : first
        }
        status = result
      } catch let error as LineReader.LineTooLong {
        StandardError.report(error.description)
        status = ExitStatus.usage
      }
      guard status != ExitStatus.success else { continue }
      StandardError.report("line \(reader.lineNumber) has failed with status \(status)")
      if first == ExitStatus.success { first = status }
      guard keepsGoing else { return first }
    }
  }

  /// Carries out a line; nil if there is nothing to carry out.
  private func run(_ bytes: [UInt8], isFirst: Bool) throws -> CommandRunner.Outcome? {
    guard var line = String(validating: bytes, as: UTF8.self) else {
      StandardError.report("the line is not UTF-8: \(String(decoding: bytes, as: UTF8.self))")
      return .done(status: ExitStatus.usage)
    }
    // The mark of UTF-8 with which other systems begin files.
    if isFirst, line.unicodeScalars.first == "\u{FEFF}" { line.unicodeScalars.removeFirst() }
    guard let start = line.unicodeScalars.first(where: { !$0.properties.isWhitespace }), start != "#" else {
      return nil
    }
    return try runner.run(line)
  }
}
