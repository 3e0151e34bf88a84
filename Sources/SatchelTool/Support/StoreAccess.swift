import ArgumentParser
import Satchel
import SatchelExecution
import SatchelModel
import SatchelStorage
import TerminalInterface

/// The store that a reading command looks into.
struct StoreArgument: ParsableArguments {
  @Argument(help: "The directory of the store.")
  var store: String

  /// Opens the store of any user, read-only and without ever creating one, and closes it after `body`.
  func withStore<Result>(_ body: (Store) throws -> Result) throws -> Result {
    var options = Store.Options()
    options.create = false
    options.readOnly = true
    options.aggregateEvaluator = QueryAggregateEvaluator()
    let opened = try Store.open(directory: store, user: nil, options: options)
    defer { opened.close() }
    return try body(opened)
  }

  /// Calls `body` with one snapshot of the store.
  func read<Result>(_ body: (StoreSnapshot) throws -> Result) throws -> Result {
    try withStore { store in try store.read { try body(StoreSnapshot($0)) } }
  }
}

extension MessageStore {
  /// Opens a store that is there; none is created.
  /// - Parameter user: Whose store it has to be; nil for anybody's.
  static func existing(at path: String, of user: String?, _ options: Options) throws -> MessageStore {
    var options = options
    options.createsIfMissing = false
    return try user.map { try MessageStore(path: path, user: Identity.ID($0), options: options) }
      ?? MessageStore(existingAt: path, options: options)
  }
}

/// How a command writes its result.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json
}

/// The format of a command's result: for people at a terminal, for programs elsewhere.
struct FormatOption: ParsableArguments {
  @Option(help: "table for people, json for programs; without, a table at a terminal and json elsewhere.")
  var format: OutputFormat?

  var resolved: OutputFormat { format ?? (Terminal.isOutput ? .table : .json) }
}
