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
enum TerminalSignals {
  /// The last one of those that ask a program to end; 0 if there was none.
  static let ending = Atomic<Int32>(0)

  private static let interrupted = Atomic<Bool>(false)

  /// Returns whether Ctrl-C was typed since this was asked last, where that is a signal.
  static func takeInterrupt() -> Bool { interrupted.exchange(false, ordering: .relaxed) }

  /// From now on the signals of a terminal interrupt a read and nothing else; the programs that are started have them as usual.
  static func catchAll() {
    // Made before a handler needs it.
    ending.store(0, ordering: .relaxed)
    interrupted.store(false, ordering: .relaxed)
    var caught = sigset_t()
    unsafe sigemptyset(&caught)
    for number in [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGWINCH, SIGCONT] { unsafe sigaddset(&caught, number) }
    // Whoever has started the program may block them.
    unsafe pthread_sigmask(SIG_UNBLOCK, &caught, nil)
    for number in [SIGTERM, SIGHUP] {
      handle(number) { TerminalSignals.ending.store($0, ordering: .relaxed) }
    }
    handle(SIGINT) { _ in TerminalSignals.interrupted.store(true, ordering: .relaxed) }
    for number in [SIGQUIT, SIGWINCH, SIGCONT] { handle(number) { _ in } }
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

  static var isEnding: Bool { ending.load(ordering: .relaxed) != 0 }
}
