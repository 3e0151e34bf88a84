internal import SatchelCoding

/// The kinds of records that share a table, as statistics name them.
enum ObjectParts {
  static let names = [
    "store", "conversations", "identities", "announcements", "dictionaries", "changeLog", "consumers",
    "purge", "staging", "aggregates", "deletions", "declaredIndexes", "recordTypes", "records",
  ]

  /// Returns the index of the name of a key's kind.
  static func index(of key: ObjectKey) -> Int {
    switch key {
    case .header, .seal, .indexBuild: 0
    case .conversation: 1
    case .identity: 2
    case .announcement: 3
    case .dictionary: 4
    case .changeLog: 5
    case .consumer: 6
    case .purge: 7
    case .staging: 8
    case .aggregate: 9
    case .deletedMessages, .deletedConversation: 10
    case .declaredIndex: 11
    case .recordType: 12
    case .record: 13
    }
  }
}
