import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A thread of its own, started at once. The tests' tasks share a few threads, which may not wait for one another.
package final class Worker<Value: Sendable>: Sendable {
  private let outcome = Mutex<Result<Value, any Error>?>(nil)
  private let isDone = Signal()

  package init(_ body: @escaping @Sendable () throws -> Value) {
    let work = Work { [self] in
      let result = Result { try body() }
      outcome.withLock { $0 = result }
      isDone.set()
    }
    let box = Unmanaged.passRetained(work).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
      pthread_create(&thread, nil, { Work.run($0) }, box)
      if let thread { pthread_detach(thread) }
    #else
      var thread = pthread_t()
      pthread_create(&thread, nil, { $0.flatMap { Work.run($0) } }, box)
      pthread_detach(thread)
    #endif
  }

  /// Whether the body has ended.
  package var isFinished: Bool { isDone.isUp }

  /// Waits for the end and returns, or throws, what the body did.
  package func value() throws -> Value {
    isDone.wait()
    return try outcome.withLock { try $0?.get() } ?? { throw CancellationError() }()
  }
}

private final class Work: Sendable {
  private let body: @Sendable () -> Void
  package init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  static func run(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
    return nil
  }
}

/// Something that one thread says and others wait for.
package final class Signal: Sendable {
  private let isSet = Atomic(false)

  package init() {}

  package var isUp: Bool { isSet.load(ordering: .acquiring) }

  package func set() { isSet.store(true, ordering: .releasing) }

  package func wait() {
    while !isUp { usleep(200) }
  }
}

/// Numbers in the order in which threads added them.
package final class Log: Sendable {
  private let numbers = Mutex<[Int]>([])

  package init() {}

  package var entries: [Int] { numbers.withLock { $0 } }
  /// Counted under the lock. The thread sanitizer does not see the order between giving a copy of an array up and
  /// changing the array in place, so that counting a copy while others add looks like a race.
  package var count: Int { numbers.withLock { $0.count } }
  package func add(_ number: Int) { numbers.withLock { $0.append(number) } }
}
