import Journal
import TestSupport

/// Random lives of a journal and its store, with kills and power cuts between them, and what each recovery has to find.
///
/// The store is a point and nothing else: what a checkpoint makes durable there is. Everything behind it has to be in the
/// journal.
struct JournalHistory {
  /// What to do wrong on purpose, so that a check that finds nothing is seen to look.
  struct Sabotage {
    var ignoresSyncs = false
    var releasesEarly = false
    var keepsGeneration = false
  }

  /// How far things were at a time.
  private struct Mark {
    var steps: Int
    var stored: JournalPoint
    var acknowledged: UInt64
    var appended: UInt64
  }

  private let sabotage: Sabotage
  private var random: SeededGenerator
  private var disk: MemoryDisk
  private var store = JournalPoint.start
  private var acknowledged: UInt64 = 0
  /// All commits of the history; index 0 is sequence 1. Those of big writes are empty.
  private var members: [[UInt8]] = []
  private var marks: [Mark] = []
  /// The point of a checkpoint that has begun.
  private var frozen: JournalPoint?
  private let segmentSize: Int
  /// Whether the same sequence has the same bytes in each life, so that a record may be written once more as it was.
  private let repeatsItself: Bool
  /// What was seen.
  private(set) var seen: Set<String> = []

  init(_ random: SeededGenerator, _ sabotage: Sabotage = Sabotage()) {
    self.random = random
    self.sabotage = sabotage
    disk = MemoryDisk(ignoresSyncs: sabotage.ignoresSyncs)
    segmentSize = self.random.pick([1024, 2048, 3072, 8192])
    repeatsItself = self.random.oneIn(2) || sabotage.keepsGeneration
  }

  /// Lives several lives. Returns what was wrong, or nil.
  mutating func run(lives: Int) -> String? {
    for life in 0..<lives {
      do throws(JournalError) {
        if let complaint = try live() { return "life \(life): \(complaint)" }
      } catch {
        return "life \(life): \(error)"
      }
      if random.percent(70) { cutPower() }
    }
    return nil
  }

  private mutating func live() throws(JournalError) -> String? {
    var reader = try JournalReader(openJournal(disk), of: sampleOwner, after: store)
    let records = try reader.all()
    seen.insert("\(reader.relation)".prefix { $0 != "(" }.description)
    if let complaint = check(records) { return complaint }
    marks = []
    frozen = nil
    mark()
    let nonce = sabotage.keepsGeneration ? 1 : UInt32.random(in: 1 ... .max, using: &random)
    let limits = JournalLimits(segmentSize: segmentSize, softSegments: 2, hardSegments: 6)
    let writer = try JournalWriter(reader, released: store.sequence, limits: limits, nonce: nonce)
    for _ in 0..<random.below(random.oneIn(4) ? 60 : 12) {
      try step(writer)
      mark()
    }
    return nil
  }

  private mutating func step(_ writer: JournalWriter) throws(JournalError) {
    switch random.below(20) {
    case 0..<10: try appendGroup(writer)
    case 10..<16:
      try writer.sync()
      acknowledged = UInt64(members.count)
    case 16..<18: try checkpoint(writer)
    case 18:
      // A big write: the store has it, and all before it, before the journal hears of it.
      let point = writer.end.point.jumped(to: UInt64(members.count) + 1)
      members.append([])
      stored(point)
      frozen = nil
      try writer.jump(to: point)
      seen.insert("jump")
    default: try writer.prepareSegment()
    }
  }

  /// Appends commits as one record; if all segments are full, makes a checkpoint instead.
  private mutating func appendGroup(_ writer: JournalWriter) throws(JournalError) {
    let count = repeatsItself ? 1 : 1 + random.below(3)
    let added = (1...count).map { newMember(members.count + $0) }
    // A crash may leave the record before its append has returned.
    members += added
    mark()
    do throws(JournalError) {
      try writer.append(added)
      writer.prepareInStep()
    } catch {
      guard case .full = error.code else { throw error }
      members.removeLast(count)
      seen.insert("full")
      try checkpoint(writer)
    }
  }

  private mutating func checkpoint(_ writer: JournalWriter) throws(JournalError) {
    if let frozen { return end(checkpoint: frozen, writer) }
    let point = writer.end.point
    guard random.oneIn(3) else {
      frozen = point
      return
    }
    end(checkpoint: point, writer)
  }

  /// Ends a checkpoint, behind which there may be commits by now.
  private mutating func end(checkpoint point: JournalPoint, _ writer: JournalWriter) {
    frozen = nil
    if !sabotage.releasesEarly { stored(point) }
    writer.release(through: point.sequence)
    seen.insert(point == writer.end.point ? "checkpoint" : "late checkpoint")
  }

  /// A checkpoint has ended: the store is durable up to a point.
  private mutating func stored(_ point: JournalPoint) {
    store = point
    acknowledged = max(acknowledged, point.sequence)
    mark()
  }

  private mutating func newMember(_ sequence: Int) -> [UInt8] {
    var source = repeatsItself ? SeededGenerator(seed: UInt64(sequence)) : random.fork()
    return randomBytes(source.below(min(600, segmentSize / 8)), &source)
  }

  /// Compares what was recovered with what was written. Goes on with what was recovered.
  private mutating func check(_ records: [JournalRecord]) -> String? {
    var next = store.sequence + 1
    for member in records.flatMap(\.members) {
      guard member.sequence == next else { return "found \(member.sequence) instead of \(next)" }
      guard next <= members.count else { return "\(next) was never appended, or was given up" }
      guard member.bytes == members[Int(next) - 1] else { return "\(next) has other bytes" }
      next += 1
    }
    guard next > acknowledged else { return "only up to \(next - 1), acknowledged up to \(acknowledged)" }
    if next <= members.count { seen.insert("lost") }
    if next - 1 > acknowledged { seen.insert("adopted") }
    members.removeSubrange((Int(next) - 1)...)
    return nil
  }

  private mutating func mark() {
    marks.append(
      Mark(
        steps: disk.stepCount, stored: store, acknowledged: acknowledged, appended: UInt64(members.count)))
  }

  /// Goes back to a time of this life, and on with an image of it.
  private mutating func cutPower() {
    let index = random.oneIn(3) ? marks.count - 1 : random.below(marks.count)
    let before = marks[index]
    let after = marks[min(index + 1, marks.count - 1)]
    let steps = before.steps + random.below(after.steps - before.steps + 1)
    let image = CrashImage(disk, steps: steps, random: &random)
    disk = MemoryDisk(image.bytes, ignoresSyncs: sabotage.ignoresSyncs)
    store = before.stored
    acknowledged = before.acknowledged
    members.removeSubrange(min(members.count, Int(max(before.appended, after.appended)))...)
  }
}
