import Journal
import TestSupport
import Testing

/// A fixed series of operations, each of which is tried once more when it has failed.
final class FailingScript {
  let disk = MemoryDisk()
  private(set) var failures: [JournalError] = []
  private(set) var isPoisoned = false
  /// Whether it goes on behind a failure. If not, nothing covers up what the failure has left.
  private let goesOn: Bool
  private var writer: JournalWriter?
  private var store = JournalPoint.start
  private var acknowledged: UInt64 = 0
  /// The bytes of each sequence whose append has returned; empty for big writes.
  private var members: [[UInt8]] = []
  private var attempts: UInt8 = 0
  private var refused: Member?
  private var isOver = false

  init(fault: MemoryDisk.Fault?, goesOn: Bool = true) {
    self.goesOn = goesOn
    if let fault { disk.fail(fault) }
  }

  func run() {
    attempt {
      self.writer = try reopened(
        self.disk, after: .start, limits: JournalLimits(segmentSize: 2048, softSegments: 2, hardSegments: 12)
      ).writer
    }
    for round in 0..<12 {
      append(100 + 40 * round)
      append(700)
      if round % 3 == 1 { attempt { try self.writer?.prepareSegment() } }
      if round % 2 == 0 {
        attempt {
          try self.writer?.sync()
          self.acknowledged = UInt64(self.members.count)
        }
      }
      if round % 4 == 3 { checkpoint() }
      if round == 6 { jump() }
    }
  }

  private func append(_ count: Int) {
    attempt {
      // Each attempt has bytes of its own: what was refused must not be found.
      self.attempts += 1
      let bytes = [UInt8](repeating: self.attempts, count: count)
      do {
        try self.writer?.append([bytes])
      } catch {
        self.refused = Member(sequence: UInt64(self.members.count) + 1, bytes: bytes)
        throw error
      }
      self.members.append(bytes)
    }
  }

  private func checkpoint() {
    attempt {
      guard let point = self.writer?.end.point else { return }
      self.store = point
      self.acknowledged = max(self.acknowledged, point.sequence)
      self.writer?.release(through: point.sequence)
    }
  }

  private func jump() {
    guard let writer, !isOver else { return }
    let point = writer.end.point.jumped(to: UInt64(members.count) + 1)
    members.append([])
    acknowledged = point.sequence
    store = point
    attempt { try writer.jump(to: point) }
  }

  private func attempt(_ body: () throws -> Void) {
    guard !isOver else { return }
    do {
      try body()
    } catch {
      guard let error = error as? JournalError else {
        Issue.record(error)
        return
      }
      failures.append(error)
      if case .outcomeUnknown = error.code { isPoisoned = true }
      isOver = isPoisoned || !goesOn || failures.count > 1
      attempt(body)
    }
  }

  /// Compares what is found in the file, and in images of it after a power cut, with what was written.
  func check(_ title: String, random: inout SeededGenerator) throws {
    let last = try found(disk.bytes, isKilled: true)
    #expect(last == UInt64(members.count), "\(title): killed")
    for _ in 0..<2 {
      let image = CrashImage(disk, steps: disk.stepCount, random: &random)
      let last = try found(image.bytes, isKilled: false)
      #expect(last >= acknowledged, "\(title): power cut")
    }
  }

  /// Returns the last sequence that a recovery finds. Each one has to have its bytes, or, if the power was cut before the
  /// removal of a refused record was synced, that one's: a write that was not acknowledged may come true.
  private func found(_ bytes: [UInt8], isKilled: Bool) throws -> UInt64 {
    let (found, _) = try reopened(MemoryDisk(bytes), after: store)
    var last = store.sequence
    for member in found {
      last += 1
      try #require(member.sequence == last)
      if !isKilled, last > acknowledged, member == refused { break }
      try #require(last <= members.count && member.bytes == members[Int(last) - 1])
    }
    return last
  }
}
