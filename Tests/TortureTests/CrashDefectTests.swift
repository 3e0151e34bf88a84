#if os(Linux)
  import TestSupport
  import Testing
  import TortureKit

  /// Crashes that other stores have survived badly: Documentation/KnownDefects.md lists where the others are.
  @Suite(.serialized) struct CrashDefectTests {
    /// A process is killed while it recovers what a killed one has left, and so is the next: the second crash took back what had
    /// been durable before the first.
    @Test func twoCrashesInARowDuringRecovery() throws {
      let seed = Kit.seed()
      let template = try Template(Kit.programs(), seed: seed)
      let scenario = try Self.scenario("writes after a kill")
      let calls = try Accident(scenario, template).countCalls()
      var generator = SeededGenerator(seed: seed)
      var crashes = [0, 0, 0]
      for first in 1...calls {
        let accident = try Accident(scenario, template)
        let second = 1 + generator.draw(below: 40)
        var happened = 0
        for call in [first, second] {
          let event = generator.draw(from: [Shim.Event.kill, .torn, .after])
          let end = try accident.meet(event, at: call).end
          // One who has little left to do ends before the call.
          #expect([.exited(0), .signalled(9)].contains(end), "calls \(first) and \(second): \(end)")
          if end == .signalled(9) { happened += 1 }
        }
        crashes[happened] += 1
        let complaint = try accident.check(isDone: false)
        #expect(complaint == nil, "killed at call \(first), the next at call \(second)")
      }
      print("two crashes: \(crashes[2]) of \(crashes.reduce(0, +))")
      #expect(crashes[2] >= 10)
    }

    /// A process is killed before, in and after each call that makes a file of the store longer: no opener took such a file.
    @Test func aCrashWhileTheFileGrows() throws {
      let template = try Template(Kit.programs(), seed: Kit.seed())
      let scenario = try Self.scenario("writes of a new store")
      let calls = try Accident(scenario, template).countCalls()
      var sizes = StoreFile.durable.map { _ in 0 }
      var grown = sizes
      for call in 1...calls {
        let accident = try Accident(scenario, template)
        let end = try accident.meet(.after, at: call).end
        try #require(end == .signalled(9), "call \(call)")
        let now = try StoreFile.durable.map { try Self.size(accident.world.store + "/" + $0) }
        defer { sizes = now }
        guard zip(sizes, now).contains(where: <) else { continue }
        for (file, (before, after)) in zip(sizes, now).enumerated() where before < after { grown[file] += 1 }
        #expect(try accident.check(isDone: false) == nil, "after call \(call)")
        for event in [Shim.Event.kill, .torn] {
          let accident = try Accident(scenario, template)
          #expect(try accident.meet(event, at: call).end == .signalled(9))
          #expect(try accident.check(isDone: false) == nil, "\(event) at call \(call)")
        }
      }
      print("files grew \(grown) times in \(calls) calls")
      #expect(grown.allSatisfy { $0 > 1 })
    }

    private static func scenario(_ name: String) throws -> Scenario {
      try #require(Scenario.all.first { $0.name == name })
    }

    private static func size(_ path: String) throws -> Int {
      Files.exists(path) ? try Files.read(path).count : 0
    }
  }
#endif
