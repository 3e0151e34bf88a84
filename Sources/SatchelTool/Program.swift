import ArgumentParser
import SatchelInterchange
import SatchelModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The program: parses, runs, and turns whatever goes wrong into one line on standard error and an exit status.
///
/// 0 done, 1 failed, 3 done but lines were rejected, 4 damage found, 64 arguments that do not parse.
@main
enum Program {
  static func main() {
    // A reader that has seen enough (`| head`) shows as an error of the write then, which ends the program quietly.
    signal(SIGPIPE, SIG_IGN)
    // A limit of a file's size shows as an error of the write, too.
    signal(SIGXFSZ, SIG_IGN)
    unblockEnds()
    checkArguments()
    do {
      var command = try SatchelCommand.parseAsRoot()
      do {
        try command.run()
      } catch {
        // Asking for help is an error to the parser, and a successful one.
        guard SatchelCommand.exitCode(for: error) == .success else { finish(failure: error) }
        throw error
      }
    } catch {
      finish(parsing: error)
    }
  }

  /// Lets the signals that ask a program to end reach this one, also where whoever started it has them blocked: a thread of
  /// Dispatch passes that on to the programs that it starts. What is ignored, as by `nohup`, stays ignored.
  private static func unblockEnds() {
    var ends = sigset_t()
    sigemptyset(&ends)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&ends, number) }
    pthread_sigmask(SIG_UNBLOCK, &ends, nil)
  }

  /// Refuses arguments that are no text: repaired, a path would be that of another file.
  private static func checkArguments() {
    for (place, argument) in UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
      .enumerated()
    {
      guard let argument, String(validatingCString: argument) == nil else { continue }
      report("argument \(place) is not UTF-8: \(String(cString: argument))")
      exit(ExitStatus.usage)
    }
  }

  /// Help that was asked for goes to standard output; arguments that do not parse are one line.
  private static func finish(parsing error: any Error) -> Never {
    guard SatchelCommand.exitCode(for: error) == .success else {
      report(SatchelCommand.message(for: error))
      exit(ExitStatus.usage)
    }
    print(SatchelCommand.fullMessage(for: error))
    exit(ExitStatus.success)
  }

  /// Ends the program for an error of a command: one line on standard error and status 1, unless the error says
  /// otherwise.
  static func finish(failure error: any Error) -> Never {
    switch error {
    case let code as ExitCode: exit(code.rawValue)
    case let error as FileDescriptorError where error.operation == .write && error.code == EPIPE:
      exit(ExitStatus.success)
    default:
      report(String(describing: error))
      exit(ExitStatus.failure)
    }
  }

  /// Writes one line about what went wrong.
  static func report(_ message: String) {
    StandardError.write("satchel: " + message.oneLine + "\n")
  }
}

/// What a program tells the one that called it.
enum ExitStatus {
  static let success: Int32 = 0
  static let failure: Int32 = 1
  static let rejectedLines: Int32 = 3
  static let damage: Int32 = 4
  static let usage: Int32 = 64
}

/// A failure of the tool itself, with the text that says what, where and what would be right.
struct ToolError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
