import ArgumentParser
import SatchelModel
import SatchelStorage

/// For how long a command waits for another process that is writing.
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

  /// Has a store wait so, and say on standard error whom it waits for.
  func apply(to options: inout Store.Options) {
    options.writerWait = seconds
    options.onWriterWait = { wait in
      // Said once: it goes on for as long as the other process does.
      guard wait.seconds < 2 else { return }
      let process = wait.process.map { "process \($0)" } ?? "another process"
      StandardError.write("satchel: waiting for \(process), which is writing\n")
    }
  }
}
