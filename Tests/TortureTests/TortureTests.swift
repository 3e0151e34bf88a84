#if os(Linux)
  import Testing
  import TortureKit

  /// All parts of the harness, small: what `make torture` does at length.
  @Suite(.serialized) struct TortureTests {
    @Test func everyImageOfAPowerCutIsAStoreOfSomeCommit() throws {
      try expectGood(ReplayPart(Kit.programs(), seed: Kit.seed(), images: 800, importsToo: false).run())
    }

    @Test func aKilledProcessLosesNothingThatHasReturned() throws {
      try expectGood(
        KillPart(Kit.programs(), seed: Kit.seed(), rounds: 14, stride: 29, leavingOut: unmended).run())
    }

    @Test func aFailingCallIsAnErrorAndLeavesASoundStore() throws {
      try expectGood(ErrorPart(Kit.programs(), seed: Kit.seed(), stride: 47, leavingOut: unmended).run())
    }

    @Test func everyReadOfACrowdIsOneSnapshot() throws {
      try expectGood(ProcessPart(Kit.programs(), seed: Kit.seed(), seconds: 6, kills: false).run())
    }

    @Test func aFileGrowsForReasonsAndCanBeFull() throws {
      try expectGood(RoomPart(seed: Kit.seed(), commits: 300).run())
    }

    /// What is known not to survive yet: left-overs in the way of the next import, and a signal at a limit of files.
    private let unmended: Set = ["import into a new store", "import into a store"]

    private func expectGood(_ result: PartResult) {
      print(result.text)
      #expect(result.isGood, "\(result.text)")
    }
  }
#endif
