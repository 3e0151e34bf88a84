internal import StoreModel
import TestSupport

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A real file system that is shut down under a running writer, without a flush of its journal: the nearest thing to a power
/// cut that a machine can do to itself. Needs root, loop devices and ext4.
package struct PowerPart {
  package let programs: Programs
  package let seed: UInt64
  package let rounds: Int

  package init(_ programs: Programs, seed: UInt64, rounds: Int) {
    self.programs = programs
    self.seed = seed
    self.rounds = rounds
  }

  package func run() throws -> PartResult {
    try PartResult.measuring("power", seed: seed) { result in
      guard getuid() == 0, Files.exists("/sbin/mkfs.ext4") || Files.exists("/usr/sbin/mkfs.ext4") else {
        result.skipped.append("a file system is shut down by root only, with mkfs.ext4")
        return
      }
      var generator = SeededGenerator(seed: seed)
      var control = (tried: 0, found: 0)
      for round in 0..<rounds {
        // Every fourth one commits without sync, and its loss has to be seen.
        let isControl = round % 4 == 3
        let workload = Workload(
          seed: seed &+ UInt64(round), commits: 400, durability: isControl ? .unsafe : .full)
        let delay = UInt32(20_000 + generator.draw(below: 150_000))
        guard let complaint = try shutDown(workload, after: delay, &result) else { continue }
        if isControl {
          control.tried += 1
          control.found += complaint.isEmpty ? 0 : 1
        } else {
          result["shutdowns"] += 1
          if !complaint.isEmpty {
            result.fail("seed \(workload.seed), shut down after \(delay) µs: \(complaint)")
          }
        }
      }
      if control.tried > 0 {
        result.controls.append(
          .init("commits without sync judged as full ones", tried: control.tried, found: control.found))
      }
    }
  }

  /// One shutdown; what is wrong afterwards, nothing if all is well, nil where there could be none.
  private func shutDown(
    _ workload: Workload, after delay: UInt32, _ result: inout PartResult
  ) throws -> String? {
    let scratch = try Scratch()
    let (image, place, marks) = (scratch("disk"), scratch("mounted"), scratch("marks"))
    try Files.makeDirectory(place)
    func shell(_ script: String) throws -> Bool {
      try Child.run("/bin/sh", ["-c", script], in: scratch.path).end == .exited(0)
    }
    let isReady = try shell(
      "truncate -s 64m \(image) && mkfs.ext4 -q -F \(image) && mount -o loop \(image) \(place)")
    guard isReady else {
      let reason = "ext4 could not be mounted from a file"
      if !result.skipped.contains(reason) { result.skipped.append(reason) }
      return nil
    }
    defer { _ = try? shell("umount -l \(place)") }
    // The directory is there for good before anything is acknowledged in it.
    guard try shell("sync -f \(place)") else { return nil }
    let work = scratch("work")
    try Files.makeDirectory(work)
    let child = try Child(
      programs.torture, try programs.work(workload, store: place + "/store", marks: marks), in: work)
    for _ in 0..<10_000 where !Files.exists(marks) { usleep(500) }
    usleep(delay)
    let isDown = Self.shutDown(place)
    child.kill()
    _ = child.wait()
    guard isDown, try shell("umount \(place)"), try shell("mount -o loop \(image) \(place)") else {
      throw TortureError("the file system could not be shut down and mounted again")
    }
    let acknowledged = try Acknowledged(file: marks)
    result["acknowledged commits"] += acknowledged.numbers.count
    guard acknowledged.isOpen else { return "" }
    do {
      let store = try Workload(seed: 0, commits: 0).open(place + "/store", create: false)
      defer { store.close() }
      let history = try workload.history()
      return try store.read { try acknowledged.difference($0, history) } ?? store.faults() ?? store.goesOn()
        ?? ""
    } catch {
      return "refused: \(error)"
    }
  }

  /// `EXT4_IOC_SHUTDOWN` with no flush of the log.
  private static func shutDown(_ place: String) -> Bool {
    #if os(Linux)
      let file = open(place, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return false }
      defer { close(file) }
      var how: UInt32 = 2
      return ioctl(file, 0x8004_587d, &how) == 0
    #else
      return false
    #endif
  }
}
