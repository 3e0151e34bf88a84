public import Observation
public import SatchelModel
public import SatchelQuery

/// A controller's list for SwiftUI and everything else that uses the Observation framework: views that read the list
/// are updated with it.
///
/// Made by `MessageStore.results(of:window:)`. It loads by itself, without blocking the main actor.
@MainActor
@Observable
public final class LiveResults<Object: Queryable & Equatable> {
  /// The rows, their sections and the total.
  public private(set) var list = ListSnapshot<Object>.empty
  /// False until the first answer has arrived.
  public private(set) var isLoaded = false
  /// Why the list could not be loaded, or is no longer kept up to date; nil otherwise.
  public private(set) var failure: SatchelError?

  /// The objects of the window.
  public var objects: [Object] { list.objects }
  /// The number of results that the query has, in the window or not.
  public var total: Int { list.totalNumberOfObjects }

  /// The controller that keeps the list: use it to move the window or to set another query.
  @ObservationIgnored public let controller: QueryController<Object>
  @ObservationIgnored private var task: Task<Void, Never>?

  package init(_ controller: QueryController<Object>) {
    self.controller = controller
    task = Task { [weak self, controller] in
      do {
        try await controller.execute()
      } catch {
        self?.failure = error as? SatchelError ?? SatchelError(.io, "The list could not be loaded")
        return
      }
      let changes = controller.changes
      self?.show(changes.list)
      for await set in changes { self?.show(set.after) }
      self?.failure = controller.failure
    }
  }

  isolated deinit { task?.cancel() }

  private func show(_ list: ListSnapshot<Object>) {
    self.list = list
    isLoaded = true
  }
}
