import ArgumentParser
import Satchel
import SatchelModel
import SatchelStorage
import TerminalInterface

/// How long a command waits for another process that is writing.
struct WaitOptions: ParsableArguments {
  @Option(
    name: .customLong("wait"), parsing: .unconditional,
    help: "Seconds to wait for another process that is writing; without, as long as it takes.")
  var seconds: Double?

  func validate() throws {
    guard let seconds else { return }
    guard seconds >= 0, seconds <= 1e9 else {
      throw ValidationError("--wait takes seconds from 0 on, not \(seconds)")
    }
  }

  /// Makes a store wait for that long, and report on standard error which process it waits for.
  func apply(to options: inout Store.Options) {
    options.writerWait = seconds
    options.onWriterWait = { Self.report($0.process, $0.seconds) }
  }

  /// Does the same to a store that is opened by the public face.
  func apply(to options: inout MessageStore.Options) {
    options.writeWait = seconds
    options.onWriteWait = Self.report
  }

  private static let report: @Sendable (_ process: Int32?, _ seconds: Double) -> Void = { process, seconds in
    // Reported once: the calls go on as long as the other process writes.
    guard seconds < 2 else { return }
    let process = process.map { "process \($0)" } ?? "another process"
    StandardError.write("satchel: waiting for \(process), which is writing\n")
  }
}
