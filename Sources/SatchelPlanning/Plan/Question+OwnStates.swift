import SatchelModel
import SatchelQuery

extension Question {
  /// Whether it asks what conversations are to the store's user, or sorts by that.
  package var asksForOwnStates: Bool {
    condition.asksForOwnStates || sort.contains { $0.property.isOwnState }
  }
}
