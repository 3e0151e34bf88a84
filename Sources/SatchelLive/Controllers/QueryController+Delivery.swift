import SatchelModel
import SatchelQuery

/// Holds the weak reference to a delegate. Only the main actor reads it.
@MainActor
final class DelegateReference<Object: Queryable & Equatable> {
  weak var delegate: (any QueryControllerDelegate<Object>)?

  nonisolated init() {}
}

extension QueryController {
  /// The object that is told of each change on the main actor. The controller does not keep it alive.
  @MainActor
  public var delegate: (any QueryControllerDelegate<Object>)? {
    get { delegateReference.delegate }
    set {
      delegateReference.delegate = newValue
      delivery.withLock { delivery in
        if !delivery.hasDelegate { delivery.shown = live.list }
        delivery.hasDelegate = newValue != nil
      }
    }
  }

  /// Called on any thread when the list has changed, or when following the commits has failed.
  func listChanged() {
    waiters.wake()
    let isNew = delivery.withLock { delivery in
      guard delivery.hasDelegate, !delivery.isScheduled else { return false }
      delivery.isScheduled = true
      return true
    }
    if isNew { Task { await deliver() } }
  }

  /// Tells the delegate, if there is one, of the changes that it has not been told of yet.
  func deliverToDelegate() async {
    if delivery.withLock({ $0.hasDelegate }) { await deliver() }
  }

  @MainActor
  private func deliver() {
    // Nothing is told before the first answer has been shown to the caller that asked for it.
    guard !waiters.isOver, let (old, delegate) = delegateToTell(), let old, let new = live.list else {
      return
    }
    let set = ChangeSet(from: ListSnapshot(old), to: ListSnapshot(new))
    if set.isEmpty {
      // A list that does not count as changed may still be newer.
      delivery.withLock { $0.shown = new }
    } else {
      delegate.controllerWillChangeContent(self)
      delivery.withLock { $0.shown = new }
      // If a call sets another delegate, that one has been shown the newest list: `shown` is not set again after the
      // calls.
      tell(delegate, of: set)
    }
    tellFailure(delegate)
  }

  @MainActor
  private func delegateToTell() -> (LiveList<Object>?, any QueryControllerDelegate<Object>)? {
    let delegate = delegateReference.delegate
    let shown = delivery.withLock { delivery in
      delivery.isScheduled = false
      delivery.hasDelegate = delegate != nil
      return delivery.shown
    }
    return delegate.map { (shown, $0) }
  }

  @MainActor
  private func tell(_ delegate: any QueryControllerDelegate<Object>, of set: ChangeSet<Object>) {
    for section in set.deletedSections { delegate.controller(self, didChangeSection: section, for: .delete) }
    for section in set.insertedSections { delegate.controller(self, didChangeSection: section, for: .insert) }
    for change in set.changes {
      delegate.controller(
        self, didChange: change.object, at: change.indexPath, for: change.type,
        newIndexPath: change.newIndexPath)
    }
    delegate.controllerDidChangeContent(self, with: set)
  }

  @MainActor
  private func tellFailure(_ delegate: any QueryControllerDelegate<Object>) {
    guard let failure = live.failure else { return }
    let isNew = delivery.withLock { delivery in
      defer { delivery.hasToldFailure = true }
      return !delivery.hasToldFailure
    }
    if isNew { delegate.controller(self, didFailWith: failure) }
  }
}
