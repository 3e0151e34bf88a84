internal import SatchelStorage
internal import StoreModel
import TestSupport

/// Damages to the journal of a store whose last commits are there alone. What opens has to be what some commit has left, with
/// all that `data.mdb` has; or the store is refused.
struct JournalDamage {
  private let programs: Programs
  private let scratch: Scratch
  private let data: [UInt8]
  private let journal: [UInt8]
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
  }

  /// Damages the journal so many times at random, and at some lengths of it.
  /// - Parameter blind: How many were judged, and how many of them had lost something.
  func run(
    count: Int, stride: Int, _ generator: inout SeededGenerator, _ blind: inout (tried: Int, found: Int),
    _ result: inout PartResult
  ) throws {
    let kinds: [Damage.Kind] = [.bit, .byte, .run, .sector, .zeroes, .noise, .swapped]
    var damages = Damage.truncations(of: journal).enumerated().filter { $0.offset % stride == 0 }.map(
      \.element)
    for index in 0..<count {
      guard let damage = Damage.random(kinds[index % kinds.count], of: journal, earlier: [:], &generator)
      else { continue }
      damages.append(damage)
    }
    for damage in damages where damage.bytes != journal {
      blind.tried += 1
      if try !judge(damage, &result) { blind.found += 1 }
    }
  }

  /// Notes what is wrong, and returns whether the store has all commits.
  private func judge(_ damage: Damage, _ result: inout PartResult) throws -> Bool {
    result["damaged journals"] += 1
    let store = scratch("damaged")
    Files.remove(store)
    try Files.makeDirectory(store)
    try Files.write(data, to: store + "/" + StoreFile.durable[0])
    try Files.write(damage.bytes, to: store + "/" + StoreFile.durable[1])
    let name = "journal, \(damage.name)"
    let export = try ask(["export", store])
    switch export.end {
    case .exited(0):
      guard let place = exports.lastIndex(of: export.output) else {
        result.fail("\(name): the export is of no commit")
        return false
      }
      result[place == exports.count - 1 ? "journals that were whole" : "journals that ended before"] += 1
      try writeOn(store, name, &result)
      return place == exports.count - 1
    case .exited(1) where !export.errors.isEmpty: result["journals that were refused"] += 1
    default: result.fail("\(name): \(export.brief)")
    }
    return false
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
