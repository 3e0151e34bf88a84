internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Counts the forks that led to this process: after a `fork`, the child's count is one higher than its parent's.
///
/// LMDB's locks and reader slots belong to a process id: a child that went on with its parent's environment would free
/// its parent's slots. Calling `getpid` at every transaction would be a system call each time; a fork handler avoids
/// that.
package enum ForkGeneration {
  private static let count = Atomic<UInt32>(0)
  private static let handler: Int32 = pthread_atfork(nil, nil, { ForkGeneration.increase() })

  /// The generation of the current process. An environment remembers the generation that opened it, and refuses to work
  /// in another one.
  package static var current: UInt32 {
    count.load(ordering: .relaxed)
  }

  /// Installs the fork handler. Call this before the first environment is opened.
  package static func watch() {
    _ = count.load(ordering: .relaxed)
    _ = handler
  }

  private static func increase() {
    count.wrappingAdd(1, ordering: .relaxed)
  }
}
