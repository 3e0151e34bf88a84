#if os(Linux)
  import Testing
  import TortureKit

  /// All parts of the harness, small: what `make torture` does at length.
  @Suite(.serialized) struct TortureTests {
    @Test func everyImageOfAPowerCutIsAStoreOfSomeCommit() throws {
      try expectGood(ReplayPart(Kit.programs(), seed: Kit.seed(), images: 800).run())
    }

    /// What a failed sync has lost can be read, until the power goes.
    @Test func whatAFailedSyncLosesIsWrittenAgain() throws {
      try expectGood(ReplayPart(Kit.programs(), seed: Kit.seed(), images: 0).runFailedSyncs(limit: 30))
    }

    @Test func aKilledProcessLosesNothingThatHasReturned() throws {
      try expectGood(KillPart(Kit.programs(), seed: Kit.seed(), rounds: 14, stride: 29).run())
    }

    @Test func aFailingCallIsAnErrorAndLeavesASoundStore() throws {
      try expectGood(ErrorPart(Kit.programs(), seed: Kit.seed(), stride: 47).run())
    }

    /// Kills, failing calls and full disks at the steps of a compaction in place.
    @Test func aCompactionCanBeCutShort() throws {
      let (programs, scenario) = (try Kit.programs(), Scenario.compaction)
      try expectGood(KillPart(programs, seed: Kit.seed(), rounds: 6, stride: 7, of: scenario).run())
      try expectGood(ErrorPart(programs, seed: Kit.seed(), stride: 23, of: scenario).run())
    }

    /// Kills and power cuts at the steps of declaring indexes, replacing them by others and dropping them.
    @Test func anIndexIsBuiltToItsEndWhateverCutsItShort() throws {
      let programs = try Kit.programs()
      try expectGood(KillPart(programs, seed: Kit.seed(), rounds: 8, stride: 13, of: .indexes).run())
      try expectGood(KillPart(programs, seed: Kit.seed(), rounds: 8, stride: 29, of: .indexesBeside).run())
      try expectGood(ReplayPart(programs, seed: Kit.seed(), images: 0).runIndexes(images: 120))
    }

    @Test func noDamagedFileGivesAnotherAnswerUnseen() throws {
      try expectGood(DamagePart(Kit.programs(), seed: Kit.seed(), count: 24, stride: 31).run())
    }

    @Test func aFlippedBitDestroysNoStoreThatVerifyHasPassed() throws {
      try expectGood(FlipPart(Kit.programs(), seed: Kit.seed(), count: 24).run())
    }

    @Test func everyReadOfACrowdIsOneSnapshot() throws {
      try expectGood(ProcessPart(Kit.programs(), seed: Kit.seed(), seconds: 6).run())
    }

    @Test func noCommitGoesToFilesThatNobodyFinds() throws {
      try expectGood(RemovalPart(Kit.programs(), seed: Kit.seed(), rounds: 9).run())
    }

    @Test func nobodyWaitsForAStoppedProcessForEver() throws {
      try expectGood(StopPart(Kit.programs(), seed: Kit.seed(), stride: 61).run())
    }

    @Test func aFileGrowsForReasonsAndCanBeFull() throws {
      try expectGood(RoomPart(seed: Kit.seed(), commits: 300).run())
    }

    @Test func aFullDiskCanBeLivedWith() throws {
      let cases = [SmallPlace.Kind.limit, .tmpfs].flatMap { kind in
        FullDiskCase.Way.allCases.flatMap { way in
          FullDiskCase.Deletion.allCases.map {
            FullDiskCase(kind, bytes: 4 << 20, way, isSynced: way == .single, $0)
          }
        }
      }
      try expectGood(FullDiskPart(seed: Kit.seed(), cases: cases).run())
    }

    private func expectGood(_ result: PartResult) {
      print(result.text)
      #expect(result.isGood, "\(result.text)")
    }
  }
#endif
