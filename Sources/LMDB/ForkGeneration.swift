internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Counts how often this process came out of a `fork`.
///
/// LMDB's locks and reader slots belong to a process id: a child that went on with its parent's environment
/// would free its parent's slots. Asking `getpid` at every transaction is a system call; a fork handler is not.
enum ForkGeneration {
  private static let count = Atomic<UInt32>(0)
  private static let handler: Int32 = pthread_atfork(nil, nil, { ForkGeneration.increase() })

  /// The generation of the current process. An environment remembers it and refuses to work in another.
  static var current: UInt32 {
    count.load(ordering: .relaxed)
  }

  /// To be called before the first environment is opened.
  static func watch() {
    _ = count.load(ordering: .relaxed)
    _ = handler
  }

  private static func increase() {
    count.wrappingAdd(1, ordering: .relaxed)
  }
}
