/// What a head says: how far the journal is published.
package struct HeadState: Sendable, Hashable {
  /// The point of the last commit that is published.
  package var point: JournalPoint
  /// The segment in which the next record begins if it fits, and the offset in it; 0 if there is none.
  package var ordinal: UInt64
  package var offset: UInt64
  /// Whether a sync has failed: nothing of the journal is trusted any more.
  package var isPoisoned: Bool
  /// The point of the last commit that is published and that a loss of power cannot undo.
  package var synced: JournalPoint

  package init(
    point: JournalPoint, ordinal: UInt64, offset: UInt64, isPoisoned: Bool = false,
    synced: JournalPoint = .start
  ) {
    self.point = point
    self.ordinal = ordinal
    self.offset = offset
    self.isPoisoned = isPoisoned
    self.synced = synced
  }

  /// What a writer publishes that is at an end.
  package init(_ end: JournalEnd, isPoisoned: Bool = false, synced: JournalPoint) {
    self.init(
      point: end.point, ordinal: end.ordinal, offset: UInt64(end.offset), isPoisoned: isPoisoned,
      synced: synced)
  }
}
