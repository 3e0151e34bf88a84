internal import RankedIndex
internal import RankedKeys
internal import SatchelCoding
internal import SatchelIndexing
internal import SatchelModel

/// Checks everything in the database of objects.
extension Verifier {
  mutating func checkObjects() throws {
    var log = Seal.Log(first: snapshot.seal.log.first, count: 0, bytes: 0)
    try scanObjects(reportsKeys: true) { verifier, key, value in
      let isDerived =
        switch key {
        case .changeLog, .purge, .indexBuild: true
        default: false
        }
      let table = Seal.Table(of: key)
      try verifier.attempt(table.map { "\($0)" } ?? "objects", "\(key)", isDerived: isDerived) { verifier in
        if let table { unsafe try verifier.count(table, key.bytes, value, "\(key)") }
        unsafe try verifier.check(key, value, &log)
      }
    }
    check(log)
    for kind in DictionaryKind.allCases {
      let next = snapshot.seal[nextID: kind]
      if dictionaryCounts[Int(kind.rawValue)] != next {
        report.add("dictionaries", "\(kind)", "\(next) numbers were given, and not each has its entry")
      }
    }
  }

  private mutating func check(_ key: ObjectKey, _ value: UnsafeRawBufferPointer, _ log: inout Seal.Log) throws
  {
    switch key {
    case .header, .seal: report.records += 1
    case .conversation(let row):
      try check(conversation: unsafe ConversationView(value, row: row))
    case .identity(let row):
      try check(identity: unsafe IdentityView(value, row: row))
    case .announcement(let sequence):
      let message = MessageKey(announcement: sequence)
      try check(message: unsafe MessageView(value, key: message), isVisible: false)
    case .dictionary(let kind, let id):
      try check(kind, id, unsafe DictionaryEntry(value, kind, id: id))
    case .changeLog(let commit):
      check(unsafe try ChangeLogEntry(value, commit: commit), of: commit)
      log.count += 1
      log.bytes += UInt64(value.count)
      if commit < log.first { report.addDerived("changeLog", "\(commit)", "the log begins at \(log.first)") }
      if commit > snapshot.seal.commit {
        report.addDerived("changeLog", "\(commit)", "it is after the last commit")
      }
    case .consumer(let id):
      check(consumer: id, unsafe try ConsumerEntry(value, id: id))
    case .purge(let message):
      try check(purge: message, unsafe PurgeEntry(value, key: message))
    case .staging(let number, let ordinal):
      try check(
        staging: number, ordinal, unsafe StagingEntry(value, importNumber: number, ordinal: ordinal))
    case .aggregate(let id):
      let entry = unsafe try AggregateEntry(value, id: id)
      if !aggregateNames.insert(entry.name).inserted {
        report.add("aggregates", "\(id)", "another one has its name")
      }
    case .deletedMessages(let conversation, let block):
      _ = unsafe try DeletedMessages(value, conversation: conversation, block: block)
      if conversation != MessageKey.announcements, conversation >= snapshot.seal.nextConversation {
        report.add(
          "deletions", "\(conversation)/\(block)", "the number of its conversation has not been given yet")
      }
    case .deletedConversation(let hash):
      let deleted = unsafe try DeletedConversation(value, hash: hash)
      if !([deleted.identifier] + (deleted.remoteID.map { [$0] } ?? [])).allSatisfy(Self.isIdentifier) {
        report.add("deletions", "\(hash)", "its identifier is none")
      }
      _ = try snapshot.participantSets.members(deleted.participantSet)
    case .declaredIndex(let id):
      check(declared: id, unsafe try DeclaredIndexEntry(value, id: id))
    case .recordType(let id):
      check(recordType: id, unsafe try RecordTypeEntry(value, id: id))
    case .record(let record):
      try check(record: unsafe RecordView(value, key: record))
    case .indexBuild:
      let build = unsafe try IndexBuild(value)
      if !build.indexes.isSubset(of: optionalIndexes) {
        report.addDerived("indexBuild", "", "the header has no such indexes")
      }
      if build.next > snapshot.seal.nextSequence {
        report.addDerived("indexBuild", "", "the number \(build.next) has not been given yet")
      }
    }
  }

