package import SatchelStorage

extension JournalOptions {
  /// A journal that is used from the first commit on, and so short that a script of a few commits begins segments, uses them
  /// again, and goes on to LMDB for each of the reasons that there are.
  package static func short(seed: UInt64) -> JournalOptions {
    var options = JournalOptions()
    options.commitsBefore = 0
    options.checkpointCommits = 3 + seed % 7
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
