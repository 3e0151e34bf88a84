import Foundation
import RankedIndex
import RankedKeys
import TestSupport
import Testing

/// Random batches against a sorted array.
@Suite struct TextTreeRandomTests {
  static let tree = TextTreeSchema(id: 7, name: "random")
  static let operations = TestEnvironment.count("SATCHEL_RANKED_OPERATIONS", usual: 50_000)

  @Test(arguments: [1, 3, 2000]) func randomBatches(groups: UInt64) throws {
    let seed = TestEnvironment.seed(for: "randomBatches(\(groups))")
    var random = SeededGenerator(seed: seed)
    let fixture = try TextTreeFixture()
    var model = TextTreeModel()
    var done = 0
    var batch = 0
    var grows = true
    while done < Self.operations / 3 {
      batch += 1
      let hint = "seed \(seed) groups \(groups) batch \(batch)"
      let size = [1, 2, 5, 20, 100, 300, 1000, 5000].randomElement(using: &random)!
      if model.keys.count > 8000 || Int.random(in: 0..<12, using: &random) == 0 { grows.toggle() }
      var inserts: Set<TextKey> = []
      var removes: Set<TextKey> = []
      let present = Set(model.keys)
      // Sometimes all of a stretch goes, so that nodes empty and join.
      let from = Int.random(in: 0...model.keys.count, using: &random)
      for index in 0..<size {
        if Int.random(in: 0..<10, using: &random) < (grows ? 8 : 2) {
          let key = TextKey(
            group: UInt64.random(in: 0..<groups, using: &random) &* 0x0101_0101,
            text: TextSamples.text(using: &random),
            row: .random(in: 0...(batch % 7 == 0 ? .max : 3000), using: &random))
          if !present.contains(key) { inserts.insert(key) }
        } else if !model.keys.isEmpty {
          let index = batch % 2 == 0 ? from + index : Int.random(in: 0..<model.keys.count, using: &random)
          if index < model.keys.count { removes.insert(model.keys[index]) }
        }
      }
      model.apply(inserts: inserts, removes: removes)
      let samples =
        (0..<6).compactMap { _ in model.keys.randomElement(using: &random) } + inserts.prefix(2)
        + removes.prefix(2)
      try fixture.write { forest in
        // Reads in between make what came before them part of sorted runs.
        for key in inserts.shuffled(using: &random) {
          forest.insert(Self.tree, key)
          if batch % 2 == 0, random.oneIn(60) { _ = try forest.count(Self.tree) }
        }
        for key in removes.shuffled(using: &random) { forest.remove(Self.tree, key) }
        if batch % 3 == 0 { try model.check(forest, Self.tree, about: samples, hint) }
      }
      done += size
      if batch % 10 == 0 { try fixture.reopen() }
      try fixture.read { forest in
        try model.check(forest, Self.tree, about: samples, hint)
        if batch % 4 == 0 {
          try forest.expectSound(Self.tree)
          try model.checkAll(forest, Self.tree, hint)
        }
      }
    }
    try fixture.write { try $0.rebuild(Self.tree) }
    try fixture.read { forest in
      try forest.expectSound(Self.tree)
      try model.checkAll(forest, Self.tree, "rebuilt, seed \(seed)")
    }
    try fixture.write { forest in
      for key in model.keys.shuffled(using: &random) { forest.remove(Self.tree, key) }
    }
    let statistics = try fixture.read { try $0.expectSound(Self.tree) }
    #expect(statistics == TreeStatistics())
  }
}
