import SatchelCoding
package import SatchelLines
import SatchelModel
package import SatchelReading
import SatchelRecords

/// Writes what has changed in a store since a commit, as lines that an import takes. Imported into a store in the
/// state of that commit, the lines bring it to the state of the snapshot.
///
/// Deletions come first, then updates, then new objects, whole and in the order of their creation: so nothing is in
/// the way of a later line. The states that an object went through meanwhile are left out.
package struct ChangeExporter: ~Copyable {
  /// What an export of changes has written.
  package struct Summary: Sendable, Hashable {
    /// How many lines of each kind stand between the header and the trailer.
    package var counts: [InterchangeKind: Int64] = [:]
    /// How many lines stand between the header and the trailer.
    package var changes: Int64 { counts.values.reduce(0, +) }
    /// The commit of the snapshot, from which the next export of changes goes on.
    package var sequence: UInt64 = 0
    /// How many lines are longer than the format allows, so that no import takes them.
    package var overlongLines: Int64 = 0
    /// How many bytes the file has.
    package var bytes = 0
  }

  private let snapshot: Snapshot
  private let since: UInt64
  private var output: HashingOutput
  private var encoder = ObjectEncoder()
  private var summary = Summary()
  private let escapes: Bool
  private var reporter: ExportReporter

  /// - Parameters:
  ///   - since: The last commit whose changes are left out.
  ///   - descriptor: An open file; writing begins at its current offset.
  package init(_ snapshot: Snapshot, since: UInt64, to descriptor: Int32) {
    self.init(snapshot, since: since, to: HashingOutput(descriptor: descriptor))
  }

  /// - Parameters:
  ///   - since: The last commit whose changes are left out.
  ///   - escapes: As for `Exporter`.
  ///   - onProgress: As for `Exporter`; it counts the objects that have changed.
  package init(
    _ snapshot: Snapshot, since: UInt64, to output: consuming HashingOutput, escapes: Bool = false,
    onProgress: @escaping ExportReporter.Report = { _ in }
  ) {
    self.snapshot = snapshot
    self.since = since
    self.output = output
    self.escapes = escapes
    reporter = ExportReporter(onProgress)
  }

  /// Writes all lines, with header and trailer.
  /// - Throws: What `NetChanges` throws, before anything is written; then what `Exporter.run` throws.
  package mutating func run() throws -> Summary {
    let changes = try NetChanges(after: since, snapshot)
    summary.sequence = snapshot.seal.commit
    try reporter.begin(total: changes.deleted.count + changes.updated.count + changes.created.count)
    let types = try changes.concernsRecords ? snapshot.recordTypes().map(\.type).declarations : []
    encoder.appendHeader(
      version: types.isEmpty ? try snapshot.interchangeVersion : FileHeader.recordVersion)
    try endLine()
    for object in changes.deleted.keys.inOrder() {
      if let identifier = changes.deleted[object] { try writeDeletion(of: object, identifier) }
      try reporter.noteObject(bytes: output.byteCount)
    }
    for object in changes.updated.keys.inOrder() {
      if let update = changes.updated[object] { try write(update, of: object) }
      try reporter.noteObject(bytes: output.byteCount)
    }
    // Behind the updates and deletions: a record may have had a value of another type in a field that was declared since.
    for type in types {
      encoder.append(type)
      try endObject(.recordType)
    }
    for object in changes.created.inOrder() {
      try write(object)
      try reporter.noteObject(bytes: output.byteCount)
    }
    encoder.appendTrailer(
      counts: InterchangeKind.allCases.filter { ![.recordType, .record].contains($0) || !types.isEmpty }
        .map { ($0, summary.counts[$0] ?? 0) }, sha256: output.digest(),
      sequence: summary.sequence)
    try endLine()
    try output.flush()
    summary.bytes = output.byteCount
    try reporter.end(bytes: output.byteCount)
    return summary
  }

  private mutating func writeDeletion(of object: ObjectRow, _ identifier: String) throws {
    switch object {
    case .message: encoder.appendDeletion(message: identifier)
    case .conversation: encoder.appendDeletion(conversation: identifier)
    case .identity: return
    case .record(let key):
      encoder.appendDeletion(
        record: Record.ID(type: try snapshot.recordType(key.type).type.name, name: identifier))
    }
    try endObject(.delete)
  }

  /// Writes a new object.
  private mutating func write(_ object: ObjectRow) throws {
    switch object {
    case .record(let key):
      try encoder.append(snapshot.makeRecord(key))
      try endObject(.record)
    case .identity(let row):
      try encoder.append(snapshot.makeIdentity(row))
      try endObject(.identity)
    case .conversation(let row):
      try encoder.append(snapshot.makeConversation(row))
      try endObject(.conversation)
    case .message(let key):
      guard let view = try snapshot.message(key) else { return }
      let content = { [snapshot] (part: MessagePart) in try snapshot.content(of: part, in: view) }
      if key.isAnnouncement {
        try encoder.append(snapshot.makeAnnouncement(view), content: content)
        try endObject(.announcement)
      } else {
        try encoder.append(snapshot.makeMessage(view), content: content)
        try endObject(.message)
      }
    }
  }

  private mutating func write(_ update: NetChanges.Update, of object: ObjectRow) throws {
    switch object {
    case .identity(let row): try write(update, of: snapshot.makeIdentity(row))
    case .record(let key):
      try encoder.appendUpdate(of: snapshot.makeRecord(key))
      try endObject(.update)
    case .conversation(let row): try write(update, of: snapshot.makeConversation(row))
    case .message(let key):
      guard let view = try snapshot.message(key) else { return }
      let identifier = try snapshot.identifier(of: view)
      let envelope =
        key.isAnnouncement
        ? try snapshot.makeAnnouncement(view).envelope : try snapshot.makeMessage(view).envelope
      try write(update, of: identifier, envelope, view)
    }
  }

  private mutating func write(_ update: NetChanges.Update, of identity: Identity) throws {
    encoder.beginUpdate("identity", identity.userID.rawValue)
    for field in ObjectField.ofIdentities {
      guard let property = field.description.logged, update.has(property) else { continue }
      switch identity[field] {
      case .text(let text): encoder.optional(field.description.name, text)
      case .boolean(let value): encoder.flag(field.description.name, value)
      case .date(let date):
        try encoder.optional(field.description.name, date, of: identity.userID.rawValue)
      case .choice(let number):
        encoder.optional(field.description.name, field.type.name(of: number))
      }
    }
    encoder.endUpdate(metadata: update.has(.metadata) ? identity.metadata : nil)
    try endObject(.update)
  }

  private mutating func write(_ update: NetChanges.Update, of conversation: Conversation) throws {
    let id = conversation.id.rawValue
    // Only a change of the participants ends a conversation's distinctness, and by now the participants may be the
    // same again. So another list is written first: an empty one, or the user alone if the list is empty now.
    if update.has(.isDistinct) {
      try writeParticipants(conversation.participants.isEmpty ? [Identity.ID(snapshot.user)] : [], of: id)
    }
    if update.has(.participantSet) || update.has(.isDistinct) {
      try writeParticipants(conversation.participants, of: id)
    }
    // Behind the other changes, whose import dates the conversation by its own time.
    guard update.has(.metadata) || update.has(.remoteID) || update.has(.updatedAt) else { return }
    encoder.beginUpdate("conversation", id)
    if update.has(.remoteID) { encoder.text("remoteID", conversation.remoteID?.rawValue) }
    if let date = conversation.lastUpdate { try encoder.optional("updatedAt", date, of: id) }
    encoder.endUpdate(metadata: update.has(.metadata) ? conversation.metadata : nil)
    try endObject(.update)
  }

  private mutating func writeParticipants(_ participants: [Identity.ID], of id: String) throws {
    encoder.beginUpdate("conversation", id)
    encoder.writer.key("participants")
    encoder.writer.beginArray()
    for user in participants { encoder.writer.string(user.rawValue) }
    encoder.writer.endArray()
    encoder.endUpdate(metadata: nil)
    try endObject(.update)
  }

  private mutating func write(
    _ update: NetChanges.Update, of id: String, _ envelope: Envelope, _ view: MessageView
  ) throws {
    if update.has(.recipientStatus), envelope.deletedAt == nil {
      encoder.beginUpdate("message", id)
      encoder.null("recipientStatus")
      encoder.endUpdate(metadata: nil)
      try endObject(.update)
    }
    encoder.beginUpdate("message", id)
    if update.has(.remoteID) { encoder.text("remoteID", envelope.remoteID) }
    if update.has(.position) { encoder.optional("position", envelope.position) }
    if update.has(.sentAt) { try encoder.optional("sentAt", envelope.sentAt, of: id) }
    if update.has(.receivedAt) { try encoder.optional("receivedAt", envelope.receivedAt, of: id) }
    // Also where it is the same: an import of parts without it dates the edit by its own time.
    if update.has(.editedAt) || update.has(.contents) && envelope.deletedAt == nil {
      try encoder.optional("editedAt", envelope.editedAt, of: id)
    }
    if update.has(.deletedAt), envelope.deletedAt != nil {
      try encoder.optional("deletedAt", envelope.deletedAt, of: id)
    }
    if update.has(.updatedAt), envelope.updatedAt != nil {
      try encoder.optional("updatedAt", envelope.updatedAt, of: id)
    }
    if update.has(.isSent) { encoder.flag("isSent", envelope.isSent) }
    if update.has(.isUnread) { encoder.flag("isUnread", envelope.isUnread) }
    if update.has(.recipientStatus), !envelope.recipientStatus.isEmpty {
      encoder.writer.key("recipientStatus")
      encoder.writer.beginObject()
      for entry in envelope.recipientStatus { encoder.text(entry.user.rawValue, entry.status.name) }
      encoder.writer.endObject()
    }
    if update.has(.contents), envelope.deletedAt == nil {
      try encoder.append(envelope.parts) { [snapshot] in try snapshot.content(of: $0, in: view) }
    } else if update.has(.parts), envelope.deletedAt == nil {
      encoder.writer.key("transferStatus")
      encoder.writer.beginObject()
      for part in envelope.parts { encoder.text(String(part.index), part.transferStatus.name) }
      encoder.writer.endObject()
    }
    encoder.endUpdate(metadata: update.has(.metadata) && envelope.deletedAt == nil ? envelope.metadata : nil)
    try endObject(.update)
  }

  private mutating func endObject(_ kind: InterchangeKind) throws {
    if encoder.writer.bytes.count > LineReader.formatLimit { summary.overlongLines += 1 }
    summary.counts[kind, default: 0] += 1
    try endLine()
  }

  private mutating func endLine() throws {
    encoder.writer.endLine()
    if escapes { encoder.writer.bytes = DisplayJSON.escaped(encoder.writer.bytes) }
    try output.take(&encoder.writer.bytes)
  }
}

extension Sequence<ObjectRow> {
  /// Returns identities, conversations, messages, announcements and records, in this order, each kind in the order of
  /// creation.
  fileprivate func inOrder() -> [ObjectRow] { sorted { $0.exportOrder < $1.exportOrder } }
}

extension ObjectRow {
  fileprivate var exportOrder: (Int, UInt64) {
    switch self {
    case .identity(let row): (0, UInt64(row))
    case .conversation(let row): (1, UInt64(row))
    case .message(let key): (key.isAnnouncement ? 3 : 2, key.sequence)
    case .record(let key): (4, key.sequence)
    }
  }
}
