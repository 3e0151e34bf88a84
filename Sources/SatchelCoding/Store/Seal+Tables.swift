extension Seal.Table {
  /// The table that a key is of; nil of the header and the seal.
  package init?(of key: ObjectKey) {
    switch key {
    case .header, .seal: return nil
    case .conversation: self = .conversations
    case .identity: self = .identities
    case .announcement: self = .announcements
    case .dictionary: self = .dictionaries
    case .changeLog: self = .changeLog
    case .consumer: self = .consumers
    case .purge: self = .purge
    case .staging: self = .staging
    case .aggregate: self = .aggregates
    case .deletedMessages, .deletedConversation: self = .deletions
    case .indexBuild: self = .indexBuilds
    case .declaredIndex: self = .declaredIndexes
    case .recordType: self = .recordTypes
    case .record: self = .records
    }
  }
}
