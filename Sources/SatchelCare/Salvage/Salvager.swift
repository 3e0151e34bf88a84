internal import LMDBPages
internal import SatchelCoding
internal import SatchelImport
internal import SatchelModel
internal import SatchelStorage
internal import SatchelWriting

/// Writes salvaged records into a new store, in the order of their creation.
struct Salvager {
  let view: SalvagedRecords.View
  private let user: String
  let seal: Seal?
  /// Whether the store had the indexes of messages' metadata; nil if its format could not have them, or if its header is lost.
  private let indexesMessageMetadata: Bool?
  var objects: SalvagedObjects
  let types: SalvagedTypes
  private let definitions: SalvagedDefinitions
  var report = SalvageReport()
  /// Objects that an import had staged: they were never part of the store.
  private(set) var staged: Set<ObjectRow> = []
  /// Objects that the change log lists as deleted.
  private(set) var deleted: Set<ObjectRow> = []
  /// The identifiers of conversations that were used recently, by row.
  private var conversations: [UInt32: Conversation.ID] = [:]
  /// Conversations that could not be saved under their own identifier, or were made up.
  private var madeUp: Set<UInt32> = []
  private var step = Step.identities(from: 0)

  /// The next step of the salvage.
  private enum Step {
    case identities(from: UInt32)
    case conversations(from: UInt32)
    case messages(after: MessageKey?)
    case recordTypes
    case records(after: TypedRecordKey?)
    case end
  }

  init(_ view: SalvagedRecords.View, _ summary: PageSalvage.Summary, _ user: String?) throws {
    self.view = view
    let header = unsafe try view.record(ObjectKey.header.bytes).flatMap { record in
      unsafe try? StoreHeader(record.bytes)
    }
    if let header { try Store.checkFormat(header, "") }
    guard let owner = user ?? header.map({ String(decoding: $0.user, as: UTF8.self) }) else {
      throw SatchelError(.notAStore, "The header of the store is lost: name the user whose store it is")
    }
    self.user = owner
    indexesMessageMetadata = header.flatMap {
      $0.versions.format < StoreHeader.OptionalIndexes.format
        ? nil : $0.versions.optionalIndexes.contains(.messageMetadata)
    }
    seal = unsafe try view.record(ObjectKey.seal.bytes).flatMap { record in unsafe try? Seal(record.bytes) }
    objects = SalvagedObjects(view, user: owner)
    definitions = try SalvagedDefinitions(view)
    types = try SalvagedTypes(view)
    report.damagedPages = summary.damagedPages.count
    if header == nil { report.note("the header: the new store has one of its own") }
    if seal == nil { report.note("the seal: nothing says how many records there were") }
    if summary.hasFoundTables { report.note("the way to the tables: the newest whole ones were taken") }
    if summary.mayLackLastCommit { report.note("a meta page: the last commit may be lost") }
    for range in summary.lost { report.note(range.text) }
    try view.forEachObject(from: .changeLog(commit: 0)) { key, value, _ in
      guard case .changeLog(let commit) = key else { return false }
      // Entries of a commit that was never completed may have been found as well.
      if commit <= seal?.commit ?? 0, let entry = unsafe try? ChangeLogEntry(value, commit: commit) {
        for change in entry.changes where change.action == .deleted { deleted.insert(change.object) }
      }
      return true
    }
    var uncertain = 0
    try view.forEachObject(from: .staging(importNumber: 0, ordinal: 0)) { key, value, isCertain in
      guard case .staging(let number, let ordinal) = key else { return false }
      // An old version of a page may hold staging entries of imports that have ended since: their objects are part of
      // the store.
      guard isCertain else {
        uncertain += 1
        return true
      }
      if case .created(let object)? = unsafe try? StagingEntry(
        value, importNumber: number, ordinal: ordinal
      ).content {
        staged.insert(object)
      }
      return true
    }
    if uncertain > 0 {
      report.note("the queue of imports: up to \(uncertain) objects may be of one that has not ended")
    }
  }

