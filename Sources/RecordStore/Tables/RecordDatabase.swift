package import LMDB
package import SatchelCoding

/// The databases of LMDB that hold records. The others hold the nodes of indexes.
package enum RecordDatabase: Int, CaseIterable {
  case messages
  case bodies
  case objects

  /// How many bytes at the beginning of a key say to which group a record belongs: to a conversation, or to a kind of record.
  /// Groups grow at their ends.
  var groupBytes: Int { self == .objects ? 1 : 4 }

  /// The database that holds the record of a message or an announcement.
  package init(of key: MessageKey) { self = key.isAnnouncement ? .objects : .messages }

  /// The database that has the records of a table; nil for the nodes of indexes, which are no records.
  package init?(_ table: Seal.Table) {
    switch table {
    case .nodes: return nil
    case .messages: self = .messages
    case .bodies: self = .bodies
    case .conversations, .identities, .announcements, .dictionaries, .changeLog, .consumers, .purge,
      .staging, .aggregates, .deletions, .indexBuilds, .declaredIndexes, .recordTypes, .records:
      self = .objects
    }
  }
}

extension RecordDatabase {
  /// Whether a record of this database may have a key. The header and the seal are no records: they say what a file is.
  func holds(_ key: RawSpan) -> Bool {
    unsafe key.withUnsafeBytes { bytes in
      switch self {
      case .messages: return unsafe (try? MessageKey(messages: bytes)) != nil
      case .bodies: return unsafe (try? BodyKey(bytes)) != nil
      case .objects:
        switch unsafe try? ObjectKey(bytes) {
        case nil, .header, .seal: return false
        default: return true
        }
      }
    }
  }
}

extension Databases {
  package subscript(database: RecordDatabase) -> Database {
    switch database {
    case .messages: messages
    case .bodies: bodies
    case .objects: objects
    }
  }
}
