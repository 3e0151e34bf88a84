import RankedIndex
import RankedKeys
import Satchel
import SatchelCoding
import SatchelIndexing
import SatchelLines
import SatchelModel
package import SatchelReading

/// Writes a snapshot of a store in the interchange format: identities, conversations, messages and announcements,
/// each kind in the order of creation, records of applications with their types, and the declarations of indexes. Objects that the store's user cannot see are written, too.
package struct Exporter: ~Copyable {
  /// What an export has written.
  package struct Summary: Sendable, Hashable {
    package var identities: Int64 = 0
    package var conversations: Int64 = 0
    package var messages: Int64 = 0
    package var announcements: Int64 = 0
    package var records: Int64 = 0
    /// How many declarations of record types, and of indexes.
    package var recordTypes: Int64 = 0
    package var indexes: Int64 = 0
    /// How many lines are longer than the format allows, so that no import takes them: objects with contents of tens
    /// of megabytes.
    package var overlongLines: Int64 = 0
    /// How many bytes the file has.
    package var bytes = 0

    /// How many objects were written.
    package var objects: Int64 { identities + conversations + messages + announcements + records }
  }

  let snapshot: Snapshot
  /// The declared indexes, in the order of their declarations. Of one that is to take the place of another, only the one that is to stay.
  private var indexes: [Index] = []
  private var output: HashingOutput
  var encoder = ObjectEncoder()
  var summary = Summary()
  private let escapes: Bool
  private var reporter: ExportReporter

  /// - Parameter descriptor: An open file; writing begins at its current offset.
  package init(_ snapshot: Snapshot, to descriptor: Int32) {
    self.init(snapshot, to: HashingOutput(descriptor: descriptor))
  }

  /// - Parameters:
  ///   - escapes: Whether characters that are unsafe to show in a terminal are escaped. The file means the same, and
  ///     its trailer has the hash of the escaped lines.
  ///   - onProgress: Called at the beginning, every 1,000 objects and at the end. If it throws, the export ends.
  package init(
    _ snapshot: Snapshot, to output: consuming HashingOutput, escapes: Bool = false,
    onProgress: @escaping ExportReporter.Report = { _ in }
  ) {
    self.snapshot = snapshot
    self.output = output
    self.escapes = escapes
    reporter = ExportReporter(onProgress)
  }

  /// Writes the whole file, with header and trailer.
  /// - Throws: What the output throws, `snapshotExpired` when its lease ends included; ``SatchelError`` for damage and
  ///   for dates that the format cannot express; what `onProgress` throws.
  package mutating func run() throws -> Summary {
    indexes = try declaredIndexes()
    try reporter.begin(total: try countObjects())
    try writeHeader()
    try writeIdentities()
    try writeConversations()
    try writeMessages()
    try writeAnnouncements()
    try writeRecords()
    try writeIndexes()
    try writeTrailer()
    try output.flush()
    summary.bytes = output.byteCount
    try reporter.end(bytes: output.byteCount)
    return summary
  }

  /// Returns the number of lines between the header and the trailer. The indexes know it.
  private func countObjects() throws -> Int {
    let indexes = [
      IndexCatalog.identityRows, IndexCatalog.conversationIdentifier, IndexCatalog.messageCreated,
      IndexCatalog.messageHidden, IndexCatalog.announcementCreated,
    ]
    return try indexes.reduce(self.indexes.count + countRecords()) { try $0 + snapshot.forest.count($1.tree) }
  }

  private func declaredIndexes() throws -> [Index] {
    let records = try snapshot.declaredIndexes().filter { $0.entry.state.isKept }
    return try records.enumerated().compactMap { place, record in
      let isReplaced = records[(place + 1)...].contains { $0.definition.name == record.definition.name }
      return isReplaced ? nil : try Index(record.definition)
    }
  }

  private mutating func writeIndexes() throws {
    for index in indexes {
      encoder.append(index)
      summary.indexes += 1
      try endObject()
    }
  }

  private mutating func writeIdentities() throws {
    // The tables also hold what an import has staged and what waits to be purged; the indexes hold what exists.
    let index = IndexCatalog.identityRows
    var cursor = try snapshot.forest.cursor(index.tree)
    while let row = try cursor.next() {
      try encoder.append(snapshot.makeIdentity(index.object(of: row)))
      summary.identities += 1
      try endObject()
    }
  }

  private mutating func writeConversations() throws {
    var rows: [UInt32] = []
    let index = IndexCatalog.conversationIdentifier
    var cursor = try snapshot.forest.cursor(index.tree)
    while let entry = try cursor.next() { rows.append(index.object(of: entry)) }
    rows.sort()
    for row in rows {
      try encoder.append(snapshot.makeConversation(row))
      summary.conversations += 1
      try endObject()
    }
  }

  /// Writes the messages, merging the index of the visible ones and the index of the hidden ones by creation.
  private mutating func writeMessages() throws {
    // Both have the same columns.
    let index = IndexCatalog.messageCreated
    var visible = try snapshot.forest.cursor(index.tree)
    var hidden = try snapshot.forest.cursor(IndexCatalog.messageHidden.tree)
    var nextVisible = try visible.next()
    var nextHidden = try hidden.next()
    while true {
      let row: Words
      if let first = nextVisible,
        nextHidden.map({ index.sequence(of: first) < index.sequence(of: $0) }) ?? true
      {
        row = first
        nextVisible = try visible.next()
      } else if let first = nextHidden {
        row = first
        nextHidden = try hidden.next()
      } else {
        return
      }
      let view = try snapshot.message(
        conversation: index.conversation(of: row), sequence: index.sequence(of: row))
      try encoder.append(snapshot.makeMessage(view)) { [snapshot] in try snapshot.content(of: $0, in: view) }
      summary.messages += 1
      try endObject()
    }
  }

  private mutating func writeAnnouncements() throws {
    let index = IndexCatalog.announcementCreated
    var cursor = try snapshot.forest.cursor(index.tree)
    while let row = try cursor.next() {
      let view = try snapshot.announcement(index.sequence(of: row))
      try encoder.append(snapshot.makeAnnouncement(view)) { [snapshot] in
        try snapshot.content(of: $0, in: view)
      }
      summary.announcements += 1
      try endObject()
    }
  }
}

