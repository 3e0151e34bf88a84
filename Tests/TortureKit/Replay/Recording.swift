import TestSupport

/// What happens to a run while it is recorded.
struct Recording: Sendable {
  enum Accident: String, Sendable, Codable {
    case none
    /// The process is killed twice, and another one goes on: a power cut then meets recovery, and what it does.
    case kills
    /// A sync fails, and the disk never gets what was to be synced.
    case failedSyncs
  }

  let accident: Accident
  let cheat: Shim.Cheat?
  /// Which sync fails, of those that may; nil for one that follows from the seed.
  let sync: Int?
  /// The first call at which a process may be killed.
  let firstKill: Int

  init(_ accident: Accident = .none, cheat: Shim.Cheat? = nil, sync: Int? = nil, firstKill: Int = 30) {
    self.accident = accident
    self.cheat = cheat
    self.sync = sync
    self.firstKill = firstKill
  }

  /// Behind the first commit of a script that declares indexes, which fills the store.
  static let afterFilling = 150

  /// How many syncs may fail. What the first ones lose is the store itself, of which its maker is told.
  static let syncs = 30
  private static let firstSync = 12

  /// What the environment of each process has beside the recording; as many as processes at most.
  func accidents(
    _ programs: Programs, _ root: String, state: String, seed: UInt64
  ) throws -> [[String: String]] {
    var generator = SeededGenerator(seed: seed)
    switch accident {
    case .none: return [[:]]
    case .kills:
      // All processes count their calls together.
      let first = firstKill + generator.draw(below: 100)
      return try [first, first + 1 + generator.draw(below: 60)].map { call in
        try programs.shim.meeting(root, state: state, at: call, generator.draw(from: [.kill, .torn, .after]))
      } + [[:]]
    case .failedSyncs:
      var environment = try programs.shim.meeting(
        root, state: state, at: Self.firstSync + (sync ?? generator.draw(below: Self.syncs)), .eio)
      environment["SATCHEL_SHIM_SYNCS"] = "1"
      return [environment]
    }
  }
}
