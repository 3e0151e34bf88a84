import TestSupport

/// What a power cut may leave of a file: everything up to the last sync, and of each sector that was written after it any
/// version, or the one before.
struct CrashImage {
  let bytes: [UInt8]

  /// Makes one of the images that are possible after the first `count` steps of a disk.
  init(_ disk: MemoryDisk, steps count: Int, random: inout SeededGenerator) {
    var durable = disk.base
    var pending: [(offset: Int, bytes: [UInt8])] = []
    for step in disk.steps.prefix(count) {
      switch step {
      case .write(let offset, let bytes): pending.append((offset, bytes))
      case .truncate:
        // The workloads sync after it, without a write between.
        durable = []
        pending = []
      case .sync:
        for write in pending { MemoryDisk.put(write.bytes, at: write.offset, into: &durable) }
        pending = []
      }
    }
    var file = durable
    switch random.below(6) {
    case 0: break
    case 1: for write in pending { MemoryDisk.put(write.bytes, at: write.offset, into: &file) }
    case 2:
      for write in pending.prefix(random.below(pending.count + 1)) {
        MemoryDisk.put(write.bytes, at: write.offset, into: &file)
      }
    case 3:
      // Whole writes, some of them, in any order.
      for write in pending.shuffled(using: &random) where random.percent(60) {
        MemoryDisk.put(write.bytes, at: write.offset, into: &file)
      }
    default:
      let share = random.pick([10, 50, 90])
      for (offset, sector) in Self.sectors(pending).shuffled(using: &random) where random.percent(share) {
        MemoryDisk.put(sector, at: offset, into: &file)
      }
    }
    bytes = file
  }

  /// The writes as pieces that lie in one sector each.
  private static func sectors(_ writes: [(offset: Int, bytes: [UInt8])]) -> [(Int, [UInt8])] {
    writes.flatMap { write in
      var pieces: [(Int, [UInt8])] = []
      var start = 0
      while start < write.bytes.count {
        let end = min(write.bytes.count, start + 512 - (write.offset + start) % 512)
        pieces.append((write.offset + start, Array(write.bytes[start..<end])))
        start = end
      }
      return pieces
    }
  }
}
