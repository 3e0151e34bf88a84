package import SatchelPlanning
import SatchelReading

/// What a store keeps from one read to the next.
package final class ReadCompanion: SnapshotCompanion {
  /// Remembers the paths that the store's questions have taken.
  package let plans = PlanMemory()

  package init() {}
}
