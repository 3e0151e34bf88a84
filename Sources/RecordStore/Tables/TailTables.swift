/// What is pending for the databases of records: the changes of commits that LMDB does not have yet. An immutable value:
/// each commit makes the next one.
package struct TailTables: Sendable {
  private var messages: PendingRecords?
  private var bodies: PendingRecords?
  private var objects: PendingRecords?
  /// Has the values.
  private(set) var arena: RecordArena

  /// Nothing.
  package init() { arena = RecordArena() }

  subscript(database: RecordDatabase) -> PendingRecords? {
    switch database {
    case .messages: messages
    case .bodies: bodies
    case .objects: objects
    }
  }

  /// The number of changes, of which two may have one key.
  var count: Int { (messages?.count ?? 0) + (bodies?.count ?? 0) + (objects?.count ?? 0) }

  /// Returns the same with memory of its own for the values of what is added.
  func apart() -> TailTables {
    var tables = self
    tables.arena = RecordArena(after: arena)
    tables.messages = messages?.moved(to: tables.arena)
    tables.bodies = bodies?.moved(to: tables.arena)
    tables.objects = objects?.moved(to: tables.arena)
    return tables
  }

  /// Adds a commit's changes of a database, whose values are in the arena.
  mutating func add(_ changes: [RecordChange], to database: RecordDatabase) {
    guard !changes.isEmpty else { return }
    let pending = (self[database] ?? PendingRecords(arena)).adding(changes)
    switch database {
    case .messages: messages = pending
    case .bodies: bodies = pending
    case .objects: objects = pending
    }
  }
}
