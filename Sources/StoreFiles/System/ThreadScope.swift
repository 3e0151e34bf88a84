#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The environments of which the current thread is inside a transaction.
///
/// A second transaction of an environment on the same thread would wait for the first one for ever (two writes), or see
/// another snapshot than the caller expects (a read inside a write). The scopes are a list of records on the stack,
/// found through one thread-specific pointer, so the check needs no allocation.
///
/// It is safe to use: `enter` takes its record out of the list before the record ends, and no other thread sees the list.
@usableFromInline @safe package struct ThreadScope {
  @usableFromInline let environment: UInt32
  @usableFromInline let outer: UnsafeMutablePointer<ThreadScope>?

  @usableFromInline
  init(environment: UInt32, outer: UnsafeMutablePointer<ThreadScope>?) {
    self.environment = environment
    unsafe self.outer = outer
  }

  /// Whether the current thread is inside a transaction of this environment.
  package static func contains(_ environment: UInt32) -> Bool {
    var scope = unsafe current
    while let pointer = unsafe scope {
      if unsafe pointer.pointee.environment == environment { return true }
      unsafe scope = pointer.pointee.outer
    }
    return false
  }

  /// Runs `body` with the current thread marked as inside a transaction of this environment.
  @inlinable @inline(__always)
  package static func enter<R>(_ environment: UInt32, _ body: () throws -> R) rethrows -> R {
    let outer = unsafe current
    var scope = unsafe ThreadScope(environment: environment, outer: outer)
    return unsafe try withUnsafeMutablePointer(to: &scope) { pointer in
      unsafe setCurrent(pointer)
      defer { unsafe setCurrent(outer) }
      return try body()
    }
  }

  /// A number that no other living thread has.
  @inline(__always)
  package static var thread: UInt {
    #if canImport(Glibc)
      UInt(pthread_self())
    #else
      unsafe UInt(bitPattern: pthread_self())
    #endif
  }

  @usableFromInline
  static var current: UnsafeMutablePointer<ThreadScope>? {
    unsafe pthread_getspecific(key)?.assumingMemoryBound(to: ThreadScope.self)
  }

  @usableFromInline
  static func setCurrent(_ scope: UnsafeMutablePointer<ThreadScope>?) {
    unsafe pthread_setspecific(key, scope)
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    unsafe pthread_key_create(&key, nil)
    return key
  }()
}
