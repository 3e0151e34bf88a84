import Foundation
import Journal
import StoreFiles
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The head: what one process publishes and others read without a lock.
struct HeadTests {
  private static func state(_ sequence: UInt64) -> HeadState {
    HeadState(
      point: JournalPoint(sequence: sequence, chain: sequence &* 0x9E37_79B9_7F4A_7C15),
      ordinal: sequence / 7,
      offset: sequence % 7 * 512, isPoisoned: sequence % 5 == 0, synced: synced(sequence))
  }

  private static func synced(_ sequence: UInt64) -> JournalPoint {
    JournalPoint(sequence: sequence / 2, chain: sequence &* 3)
  }

  /// What a head that was left says of the journal: which point is a proof, and for whom.
  @Test func aHeadThatWasLeftProvesWhatItKnew() throws {
    let scratch = try Scratch()
    let path = scratch.file("head")
    let head = try JournalHead(path, .creating)
    #expect(head.known(of: sampleSubject) == nil)
    try head.reset(sampleSubject, Self.state(8))
    for sequence in UInt64(9)..<13 {
      try head.publish(Self.state(sequence))
      #expect(head.known(of: sampleSubject) == Self.state(sequence).point)
      // After the machine has started anew, or where nobody tells whether it has.
      for boot in [BootIdentity(high: 1, low: 3), nil] {
        let later = HeadSubject(owner: sampleOwner, journal: sampleSubject.journal, boot: boot)
        #expect(head.known(of: later) == Self.synced(sequence))
      }
    }
    // Beside another journal.
    for journal in [FileIdentity(device: 7, inode: 9), FileIdentity(device: 8, inode: 8)] {
      #expect(
        head.known(of: HeadSubject(owner: sampleOwner, journal: journal, boot: sampleSubject.boot)) == nil)
    }
    let stranger = JournalOwner(high: 1, low: 1)
    #expect(head.known(of: HeadSubject(owner: stranger, journal: sampleSubject.journal, boot: nil)) == nil)
  }

  /// Whatever bit of it changes, it says nothing that it has not said before.
  @Test func aDamagedHeadProvesNothingNew() throws {
    let scratch = try Scratch()
    let path = scratch.file("head")
    let head = try JournalHead(path, .creating)
    try head.reset(sampleSubject, Self.state(20))
    try head.publish(Self.state(21))
    try head.publish(Self.state(22))
    let bytes = try contents(of: path)
    let said = [20, 21, 22].flatMap { [Self.state($0).point, Self.synced($0)] }
    var (silent, older) = (0, 0)
    for offset in 0..<512 {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[offset] ^= 1 << UInt8(bit)
        try write(damaged, to: path)
        guard let known = try JournalHead(path, .reading).known(of: sampleSubject) else {
          silent += 1
          continue
        }
        #expect(said.contains(known), "bit \(bit) of byte \(offset)")
        if known != Self.state(22).point { older += 1 }
      }
    }
    #expect(silent > 100 && older > 100)
  }

  @Test func whatIsPublishedIsRead() throws {
    let scratch = try Scratch()
    let path = scratch.file("head")
    #expect(throws: JournalError.self) { try JournalHead(path, .reading) }
    let writer = try JournalHead(path, .creating)
    #expect(writer.owner == nil)
    try writer.reset(sampleSubject, Self.state(1))
    let reader = try JournalHead(path, .reading)
    #expect(reader.owner == sampleOwner)
    #expect(reader.read()?.state == Self.state(1))
    for sequence in UInt64(2)..<20 {
      let before = reader.stamp
      #expect(reader.stamp == before)
      try writer.publish(Self.state(sequence))
      #expect(reader.stamp != before)
      let read = try #require(reader.read())
      #expect(read.state == Self.state(sequence) && read.stamp == reader.stamp)
    }
    #expect { try reader.publish(Self.state(1)) } throws: { error in
      guard case .file(let reason) = (error as? JournalError)?.code else { return false }
      return reason.code == .readOnly
    }
    #expect(try JournalHead(path, .creating).read()?.state == Self.state(19))
  }

  /// A writer that ends while it fills in a state leaves the one before it.
  @Test func aHalfWrittenStateIsNotSeen() throws {
    let scratch = try Scratch()
    let path = scratch.file("head")
    let head = try JournalHead(path, .creating)
    try head.reset(sampleSubject, Self.state(1))
    let first = try contents(of: path)
    try head.publish(Self.state(2))
    let second = try contents(of: path)
    // What differs but for the counter and the last byte is the place that was filled.
    let changed = first.indices.filter { first[$0] != second[$0] && $0 >= 128 && $0 < 4095 }
    #expect(!changed.isEmpty)
    let file = open(path, O_RDWR)
    defer { close(file) }
    var zero: UInt8 = 0
    for offset in [64, 65, 66, 67] { pwrite(file, [first[offset]], 1, off_t(offset)) }
    for offset in changed { pwrite(file, &zero, 1, off_t(offset)) }
    #expect(head.read()?.state == Self.state(1))
    try head.publish(Self.state(3))
    #expect(head.read()?.state == Self.state(3))
  }

  @Test func readersSeeWholeStatesInOrder() throws {
    let scratch = try Scratch()
    let path = scratch.file("head")
    let writer = try JournalHead(path, .creating)
    try writer.reset(sampleSubject, Self.state(0))
    let last: UInt64 = 60_000
    let ready = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    let complaints = Mutex<[String]>([])
    for _ in 0..<2 {
      _ = onThread {
        var newest: UInt64 = 0
        if let reader = try? JournalHead(path, .reading) {
          ready.signal()
          while newest < last {
            guard let state = reader.read()?.state else { continue }
            if state != Self.state(state.point.sequence) || state.point.sequence < newest {
              complaints.withLock { $0.append("\(state) after \(newest)") }
              break
            }
            newest = state.point.sequence
          }
        }
        done.signal()
      }
    }
    for _ in 0..<2 { try #require(ready.wait(timeout: .now() + 10) == .success) }
    for sequence in 1...last { try writer.publish(Self.state(sequence)) }
    for _ in 0..<2 { try #require(done.wait(timeout: .now() + 10) == .success) }
    #expect(complaints.withLock { $0 } == [])
  }

  @Test func anyBytesAreSafe() throws {
    var random = SeededGenerator()
    let scratch = try Scratch()
    let path = scratch.file("head")
    for size in [0, 1, 100, 4095, 4097, 5000, 1 << 20] {
      try write(randomBytes(size, &random), to: path)
      for access in [JournalFile.Access.reading, .writing] {
        #expect { try JournalHead(path, access) } throws: { ($0 as? JournalError)?.code == .invalid }
      }
    }
    for _ in 0..<50 {
      try write(randomBytes(4096, &random), to: path)
      let head = try JournalHead(path, .creating)
      #expect(head.owner == nil)
      #expect(head.read() == nil)
      try head.reset(sampleSubject, Self.state(4))
      #expect(head.owner == sampleOwner && head.read()?.state == Self.state(4))
    }
  }

  #if os(Linux)
    @Test func aWatcherHearsOfEachPublication() throws {
      let scratch = try Scratch()
      let path = scratch.file("head")
      let writer = try JournalHead(path, .creating)
      try writer.reset(sampleSubject, Self.state(0))
      let watch = inotify_init1(O_NONBLOCK | O_CLOEXEC)
      defer { close(watch) }
      try #require(inotify_add_watch(watch, path, UInt32(IN_MODIFY)) >= 0)
      var buffer = [UInt8](repeating: 0, count: 1024)
      for sequence in UInt64(1)..<5 {
        #expect(read(watch, &buffer, 1024) < 0)
        try writer.publish(Self.state(sequence))
        #expect(read(watch, &buffer, 1024) > 0)
        #expect(writer.read()?.state == Self.state(sequence))
      }
    }
  #endif
}
