import Foundation
import Journal
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The lock between processes, and what a fork does to it.
struct LockTests {
  @Test func exclusiveMeansAlone() throws {
    let scratch = try Scratch()
    let path = scratch.file("lock")
    let (first, second) = (try JournalLock(path, .creating), try JournalLock(path, .reading))
    try first.acquire(.exclusive)
    #expect(try !second.tryAcquire(.exclusive))
    #expect(try !second.tryAcquire(.shared))
    first.release()
    #expect(try second.tryAcquire(.shared))
    #expect(try first.tryAcquire(.shared))
    #expect(try !first.tryAcquire(.exclusive))
    second.release()
    #expect(try first.tryAcquire(.exclusive))
  }

  @Test func theEndOfAnObjectReleases() throws {
    let scratch = try Scratch()
    let path = scratch.file("lock")
    var first: JournalLock? = try JournalLock(path, .creating)
    try first?.acquire(.exclusive)
    let second = try JournalLock(path, .writing)
    let isFree = try withExtendedLifetime(first) { try second.tryAcquire(.exclusive) }
    #expect(!isFree)
    first = nil
    #expect(try second.tryAcquire(.exclusive))
  }

  @Test func whoComesLaterWaits() throws {
    let scratch = try Scratch()
    let path = scratch.file("lock")
    let first = try JournalLock(path, .creating)
    try first.acquire(.exclusive)
    let order = Mutex<[Int]>([])
    let isDone = DispatchSemaphore(value: 0)
    _ = onThread {
      if let second = try? JournalLock(path, .writing), (try? second.acquire(.exclusive)) != nil {
        order.withLock { $0.append(2) }
      }
      isDone.signal()
    }
    usleep(50_000)
    order.withLock { $0.append(1) }
    first.release()
    isDone.wait()
    #expect(order.withLock { $0 } == [1, 2])
  }

  #if os(Linux)
    typealias Fork = @convention(c) () -> pid_t

    /// The child lives on when its parent has ended the lock, and has no part in it.
    @Test func aForkedChildHasNoPartInTheLock() async throws {
      let scratch = try Scratch()
      let path: String = scratch.path
      await #expect(processExitsWith: .success) { [path = path as String] in
        var lock: JournalLock? = try JournalLock("\(path)/lock", .creating)
        try lock?.acquire(.exclusive)
        let head = try JournalHead("\(path)/head", .creating)
        let state = HeadState(point: .start, ordinal: 0, offset: 0)
        try head.reset(sampleSubject, state)
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        // Swift hides `fork`, for good reasons; others in the process may call it all the same.
        let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: Fork.self)
        let child = fork()
        if child == 0 {
          func code(_ body: () throws(JournalError) -> Void) -> JournalError.Code? {
            do { try body() } catch { return error.code }
            return nil
          }
          guard code({ () throws(JournalError) in try lock?.acquire(.exclusive) }) == .forked else {
            _exit(1)
          }
          guard code({ () throws(JournalError) in _ = try lock?.tryAcquire(.shared) }) == .forked else {
            _exit(2)
          }
          guard code({ () throws(JournalError) in try head.publish(state) }) == .forked else { _exit(3) }
          lock?.release()
          guard let own = try? JournalLock("\(path)/lock", .writing), (try? own.tryAcquire(.shared)) == false
          else { _exit(4) }
          lock = nil
          guard (try? own.tryAcquire(.shared)) == false else { _exit(5) }
          // Until the parent is done with the lock.
          var byte: UInt8 = 0
          _ = read(ends[0], &byte, 1)
          _exit(byte == 7 ? 0 : 6)
        }
        // The child has looked by then; its copy of the descriptor must not keep the lock.
        usleep(100_000)
        let other = try JournalLock("\(path)/lock", .writing)
        let isFree = try withExtendedLifetime(lock) { try other.tryAcquire(.exclusive) }
        try #require(!isFree)
        lock = nil
        try #require(try other.tryAcquire(.exclusive))
        try #require(Foundation.write(ends[1], [7], 1) == 1)
        var status: Int32 = -1
        waitpid(child, &status, 0)
        try #require(status == 0, "child ended with \(status >> 8)")
      }
    }

    @Test func aKilledProcessReleases() async throws {
      let scratch = try Scratch()
      let path: String = scratch.path
      await #expect(processExitsWith: .success) { [path = path as String] in
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: Fork.self)
        let child = fork()
        if child == 0 {
          guard let lock = try? JournalLock("\(path)/lock", .creating), (try? lock.acquire(.exclusive)) != nil
          else { _exit(1) }
          _ = Foundation.write(ends[1], [1], 1)
          // Not for ever, should nobody kill it.
          withExtendedLifetime(lock) { _ = sleep(60) }
          _exit(2)
        }
        var byte: UInt8 = 0
        try #require(read(ends[0], &byte, 1) == 1)
        let lock = try JournalLock("\(path)/lock", .writing)
        try #require(try !lock.tryAcquire(.shared))
        kill(child, SIGKILL)
        try lock.acquire(.exclusive)
        var status: Int32 = 0
        waitpid(child, &status, 0)
      }
    }
  #endif
}
