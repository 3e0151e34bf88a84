internal import StoreModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Power cuts: recorded runs, replayed as everything that a cut could have left on the disk.
package struct ReplayPart {
  package let programs: Programs
  package let seed: UInt64
  /// About how many images to look at, controls apart.
  package let images: Int

  package init(_ programs: Programs, seed: UInt64, images: Int) {
    self.programs = programs
    self.seed = seed
    self.images = images
  }

  package func run() throws -> PartResult {
    try PartResult.measuring("replay", seed: seed) { result in
      try controls(&result)
      var round: UInt64 = 0
      while result["images"] < images {
        let left = images - result["images"]
        // Seeds that are far apart: the journal's sizes follow from them.
        let seed = seed &+ round &* 17
        let workloads = [
          Workload(seed: seed, commits: 40),
          Workload(seed: seed, commits: 40, durability: .relaxed),
          Workload(seed: seed, commits: 20, threads: 3),
        ]
        // Several runs, whatever the number: they differ more than the images of one.
        let limit = min(left, images / 10)
        let workload = workloads[Int(round % 3)]
        // The threads beside a script do not know what to do about an error.
        let accidents: [Recording.Accident] = [.none, .kills, workload.threads == 0 ? .failedSyncs : .kills]
        try replay(
          .script(workload), Recording(accidents[Int(round / 3 % 3)]), ReplayJob.Judgement(), limit: limit,
          &result)
        if round % 9 == 0 {
          try replay(.newImport(file: ""), Recording(), ReplayJob.Judgement(), limit: limit, &result)
        }
        // What is looked at takes longer.
        if round % 6 == 5 { try indexes(Int(round / 6), seed: seed, limit: limit / 4, &result) }
        round += 1
        guard result.failureCount < 100 else { break }
      }
      try failedSyncs(images / 1200, limit: 60, &result)
    }
  }

  /// Cuts the power while indexes are declared, replaced and dropped.
  package func runIndexes(images: Int) throws -> PartResult {
    try PartResult.measuring("replay", seed: seed) { result in
      for run in 0..<4 {
        try indexes(run, seed: seed &+ UInt64(run) &* 17, limit: images / 4, &result)
      }
    }
  }

  private func indexes(_ run: Int, seed: UInt64, limit: Int, _ result: inout PartResult) throws {
    let workload = Workload(
      seed: seed, commits: 30, durability: run % 3 == 2 ? .relaxed : .full,
      indexing: run % 2 == 0 ? .along : .beside)
    let before = result["images"]
    let recording = run / 2 % 2 == 0 ? Recording() : Recording(.kills, firstKill: Recording.afterFilling)
    try replay(.script(workload), recording, ReplayJob.Judgement(), limit: limit, &result)
    result["images with declared indexes"] += result["images"] - before
  }

  /// Lets each sync of a relaxed run fail, and looks at what follows it.
  package func runFailedSyncs(limit: Int) throws -> PartResult {
    try PartResult.measuring("replay", seed: seed) { try failedSyncs(Recording.syncs, limit: limit, &$0) }
  }

  /// Records as many runs, in each of which another sync fails: first those of a relaxed run, then those of a full one. The runs
  /// are so short that the last syncs are those of the store's end. What a sync has lost shows soon, in few images.
  private func failedSyncs(_ runs: Int, limit: Int, _ result: inout PartResult) throws {
    for run in 0..<runs where result.failureCount < 100 {
      let script = run / Recording.syncs
      let workload = Workload(
        seed: seed &+ UInt64(script) &* 17, commits: 20,
        durability: script.isMultiple(of: 2) ? .relaxed : .full)
      try replay(
        .script(workload), Recording(.failedSyncs, sync: run % Recording.syncs), ReplayJob.Judgement(),
        limit: limit, &result)
    }
  }

  /// What has to be found: disks that lie, and promises that were not made. A run may have few images that show it, and those that
  /// are looked at may be others: then more runs are.
  private func controls(_ result: inout PartResult) throws {
    let count = max(60, min(400, images / 50))
    let full = Workload(seed: seed, commits: 20)
    let relaxed = Workload(seed: seed, commits: 40, durability: .relaxed)
    for (name, workload, cheat, judgement) in [
      ("a disk that lies about sync", full, nil, ReplayJob.Judgement(liesAboutSync: true)),
      ("a journal without sync", full, .journal, ReplayJob.Judgement()),
      ("commits acknowledged before the sync of the journal", full, .late, ReplayJob.Judgement()),
      (
        "space of the journal used again before the checkpoint is durable", relaxed, .meta,
        ReplayJob.Judgement()
      ),
      (
        "relaxed commits judged as full ones", Workload(seed: seed, commits: 20, durability: .relaxed), nil,
        ReplayJob.Judgement(asFull: true)
      ),
      (
        "commits without sync judged as full ones", Workload(seed: seed, commits: 20, durability: .unsafe),
        nil,
        ReplayJob.Judgement(asFull: true)
      ),
    ] as [(String, Workload, Shim.Cheat?, ReplayJob.Judgement)] {
      var found = PartResult("control", seed: seed)
      for run in 0..<20 as Range<UInt64> where found.failureCount == 0 {
        var workload = workload
        workload.seed = seed &+ run &* 17
        try replay(.script(workload), Recording(cheat: cheat), judgement, limit: count, &found)
      }
      result.controls.append(.init(name, tried: found["images"], found: found.failureCount))
    }
  }

  private func replay(
    _ recorded: ImageCheck.Recorded, _ recording: Recording, _ judgement: ReplayJob.Judgement, limit: Int,
    _ result: inout PartResult
  ) throws {
    let scratch = try Scratch()
    var seed = seed
    if case .script(let workload) = recorded { seed = workload.seed }
    let job = try programs.record(recorded, recording, judgement, seed: seed, in: scratch)
    var first = 0
    // A died child is a finding; another one goes on behind the image that killed it.
    while true {
      let tally = try programs.check(job, from: first, limit: limit, in: scratch)
      for (kind, count) in tally.counts.sorted(by: { $0.key < $1.key }) {
        result["images"] += count
        result["images, \(kind)"] += count
      }
      for complaint in tally.complaints { result.fail("\(job.name): \(complaint)") }
      guard let death = tally.death else { break }
      result["images"] += 1
      result["deaths"] += 1
      result.fail("\(job.name): image \(death.image) ended the process that opened it: \(death.end)")
      first = death.image + 1
    }
  }
}

