import ArgumentParser
import SatchelInterchange
import SatchelModel
import TerminalInterface

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The program: parses its arguments, runs a command, and turns any error into one line on standard error and an exit
/// status.
///
/// The exit statuses: 0 done, 1 failed, 3 done but lines were rejected, 4 damage found, 64 arguments that do not
/// parse.
@main
enum Program {
  static func main() {
    openStandardFiles()
    // If the reader has seen enough (`| head`), the write then fails with an error, which ends the program quietly.
    signal(SIGPIPE, SIG_IGN)
    // A write beyond the limit of a file's size fails with an error, too.
    signal(SIGXFSZ, SIG_IGN)
    unblockEnds()
    checkArguments()
    // The parser would take help for anything as help for the program.
    if CommandLine.arguments.dropFirst().first == "help" { checkSubcommand() }
    do {
      var command = try SatchelCommand.parseAsRoot()
      do {
        try command.run()
      } catch {
        // To the parser, a request for help is an error, with a status of success.
        guard SatchelCommand.exitCode(for: error) == .success else { ExitStatus.end(after: error) }
        throw error
      }
    } catch {
      finish(parsing: error)
    }
  }

  /// Opens what is closed of standard input, output and error, so that no file of a store gets its number, and with it what is written for
  /// people. Nothing can be read from it or written to it, as if it were closed.
  private static func openStandardFiles() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Lets the signals that ask a program to end reach this program even if the process that started it blocks them: a
  /// thread of Dispatch passes its blocked signals on to the programs that it starts. Signals that are ignored, as by
  /// `nohup`, stay ignored.
  private static func unblockEnds() {
    var ends = sigset_t()
    unsafe sigemptyset(&ends)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { unsafe sigaddset(&ends, number) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &ends, nil)
  }

  /// Refuses arguments that are not UTF-8: a repaired path would name another file.
  private static func checkArguments() {
    for index in 0..<Int(CommandLine.argc) {
      guard let argument = unsafe CommandLine.unsafeArgv[index],
        unsafe String(validatingCString: argument) == nil
      else { continue }
      StandardError.report("argument \(index) is not UTF-8: \(unsafe String(cString: argument))")
      exit(ExitStatus.usage)
    }
  }

  /// Ends the program if its arguments name a subcommand that there is not.
  private static func checkSubcommand() {
    guard let complaint = SatchelCommand.complaint(about: Array(CommandLine.arguments.dropFirst())) else {
      return
    }
    StandardError.report(complaint)
    exit(ExitStatus.usage)
  }

  /// Prints help that was asked for to standard output. Reports arguments that do not parse in one line.
  private static func finish(parsing error: any Error) -> Never {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let isRefused = SatchelCommand.exitCode(for: error) != .success
    let complaint =
      isRefused
      ? SatchelCommand.complaint(aboutRefused: arguments) ?? SatchelCommand.message(for: error)
      : SatchelCommand.complaint(aboutHelpIn: arguments)
    if let complaint {
      StandardError.report(complaint)
      exit(ExitStatus.usage)
    }
    do {
      try FileDescriptor.write(1, Array((SatchelCommand.fullMessage(for: error) + "\n").utf8)[...])
    } catch { ExitStatus.end(after: error) }
    exit(ExitStatus.success)
  }
}
