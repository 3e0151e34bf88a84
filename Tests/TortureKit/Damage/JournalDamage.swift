internal import CommitEngine
internal import SatchelReading
internal import SatchelStorage
internal import StoreModel
import TestSupport

/// Damages to the journal and to the head of a store whose last commits are in the journal alone, each synced, as a process leaves it
/// that is killed. What opens has to be the store as it was; or it is refused. A salvage of what is refused has everything, or says that
/// something is lost.
///
/// Half of the stores are copies, without a head. Of them what opens may lack the last commit of all, if that was hit, and what was cut off
/// or overwritten together with it: nothing tells of that.
struct JournalDamage {
  private let programs: Programs
  private let scratch: Scratch
  private let data: [UInt8]
  private let journal: [UInt8]
  private let head: [UInt8]
  /// What the store exports after each commit that it may be at, the last one's last.
  private let exports: [[UInt8]]

  init(_ programs: Programs, seed: UInt64, commits: Int = 14) throws {
    self.programs = programs
    scratch = try Scratch()
    let workload = Workload(seed: seed, commits: commits)
    var options = JournalOptions.keepingAll()
    options.limits.segmentSize = [4096, 16 << 10][Int(seed % 2)]
    let store = try workload.open(scratch("live"), create: true, journal: options)
    defer { store.close() }
    var operations = RandomOperations(seed: seed)
    var exports: [[UInt8]] = []
    for number in 1...commits {
      do { try store.write { try workload.perform(number, &operations, $0) } } catch is RolledBack {
        continue
      }
      if number == commits / 3 {
        try store.checkpoint()
        exports.removeAll()
      }
      Files.remove(scratch("copy"))
      try Files.copyStore(scratch("live"), to: scratch("copy"))
      exports.append(try ImageCheck.export(scratch("copy")))
    }
    self.exports = exports
    data = try Files.read(scratch("live") + "/" + StoreFile.durable[0])
    journal = try Files.read(scratch("live") + "/" + StoreFile.durable[1])
    // A head that speaks of the file that is damaged: files that are written again stay the same files.
    try Files.makeDirectory(scratch("rest"))
    for (name, bytes) in zip(StoreFile.durable, [data, journal]) {
      try Files.write(bytes, to: scratch("rest") + "/" + name)
    }
    let rested = try workload.open(scratch("rest"), create: false, journal: options)
    head = try Files.read(scratch("rest") + "/" + StoreFile.head)
    rested.close()
  }

  /// Damages the journal so many times at random, and at some lengths of it.
  /// - Parameters:
  ///   - blind: How many were judged, and how many of them had lost something.
  ///   - salvages: How many were salvaged, and how many of the new stores lack something.
  func run(
    count: Int, stride: Int, _ generator: inout SeededGenerator, _ blind: inout (tried: Int, found: Int),
    _ salvages: inout (tried: Int, found: Int), _ result: inout PartResult
  ) throws {
    let kinds: [Damage.Kind] = [.bit, .byte, .run, .sector, .zeroes, .noise, .swapped]
    var damages = Damage.truncations(of: journal).enumerated().filter { $0.offset % stride == 0 }.map(
      \.element)
    for damage in Damage.zeroedEnds(of: journal).enumerated() where damage.offset % stride == 0 {
      damages.append(damage.element)
    }
    for index in 0..<count {
      guard let damage = Damage.random(kinds[index % kinds.count], of: journal, earlier: [:], &generator)
      else { continue }
      damages.append(damage)
    }
    for (index, damage) in damages.enumerated() where damage.bytes != journal {
      blind.tried += 1
      let isCopy = index % 2 == 1
      if try !judge(damage.bytes, isCopy ? nil : head, "journal, \(damage.name)", &salvages, &result) {
        blind.found += 1
      }
    }
    for index in 0..<count / 4 {
      guard let damage = Damage.random(kinds[index % 4], of: head, earlier: [:], &generator) else { continue }
      guard try judge(journal, damage.bytes, "head, \(damage.name)", &salvages, &result) else {
        result.fail("head, \(damage.name): a store whose journal is whole is refused")
        continue
      }
    }
  }

  /// Notes what is wrong, and returns whether the store has all commits.
  /// - Parameter head: Nil for a copy of the store that has none.
  private func judge(
    _ journal: [UInt8], _ head: [UInt8]?, _ name: String, _ salvages: inout (tried: Int, found: Int),
    _ result: inout PartResult
  ) throws -> Bool {
    result["damaged journals"] += 1
    let store = scratch(head == nil ? "copy at rest" : "rest")
    if head == nil { Files.remove(store) }
    try Files.makeDirectory(store)
    try Files.write(data, to: store + "/" + StoreFile.durable[0])
    try Files.write(journal, to: store + "/" + StoreFile.durable[1])
    if let head { try Files.write(head, to: store + "/" + StoreFile.head) }
    let export = try ask(["export", store])
    switch export.end {
    case .exited(0):
      guard let place = exports.lastIndex(of: export.output) else {
        result.fail("\(name): the export is of no commit")
        return false
      }
      if place == exports.count - 1 {
        result["journals that were whole"] += 1
      } else if head == nil {
        result["copies whose end was lost untold"] += 1
      } else {
        result.fail("\(name): \(exports.count - 1 - place) commits are lost, and nobody tells")
      }
      try writeOn(store, name, &result)
      return place == exports.count - 1
    case .exited(1) where !export.errors.isEmpty:
      result["journals that were refused"] += 1
      let verify = try ask(["verify", store])
      let isTold = verify.end == .exited(4) || verify.end == .exited(1) && !verify.errors.isEmpty
      if !isTold { result.fail("\(name): it is refused, and verify says \(verify.brief)") }
      guard try Files.read(store + "/" + StoreFile.durable[1]) == journal else {
        result.fail("\(name): a journal was changed that was refused")
        return false
      }
      salvages.tried += 1
      if try !salvage(store, name, &result) { salvages.found += 1 }
    default: result.fail("\(name): \(export.brief)")
    }
    return false
  }

  /// Saves what is whole, and returns whether that is everything; what is not has to be told.
  private func salvage(_ store: String, _ name: String, _ result: inout PartResult) throws -> Bool {
    let new = scratch("saved")
    Files.remove(new)
    let salvage = try ask(["salvage", store, new])
    let export = try ask(["export", new])
    guard salvage.end == .exited(0) || salvage.end == .exited(3), export.end == .exited(0) else {
      result.fail("\(name): salvage: \(salvage.brief), export: \(export.brief)")
      return false
    }
    result[salvage.end == .exited(0) ? "salvages that lost nothing" : "salvages that said what is lost"] += 1
    let hasAll = export.output == exports.last
    if !hasAll, salvage.end == .exited(0) { result.fail("\(name): a salvage has lost something untold") }
    return hasAll
  }

  /// Somebody goes on with the store, and it is sound then.
  private func writeOn(_ store: String, _ name: String, _ result: inout PartResult) throws {
    let more = try Child.run(
      programs.torture, ["more", store, "--commits", "9"], in: scratch.path, seconds: 60)
    let verify = try ask(["verify", store])
    guard more.end == .exited(0), verify.end == .exited(0) else {
      return result.fail("\(name): writing on: \(more.brief), verify: \(verify.brief)")
    }
  }

  private func ask(_ arguments: [String]) throws -> Child.Result {
    try Child.run(programs.satchel, arguments, in: scratch.path, seconds: 20)
  }
}
