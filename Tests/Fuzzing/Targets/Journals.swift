import Journal
import SatchelBytes
import StoreFiles

extension FuzzTarget {
  /// A journal's file. The first byte says which version it has, whether checksums and links are put right before it is read, and
  /// from which point on; the others are its segments. Reading ends, takes no more than there is, and gives commits without a hole.
  static let journal = FuzzTarget("journal", maximumBytes: 1 + 4 * JournalInput.segment) { bytes in
    guard let flags = bytes.first else { return false }
    let input = JournalInput(flags, [UInt8](bytes.dropFirst()))
    let file = JournalFile(FixedStorage(input.file))
    var count = 0
    var sequence = input.point.sequence
    do throws(JournalError) {
      var reader = try JournalReader(file, of: JournalInput.owner, after: input.point)
      while let record = try reader.next() {
        var size = 0
        record.forEachMember { number, member in
          sequence += 1
          if number != sequence { size = .min }
          size += member.byteCount
        }
        guard size >= 0, size <= record.payload.count else {
          throw JournalError(.invalid, operation: "read", path: "", detail: "members in the wrong order")
        }
        count += 1
      }
      try reader.checkEnd(known: flags & 16 == 0 ? nil : reader.end.point)
    } catch {
      try expect(!error.detail.hasPrefix("members"), error.detail)
    }
    let survey = JournalSurvey(input.file, of: flags & 32 == 0 ? JournalInput.owner : nil)
    try expect(
      survey.records.reduce(0) { $0 + $1.payload.count } <= input.file.count,
      "a survey finds more than the file has")
    _ = try? JournalReader.damagedCommits(in: file, of: JournalInput.owner)
    return count > 0
  }

  /// A head: 24 words and more, and whether the checksums of its states are put right. What it proves is what it says.
  static let head = FuzzTarget("head", maximumBytes: 1 + 8 * 40) { bytes in
    guard let flags = bytes.first else { return false }
    let memory = FixedHead([UInt8](bytes.dropFirst()), isSealed: flags & 1 != 0)
    let head = JournalHead(memory, .reading)
    let owner = head.owner
    if let (state, stamp) = head.read() {
      try expect(
        stamp == head.stamp && memory.words.contains(state.point.sequence), "it reads what is not there")
    }
    let subject = HeadSubject(
      owner: owner ?? JournalInput.owner,
      journal: FileIdentity(device: memory.words[4], inode: memory.words[5]),
      boot: flags & 2 == 0 ? nil : BootIdentity(high: memory.words[6], low: memory.words[7]))
    guard let point = head.known(of: subject) else { return false }
    try expect(owner != nil, "it proves something, and is nobody's")
    try expect(memory.words.contains(point.sequence), "it proves a commit that it does not name")
    return true
  }

  static func journalSeeds() throws -> [[UInt8]] {
    try [JournalVersion.first, .second].flatMap { version throws(JournalError) in
      let storage = FixedStorage(
        JournalHeader(owner: JournalInput.owner, segmentSize: JournalInput.segment, version: version)
          .encoded())
      let reader = try JournalReader(JournalFile(storage), of: JournalInput.owner, after: .start)
      var limits = JournalLimits()
      limits.segmentSize = JournalInput.segment
      let writer = try JournalWriter(reader, released: 0, limits: limits, nonce: 7)
      for number in 1...5 {
        var draft = JournalDraft()
        for member in 0..<number { draft.add([UInt8](repeating: UInt8(number), count: 40 * member)) }
        try writer.append(&draft)
        if number == 3 { try writer.sync() }
      }
      let segments = Array(storage.bytes.dropFirst(JournalFormat.headerBlock))
      let flag: UInt8 = version == .first ? 0 : 1
      return [[flag] + segments, [flag | 2] + segments, [flag | 2 | 16 | 32] + segments]
    }
  }

  static func headSeeds() throws -> [[UInt8]] {
    let memory = FixedHead([UInt8](repeating: 0, count: 8 * 40), isSealed: false)
    let head = JournalHead(memory, .writing)
    let subject = HeadSubject(
      owner: JournalInput.owner, journal: FileIdentity(device: 1, inode: 2),
      boot: BootIdentity(high: 3, low: 4))
    let synced = JournalPoint(sequence: 8, chain: 80)
    var state = HeadState(
      point: JournalPoint(sequence: 9, chain: 90), ordinal: 2, offset: 512, synced: synced)
    try head.reset(subject, state)
    state.point = JournalPoint(sequence: 10, chain: 100)
    try head.publish(state)
    let bytes = memory.words.prefix(32).flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    return [[0] + bytes, [1] + bytes, [3] + bytes]
  }
}

