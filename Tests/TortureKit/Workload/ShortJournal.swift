package import CommitEngine

extension JournalOptions {
  /// A journal that is used from the first commit on, and so short that a script of a few commits begins segments, uses them
  /// again, and goes on to LMDB for each of the reasons that there are.
  package static func short(seed: UInt64) -> JournalOptions {
    var options = JournalOptions()
    options.commitsBefore = 0
    options.mostCommits = 3 + seed % 7
    // Half of the scripts have checkpoints beside their commits.
    if seed % 2 == 1 { options.checkpointCommits = 2 + seed % 5 }
    options.waitsForCheckpoint = true
    options.limits.segmentSize = [16_384, 4096, 8192, 32_768][Int(seed / 7 % 4)]
    options.limits.softSegments = [24, 3, 2][Int(seed / 28 % 3)]
    options.limits.hardSegments = [96, 4, 2][Int(seed / 28 % 3)]
    return options
  }

  /// A journal that keeps all commits of a script.
  package static func keepingAll() -> JournalOptions {
    var options = JournalOptions()
    options.commitsBefore = 0
    options.limits.segmentSize = 64 << 10
    return options
  }
}
