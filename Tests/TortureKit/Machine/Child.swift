#if canImport(Glibc)
  package import Glibc
#elseif canImport(Musl)
  package import Musl
#else
  package import Darwin
#endif

/// A program that runs beside this one, and how it ends.
package struct Child: ~Copyable {
  package enum End: Equatable, Sendable {
    case exited(Int32)
    case signalled(Int32)
    /// It had to be killed, as it did not come to an end.
    case hung
  }

  /// What a run has left.
  package struct Result: Sendable {
    package let end: End
    package let output: [UInt8]
    package let errors: String

    /// The first lines of what went wrong, for a report.
    package var brief: String { "\(end) \(errors.prefix(300))" }
  }

  package let process: pid_t
  private let directory: String

  /// Starts a program; what it writes goes to files in `directory`, which has to be there and this child's alone.
  package init(
    _ program: String, _ arguments: [String], environment: [String: String] = [:], in directory: String
  ) throws {
    #if canImport(Glibc) || canImport(Musl)
      var actions = posix_spawn_file_actions_t()
    #else
      var actions: posix_spawn_file_actions_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, name) in [(Int32(1), "output"), (2, "errors")] {
      posix_spawn_file_actions_addopen(
        &actions, number, directory + "/" + name, O_CREAT | O_TRUNC | O_WRONLY, 0o600)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    var variables = Self.inherited
    // Swift's runtime would print pages about a crash that is counted here.
    variables["SWIFT_BACKTRACE"] = "enable=no"
    variables.merge(environment) { $1 }
    var process: pid_t = 0
    let code = Self.withStrings([program] + arguments) { arguments in
      Self.withStrings(variables.map { "\($0)=\($1)" }) { variables in
        posix_spawn(&process, program, &actions, nil, arguments, variables)
      }
    }
    guard code == 0 else {
      throw TortureError("cannot start \(program): \(String(cString: strerror(code)))")
    }
    self.process = process
    self.directory = directory
  }

  /// Kills it without a warning.
  package func kill() { signal(SIGKILL) }

  /// Stops it, until it is killed.
  package func stop() { signal(SIGSTOP) }

  private func signal(_ number: Int32) {
    #if canImport(Glibc)
      Glibc.kill(process, number)
    #elseif canImport(Musl)
      Musl.kill(process, number)
    #else
      Darwin.kill(process, number)
    #endif
  }

  /// Waits until it has been stopped. Returns false if it has come to an end, or does neither in some seconds.
  package func waitForStop(seconds: Double = 60) -> Bool {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(seconds)
    while clock.now < deadline {
      var found = siginfo_t()
      if waitid(P_PID, id_t(process), &found, WSTOPPED | WEXITED | WNOHANG | WNOWAIT) == 0,
        found.si_signo != 0
      {
        return found.si_code == Int32(CLD_STOPPED)
      }
      usleep(500)
    }
    return false
  }

  /// Lets it go on after a stop.
  package func goOn() {
    #if canImport(Glibc)
      _ = Glibc.kill(process, SIGCONT)
    #elseif canImport(Musl)
      _ = Musl.kill(process, SIGCONT)
    #else
      _ = Darwin.kill(process, SIGCONT)
    #endif
  }

  /// Waits for the end, no longer than some seconds.
  package consuming func wait(seconds: Double = 60) -> Result {
    var status: Int32 = 0
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(seconds)
    var pause: UInt32 = 100
    while true {
      let found = waitpid(process, &status, WNOHANG)
      if found == process { break }
      if found < 0, errno != EINTR { break }
      if clock.now > deadline {
        kill()
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return result(.hung)
      }
      usleep(pause)
      pause = min(pause + pause / 4, 2000)
    }
    let signal = status & 0x7f
    return result(signal == 0 ? .exited(status >> 8 & 0xff) : .signalled(signal))
  }

  private borrowing func result(_ end: End) -> Result {
    Result(
      end: end, output: (try? Files.read(directory + "/output")) ?? [],
      errors: String(decoding: (try? Files.read(directory + "/errors")) ?? [], as: UTF8.self))
  }

  /// Runs a program to its end.
  package static func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:], in directory: String,
    seconds: Double = 60
  ) throws -> Result {
    try Child(program, arguments, environment: environment, in: directory).wait(seconds: seconds)
  }

  private static let inherited: [String: String] = {
    var found: [String: String] = [:]
    var place = environ
    while let entry = place.pointee {
      let pair = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2 { found[String(pair[0])] = String(pair[1]) }
      place += 1
    }
    return found
  }()

  private static func withStrings<R>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R
  ) -> R {
    var pointers = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("it holds at least the nil") }
      return body(base)
    }
  }
}

/// The harness cannot do its work: nothing about the store follows from it.
package struct TortureError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