extension ShimLog.Change {
  /// Whether it says that a commit of the script has returned.
  fileprivate var isMarkOfCommit: Bool {
    if case .mark(let mark) = self, let number = Int(mark) { number > 0 } else { false }
  }
}

/// A recorded run and how its images are judged: all that a process needs to make and check any of them.
package struct ReplayJob: Codable, Sendable {
  package struct Judgement: Codable, Sendable {
    package var liesAboutSync = false
    /// Whether acknowledged commits have to be there whatever the durability.
    package var asFull = false

    package init(liesAboutSync: Bool = false, asFull: Bool = false) {
      self.liesAboutSync = liesAboutSync
      self.asFull = asFull
    }
  }

  /// What a process has found.
  package struct Tally: Sendable {
    package var counts: [String: Int] = [:]
    package var complaints: [String] = []
    /// The image at which the process died.
    package var death: (image: Int, end: Child.End)?
  }

  var recorded: ImageCheck.Recorded
  let judgement: Judgement
  let seed: UInt64
  let log: String
  let root: String
  let accident: Recording.Accident
  /// The sync that fails, if only what comes soon after it is looked at.
  let sync: Int?

  var name: String {
    switch recorded {
    case .script(let workload):
      "seed \(workload.seed) \(workload.durability), \(workload.threads) threads, accidents: \(accident)\(sync.map { ", sync \($0)" } ?? "")"
    case .newImport: "import, seed \(seed)"
    }
  }

  /// Checks images on this thread, and tells of each before and after.
  /// - Parameter limit: About how many of the run's images are checked, from its beginning to its end.
  package func check(
    from first: Int, limit: Int, in directory: String, _ tell: (String) -> Void
  ) throws {
    let log = try ShimLog(file: log, root: root)
    let check = try ImageCheck(
      recorded, in: directory, judgedAsFull: judgement.asFull, end: log.changes.count)
    var plan = CrashImages.Plan(liesAboutSync: judgement.liesAboutSync)
    plan.reordered = 6
    let images = CrashImages(log, plan, seed: seed, points: points(log))
    // Where only some can be looked at, they are of the whole run.
    let stride = max(1, images.count() / max(limit, 1))
    try images.forEach(from: first, every: stride) { number, kind, point, acknowledged, image in
      tell("B \(number)")
      if let complaint = try check.complaint(about: image, number: number, acknowledged, at: point) {
        tell("F \(number) \(kind.rawValue) at change \(point): \(complaint)")
      }
      tell("K \(kind.rawValue)")
      return true
    }
    tell("E")
  }

  private func points(_ log: ShimLog) -> Range<Int> {
    if case .script(let workload) = recorded, workload.indexing != nil {
      // A store that has no index yet is nothing new.
      return (log.changes.firstIndex { $0.isMarkOfCommit } ?? 0)..<Int.max
    }
    guard sync != nil else { return 0..<Int.max }
    let failure = log.changes.firstIndex { if case .failedSync = $0 { true } else { false } }
    // There are fewer syncs in some runs: nothing has failed then.
    return failure.map { $0..<$0 + 60 } ?? 0..<0
  }
}