  mutating func run(
    into destination: String, _ options: Store.Options, _ progress: (UInt64) throws -> Void
  ) throws {
    var salvager = self
    var options = options
    if let indexesMessageMetadata { options.indexesMessageMetadata = indexesMessageMetadata }
    options.writerEnvironment.metadataKeys = .stored
    _ = try ImportSession.run(
      into: destination, user: user, options: options,
      next: { session in
        let hasMore = try salvager.next(session)
        try progress(salvager.report.saved.objects)
        return hasMore
      }, apply: { writer, line, _ in try salvager.declare(Int(line), writer) })
    self = salvager
    report.lost = lostObjects
  }

  /// Writes some objects into the new store. Returns false at the end.
  private mutating func next(_ session: ImportSession) throws -> Bool {
    switch step {
    case .identities(let first):
      let rows = try batch(from: .identity(row: first)) { key in
        if case .identity(let row) = key { row } else { nil }
      }
      for row in rows { try save(identity: row, session) }
      step = Self.after(rows).map { .identities(from: $0) } ?? .conversations(from: 0)
    case .conversations(let first):
      let rows = try batch(from: .conversation(row: first)) { key in
        if case .conversation(let row) = key { row } else { nil }
      }
      for row in rows { try save(conversation: row, session) }
      step = Self.after(rows).map { .conversations(from: $0) } ?? .messages(after: nil)
    case .messages(let last):
      let keys = try view.messages(after: last, limit: Self.batchSize)
      for key in keys { try save(message: key, session) }
      step = keys.isEmpty ? .recordTypes : .messages(after: keys.last)
    case .recordTypes:
      if !types.all.isEmpty { try declareTypes(session) }
      step = .records(after: nil)
    case .records(let last):
      let keys = try records(after: last, limit: Self.batchSize)
      for key in keys { try save(record: key, session) }
      step = keys.isEmpty ? .end : .records(after: keys.last)
    case .end:
      for place in definitions.all.indices { try session.addLast([], line: UInt64(place)) }
      return false
    }
    return true
  }

  /// Declares in the new store what was declared in the old one. A definition that cannot be declared is lost.
  private mutating func declare(_ place: Int, _ writer: Writer) throws {
    let (definition, isCertain) = definitions.all[place]
    do {
      switch definition {
      case .aggregate(let entry):
        try writer.declare(entry)
        report.aggregates += 1
      case .index(let definition):
        try writer.declare(definition)
        report.indexes += 1
      }
    } catch let error as SatchelError {
      return report.note("\(definition.text): it is not declared: \(error.description)")
    }
    if !isCertain {
      report.note("\(definition.text): it was found outside its table, and may have been dropped or replaced")
    }
  }

  private static let batchSize = 100

  /// Returns the row to continue from; nil after the last batch.
  private static func after(_ rows: [UInt32]) -> UInt32? {
    guard rows.count == batchSize, let last = rows.last, last < .max else { return nil }
    return last + 1
  }

  private func batch(from start: ObjectKey, _ row: (ObjectKey) -> UInt32?) throws -> [UInt32] {
    var rows: [UInt32] = []
    try view.forEachObject(from: start) { key, _, _ in
      guard let row = row(key), rows.count < Self.batchSize else { return false }
      rows.append(row)
      return true
    }
    return rows
  }

  // MARK: Objects

  private mutating func save(identity row: UInt32, _ session: ImportSession) throws {
    guard !staged.contains(.identity(row)),
      let (bytes, isCertain) = unsafe try view.record(ObjectKey.identity(row: row).bytes)
    else { return }
    guard let identity = unsafe try objects.identity(row, bytes) else {
      return report.note("identity \(row): the user id that it is of is lost")
    }
    try attempt("identity \(identity.userID.rawValue)", isCertain) {
      try session.addIdentity(identity, line: 0)
      $0.report.saved.identities += 1
    }
  }

