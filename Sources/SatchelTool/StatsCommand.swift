import ArgumentParser
import Satchel
import SatchelCare
import SatchelCoding
import SatchelLines
import SatchelModel
import SatchelReading
import SatchelStorage
import SatchelText
import TerminalInterface

/// `satchel stats`: shows what a store takes, table by table and index by index.
struct StatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract:
      "Shows entries, bytes and height of each table and index, the declared types, free pages, and who reads the store.",
    discussion: """
      entries are the records of a table, or the rows of an index. bytes are those of the pages or nodes that hold them; \
      tables of small records share pages, and of these bytes counts keys and values alone. The nodes of indexes are what \
      the tables nodes and texts hold, so that the bytes of an index are among theirs. height is how many pages or nodes a \
      look-up passes from the root of the tree to an entry; 0 is an empty tree. entries are those after the last commit; \
      bytes, height, nodes and texts are those of data.mdb, also where the journal has commits after its last one.

      Free bytes of the file are used again by later commits. A reader holds the snapshot that it began with: the file \
      grows by what commits since then have given up.

      Record types are shown with the types of their fields, how many records of each there are, and the declared indexes, \
      with their columns, and aggregates of these.

      All declared indexes are in the tree declared.entries. The bytes of one are about those that its entries take there, as a node \
      may have entries of several. An index of words tells of how many objects it has texts, and how many words and characters \
      these are: what bytes a word of text costs is their ratio. The bytes of the texts themselves are not counted.

      With --space, all of data.mdb is read, and each byte of it told of once: by whose pages it is in, how many bytes of these \
      are used, and how many are room inside pages. Pages that the last two commits have given up cannot be used by the next one.
      """)

  @OptionGroup var store: StoreArgument
  @OptionGroup var format: FormatOption

  @Flag(help: "Tell where the bytes of data.mdb go instead.")
  var space = false

  func run() throws {
    var output = Output()
    if space {
      let space = try store.withStore { try $0.space() }
      switch format.resolved {
      case .table: try Self.write(space, to: &output)
      case .json: try output.write(Self.line(space))
      }
      return try output.flush()
    }
    let (statistics, user) = try store.withStore { (try $0.statistics(), $0.user) }
    switch format.resolved {
    case .table: try Self.write(statistics, user, to: &output)
    case .json: try output.write(Self.line(statistics, user))
    }
    try output.flush()
  }

  /// What the columns mean, in one line.
  private static let legend =
    "entries: records or rows; bytes: of the pages or nodes that hold them; height: levels of the tree"

  private static func write(_ statistics: StoreStatistics, _ user: String, to output: inout Output) throws {
    try write("table", statistics.tables, to: &output)
    try output.line("")
    try write("index", statistics.indexes, to: &output)
    try output.line("")
    try output.line(legend)
    try output.line("")
    try output.line("user      \(user.oneLine)")
    try output.line("file      \(statistics.fileBytes) bytes, \(statistics.freeBytes) of them free")
    try output.line("sequence  \(statistics.sequence)")
    if statistics.databaseSequence < statistics.sequence {
      let commits = statistics.sequence - statistics.databaseSequence
      try output.line(
        "journal   has \(commits) commits after \(statistics.databaseSequence), the last one of data.mdb")
    }
    let log = statistics.log
    try output.line("log       from commit \(log.first) on, \(log.count) entries, \(log.bytes) bytes")
    for consumer in statistics.consumers {
      let lag = statistics.sequence - min(statistics.sequence, consumer.readCommit)
      let state = consumer.isBehind ? "\(lag) behind, beyond the log" : "\(lag) behind"
      try output.line(
        "consumer  \(consumer.name.oneLine) has read commit \(consumer.readCommit), \(state)")
    }
    for (definition, groups) in statistics.aggregates {
      try output.line("aggregate \(text(definition).oneLine), \(groups) groups")
    }
    for declared in statistics.declaredIndexes { try output.line("declared  \(line(declared))") }
    for type in TypeStatistics.all(statistics) { try output.line("type      \(type.line)") }
    let paths = statistics.indexedPaths.map { ", \($0.count) of them in \($0.index)" }.joined()
    try output.line("paths     \(statistics.metadataPaths) of metadata\(paths)")
    try output.line("readers   \(statistics.readers), the oldest \(statistics.readerLag) commits behind")
    for reader in statistics.activeReaders {
      try output.line("reader    process \(reader.process) holds a snapshot \(reader.lag) commits behind")
    }
  }

  private static func write(
    _ title: String, _ parts: [StoreStatistics.Part], to output: inout Output
  ) throws {
    var table = Table([
      .init(title, limit: 32), .init("entries", isNumber: true), .init("bytes", isNumber: true),
      .init("height", isNumber: true),
    ])
    for part in parts {
      try table.add([part.name, String(part.entries), String(part.bytes), String(part.height)], to: &output)
    }
    try table.end(&output)
  }

  private static func line(_ statistics: StoreStatistics, _ user: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("user")
    writer.string(user)
    for (key, parts) in [("tables", statistics.tables), ("indexes", statistics.indexes)] {
      writer.key(key)
      writer.beginObject()
      for part in parts {
        writer.key(part.name)
        write([("entries", part.entries), ("bytes", part.bytes), ("height", part.height)], to: &writer)
      }
      writer.endObject()
    }
    let numbers = [
      ("fileBytes", Int64(statistics.fileBytes)), ("freeBytes", Int64(statistics.freeBytes)),
      ("sequence", Int64(clamping: statistics.sequence)),
      ("dataSequence", Int64(clamping: statistics.databaseSequence)), ("readers", Int64(statistics.readers)),
      ("readerLag", Int64(clamping: statistics.readerLag)),
    ]
    for (key, number) in numbers {
      writer.key(key)
      writer.integer(number)
    }
    writer.key("activeReaders")
    writer.beginArray()
    for reader in statistics.activeReaders {
      write([("process", Int(reader.process)), ("lag", Int(clamping: reader.lag))], to: &writer)
    }
    writer.endArray()
    write(statistics.log, statistics.consumers, to: &writer)
    write(statistics.aggregates, to: &writer)
    writer.key("declaredIndexes")
    write(statistics.declaredIndexes, to: &writer)
    TypeStatistics.write(TypeStatistics.all(statistics), to: &writer)
    writer.key("metadataPaths")
    write([("registered", statistics.metadataPaths)] + statistics.indexedPaths, to: &writer)
    writer.endObject()
    writer.endLine()
    return writer.bytes
  }

  private static func write(_ numbers: [(String, Int)], to writer: inout JSONWriter) {
    writer.object(numbers.map { ($0, .number(Int64($1))) })
  }

  /// Returns what an aggregate counts, or only its name if a later version has defined it in a language of its own.
  private static func text(_ definition: AggregateEntry) -> String {
    (try? AggregateDescription(definition))?.description ?? String(decoding: definition.name, as: UTF8.self)
  }

  private static func write(
    _ aggregates: [(definition: AggregateEntry, groups: Int)], to writer: inout JSONWriter
  ) {
    writer.key("aggregates")
    writer.beginArray()
    for (definition, groups) in aggregates {
      writer.object([
        ("name", .text(String(decoding: definition.name, as: UTF8.self))),
        ("definition", .text(text(definition))), ("groups", .number(Int64(groups))),
      ])
    }
    writer.endArray()
  }

  private static func write(_ log: Seal.Log, _ consumers: [Consumer], to writer: inout JSONWriter) {
    writer.key("log")
    let numbers = [("first", log.first), ("entries", log.count), ("bytes", log.bytes)]
    write(numbers.map { ($0, Int(clamping: $1)) }, to: &writer)
    writer.key("consumers")
    writer.beginArray()
    for consumer in consumers {
      writer.beginObject()
      writer.key("name")
      writer.string(consumer.name)
      writer.key("readCommit")
      writer.integer(Int64(clamping: consumer.readCommit))
      writer.key("isBehind")
      writer.bool(consumer.isBehind)
      writer.endObject()
    }
    writer.endArray()
  }
}
