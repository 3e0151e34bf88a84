#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Divides threads among copies of a thing, so that each mostly has a copy of its own, and no thread waits for another.
enum ThreadShare {
  /// A power of two.
  static let count = 32

  /// The number of the current thread's copy. Two threads may have the same number.
  @inline(__always)
  static var current: Int {
    #if canImport(Glibc)
      let thread = UInt(pthread_self())
    #else
      let thread = unsafe UInt(bitPattern: pthread_self())
    #endif
    // The system's threads lie at least a page apart.
    return Int(truncatingIfNeeded: thread >> 12) & (count - 1)
  }
}
