import ArgumentParser
import Satchel
import SatchelModel
import SatchelQuery

/// `satchel watch`: shows the list that a query gives, and how each commit of any process changes it.
struct WatchCommand: ParsableCommand, TakesRecordTypes {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Shows the list that a query gives, then each change of it as any process commits.",
    discussion: """
      As JSON, the first line is {"snapshot":{"sequence":n,"total":t,"identifiers":["ID",…]}}, each later one a change \
      set: {"changes":{"sequence":n,"total":t,"delete":[i,…],"insert":[[i,"ID"],…],"move":[[from,to],…],\
      "update":[i,…]}}. Delete, update and move-from indexes count in the list before, insert and move-to indexes in \
      the list after: take the deleted and moved ones out, then put inserts and moves in by ascending index. No object \
      is in a set twice. Commits that come faster than the lines are read are taken together.

      At a terminal, rows are coloured by what has happened, and of a changed object what has changed, unless NO_COLOR is \
      set; rows are as wide as the terminal is when they come.

      It goes on until SIGINT, SIGTERM or the end of whoever reads its output, and its status is 0 then.
      """)

  @OptionGroup var store: StoreArgument

  @Argument(help: QueriedKind.help)
  var kind: QueriedKind

  @OptionGroup var list: ListArguments

  @Option(
    parsing: .unconditional,
    help: "Only so many rows from the top of the list, with a negative number from its bottom.")
  var window: Int?

  @OptionGroup var format: FormatOption

  func validate() throws {
    try kind.validate(in: store)
    guard window != 0 else {
      throw ValidationError(
        "--window takes a number of rows other than 0: 20 for the first 20, -20 for the last 20; leave it out to watch all"
      )
    }
  }

  func run() throws {
    WatchEnd.exitOnSignals()
    try watch(kind.kind.objectType)
  }

  private func watch<Object: ListedObject>(_ type: Object.Type) throws {
    // A list that is watched for days does not grow.
    let window: ListWindow =
      switch window {
      case nil: .all
      case let rows? where rows < 0: .last(rows == .min ? .max : -rows)
      case let rows?: .first(rows)
      }
    guard let query = Query<Object>(try list.description(of: kind)) else { return }
    var options = MessageStore.Options()
    options.isReadOnly = true
    let watcher = ListWatcher(try MessageStore(existingAt: store.store, options: options), query, window)
    try watcher.controller.execute()
    let end = WatchEnd(store: store.store)
    let format = format.resolved
    Task {
      do {
        try await watcher.run(format)
      } catch {
        ExitStatus.end(after: error)
      }
    }
    try end.wait()
  }
}
