import Foundation
import Journal
import Synchronization
import TestSupport
import Testing

/// Reading without the lock while somebody appends, publishes, and lets segments be used again.
struct FollowerTests {
  /// The store of the test: the point up to which everything is elsewhere. A checkpoint moves it before it releases.
  private final class Store: Sendable {
    let point = Mutex(JournalPoint.start)
  }

  private static func member(_ sequence: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: sequence)
    return randomBytes(random.below(900), &random)
  }

  @Test func everyPublishedCommitIsSeenOnceOrIsInTheStore() throws {
    let scratch = try Scratch()
    let paths = (journal: scratch.file("journal"), head: scratch.file("head"))
    let store = Store()
    let last: UInt64 = 4000
    let head = try JournalHead(paths.head, .creating)
    try head.reset(sampleSubject, HeadState(point: .start, ordinal: 0, offset: 0))
    let reader = try JournalReader(JournalFile(paths.journal, .creating), of: sampleOwner, after: .start)
    let limits = JournalLimits(segmentSize: 8192, softSegments: 3, hardSegments: 8)
    let writer = try JournalWriter(reader, released: 0, limits: limits)
    let complaints = Mutex<[String]>([])
    let read = Counter()
    let done = DispatchSemaphore(value: 0)
    for _ in 0..<2 {
      _ = onThread {
        do { try Self.follow(paths.journal, paths.head, store, to: last, read) } catch {
          complaints.withLock { $0.append("\(error)") }
        }
        done.signal()
      }
    }
    var seen = 0
    for sequence in 1...last {
      try writer.append([Self.member(sequence)])
      try head.publish(HeadState(writer.end, synced: .start))
      // However fast the disk is, they read in the midst of it.
      if sequence % 256 == 0 {
        let isRead = read.waits(forMoreThan: seen)
        try #require(isRead, "\(complaints.withLock { $0 })")
        seen = read.value
      }
      if writer.isCheckpointDue {
        let point = writer.end.point
        store.point.withLock { $0 = point }
        writer.release(through: point.sequence)
      }
      if sequence % 64 == 0 { usleep(200) }
    }
    for _ in 0..<2 { try #require(done.wait(timeout: .now() + 60) == .success) }
    #expect(complaints.withLock { $0 } == [])
  }

  /// How many commits were read.
  private final class Counter: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add() { count.add(1, ordering: .relaxed) }

    /// Waits, no longer than a minute.
    func waits(forMoreThan before: Int) -> Bool {
      for _ in 0..<300_000 where value <= before { usleep(200) }
      return value > before
    }
  }

  /// Follows the head, and counts the commits that it reads; those that it does not are in the store by then.
  private static func follow(
    _ journal: String, _ head: String, _ store: Store, to last: UInt64, _ read: Counter
  ) throws {
    let head = try JournalHead(head, .reading)
    let file = try JournalFile(journal, .reading)
    var reader = try begin(file, store)
    while reader.end.point.sequence < last {
      guard let state = head.read()?.state, state.point.sequence > reader.end.point.sequence else { continue }
      var isOvertaken = false
      do throws(JournalError) {
        while reader.end.point.sequence < state.point.sequence {
          let expected = reader.end.point.sequence + 1
          guard let record = try reader.next() else {
            isOvertaken = true
            break
          }
          guard record.members == [Member(sequence: expected, bytes: member(expected))] else {
            throw JournalError(.invalid, operation: "follow", path: journal, detail: "\(expected)")
          }
          read.add()
        }
        if !isOvertaken, reader.end.point.sequence == state.point.sequence, reader.end.point != state.point {
          throw JournalError(.invalid, operation: "follow", path: journal, detail: "another chain")
        }
      } catch {
        switch error.code {
        case .gap, .damaged: isOvertaken = true
        default: throw error
        }
      }
      // A checkpoint has used the segment again: the store has what was in it.
      if isOvertaken { reader = try begin(file, store) }
    }
  }

  /// Begins behind what the store has. It may have more before the reader has found the point.
  private static func begin(_ file: JournalFile, _ store: Store) throws -> JournalReader {
    while true {
      do throws(JournalError) {
        return try JournalReader(file, of: sampleOwner, after: store.point.withLock { $0 })
      } catch {
        switch error.code {
        case .gap, .otherChain: continue
        default: throw error
        }
      }
    }
  }
}
