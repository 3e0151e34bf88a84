/// One of the figures of RELIABILITY.md: what it says, and which part's results it is made of.
struct Figure: Sendable {
  let title: String
  /// The target of the Makefile that measures it, for a reader who finds that it has not been run.
  let target: String
  let part: String
  /// Whether it is a figure of its own; or else it is the second row of the one before.
  var isNumbered = true
  /// What the results come to, in words.
  let text: @Sendable (PartResult) -> String

  /// In the order in which they are published.
  static let all: [Figure] = [
    Figure(title: "Processes killed at random times", target: "torture PARTS=kills", part: "kills") {
      result in
      "\(result["kills at a time"]) rounds, \(result["kills beside a reader and a writer"]) of them beside a reader and a "
        + "waiting writer; \(result["acknowledged commits"]) acknowledged commits in all kills, "
        + lost(result)
    },
    Figure(title: "Power cuts replayed", target: "torture PARTS=replay", part: "replay") { result in
      "\(result["images"]) images (\(result["images, prefix"]) prefixes, \(result["images, torn"]) torn, "
        + "\(result["images, reordered"]) reordered), \(lost(result))"
    },
    Figure(title: "Kills at each change of a file", target: "torture PARTS=kills", part: "kills") { result in
      "\(result["kills at a call"]) kills before, in and after \(result["calls of all scenarios"]) calls, \(lost(result))"
    },
    Figure(title: "Failing calls", target: "torture PARTS=errors", part: "errors") { result in
      "\(result["failed calls"]) of \(result["calls of all scenarios"]) calls × EIO, ENOSPC, short × once, from there on; "
        + "\(result["limits"]) limits of the process, \(result["full file systems"]) full file systems; "
        + "\(result["ended with an error"]) ended with a typed error, \(result["work done all the same"]) did their work all "
        + "the same; \(lost(result))"
    },
    Figure(title: "ext4 shut down under a running writer", target: "torture PARTS=power", part: "power") {
      result in
      "\(result["shutdowns"]) shutdowns, \(lost(result))"
    },
    Figure(title: "Damaged files", target: "torture PARTS=damage,flips", part: "damage") { result in
      "\(result["damaged stores"]) stores × 6 commands (\(result["truncations"]) truncations, "
        + "\(result["hostile headers"]) hostile headers, \(result["zeroed pages"]) pages zeroed): "
        + "\(result["wrong answers"]) wrong answers, \(result["deaths"]) deaths, \(result["hangs"]) hangs; verify found "
        + "\(result["found by verify"]); of \(result["not found, and no answer changes"]) that it did not find no answer "
        + "changes, \(result["not found, and it changes an answer"]) others; "
        + "\(result["stores destroyed after a clean verify"]) destroyed by 100 writes after a clean verify"
    },
    Figure(
      title: "Flips in free list and page headers", target: "torture PARTS=flips", part: "flips",
      isNumbered: false
    ) {
      result in
      "\(result["flips"]) flips: verify found \(result["found by verify"]), \(result["stores written on"]) written on by 100 "
        + "commits, of which \(result["stores whose writes were refused"]) refused them; "
        + "\(result["stores destroyed after a clean verify"]) destroyed"
    },
    Figure(title: "Fuzzed decoders", target: "fuzz", part: "fuzz", text: plain),
    Figure(
      title: "Queries against reference models", target: "differential", part: "differential", text: plain),
    Figure(title: "Indexes against scans", target: "ranked", part: "indexes", text: plain),
    Figure(title: "Processes and threads", target: "torture PARTS=processes", part: "processes") { result in
      "\(result["processes"]) processes, \(result["processes killed"]) of them killed; \(result["commits"]) commits, "
        + "\(result["reads checked for one snapshot"]) reads checked for one snapshot: \(result["anomalies"]) anomalies; "
        + "takeover from a killed writer: median \(result["takeover, median µs"]) µs, 99th percentile "
        + "\(result["takeover, 99th percentile µs"]) µs"
    },
    Figure(title: "Files taken from running programs", target: "torture PARTS=removals", part: "removals") {
      result in
      "\(result["files removed, renamed or replaced"]) of \(result["processes"]) processes, of which "
        + "\(result["ended with an error by name"]) ended with an error by name; "
        + "\(result["acknowledged commits"]) acknowledged commits, \(lost(result))"
    },
    Figure(title: "Processes that are stopped", target: "torture PARTS=stops", part: "stops") { result in
      "\(result["stops at a call"]) stops at \(result["calls of all scenarios"]) calls; of those who came then "
        + "\(result["answers"]) had an answer, \(result["refusals that name the process"]) were told who is in the way; "
        + lost(result)
    },
    Figure(title: "Growth and compaction", target: "torture PARTS=room", part: "room") { result in
      "\(result["file bytes without a reader"]) bytes without a reader, \(result["file bytes beside one old reader"]) beside an "
        + "old one; \(result["bytes after compaction"]) after compaction"
    },
    Figure(title: "Tests under the address sanitizer", target: "asan", part: "addresses", text: plain),
    Figure(
      title: "Tests under the thread sanitizer", target: "tsan", part: "threads", isNumbered: false,
      text: plain),
    Figure(title: "Full file", target: "torture PARTS=room", part: "room") { result in
      "full after \(result["commits until the file was full"]) commits; \(result["deletions in the full file"]) deletions at the "
        + "limit; \(result["commits after the deletions"]) commits in the room that they gave; "
        + lost(result)
    },
    Figure(title: "Full disks", target: "torture PARTS=disks", part: "disks") { result in
      "\(result["cases"]) stores filled, used and emptied in part: see the table below; " + lost(result)
    },
    Figure(title: "Stores of earlier formats", target: "formats", part: "formats", text: plain),
  ]

  @Sendable private static func lost(_ result: PartResult) -> String {
    result.failureCount == 0 ? "**0 failures**" : "**\(result.failureCount) failures**"
  }

  @Sendable private static func plain(_ result: PartResult) -> String {
    result.figures.map { "\(result[$0]) \($0)" }.joined(separator: ", ") + "; " + lost(result)
  }
}
