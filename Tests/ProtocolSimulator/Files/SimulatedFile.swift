import Journal
internal import StoreFiles
internal import TestSupport

/// A file: its bytes as processes see them, and as they are on the disk.
///
/// Everything since the last sync may be on the disk or not, in any order, sector by sector; a sector is there as a whole or not
/// at all. A sync that fails writes some of it and loses the rest: processes go on to read it, and no later sync writes it
/// before somebody writes to the same page again.
final class SimulatedFile {
  private enum Change {
    case write(offset: Int, bytes: [UInt8])
    case truncate
  }

  let identity: FileIdentity
  private(set) var bytes: [UInt8] = []
  private var disk: [UInt8] = []
  private var pending: [Change] = []
  private var lostSectors: Set<Int> = []
  /// How many syncs have failed.
  private(set) var failures = 0

  init(_ identity: FileIdentity, copyOf other: SimulatedFile? = nil) {
    self.identity = identity
    if let other { (bytes, disk) = (other.bytes, other.bytes) }
  }

  func write(_ source: UnsafeRawBufferPointer, at offset: Int) {
    guard !source.isEmpty else { return }
    Self.put(source, at: offset, into: &bytes)
    pending.append(.write(offset: offset, bytes: [UInt8](source)))
    if !lostSectors.isEmpty { renew(offset / Self.page...(offset + source.count - 1) / Self.page) }
  }

  func truncate() {
    bytes = []
    lostSectors = []
    pending.append(.truncate)
  }

  func sync() {
    guard !pending.isEmpty else { return }
    pending.removeAll(keepingCapacity: true)
    guard !lostSectors.isEmpty else { return disk = bytes }
    var synced = bytes
    for sector in lostSectors {
      let place = Self.place(ofSector: sector, in: synced.count)
      for index in place { synced[index] = index < disk.count ? disk[index] : 0 }
    }
    disk = synced
  }

  /// What a sync leaves that fails.
  func failSync(_ random: inout SeededGenerator) {
    let share = random.pick([0, 50, 100])
    for change in pending {
      guard case .write(let offset, let bytes) = change else {
        disk = []
        lostSectors = []
        continue
      }
      Self.forEachSector(offset, bytes.count) { sector, part in
        if random.percent(share) {
          bytes.withUnsafeBytes {
            Self.put(.init(rebasing: $0[part]), at: offset + part.lowerBound, into: &disk)
          }
        } else {
          lostSectors.insert(sector)
        }
      }
    }
    pending = []
    failures += 1
  }

  /// Leaves what the disk has when the power is gone.
  func cutPower(_ random: inout SeededGenerator) {
    let share = random.pick([0, 50, 50, 88, 100])
    apply: for change in pending {
      switch change {
      case .truncate:
        // What follows it lies in other places of the disk, of which nobody knows then.
        guard random.percent(50) else { break apply }
        disk = []
      case .write(let offset, let bytes):
        Self.forEachSector(offset, bytes.count) { _, part in
          guard random.percent(share) else { return }
          bytes.withUnsafeBytes {
            Self.put(.init(rebasing: $0[part]), at: offset + part.lowerBound, into: &disk)
          }
        }
      }
    }
    pending = []
    lostSectors = []
    bytes = disk
  }

  /// Somebody writes to pages: all of them is written with the next sync.
  private func renew(_ pages: ClosedRange<Int>) {
    // In an order that follows from the seed.
    for sector in lostSectors.sorted() where pages.contains(sector * JournalFormat.sector / Self.page) {
      lostSectors.remove(sector)
      let place = Self.place(ofSector: sector, in: bytes.count)
      if !place.isEmpty { pending.append(.write(offset: place.lowerBound, bytes: [UInt8](bytes[place]))) }
    }
  }

  private static let page = 4096

  private static func place(ofSector sector: Int, in count: Int) -> Range<Int> {
    min(sector * JournalFormat.sector, count)..<min((sector + 1) * JournalFormat.sector, count)
  }

  /// Calls `body` with each sector of a write, and with the part of the write that lies in it.
  private static func forEachSector(_ offset: Int, _ count: Int, _ body: (Int, Range<Int>) -> Void) {
    var place = 0
    while place < count {
      let sector = (offset + place) / JournalFormat.sector
      let end = min(count, (sector + 1) * JournalFormat.sector - offset)
      body(sector, place..<end)
      place = end
    }
  }

  private static func put(_ source: UnsafeRawBufferPointer, at offset: Int, into file: inout [UInt8]) {
    let missing = offset + source.count - file.count
    if missing > 0 { file.append(contentsOf: repeatElement(0, count: missing)) }
    file.withUnsafeMutableBytes {
      UnsafeMutableRawBufferPointer(rebasing: $0[offset..<offset + source.count]).copyMemory(from: source)
    }
  }
}