/// What the bytes of an input are as a file.
private struct JournalInput {
  static let owner = JournalOwner(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)
  /// Bytes of a segment.
  static let segment = 2048

  let version: JournalVersion
  private(set) var file: [UInt8]
  let point: JournalPoint

  init(_ flags: UInt8, _ segments: [UInt8]) {
    version = flags & 1 == 0 ? .first : .second
    file = JournalHeader(owner: Self.owner, segmentSize: Self.segment, version: version).encoded() + segments
    // The commit before the first segment, as it says itself.
    let begin = JournalFormat.headerBlock
    if flags & 4 != 0, file.count >= begin + JournalFormat.sector {
      point = JournalPoint(
        sequence: min(Self.word(file, begin + 24) &- 1, 1 << 62), chain: Self.word(file, begin + 32))
    } else {
      point = .start
    }
    guard flags & 2 != 0 else { return }
    for segment in stride(from: begin, to: file.count, by: Self.segment)
    where segment + Self.segment <= file.count {
      seal(segment)
    }
  }

  /// Puts the checksums and links of a segment right, as far as lengths say where records begin.
  private mutating func seal(_ begin: Int) {
    let fields = JournalFormat.sector - 8
    var link = Checksum.hash(Array(file[begin..<begin + fields]), seed: Self.owner.seed)
    file.set(link, at: begin + fields)
    if version == .first { link = Self.word(file, begin + 32) }
    var offset = begin + JournalFormat.sector
    let end = begin + Self.segment
    let fixed = version.recordHeader
    while offset + fixed <= end {
      let length = Int(Self.word(file, offset + 16) >> 32)
      guard length > 0, length <= end - offset - fixed else { return }
      if version == .second { file.set(link, at: offset + 24) }
      let header = Checksum.hash(
        Array(file[offset..<offset + fixed - 8]), seed: version == .first ? link : Self.owner.seed)
      link = Checksum.hash(Array(file[offset + fixed..<offset + fixed + length]), seed: header)
      file.set(link, at: offset + fixed - 8)
      offset += version.size(ofPayload: length)
    }
  }

  private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
  }
}

/// A file in memory, for one thread.
private final class FixedStorage: JournalStorage, @unchecked Sendable {
  private(set) var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func size() -> Int { bytes.count }

  func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    guard offset < bytes.count else { return 0 }
    let part = bytes[offset..<min(bytes.count, offset + buffer.count)]
    buffer.copyBytes(from: part)
    return part.count
  }

  func write(_ part: UnsafeRawBufferPointer, at offset: Int) -> Int {
    if bytes.count < offset + part.count {
      bytes += [UInt8](repeating: 0, count: offset + part.count - bytes.count)
    }
    bytes.replaceSubrange(offset..<offset + part.count, with: part)
    return part.count
  }

  func sync() {}
  func syncName() {}
  func truncate() { bytes = [] }
  func identity() -> FileIdentity { FileIdentity(device: 1, inode: 1) }
}

/// The words of a head, for one thread.
private final class FixedHead: HeadMemory, @unchecked Sendable {
  private(set) var words = [UInt64](repeating: 0, count: JournalHead.size / 8)
  let identity = FileIdentity(device: 5, inode: 6)

  init(_ bytes: [UInt8], isSealed: Bool) {
    for (index, byte) in bytes.enumerated() where index / 8 < words.count {
      words[index / 8] |= UInt64(byte) << UInt64(8 * (index % 8))
    }
    guard isSealed else { return }
    for place in [16, 24] {
      var writer = ByteWriter(capacity: 14 * 8)
      for index in Array(1..<8) + Array(place..<place + 7) { writer.u64(words[index]) }
      words[place + 7] = Checksum.hash(writer.bytes)
    }
  }

  func load(_ index: Int) -> UInt64 { words[index] }
  func store(_ index: Int, _ value: UInt64) { words[index] = value }
  func wake() {}
}
