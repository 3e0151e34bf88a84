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

    @Test func noDamagedFileGivesAnotherAnswerUnseen() throws {
      let result = try DamagePart(Kit.programs(), seed: Kit.seed(), count: 24, stride: 31).run()
      print(result.text)
      #expect(result["wrong answers"] == 0 && result["hangs"] == 0)
      #expect(result["not found, and it changes an answer"] == 0)
      #expect(result.controls.allSatisfy { $0.found > 0 })
      // LMDB trusts its pages: what reads and writes them by LMDB alone may die of them.
      withKnownIssue(isIntermittent: true) { #expect(result.isGood, "\(result.text)") }
    }

    @Test func aFlippedBitDestroysNoStoreThatVerifyHasPassed() throws {
      let result = try FlipPart(Kit.programs(), seed: Kit.seed(), count: 24).run()
      print(result.text)
      // Neither LMDB's free list nor its page headers carry a checksum.
      withKnownIssue(isIntermittent: true) { #expect(result.isGood, "\(result.text)") }
    }

    @Test func everyReadOfACrowdIsOneSnapshot() throws {
      try expectGood(ProcessPart(Kit.programs(), seed: Kit.seed(), seconds: 6, kills: false).run())
    }

    @Test func aFileGrowsForReasonsAndCanBeFull() throws {
      try expectGood(RoomPart(seed: Kit.seed(), commits: 300).run())
    }

    /// What is known not to survive yet: left-overs in the way of the next import, and a signal at a limit of files; and
    /// commands that only `make torture` tries so far.
    private let unmended: Set = [
      "import into a new store", "import into a store", "backup", "compaction", "repair", "salvage",
    ]

    private func expectGood(_ result: PartResult) {
      print(result.text)
      #expect(result.isGood, "\(result.text)")
    }
  }
#endif
