internal import StoreModel
import TestSupport

/// All images of a recorded run, in an order that follows from a seed.
package struct CrashImages {
  package enum Kind: String, Sendable, Codable, CaseIterable { case prefix, torn, reordered }

  /// How many of each kind at each point of the log.
  package struct Plan: Sendable, Codable {
    package var torn = 8
    package var reordered = 4
    /// Whether the disk lied about its syncs.
    package var liesAboutSync = false

    package init(torn: Int = 8, reordered: Int = 4, liesAboutSync: Bool = false) {
      self.torn = torn
      self.reordered = reordered
      self.liesAboutSync = liesAboutSync
    }
  }

  private let log: ShimLog
  private let plan: Plan
  private let seed: UInt64
  private let points: Range<Int>

  /// - Parameter points: The points of the log of which images are made.
  package init(_ log: ShimLog, _ plan: Plan, seed: UInt64, points: Range<Int> = 0..<Int.max) {
    self.log = log
    self.plan = plan
    self.seed = seed
    self.points = points
  }

  /// How many there are.
  package func count() -> Int {
    var count = 0
    forEach(from: .max) { number, _, _, _, _ in
      true
    } counted: {
      count = $0
    }
    return count
  }

  /// Calls `body` with each image from a number on, or every so manieth of them, and what had been acknowledged before it;
  /// until it returns false.
  package func forEach(
    from first: Int = 0, every stride: Int = 1,
    _ body: (_ number: Int, Kind, _ point: Int, Acknowledged, SimulatedDisk.Image) throws -> Bool,
    counted: (Int) -> Void = { _ in }
  ) rethrows {
    var disk = SimulatedDisk(log, liesAboutSync: plan.liesAboutSync)
    var acknowledged = Acknowledged()
    var number = 0
    /// Whether this one is to be made: the ones before the first are only counted.
    func isWanted() -> Bool {
      defer { number += 1 }
      return number >= first && number % stride == 0
    }
    for (point, change) in log.changes.enumerated() {
      if case .mark(let mark) = change { acknowledged.add(mark) }
      guard points.contains(point) else {
        disk.advance()
        continue
      }
      var kinds: [(Kind, Int)] = plan.liesAboutSync ? [] : [(.prefix, 0)]
      if case .write(_, let offset, let bytes, _) = change, !plan.liesAboutSync {
        kinds += cuts(offset, bytes.count, point).map { (.torn, $0) }
      }
      if disk.hasPending { kinds += (0..<plan.reordered).map { (.reordered, $0) } }
      for (kind, value) in kinds where isWanted() {
        var generator = SeededGenerator(
          seed: seed &+ UInt64(point) &* 0xD1B5_4A32_D192_ED03 &+ UInt64(value))
        var image: SimulatedDisk.Image
        switch kind {
        case .prefix: image = disk.prefix()
        case .torn: image = disk.prefix(andOfNext: value)
        case .reordered: image = disk.reordered(&generator)
        }
        // Only where its directory is there.
        let head = disk.head(&generator)
        if image.contains(where: { $0.path == "store" }) { image += head }
        guard try body(number - 1, kind, point, acknowledged, image) else { return }
      }
      disk.advance()
    }
    let end = log.changes.count
    if points.contains(end), isWanted() {
      _ = try body(number - 1, .prefix, end, acknowledged, disk.prefix())
    }
    counted(number)
  }

  /// How much of a write may be there: whole sectors of the disk, all cuts of a short write and some of a long one.
  private func cuts(_ offset: Int, _ count: Int, _ point: Int) -> [Int] {
    let first = SimulatedDisk.sector - offset % SimulatedDisk.sector
    let all = Array(stride(from: first, to: count, by: SimulatedDisk.sector))
    guard all.count > plan.torn else { return all }
    var generator = SeededGenerator(seed: seed &+ UInt64(point))
    return (0..<plan.torn).map { _ in generator.draw(from: all) }.sorted()
  }
}
