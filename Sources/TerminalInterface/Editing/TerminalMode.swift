import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Makes the terminal of standard input hand over each byte, unseen, while a line is edited.
enum TerminalMode {
  /// Enters that mode.
  /// - Returns: The mode before, for `leave`; nil if the terminal cannot do it.
  static func enter() -> termios? {
    var before = termios()
    guard unsafe tcgetattr(0, &before) == 0 else { return nil }
    var mode = before
    mode.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INLCR | IGNCR | INPCK | ISTRIP | IXON)
    mode.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN | ISIG)
    unsafe withUnsafeMutableBytes(of: &mode.c_cc) {
      unsafe $0[Int(VMIN)] = 1
      unsafe $0[Int(VTIME)] = 0
    }
    // What was typed ahead is not thrown away.
    return unsafe tcsetattr(0, TCSADRAIN, &mode) == 0 ? before : nil
  }

  /// Goes back to the mode before.
  static func leave(_ mode: termios) {
    var mode = mode
    unsafe tcsetattr(0, TCSADRAIN, &mode)
  }
}

/// Signals that come while a program waits for somebody to type.
package enum TerminalSignals {
  private static let lastEnding = Atomic<Int32>(0)

  private static let interrupted = Atomic<Bool>(false)

  /// Returns whether Ctrl-C was typed since this was asked last, where that is a signal.
  package static func takeInterrupt() -> Bool { interrupted.exchange(false, ordering: .relaxed) }

  /// A pipe into which each signal puts a byte. One that comes just before somebody begins to wait would not be noticed otherwise.
  private static let pipeReading = Atomic<Int32>(-1)
  private static let pipeWriting = Atomic<Int32>(-1)

  /// From now on the signals of a terminal end a wait for input and nothing else; the programs that are started have them as usual.
  package static func catchAll() {
    prepare()
    lastEnding.store(0, ordering: .relaxed)
    interrupted.store(false, ordering: .relaxed)
    makePipe()
    var caught = sigset_t()
    unsafe sigemptyset(&caught)
    for number in [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGWINCH, SIGCONT] { unsafe sigaddset(&caught, number) }
    // Whoever has started the program may block them.
    unsafe pthread_sigmask(SIG_UNBLOCK, &caught, nil)
    for number in [SIGTERM, SIGHUP] { handle(number) { TerminalSignals.noteEnding($0) } }
    handle(SIGINT) { _ in
      TerminalSignals.interrupted.store(true, ordering: .relaxed)
      TerminalSignals.ring()
    }
    for number in [SIGQUIT, SIGWINCH, SIGCONT] { handle(number) { _ in TerminalSignals.ring() } }
  }

  /// Waits until standard input can be read or has ended.
  /// - Returns: False if a signal has come since the last wait.
  package static func awaitInput() -> Bool {
    let bell = pipeReading.load(ordering: .relaxed)
    var requests = [
      pollfd(fd: 0, events: Int16(POLLIN), revents: 0), pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
    ]
    while unsafe poll(&requests, 2, -1) < 0 {
      guard errno == EINTR || errno == EAGAIN else { return true }
    }
    guard requests.last?.revents != 0 else { return true }
    var bytes = [UInt8](repeating: 0, count: 64)
    while unsafe read(bell, &bytes, bytes.count) > 0 {}
    return false
  }

  /// What a signal that asks the program to end does: it is noted, and passed on. In this order, so that it reaches a program that is
  /// started at the same time.
  private static func noteEnding(_ number: Int32) {
    lastEnding.store(number, ordering: .sequentiallyConsistent)
    let process = started.load(ordering: .sequentiallyConsistent)
    if process > 0 { kill(process, number) }
    ring()
  }

  /// The process that has such a signal as well; 0 for none.
  private static let started = Atomic<Int32>(0)

  /// Calls `body`, which starts a program and waits for its end. A signal that asks this program to end does not end it meanwhile, but
  /// the other one: who runs on with nobody's terminal would keep what it holds of a store. `isEnding` tells of it afterwards.
  /// - Parameter body: Is given what to call with the process as soon as there is one.
  static func passingEnds<Result>(_ body: (_ pass: (Int32) -> Void) throws -> Result) rethrows -> Result {
    prepare()
    let numbers = [SIGTERM, SIGHUP].filter { !isIgnored($0) }
    var before = numbers.map { _ in sigaction() }
    for (index, number) in numbers.enumerated() {
      unsafe sigaction(number, nil, &before[index])
      handle(number) { TerminalSignals.noteEnding($0) }
    }
    defer {
      started.store(0, ordering: .sequentiallyConsistent)
      for (index, number) in numbers.enumerated() { unsafe sigaction(number, &before[index], nil) }
    }
    return try body { process in
      started.store(process, ordering: .sequentiallyConsistent)
      let number = lastEnding.load(ordering: .sequentiallyConsistent)
      if number != 0 { kill(process, number) }
    }
  }

  /// Makes what handlers need before they need it.
  private static func prepare() {
    _ = lastEnding.load(ordering: .relaxed)
    _ = started.load(ordering: .relaxed)
    _ = pipeWriting.load(ordering: .relaxed)
  }

  /// Whether whoever started this program has made it ignore a signal, as `nohup` does: then the programs that it starts ignore it, too.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
      let handler = unsafe action.__sigaction_u.__sa_handler
    #elseif canImport(Glibc)
      let handler = unsafe action.__sigaction_handler.sa_handler
    #elseif canImport(Musl)
      let handler = unsafe action.__sa_handler.sa_handler
    #endif
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static func makePipe() {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    pipeReading.store(ends[0], ordering: .relaxed)
    pipeWriting.store(ends[1], ordering: .relaxed)
  }

  /// Called by handlers of signals. A full pipe has rung already.
  private static func ring() {
    let before = errno
    var byte: UInt8 = 0
    _ = unsafe write(pipeWriting.load(ordering: .relaxed), &byte, 1)
    errno = before
  }

  /// Has a signal handled, and the call that it interrupts return.
  private static func handle(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    #if canImport(Darwin)
      unsafe action.__sigaction_u.__sa_handler = handler
    #elseif canImport(Glibc)
      unsafe action.__sigaction_handler.sa_handler = handler
    #elseif canImport(Musl)
      unsafe action.__sa_handler.sa_handler = handler
    #endif
    unsafe sigaction(number, &action, nil)
  }

  /// The last signal that has asked the program to end; 0 if there was none.
  package static var ending: Int32 { lastEnding.load(ordering: .relaxed) }
  package static var isEnding: Bool { ending != 0 }
}
