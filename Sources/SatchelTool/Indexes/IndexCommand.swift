import ArgumentParser
import Satchel
import SatchelModel
import SatchelQuery
import SatchelStorage
import TerminalInterface

/// `satchel index`: lists, declares and drops the indexes that an application has of its own.
struct IndexCommand: ParsableCommand, TakesKinds {
  static let kinds = ObjectKind.builtIn.filter { $0 != .parts }
  static let configuration = CommandConfiguration(
    commandName: "index",
    abstract: "Lists, declares and drops indexes of an application's own.",
    usage: """
      satchel index list <store> [--format <format>]
      satchel index declare <store> <name> <kind> --columns <columns> [--where <predicate>] [--unique] [--replacing] [--build]
      satchel index drop <store> <name>
      """,
    discussion: """
      Queries use such an index by themselves: for equality in its first columns, a range in the next one, orders that go on from \
      there, counts and offsets. With --where it has the objects that meet the condition, and answers queries that ask for no others.

      satchel index declare STORE tickets messages --where 'metadata.kind = "ticket"' --columns '-metadata.priority, sentAt'
      satchel index declare STORE tags messages --columns 'each metadata.tags, sentAt'
      satchel index declare STORE orders messages --columns metadata.order --unique
      satchel index declare STORE search messages --columns 'words parts.text'
      satchel index declare STORE open todo --where 'done = FALSE' --columns 'list, order'

      An index of up to 1,000 objects is complete when it is declared. A larger one is built by whoever has the store open, in short \
      steps between the commits of others; with --build the command goes on until it is complete. What is declared already stays as \
      it is. With --unique a write that would give two objects the same values fails; over objects that have them already the index is \
      refused, and index list says which they are.
      """)

  enum Action: String, ExpressibleByArgument, CaseIterable {
    case list, declare, drop
  }

  @Argument(help: "list, declare or drop.")
  var action: Action

  @OptionGroup var store: StoreArgument

  @Argument(help: "The name of the index that is declared or dropped.")
  var name: String?

  @Argument(
    help:
      "What it is of: conversations, messages, announcements or identities; or a record type that the application has declared."
  )
  var kind: QueriedKind?

  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: "A condition of the predicate language: only objects that meet it have entries.")
  var predicate: String?

  @Option(
    parsing: .unconditional,
    help:
      "One to eight properties, joined by commas, by which the entries are ordered: -metadata.priority has the greatest first; each metadata.tags gives an object an entry for each text of the list. Or one column alone: words parts.text has the words of texts, for full-text search."
  )
  var columns: String?

  @Flag(
    help: "Let no two objects have the same values in all columns; those that lack one of them are not asked."
  )
  var unique = false

  @Flag(help: "Take the place of another index of that name, which stays in use until this one is complete.")
  var replacing = false

  @Flag(help: "Go on until the index is complete.")
  var build = false

  @OptionGroup var writing: WriteOptions
  @OptionGroup var format: FormatOption

  func validate() throws {
    try kind?.validate(in: store)
    switch action {
    case .list:
      guard name == nil else { throw ValidationError("index list takes no name: it lists all") }
      guard writing.user == nil, writing.wait.seconds == nil else {
        throw ValidationError("--as and --wait go with index declare and index drop: nothing else writes")
      }
    case .drop:
      guard name != nil, kind == nil else {
        throw ValidationError("index drop takes the name of one index: satchel index drop STORE NAME")
      }
    case .declare:
      guard name != nil, kind != nil, columns != nil else {
        throw ValidationError(
          "index declare takes a name, a kind and columns: satchel index declare STORE NAME messages --columns sentAt"
        )
      }
      return
    }
    let ofDeclare = [
      ("where", predicate != nil), ("columns", columns != nil), ("unique", unique), ("replacing", replacing),
      ("build", build),
    ]
    if let (option, _) = ofDeclare.first(where: { $0.1 }) {
      throw ValidationError("--\(option) goes with index declare")
    }
  }

  func run() throws {
    switch action {
    case .list: try write(store.read { try $0.indexes() })
    case .drop: try writing.write(store.store) { try $0.dropIndex(named: name ?? "") }
    case .declare: try declare()
    }
  }

  private func declare() throws {
    guard let name, let kind, let columns else { return }
    let index = Index(
      named: name, kind: kind.kind, recordType: kind.recordType, unique: unique,
      where: try predicate.map { try QueryPredicate(format: $0, arguments: []) } ?? .true,
      columns: try IndexColumn.columns(columns))
    let status = try writing.open(store.store) { store in
      try store.declare(index, replacing: replacing)
      if build { try complete(index, store) }
      return try store.indexes().filter { $0.index == index }
    }
    if let refused = status.last, refused.isRefused {
      throw index.definition.refusal(
        because: refused.doubles.map { .init(first: Array($0.first.utf8), second: Array($0.second.utf8)) })
    }
    try write(status)
  }

  /// Builds what is not complete.
  private func complete(_ index: Index, _ store: MessageStore) throws {
    let bar = ProgressBar(total: 0, unit: "entries")
    defer { bar.end() }
    try store.base.completeIndexes {
      guard let status = try store.indexes().last(where: { $0.index == index }) else { return }
      let share = Swift.max(status.progress, 1e-6)
      bar.update(status.entries, of: Int(Double(status.entries) / share))
    }
  }

  /// Writes what is declared, a row an index.
  private func write(_ indexes: [DeclaredIndexStatus]) throws {
    var output = Output()
    switch format.resolved {
    case .table:
      var table = Table([
        .init("name", limit: 32), .init("entries", isNumber: true), .init("built", isNumber: true),
        .init("what it has, and in which order"),
      ])
      for status in indexes {
        // By bytes: a name may end in what becomes one character with the colon behind it.
        let words = String(
          decoding: status.index.description.utf8.dropFirst(status.index.name.utf8.count + 2), as: UTF8.self)
        let built =
          status.isRefused
          ? "refused" : status.isComplete ? "100 %" : "\(Swift.min(Int(status.progress * 100), 99)) %"
        try table.add([status.index.name, String(status.entries), built, words], to: &output)
      }
      try table.end(&output)
      if indexes.isEmpty { try output.line("no indexes") }
      for status in indexes where status.isRefused { try output.line(status.description) }
    case .json:
      for status in indexes {
        let index = status.index
        var members: [(String, ColumnValue)] = [
          ("name", .text(index.name)), ("from", .text(index.nameOfKind)),
        ]
        if index.predicate != .true { members.append(("where", .text(index.predicate.description))) }
        if index.isUnique { members.append(("unique", .boolean(true))) }
        members += [
          ("columns", .list(index.columns.map { .text($0.description) })),
          ("entries", .number(Int64(status.entries))), ("isComplete", .boolean(status.isComplete)),
          ("progress", .double(status.progress)),
        ]
        if !status.doubles.isEmpty {
          members.append(
            ("doubles", .list(status.doubles.map { .list([.text($0.first), .text($0.second)]) })))
          members.append(("isRefused", .boolean(status.isRefused)))
        }
        try output.write(members)
      }
    }
    try output.flush()
  }
}
