import Satchel
import SatchelModel
import TerminalInterface

/// Writes a controller's list to standard output, then each change set, at once.
struct ListWatcher<Object: ListedObject>: Sendable {
  let store: MessageStore
  let controller: QueryController<Object>

  init(_ store: MessageStore, _ query: Query<Object>, _ window: ListWindow) {
    self.store = store
    controller = store.controller(for: query, window: window)
  }

  /// Runs until the list can no longer be kept up to date.
  /// - Throws: The reason for that, or the error if standard output cannot be written.
  func run(_ format: OutputFormat) async throws {
    switch format {
    case .json: try await writeLines()
    case .table: try await writeTable()
    }
    throw controller.failure ?? SatchelError(.closed, "The store has been closed", ["store": store.path])
  }

  private func writeLines() async throws {
    var output = Output()
    let changes = controller.changes
    try output.write(ChangeLine.snapshot(changes.list))
    try output.flush()
    for await set in changes {
      try output.write(ChangeLine.changes(set))
      try output.flush()
    }
  }

  private func writeTable() async throws {
    var output = Output()
    let changes = controller.changes
    var table = try ChangeTable(changes.list, store, to: &output)
    try output.flush()
    for await set in changes {
      try table.add(set, to: &output)
      try output.flush()
    }
  }
}
