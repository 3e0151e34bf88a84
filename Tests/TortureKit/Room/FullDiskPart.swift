/// Stores that fill their disk: what they are still good for then.
package struct FullDiskPart {
  package let seed: UInt64
  package let cases: [FullDiskCase]

  package init(seed: UInt64, cases: [FullDiskCase] = FullDiskPart.all) {
    self.seed = seed
    self.cases = cases
  }

  /// The sizes of the places, in bytes.
  private static let sizes = [2 << 20, 4 << 20, 8 << 20, 16 << 20]

  package static let all: [FullDiskCase] = SmallPlace.Kind.allCases.flatMap { kind in
    sizes.flatMap { bytes in
      FullDiskCase.Way.allCases.flatMap { way in
        [true, false].flatMap { isSynced in
          FullDiskCase.Deletion.allCases.map {
            FullDiskCase(kind, bytes: bytes, way, isSynced: isSynced, $0)
          }
        }
      }
    }
  }

  package func run() throws -> PartResult {
    try PartResult.measuring("disks", seed: seed) { result in
      for test in cases {
        guard let outcome = try test.run() else {
          let reason = "full disks: only root can mount \(test.kind)"
          if !result.skipped.contains(reason) { result.skipped.append(reason) }
          continue
        }
        result["cases"] += 1
        result["messages"] += outcome.filled
        for failure in outcome.failures { result.fail("\(test.name): \(failure)") }
        result.rows.append(test.columns(outcome))
      }
    }
  }
}
