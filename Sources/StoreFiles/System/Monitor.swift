#if canImport(Glibc)
  public import Glibc
#elseif canImport(Musl)
  public import Musl
#else
  public import Darwin
#endif

/// State that is protected by a lock. A thread can sleep until the state has changed.
///
/// `Synchronization.Mutex` has no condition variable, which the queue of writers and the wait of the map for its
/// readers need. So this uses the system's own mutex and condition variable. Without contention, locking costs about
/// 15 ns.
///
/// It is safe to use: `init` makes the mutex and the condition at addresses that stay, and `deinit` frees them when
/// nobody can use them.
@usableFromInline @safe package final class Monitor<State>: @unchecked Sendable {
  /// The lock lets only one thread at a time use the state, and no body takes the lock again.
  @safe @exclusivity(unchecked) @usableFromInline var state: State
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline let condition: UnsafeMutablePointer<pthread_cond_t>

  @inlinable
  package init(_ state: State) {
    self.state = state
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    #if canImport(Darwin)
      unsafe pthread_cond_init(condition, nil)
    #else
      var attributes = pthread_condattr_t()
      unsafe pthread_condattr_init(&attributes)
      unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      unsafe pthread_cond_init(condition, &attributes)
      unsafe pthread_condattr_destroy(&attributes)
    #endif
  }

  @inlinable
  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Runs `body` while no other thread uses the state.
  @inlinable @inline(__always)
  package func locked<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&state)
  }

  /// Sleeps until `ready` holds or `deadline` (nanoseconds of `monotonicNanoseconds()`) has passed, then runs `body`
  /// while no other thread uses the state. The second argument of `body` says whether `ready` holds.
  @inlinable
  package func locked<R, E: Error>(
    when ready: (State) -> Bool, until deadline: UInt64? = nil, _ body: (inout State, Bool) throws(E) -> R
  ) throws(E) -> R {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while !ready(state) {
      guard let deadline else {
        unsafe pthread_cond_wait(condition, mutex)
        continue
      }
      let now = monotonicNanoseconds()
      if now >= deadline { return try body(&state, false) }
      sleep(nanoseconds: deadline - now, deadline: deadline)
    }
    return try body(&state, true)
  }

  /// Wakes every thread that sleeps in `locked(when:)`, so that it checks its condition again.
  @inlinable
  package func notify() {
    unsafe pthread_cond_broadcast(condition)
  }

  @usableFromInline
  func sleep(nanoseconds: UInt64, deadline: UInt64) {
    #if canImport(Darwin)
      var interval = timespec(
        tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
      unsafe pthread_cond_timedwait_relative_np(condition, mutex, &interval)
    #else
      var moment = timespec(
        tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
      unsafe pthread_cond_timedwait(condition, mutex, &moment)
    #endif
  }
}

/// Nanoseconds of a clock that never goes back.
@usableFromInline
package func monotonicNanoseconds() -> UInt64 {
  var now = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &now)
  return UInt64(now.tv_sec) &* 1_000_000_000 &+ UInt64(now.tv_nsec)
}

/// Returns the time `seconds` from now, in nanoseconds of `monotonicNanoseconds()`. `seconds` is limited to 0...1e9.
package func deadline(afterSeconds seconds: Double) -> UInt64 {
  let span = max(0, min(seconds, 1e9)) * 1e9
  return monotonicNanoseconds() &+ UInt64(span)
}

/// Returns the seconds that are left until a time of `monotonicNanoseconds()`, or 0.
package func secondsLeft(until limit: UInt64) -> Double {
  let now = monotonicNanoseconds()
  return limit > now ? Double(limit - now) / 1e9 : 0
}
