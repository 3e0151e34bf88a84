package import SatchelPlanning
import SatchelStorage

/// What reads keep for a store from one to the next.
package final class ReadCompanion: SnapshotCompanion {
  /// Which ways its questions have taken.
  package let plans = PlanMemory()

  package init() {}
}
