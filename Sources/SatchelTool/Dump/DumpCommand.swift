import ArgumentParser
import Satchel
import SatchelIndexing
import SatchelModel
import SatchelStorage

extension DumpFormat: ExpressibleByArgument {}

/// `satchel dump`: records and index nodes as they are in the file, decoded.
struct DumpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract:
      "Shows records and index nodes as they are in the file, decoded; hex explains them byte by byte.",
    discussion: """
      TABLE is header, seal, messages, conversations, identities, announcements, bodies, dictionaries, log, consumers, \
      purge, staging, aggregates, nodes, or an index such as message.when; without it the header and the seal are shown. --key \
      takes a key as a dump prints it or, for messages, announcements, conversations and identities, an identifier; for \
      an index the first of its columns. Damaged records are shown as far as their bytes can be understood.
      """)

  @OptionGroup var store: StoreArgument

  @Argument(help: "What to show.")
  var table: String?

  @Option(parsing: .unconditional, help: "Only what is under this key.")
  var key: String?

  @Option(parsing: .unconditional, help: "The most records to show.")
  var limit: Int?

  @Option(help: "table, json or hex; without, a table at a terminal and json elsewhere.")
  var format: DumpFormat?

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0 on, not \(limit)") }
  }

  func run() throws {
    try store.read { snapshot in
      var dump = Dump(snapshot.base, format ?? (Terminal.isOutput ? .table : .json), key: key, limit: limit)
      guard let table else {
        try dump.show(.header)
        try dump.show(.seal)
        return try dump.end()
      }
      if let table = DumpTable(rawValue: table) {
        try dump.show(table)
      } else if let index = IndexCatalog.numeric.first(where: { $0.name == table }) {
        try dump.show(index)
      } else if let index = IndexCatalog.text.first(where: { $0.name == table }) {
        try dump.show(index)
      } else {
        throw ToolError("there is no table or index \"\(table)\": \(DumpTable.names)")
      }
      try dump.end()
    }
  }
}