  /// Calls `visit` with the record of every conversation. For the bytes see `scan`.
  @safe mutating func scanConversations(
    _ visit: (inout Verifier, UInt32, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try scanObjects { verifier, key, value in
      if case .conversation(let row) = key { unsafe try visit(&verifier, row, value) }
    }
  }

  private mutating func check(conversation view: ConversationView) throws {
    let row = view.row
    if row >= snapshot.seal.nextConversation {
      report.addDerived("conversations", "\(row)", "its number has not been given yet")
    }
    let fields = try view.fields()
    if !Self.isIdentifier(fields.identifier) {
      report.add("conversations", "\(row)", "its identifier is none")
    }
    guard !staged.contains(.conversation(row)) else { return }
    let members = try snapshot.participantSets.members(fields.participantSet)
    let isVisible = try fields.messageCount > 0 && (snapshot.userNumber.map(members.contains) ?? false)
    if isVisible != fields.isVisible {
      report.addDerived(
        "conversations", "\(row)", "its visibility is not what its participants and messages make it")
    }
    var indexed = IndexedConversation(fields, row: row)
    indexed.members = members
    indexed.metadata = try texts(fields.metadata, "conversations", "\(row)")
    changes.change(from: nil, to: indexed)
    if isVisible { try addDeclared(.conversation(row)) }
    try expectEntries(of: "conversations", "\(row)")
  }

  private mutating func check(identity view: IdentityView) throws {
    let row = view.row
    if row >= snapshot.seal.nextIdentity {
      report.addDerived("identities", "\(row)", "its number has not been given yet")
    }
    let fields = try view.fields()
    _ = try snapshot.users.text(fields.user)
    guard !staged.contains(.identity(row)) else { return }
    var indexed = IndexedIdentity(fields, row: row)
    indexed.metadata = try texts(fields.metadata, "identities", "\(row)")
    changes.change(from: nil, to: indexed)
    try addDeclared(.identity(row))
    try expectEntries(of: "identities", "\(row)")
  }

  func texts(_ metadata: Metadata, _ table: String, _ row: String) throws -> [IndexedValue] {
    try IndexedValue.all(metadata) { path in
      guard let number = try snapshot.metadataPaths.number(of: path) else {
        throw IndexError.corrupt(
          tree: IndexCatalog.dictionaryText.number, node: 0,
          what: "the dictionary lacks the metadata key path \(path) of row \(row) of \(table)")
      }
      return number
    }
  }

  private mutating func check(_ kind: DictionaryKind, _ id: UInt32, _ entry: DictionaryEntry) throws {
    dictionaryCounts[Int(kind.rawValue)] += 1
    if id >= snapshot.seal[nextID: kind] {
      report.addDerived("dictionaries", "\(kind)/\(id)", "its number has not been given yet")
    }
    let bytes: [UInt8]
    switch entry {
    case .text(let text):
      bytes = text
      check(kind, id, text: text)
    case .set(let ids):
      bytes = DictionaryEntry.packed(ids)
      let members: DictionaryKind = kind == .typeSets ? .mimeTypes : .users
      if let last = ids.last, last >= snapshot.seal[nextID: members] {
        report.add("dictionaries", "\(kind)/\(id)", "its member \(last) is no number of \(members)")
      }
    }
    changes.insert(
      IndexCatalog.dictionaryText.tree, TextKey(group: UInt64(kind.rawValue), text: bytes, row: UInt64(id)))
    try expectEntries(of: "dictionaries", "\(kind)/\(id)")
  }

  /// Checks a text of a dictionary. User ids are identifiers, key paths are keys joined as `MetadataPath` joins them, and MIME types
  /// are any text that is not empty.
  private mutating func check(_ kind: DictionaryKind, _ id: UInt32, text bytes: [UInt8]) {
    let text = String(validating: bytes, as: UTF8.self)
    let isSound: Bool
    switch kind {
    case .users: isSound = Self.isIdentifier(bytes)
    case .metadataPaths: isSound = text.flatMap { MetadataPath(stored: $0) } != nil
    default: isSound = text?.isEmpty == false
    }
    if !isSound {
      report.add("dictionaries", "\(kind)/\(id)", "the text is none that the dictionary can have")
    }
  }
}
