import Journal
import TestSupport
import Testing

/// Each call that changes the file fails once, in each way.
struct FailingCallTests {
  @Test(arguments: [
    (number: 5, share: 0), (number: 5, share: 100), (number: 28, share: 0), (number: 28, share: 40),
    (number: 28, share: 90),
  ])
  func everyCallMayFail(number: Int32, share: Int) throws {
    var random = SeededGenerator()
    let whole = FailingScript(fault: nil)
    whole.run()
    #expect(whole.failures == [])
    let calls = whole.disk.calls
    #expect(calls > 40)
    var poisoned = 0
    var refused = 0
    for call in 0..<calls {
      for goesOn in [true, false] {
        let script = FailingScript(fault: .init(call: call, number: number, share: share), goesOn: goesOn)
        script.run()
        #expect(script.failures.count == 1, "call \(call): \(script.failures)")
        if script.isPoisoned { poisoned += 1 } else { refused += 1 }
        try script.check("call \(call), goes on \(goesOn)", random: &random)
      }
    }
    #expect(poisoned > 0 && refused > 0)
  }

  @Test func aShortWriteIsFinished() throws {
    let disk = MemoryDisk()
    disk.limitWrites(to: 100)
    let (_, writer) = try reopened(disk, after: .start)
    try writer.append([[UInt8](repeating: 7, count: 900)])
    try writer.sync()
    let (members, _) = try reopened(disk, after: .start)
    #expect(members == [Member(sequence: 1, bytes: [UInt8](repeating: 7, count: 900))])
  }

  @Test(arguments: [300, 3000]) func whatIsWithdrawnWasNeverThere(length: Int) throws {
    let disk = MemoryDisk()
    let (_, writer) = try reopened(disk, after: .start)
    let first = [UInt8](repeating: 1, count: 2000)
    try writer.append([first])
    let before = writer.end.point
    // The longer one begins a segment.
    try writer.append([[UInt8](repeating: 2, count: length)])
    writer.beginSync()
    try writer.withdraw()
    #expect(writer.end.point == before)
    #expect(try reopened(disk, after: .start).members.map(\.bytes) == [first])
    try writer.append([[UInt8](repeating: 3, count: length)])
    try writer.sync()
    let (members, _) = try reopened(disk, after: .start)
    #expect(members.map(\.bytes) == [first, [UInt8](repeating: 3, count: length)])
    #expect(members.map(\.sequence) == [1, 2])
  }

  @Test func aWithdrawalThatFailsEndsTheWriter() throws {
    let disk = MemoryDisk()
    let (_, writer) = try reopened(disk, after: .start)
    try writer.append([[1]])
    disk.fail(.init(call: disk.calls, number: 5, share: 0))
    #expect(throws: JournalError.self) { try writer.withdraw() }
    #expect(writer.isPoisoned)
    #expect { try writer.append([[2]]) } throws: { ($0 as? JournalError)?.code == .poisoned }
  }

  @Test func nothingIsAppendedAfterAFailedSync() throws {
    let disk = MemoryDisk()
    let (_, writer) = try reopened(disk, after: .start)
    try writer.append([[1]])
    try writer.sync()
    try writer.append([[2]])
    disk.fail(.init(call: disk.calls, number: 5, share: 0))
    #expect { try writer.sync() } throws: { ($0 as? JournalError)?.code == .outcomeUnknown(5) }
    #expect(writer.isPoisoned)
    let before = disk.bytes
    for attempt in [
      { _ = try writer.append([[3]]) }, { try writer.sync() },
      { try writer.jump(to: JournalPoint(sequence: 9, chain: 9)) }, { try writer.prepareSegment() },
    ] {
      #expect { try attempt() } throws: { ($0 as? JournalError)?.code == .poisoned }
    }
    #expect(disk.bytes == before)
    // The way on: the store has everything, and the journal begins anew.
    try openJournal(disk).empty()
    let (members, next) = try reopened(disk, after: writer.end.point)
    #expect(members == [])
    try next.append([[3]])
    try next.sync()
    #expect(try reopened(disk, after: writer.end.point).members == [Member(sequence: 3, bytes: [3])])
  }

  /// What was refused is not there after a power cut either, though the whole record was written.
  @Test func aPowerCutBringsBackNoRefusedRecord() throws {
    var random = SeededGenerator()
    for _ in 0..<100 {
      let disk = MemoryDisk()
      let (_, writer) = try reopened(disk, after: .start)
      try writer.append([[1]])
      try writer.sync()
      disk.fail(.init(call: disk.calls, number: 28, share: 100))
      #expect { try writer.append([[2]]) } throws: { ($0 as? JournalError)?.code == .system(28) }
      let image = MemoryDisk(CrashImage(disk, steps: disk.stepCount, random: &random).bytes)
      #expect(try reopened(image, after: .start).members == [Member(sequence: 1, bytes: [1])])
    }
  }

  /// A record that was refused and that nobody could remove is not followed by anything until it is.
  @Test func aRefusedRecordIsRemovedFirst() throws {
    let disk = MemoryDisk()
    let (_, writer) = try reopened(disk, after: .start)
    try writer.append([[1]])
    let point = writer.end.point
    // The record is written whole, but its append fails; so do its removal, the next append and a jump.
    disk.fail(.init(call: disk.calls, number: 5, share: 100, count: 2))
    #expect { try writer.append([[66]]) } throws: { ($0 as? JournalError)?.code == .outcomeUnknown(5) }
    #expect(try reopened(disk, after: .start).members.last == Member(sequence: 2, bytes: [66]))
    disk.fail(.init(call: disk.calls, number: 5, share: 0, count: 2))
    #expect(throws: JournalError.self) { try writer.append([[67]]) }
    #expect(throws: JournalError.self) { try writer.jump(to: point.jumped(to: 2)) }
    #expect(writer.end.point == point)
    try writer.jump(to: point.jumped(to: 2))
    let disk2 = MemoryDisk(disk.bytes)
    #expect(try reopened(disk2, after: .start).members == [Member(sequence: 1, bytes: [1])])
    #expect(try reopened(disk2, after: point.jumped(to: 2)).members == [])
    try writer.append([[3]])
    #expect(
      try reopened(disk, after: point.jumped(to: 2)).members == [Member(sequence: 3, bytes: [3])])
  }
}
