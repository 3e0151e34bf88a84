/// A part of the harness.
package enum Part: String, CaseIterable, Sendable {
  case replay, kills, errors, damage, flips, processes, removals, stops, room, disks, power

  package init(named name: String) throws {
    guard let part = Part(rawValue: name) else {
      throw TortureError("no part \(name): \(Part.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    self = part
  }

  /// Runs it, at a share of its whole length.
  package func run(_ programs: Programs, seed: UInt64, share: Double) throws -> PartResult {
    func count(_ whole: Int, least: Int) -> Int { max(least, Int(Double(whole) * share)) }
    switch self {
    case .replay: return try ReplayPart(programs, seed: seed, images: count(100_000, least: 300)).run()
    case .kills:
      return try KillPart(
        programs, seed: seed, rounds: count(600, least: 20), stride: share >= 0.9 ? 1 : max(1, Int(1 / share))
      ).run()
    case .damage:
      return try DamagePart(
        programs, seed: seed, count: count(2_100, least: 16), stride: max(1, Int(1 / share))
      ).run()
    case .flips: return try FlipPart(programs, seed: seed, count: count(1_000, least: 10)).run()
    case .processes:
      return try ProcessPart(programs, seed: seed, seconds: max(4, 600 * min(share, 1))).run()
    case .removals: return try RemovalPart(programs, seed: seed, rounds: count(200, least: 9)).run()
    case .stops: return try StopPart(programs, seed: seed, stride: max(1, Int(1 / share))).run()
    case .power: return try PowerPart(programs, seed: seed, rounds: count(40, least: 4)).run()
    case .room: return try RoomPart(seed: seed, commits: count(1_000, least: 200)).run()
    case .disks: return try FullDiskPart(seed: seed).run()
    case .errors: return try ErrorPart(programs, seed: seed, stride: max(1, Int(1 / share))).run()
    }
  }
}
