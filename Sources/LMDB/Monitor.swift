#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// State behind a lock, with the possibility to sleep until it has changed.
///
/// `Synchronization.Mutex` has no condition variable, which writers in a queue and a map waiting for its
/// readers need; hence the system's own pair. Uncontended, locking costs some 15 ns.
package final class Monitor<State>: @unchecked Sendable {
  /// The lock sees to it that one thread uses it at a time, and no body asks for the lock again.
  @exclusivity(unchecked) private var state: State
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  package init(_ state: State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    #if canImport(Darwin)
      pthread_cond_init(condition, nil)
    #else
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(condition, &attributes)
      pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Runs `body` alone.
  @inline(__always)
  package func locked<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }

  /// Sleeps until `ready` holds or `deadline` (nanoseconds of `monotonicNanoseconds()`) has passed, then runs
  /// `body` alone; its second argument says whether `ready` holds.
  package func locked<R, E: Error>(
    when ready: (State) -> Bool, until deadline: UInt64? = nil, _ body: (inout State, Bool) throws(E) -> R
  ) throws(E) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !ready(state) {
      guard let deadline else {
        pthread_cond_wait(condition, mutex)
        continue
      }
      let now = monotonicNanoseconds()
      if now >= deadline { return try body(&state, false) }
      sleep(nanoseconds: deadline - now, deadline: deadline)
    }
    return try body(&state, true)
  }

  /// Wakes every thread that sleeps in `locked(when:)`, so that it looks again.
  package func notify() {
    pthread_cond_broadcast(condition)
  }

  private func sleep(nanoseconds: UInt64, deadline: UInt64) {
    #if canImport(Darwin)
      var interval = timespec(
        tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
      pthread_cond_timedwait_relative_np(condition, mutex, &interval)
    #else
      var moment = timespec(
        tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
      pthread_cond_timedwait(condition, mutex, &moment)
    #endif
  }
}

/// Nanoseconds of a clock that never goes back.
func monotonicNanoseconds() -> UInt64 {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return UInt64(now.tv_sec) &* 1_000_000_000 &+ UInt64(now.tv_nsec)
}

/// The moment so many seconds from now; saturating.
package func deadline(afterSeconds seconds: Double) -> UInt64 {
  let span = max(0, min(seconds, 1e9)) * 1e9
  return monotonicNanoseconds() &+ UInt64(span)
}
