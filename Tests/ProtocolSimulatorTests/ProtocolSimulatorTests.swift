import ProtocolSimulator
import TestSupport
import Testing

/// A part of what `make simulate` plays, and whether the simulator can be believed.
@Suite struct ProtocolSimulatorTests {
  /// The same histories each time; `SATCHEL_SEED` plays others, `SATCHEL_HISTORIES` more.
  @Test func noHistoryBreaksAPromise() {
    let seed = TestEnvironment.seed(usual: 1)
    let result = Simulation(seed: seed, histories: TestEnvironment.count("SATCHEL_HISTORIES", usual: 1000))
      .run()
    for violation in result.violations {
      Issue.record(
        "seed \(violation.seed) (satchel-simulate --log --seed \(violation.seed)): \(violation.text)")
    }
    #expect(result.commits >= 50 * result.histories && result.checkpoints >= result.histories)
    for accident in ["kill", "stop", "failing call", "power cut", "power cut while it comes up again"] {
      #expect(result.accidents[accident, default: 0] > 0, "\(accident)")
    }
  }

  /// Histories that have found a defect of the product, which is mended.
  ///
  /// 21606795: a state that LMDB alone had, of a writer who was killed before its sync, was called synced by the next opener; after a
  /// power cut the store was refused as damaged.
  ///
  /// 22127318: a process opened the store after a sync of LMDB had failed in another, and trusted a sync of its own, which did not bring the
  /// lost meta page to the disk: it used space of the journal again that the disk's state still needed.
  ///
  /// 30532389: a journal was given up and emptied, while LMDB's file had a later state, of a writer who was killed before he had
  /// announced it: that state had begun to use the journal, and the next opener found it without one.
  ///
  /// 60225450: two processes mended the store one after the other. The first one's commit, at `.relaxed`, said that the journal is not in use;
  /// the second one, at `.full`, took it for durable, as its own are, and emptied the journal; a power cut brought the state before it.
  @Test(arguments: [21_606_795, 22_127_318, 30_532_389, 60_225_450] as [UInt64])
  func aHistoryThatHasFoundADefectFindsNone(
    seed: UInt64
  ) {
    #expect(Simulation(seed: seed, histories: 1).run().violations.isEmpty)
  }

  /// Each deliberate defect is found, and it is that defect that was found: the same histories break no promise without it.
  @Test(arguments: Control.allCases) func eachControlIsFound(control: Control) throws {
    let seed = TestEnvironment.seed(for: "eachControlIsFound(\(control.rawValue))", usual: 1)
    var simulation = Simulation(seed: seed, histories: 10_000, control: control)
    let found = simulation.run()
    let first = try #require(found.violations.first, "not found in \(found.histories) histories")
    simulation.control = nil
    simulation.histories = found.histories
    #expect(simulation.run().violations.isEmpty, "\(first)")
  }

  /// One seed is one history, in whichever process and on whichever thread it is played.
  @Test func aSeedRepeatsAHistory() async {
    let seed = TestEnvironment.seed()
    var simulation = Simulation(seed: seed, histories: 100)
    simulation.mostViolations = .max
    let trace = simulation.run().trace
    simulation.jobs = 1
    #expect(simulation.run().trace == trace)
    // Hashes have another seed in each process.
    await #expect(processExitsWith: .success) { [seed = seed as UInt64, trace = trace as UInt64] in
      var simulation = Simulation(seed: seed, histories: 100)
      simulation.mostViolations = .max
      #expect(simulation.run().trace == trace)
    }
  }
}
