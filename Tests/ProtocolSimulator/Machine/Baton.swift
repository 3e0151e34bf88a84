#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Dispatch
#endif

/// What a thread waits for until it is its turn. It is passed, never dropped: each `pass` ends one `take`.
final class Baton: @unchecked Sendable {
  #if canImport(Glibc) || canImport(Musl)
    private let semaphore: UnsafeMutablePointer<sem_t>

    init() {
      semaphore = .allocate(capacity: 1)
      sem_init(semaphore, 0, 0)
    }

    deinit {
      sem_destroy(semaphore)
      semaphore.deallocate()
    }

    func pass() { sem_post(semaphore) }

    func take() { while sem_wait(semaphore) != 0 {} }
  #else
    private let semaphore = DispatchSemaphore(value: 0)

    func pass() { semaphore.signal() }

    func take() { semaphore.wait() }
  #endif
}

/// Keeps the threads that pass a baton to one another on one processor: the next one then runs without waking another processor.
enum Processor {
  /// Binds the calling thread to one of the processors that it may use. Where the system has no such call, it stays free.
  static func stay(on number: Int) {
    #if canImport(Glibc)
      // The module of the C library does not have these two.
      typealias Call = @convention(c) (Int32, Int, UnsafeMutableRawPointer) -> Int32
      guard let get = dlsym(nil, "sched_getaffinity"), let set = dlsym(nil, "sched_setaffinity") else {
        return
      }
      var mask = [UInt8](repeating: 0, count: 128)
      let code = mask.withUnsafeMutableBytes { unsafeBitCast(get, to: Call.self)(0, 128, $0.baseAddress!) }
      let allowed = (0..<mask.count * 8).filter { mask[$0 / 8] >> UInt8($0 % 8) & 1 == 1 }
      guard code >= 0, allowed.count > 1 else { return }
      let chosen = allowed[number % allowed.count]
      var one = [UInt8](repeating: 0, count: mask.count)
      one[chosen / 8] = 1 << UInt8(chosen % 8)
      _ = one.withUnsafeMutableBytes { unsafeBitCast(set, to: Call.self)(0, 128, $0.baseAddress!) }
    #endif
  }
}
