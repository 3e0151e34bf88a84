internal import LMDB
internal import RankedIndex
internal import RankedKeys
internal import SatchelCoding
internal import SatchelIndexing

/// Checks what must be unique. The keys of an index include the objects' numbers, so two objects with the same
/// identifier are two valid entries; but they are neighbours in the index.
extension Verifier {
  mutating func checkUniqueness() throws {
    try attempt(IndexCatalog.messageIdentifier.name, "") { try $0.checkMessageIdentifiers() }
    try attempt(IndexCatalog.conversationIdentifier.name, "") { try $0.checkConversationIdentifiers() }
    try attempt(IndexCatalog.identityUser.name, "") { try $0.checkIdentityUsers() }
    try attempt(IndexCatalog.messageCreated.name, "") { try $0.checkSequences() }
    try attempt(IndexCatalog.dictionaryText.name, "") { try $0.checkDictionaryTexts() }
    try attempt(IndexCatalog.recordIdentifier.name, "") { try $0.checkRecordIdentifiers() }
  }

  /// Reads both indexes of identifiers together, in the order of the hashes.
  private mutating func checkMessageIdentifiers() throws {
    let index = IndexCatalog.messageIdentifier
    var settled = try snapshot.forest.cursor(index.tree)
    var recent = try snapshot.forest.cursor(IndexCatalog.messageIdentifierRecent.tree)
    var nextSettled = try settled.next()
    var nextRecent = try recent.next()
    var alike: [Words] = []
    while true {
      let row: Words
      if let first = nextSettled, nextRecent.map({ index.first(of: first) <= index.first(of: $0) }) ?? true {
        row = first
        nextSettled = try settled.next()
      } else if let first = nextRecent {
        row = first
        nextRecent = try recent.next()
      } else {
        break
      }
      if let first = alike.first, index.first(of: first) != index.first(of: row) {
        try compareMessages(alike)
        alike.removeAll(keepingCapacity: true)
      }
      alike.append(row)
    }
    try compareMessages(alike)
  }

  /// Compares the identifiers of messages whose hashes are equal.
  private mutating func compareMessages(_ rows: [Words]) throws {
    guard rows.count > 1 else { return }
    var known: [[UInt8]: MessageKey] = [:]
    for row in rows {
      let key = IndexCatalog.messageIdentifier.message(of: row)
      guard let view = try snapshot.message(key) else { continue }
      let name = "\(key.conversation)/\(key.sequence)"
      if let other = known.updateValue(key, forKey: unsafe [UInt8](view.identifierBytes)) {
        if other == key {
          report.addDerived(IndexCatalog.messageIdentifier.name, name, "both indexes of identifiers have it")
        } else {
          report.add(
            key.isAnnouncement ? "announcements" : "messages", name,
            "another message or announcement has its identifier")
        }
      }
    }
  }

  private mutating func checkConversationIdentifiers() throws {
    let index = IndexCatalog.conversationIdentifier
    var cursor = try snapshot.forest.cursor(index.tree)
    var hash: UInt64?
    var known: Set<[UInt8]> = []
    while let row = try cursor.next() {
      if index.first(of: row) != hash {
        hash = index.first(of: row)
        known.removeAll(keepingCapacity: true)
      }
      let number = index.object(of: row)
      guard let view = try snapshot.findConversation(number) else { continue }
      if !known.insert(unsafe [UInt8](view.identifierBytes)).inserted {
        report.add("conversations", "\(number)", "another conversation has its identifier")
      }
    }
  }

  private mutating func checkIdentityUsers() throws {
    let index = IndexCatalog.identityUser
    var cursor = try snapshot.forest.cursor(index.tree)
    var last: Words?
    while let row = try cursor.next() {
      if let last, index.first(of: last) == index.first(of: row), try hasUser(last), try hasUser(row) {
        report.add("identities", "\(index.object(of: row))", "another identity has its user id")
      }
      last = row
    }
  }

  private func hasUser(_ row: Words) throws -> Bool {
    let index = IndexCatalog.identityUser
    return try snapshot.findIdentity(index.object(of: row)).map { UInt64($0.user) == index.first(of: row) }
      ?? false
  }

  /// Checks that each creation sequence belongs to only one message or announcement, in whatever index it is.
  private mutating func checkSequences() throws {
    var visible = try snapshot.forest.cursor(IndexCatalog.messageCreated.tree)
    var hidden = try snapshot.forest.cursor(IndexCatalog.messageHidden.tree)
    var announcements = try snapshot.forest.cursor(IndexCatalog.announcementCreated.tree)
    func nextVisible() throws -> MessageKey? {
      try visible.next().map(IndexCatalog.messageCreated.message)
    }
    func nextHidden() throws -> MessageKey? { try hidden.next().map(IndexCatalog.messageHidden.message) }
    func nextAnnouncement() throws -> MessageKey? {
      try announcements.next().map(IndexCatalog.announcementCreated.message)
    }
    var heads = [try nextVisible(), try nextHidden(), try nextAnnouncement()]
    var last: MessageKey?
    while let least = heads.compactMap({ $0 }).min(by: { $0.sequence < $1.sequence }) {
      let name = "\(least.conversation)/\(least.sequence)"
      if least == last {
        report.addDerived(
          IndexCatalog.messageHidden.name, name, "it is in the index of visible messages as well")
      } else if least.sequence == 0 || least.sequence == last?.sequence {
        report.add("messages", name, "the creation sequence is 0, or another message has it as well")
      }
      last = least
      switch heads.firstIndex(of: least) {
      case 0: heads[0] = try nextVisible()
      case 1: heads[1] = try nextHidden()
      default: heads[2] = try nextAnnouncement()
      }
    }
  }

  private mutating func checkDictionaryTexts() throws {
    var cursor = try snapshot.forest.cursor(IndexCatalog.dictionaryText.tree)
    var last: TextKey?
    while try cursor.next() != nil, let key = try cursor.key() {
      defer { last = key }
      if let last, last.group == key.group, last.text == key.text {
        guard let kind = UInt8(exactly: key.group).flatMap(DictionaryKind.init),
          let one = try entry(kind, last.row), let other = try entry(kind, key.row), one == other
        else { continue }
        report.add("dictionaries", "\(kind)/\(key.row)", "entry \(last.row) is equal to it")
      }
    }
  }

  private func entry(_ kind: DictionaryKind, _ row: UInt64) throws -> DictionaryEntry? {
    guard let id = UInt32(exactly: row),
      let bytes = unsafe try snapshot.tables.get(
        .objects, ObjectKey.dictionary(kind, id: id).bytes)
    else { return nil }
    return try? unsafe DictionaryEntry(bytes, kind, id: id)
  }
}