extension Exporter {
  private mutating func writeHeader() throws {
    let version =
      try !snapshot.recordTypes().isEmpty
      ? FileHeader.recordVersion : indexes.isEmpty ? snapshot.interchangeVersion : FileHeader.indexVersion
    encoder.appendHeader(version: version)
    try endLine()
  }

  private mutating func writeTrailer() throws {
    var counts: [(InterchangeKind, Int64)] = [
      (.identity, summary.identities), (.conversation, summary.conversations),
      (.message, summary.messages), (.announcement, summary.announcements),
    ]
    if summary.recordTypes > 0 {
      counts += [(.recordType, summary.recordTypes), (.record, summary.records)]
    }
    if summary.indexes > 0 { counts.append((.declaredIndex, summary.indexes)) }
    encoder.appendTrailer(counts: counts, sha256: output.digest(), sequence: nil)
    try endLine()
  }

  mutating func endObject() throws {
    if encoder.writer.bytes.count > LineReader.formatLimit { summary.overlongLines += 1 }
    try endLine()
    try reporter.noteObject(bytes: output.byteCount)
  }

  private mutating func endLine() throws {
    encoder.writer.endLine()
    if escapes { encoder.writer.bytes = DisplayJSON.escaped(encoder.writer.bytes) }
    try output.take(&encoder.writer.bytes)
  }
}

extension Snapshot {
  /// Returns the content of a part of a record.
  /// - Throws: ``SatchelError`` `unknownMessage` if there is no such part.
  func content(of part: MessagePart, in view: MessageView) throws -> [UInt8] {
    guard let stored = self.part(at: part.index, of: view)?.part else {
      throw SatchelError(.unknownMessage, "There is no such part", ["part": part.id.rawValue])
    }
    return try content(of: stored, index: part.index, in: view.key)
  }
}