  private mutating func save(conversation row: UInt32, _ session: ImportSession) throws {
    guard !staged.contains(.conversation(row)), try !isDeleted(conversation: row),
      let (bytes, isCertain) = unsafe try view.record(ObjectKey.conversation(row: row).bytes),
      let draft = unsafe try objects.conversation(row, bytes), let id = draft.identifier
    else { return }
    try attempt("conversation \(id.rawValue)", isCertain) {
      do {
        try session.addConversation(draft, line: 0)
      } catch let error as SatchelError where error.code == .distinctConversationExists {
        // Of two versions of one conversation, or of two conversations of the same participants, only one can be
        // distinct.
        var other = draft
        other.isDistinct = false
        try session.addConversation(other, line: 0)
      }
      $0.report.saved.conversations += 1
    }
  }

  private mutating func save(message key: MessageKey, _ session: ImportSession) throws {
    guard !staged.contains(.message(key)), try !isDeleted(key),
      let (bytes, isCertain) = unsafe try view.record(key.bytes)
    else { return }
    guard let draft = unsafe try objects.message(key, bytes) else {
      return report.note(
        "message \(key.conversation)/\(key.sequence): its record says what the format does not allow")
    }
    let lacks = objects.lacks
    let name = "\(key.isAnnouncement ? "announcement" : "message") \(draft.identifier?.rawValue ?? "")"
    if key.isAnnouncement {
      try attempt(name, isCertain, lacks) {
        try session.addAnnouncement(draft, line: 0)
        $0.report.saved.announcements += 1
      }
    } else {
      let conversation = try self.conversation(of: key, session)
      try attempt(name, isCertain, lacks) {
        try session.addMessage(draft, in: conversation, line: 0)
        $0.report.saved.messages += 1
      }
    }
  }

  /// Whether a message or its conversation was deleted. No number is reused, so any version of the log or the purge
  /// queue that says so is proof, unless the object itself was found in its tree.
  private func isDeleted(_ key: MessageKey) throws -> Bool {
    if try deleted.contains(.message(key)) || isQueued(key),
      unsafe try view.record(key.bytes)?.isCertain != true
    {
      return true
    }
    return try !key.isAnnouncement && isDeleted(conversation: key.conversation)
  }

  private func isDeleted(conversation row: UInt32) throws -> Bool {
    let whole = MessageKey(conversation: row, sequence: MessageKey.wholeConversation)
    guard try deleted.contains(.conversation(row)) || isQueued(whole) else { return false }
    return unsafe try view.record(ObjectKey.conversation(row: row).bytes)?.isCertain != true
  }

  private func isQueued(_ key: MessageKey) throws -> Bool {
    unsafe try view.record(ObjectKey.purge(key).bytes) != nil
  }

  /// Returns the conversation of a message in the new store: its own, or a made-up one.
  private mutating func conversation(of key: MessageKey, _ session: ImportSession) throws -> Conversation.ID {
    let row = key.conversation
    if let known = conversations[row] { return known }
    if conversations.count > 10_000 { conversations.removeAll() }
    if !madeUp.contains(row), let (bytes, _) = unsafe try view.record(ObjectKey.conversation(row: row).bytes),
      let id = unsafe try objects.conversation(row, bytes)?.identifier
    {
      conversations[row] = id
      return id
    }
    let draft = try objects.madeUpConversation(row)
    let id = draft.identifier ?? Conversation.ID("lost-conversation-\(row)")
    if madeUp.insert(row).inserted {
      try session.addConversation(draft, line: 0)
      report.note("conversation \(row): its messages are in \(id.rawValue) now")
    }
    conversations[row] = id
    return id
  }

  /// Saves an object. If the new store does not accept it, it is lost.
  mutating func attempt(
    _ name: String, _ isCertain: Bool, _ lacks: [String]? = nil, _ body: (inout Salvager) throws -> Void
  ) throws {
    let lacks = lacks ?? objects.lacks
    do {
      try body(&self)
    } catch let error as SatchelError where error.code.isOfObject {
      return report.note("\(name): \(error.description)")
    }
    if !lacks.isEmpty { report.incomplete += 1 }
    for lack in lacks { report.note("\(name): \(lack)") }
    if !isCertain {
      report.uncertain += 1
      report.note("\(name): it was found outside its table, and may be older than what is lost")
    }
  }
}
