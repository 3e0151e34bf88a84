import Foundation
import Satchel
import Testing

/// What UIKit would have thrown an exception about.
struct TableInconsistency: Error, CustomStringConvertible { let description: String }

/// A delegate in the shape of a UITableView: it holds the rows that are on the screen, and changes them by the index
/// paths of a batch alone. As UIKit does, it refuses a batch that does not lead to what the data source then has.
@MainActor
final class ModelTable<Object: Queryable & Equatable>: QueryControllerDelegate {
  /// One call for a row.
  struct Change: Hashable, CustomStringConvertible {
    let type: ChangeType
    let id: String
    let at: [Int]?
    let to: [Int]?

    var description: String { "\(type) \(id) \(at.map { "\($0)" } ?? "-") \(to.map { "\($0)" } ?? "-")" }
  }

  /// All calls between will and did.
  struct Batch {
    var deletedSections: [Int] = []
    var insertedSections: [Int] = []
    var changes: [Change] = []
    /// The objects that are drawn anew.
    var objects: [Object] = []

    func count(_ type: ChangeType) -> Int { changes.count { $0.type == type } }
  }

  /// The rows on the screen, as they were when last drawn.
  var sections: [[Object]] = [[]]
  private(set) var batches: [Batch] = []
  private(set) var sets: [ChangeSet<Object>] = []
  private(set) var failures: [SatchelError] = []
  private var open: Batch?
  /// False for a table that redraws less than everything.
  var isDrawnAnew = true
  var onWill: (@MainActor (QueryController<Object>) -> Void)?
  var onChange: (@MainActor (QueryController<Object>, Change) -> Void)?
  var onDid: (@MainActor (QueryController<Object>) -> Void)?

  /// The identifiers on the screen.
  var ids: [String] { sections.flatMap { $0 }.map(\.id.identifier) }
  /// The calls for rows of all batches.
  var changes: [Change] { batches.flatMap(\.changes) }

  /// Sets itself as the delegate, executes the controller, and draws everything.
  func show(_ controller: QueryController<Object>) async throws {
    controller.delegate = self
    try await controller.execute()
    reload(controller)
  }

  /// `reloadData`.
  func reload(_ controller: QueryController<Object>) { sections = Self.rows(of: controller) }

  static func rows(of controller: QueryController<Object>) -> [[Object]] {
    let list = controller.list
    return (0..<controller.numberOfSections).map { section in
      (0..<controller.numberOfObjects(inSection: section)).compactMap { row in
        list.object(at: IndexPath(indexes: [section, row]))
      }
    }
  }

  func controllerWillChangeContent(_ controller: QueryController<Object>) {
    #expect(open == nil, "a batch inside another one")
    open = Batch()
    #expect(Self.rows(of: controller).map { $0.map(\.id) } == sections.map { $0.map(\.id) })
    onWill?(controller)
  }

  func controller(_ controller: QueryController<Object>, didChangeSection section: Int, for type: ChangeType)
  {
    if type == .insert {
      open?.insertedSections.append(section)
    } else {
      open?.deletedSections.append(section)
    }
  }

  func controller(
    _ controller: QueryController<Object>, didChange object: Object, at indexPath: IndexPath?,
    for type: ChangeType, newIndexPath: IndexPath?
  ) {
    let change = Change(
      type: type, id: object.id.identifier, at: indexPath.map { Array($0) },
      to: newIndexPath.map { Array($0) })
    #expect(open != nil, "a change outside of a batch: \(change)")
    open?.changes.append(change)
    open?.objects.append(object)
    onChange?(controller, change)
  }

  func controllerDidChangeContent(_ controller: QueryController<Object>, with changes: ChangeSet<Object>) {
    guard let batch = open else { return }
    open = nil
    sets.append(changes)
    batches.append(batch)
    do {
      try apply(batch, dataSource: Self.rows(of: controller))
    } catch {
      Issue.record(
        "Invalid update: \(error). Batch: \(batch.changes), sections -\(batch.deletedSections) +\(batch.insertedSections)"
      )
      reload(controller)
    }
    onDid?(controller)
  }

  func controller(_ controller: QueryController<Object>, didFailWith error: SatchelError) {
    failures.append(error)
  }
}
