#if os(Linux)
  import Testing
  import TortureKit

  /// RELIABILITY.md is written by runs of some parts, at different times.
  struct ReportTests {
    /// A run of some parts changes what is said of these, and nothing else.
    @Test func aReportKeepsWhatIsSaidOfOtherParts() throws {
      var replay = result("replay", seed: 1)
      replay["images"] = 7
      replay.controls = [.init("no sync", tried: 9, found: 8), .init("no order", tried: 5, found: 4)]
      replay.fail("image 3 is refused\nwith more lines")
      replay.fail("image 4 is refused")
      replay.skipped = ["an image: no room"]
      var disks = result("disks", seed: 2)
      disks.rows = [["2 MB", "messages", "full", "1", "half", "1", "0"]]
      disks.controls = [.init("no limit", tried: 3, found: 2)]
      let first = Reliability(["replay": replay, "disks": disks]).text
      for line in [
        "## Full disks", "| 2 MB | messages | full | 1 | half | 1 | 0 |", "| replay | no sync | 8 of 9 |",
        "| disks | no limit | 2 of 3 |", "- replay: an image: no room", "- replay, 2 in all:",
        "  - image 3 is refused (2 like it among the first 2)",
      ] {
        #expect(lines(first).contains(line), "\(line)")
      }
      #expect(row("Power cuts replayed", first).contains("7 images"))

      #expect(Reliability([:], keeping: first).text == first)

      var later = result("replay", seed: 3)
      later["images"] = 8
      later.controls = [.init("no order", tried: 6, found: 6)]
      let flips = result("flips", seed: 4)
      let second = Reliability(["replay": later, "flips": flips], keeping: first).text
      #expect(row("Power cuts replayed", second).contains("8 images"))
      #expect(row("Flips in free list and page headers", second).contains("| 4 |"))
      #expect(lines(second).contains("| 2 MB | messages | full | 1 | half | 1 | 0 |"))
      #expect(lines(second).filter { $0.hasPrefix("| replay |") } == ["| replay | no order | 6 of 6 |"])
      #expect(lines(second).contains("| disks | no limit | 2 of 3 |"))
      #expect(!second.contains("image 3") && !second.contains("no room"))
    }

    private func result(_ part: String, seed: UInt64) -> PartResult {
      var result = PartResult(part, seed: seed)
      result.command = "make torture PARTS=\(part)"
      result.date = "2001-02-03"
      return result
    }

    private func lines(_ report: String) -> [String] {
      report.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private func row(_ title: String, _ report: String) -> String {
      lines(report).first { $0.contains(title) } ?? ""
    }
  }
#endif
