/// How long a journal's segments are, and how many there may be.
package struct JournalLimits: Sendable, Hashable {
  /// Bytes of each segment of a new journal. One that exists keeps its size.
  package var segmentSize: Int
  /// With this many segments in use, a checkpoint is due.
  package var softSegments: Int
  /// With this many segments in use, a record that needs another one is refused.
  package var hardSegments: Int

  package init(segmentSize: Int = 1 << 20, softSegments: Int = 24, hardSegments: Int = 96) {
    self.segmentSize = segmentSize
    self.softSegments = softSegments
    self.hardSegments = hardSegments
  }
}
