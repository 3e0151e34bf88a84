internal import StoreModel
import TestSupport

/// Bits of the free list and of pages' headers, where no checksum of a record sees them, and writes after that.
package struct FlipPart {
  package let programs: Programs
  package let seed: UInt64
  package let count: Int

  package init(_ programs: Programs, seed: UInt64, count: Int) {
    self.programs = programs
    self.seed = seed
    self.count = count
  }

  package func run() throws -> PartResult {
    try PartResult.measuring("flips", seed: seed) { result in
      let sample = try Sample(programs, seed: seed, commits: 60)
      result["pages of the free list"] = PageFile(sample.bytes).freeList.count
      var generator = SeededGenerator(seed: seed)
      var blind = PartResult("control", seed: seed)
      for _ in 0..<count {
        let damage = Damage.flip(of: sample.bytes, &generator)
        try sample.place(damage.bytes)
        result["flips"] += 1
        let verify = try sample.ask(Sample.questions[5])
        switch verify.end {
        case .exited(0): try LaterWrites(sample, damage.name).check(commits: 100, &result)
        case .exited(1), .exited(4):
          result["found by verify"] += 1
          // Some are written on all the same, as a harness that believed everything would: this has to show.
          if result["found by verify"] % 8 == 1 {
            blind["tried"] += 1
            let before = blind.failureCount
            try LaterWrites(sample, damage.name).check(commits: 100, &blind)
            if blind.failureCount > before || blind["stores whose writes were refused"] > blind["seen"] {
              blind["seen"] = blind["stores whose writes were refused"]
              blind["found"] += 1
            }
          }
        default: result.fail("\(damage.name): verify: \(verify.brief)")
        }
      }
      result.controls.append(
        .init("written on although verify had found it", tried: blind["tried"], found: blind["found"]))
    }
  }
}
