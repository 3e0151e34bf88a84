internal import SatchelBytes

/// A key of the database `objects`: a kind byte, then big-endian numbers.
package enum ObjectKey: Sendable, Hashable {
  /// The store's header, written when the store is created and when it is raised to a later format.
  case header
  /// The seal, written by every commit. Its key is next to the header's.
  case seal
  /// A conversation.
  case conversation(row: UInt32)
  /// An identity.
  case identity(row: UInt32)
  /// An announcement.
  case announcement(sequence: UInt64)
  /// An entry of a dictionary.
  case dictionary(DictionaryKind, id: UInt32)
  /// What a commit changed; its key holds the commit's sequence.
  case changeLog(commit: UInt64)
  /// A registered reader of the change log, and how far it has read.
  case consumer(id: UInt32)
  /// A deleted message; with `MessageKey.wholeConversation` as its sequence, a deleted conversation.
  case purge(MessageKey)
  /// An object or a line that an import has added and not yet made visible.
  case staging(importNumber: UInt32, ordinal: UInt64)
  /// The definition of an aggregate; its totals are in an index.
  case aggregate(id: UInt32)
  /// A block of the messages of a conversation, or of the announcements, that the store's user has deleted. The newest block, which
  /// has the greatest number, comes first.
  case deletedMessages(conversation: UInt32, block: UInt32)
  /// A conversation that the store's user has deleted, by the hash of a name of it.
  case deletedConversation(hash: UInt64)
  /// How far the optional indexes have got that the store is being given.
  case indexBuild
  /// The definition of an index that an application has declared.
  case declaredIndex(id: UInt32)
  /// The definition of a record type.
  case recordType(id: UInt32)
  /// A record of an application.
  case record(TypedRecordKey)

  /// The first byte of each kind of key, which decides the order of the kinds.
  package enum Prefix {
    package static let store: UInt8 = 0x00
    package static let conversation: UInt8 = 0x10
    package static let identity: UInt8 = 0x20
    package static let announcement: UInt8 = 0x30
    package static let dictionary: UInt8 = 0x40
    package static let changeLog: UInt8 = 0x50
    package static let consumer: UInt8 = 0x58
    package static let purge: UInt8 = 0x60
    package static let staging: UInt8 = 0x70
    package static let aggregate: UInt8 = 0x80
    package static let deletedMessages: UInt8 = 0x90
    package static let deletedConversation: UInt8 = 0x98
    package static let indexBuild: UInt8 = 0xA0
    package static let declaredIndex: UInt8 = 0xA8
    package static let recordType: UInt8 = 0xB0
    package static let record: UInt8 = 0xB8
  }

  /// The bytes of the key.
  package var bytes: KeyBytes {
    var key = KeyBytes()
    switch self {
    case .header:
      key.append(Prefix.store)
      key.append(UInt8(0))
    case .seal:
      key.append(Prefix.store)
      key.append(UInt8(1))
    case .conversation(let row):
      key.append(Prefix.conversation)
      key.append(row)
    case .identity(let row):
      key.append(Prefix.identity)
      key.append(row)
    case .announcement(let sequence):
      key.append(Prefix.announcement)
      key.append(sequence)
    case .dictionary(let dictionary, let id):
      key.append(Prefix.dictionary)
      key.append(dictionary.rawValue)
      key.append(id)
    case .changeLog(let commit):
      key.append(Prefix.changeLog)
      key.append(commit)
    case .consumer(let id):
      key.append(Prefix.consumer)
      key.append(id)
    case .purge(let message):
      key.append(Prefix.purge)
      key.append(message.conversation)
      key.append(message.sequence)
    case .staging(let importNumber, let ordinal):
      key.append(Prefix.staging)
      key.append(importNumber)
      key.append(ordinal)
    case .aggregate(let id):
      key.append(Prefix.aggregate)
      key.append(id)
    case .deletedMessages(let conversation, let block):
      key.append(Prefix.deletedMessages)
      key.append(conversation)
      key.append(UInt32.max - block)
    case .deletedConversation(let hash):
      key.append(Prefix.deletedConversation)
      key.append(hash)
    case .indexBuild: key.append(Prefix.indexBuild)
    case .declaredIndex(let id):
      key.append(Prefix.declaredIndex)
      key.append(id)
    case .recordType(let id):
      key.append(Prefix.recordType)
      key.append(id)
    case .record(let record):
      key.append(Prefix.record)
      key.append(record.type)
      key.append(record.sequence)
    }
    return key
  }

  /// Reads a key of the database `objects`.
  package init(_ bytes: UnsafeRawBufferPointer) throws(CodingError) {
    let span = unsafe bytes.bytes
    switch (span.byteCount, span.byteCount > 0 ? span.u8(0) : 0xFF) {
    case (2, Prefix.store) where span.u8(1) == 0: self = .header
    case (2, Prefix.store) where span.u8(1) == 1: self = .seal
    case (5, Prefix.conversation): self = .conversation(row: span.be32(1))
    case (5, Prefix.identity): self = .identity(row: span.be32(1))
    case (9, Prefix.announcement): self = .announcement(sequence: span.be64(1))
    case (6, Prefix.dictionary):
      guard let dictionary = DictionaryKind(rawValue: span.u8(1)) else {
        throw CodingError(.dictionary, .key, offset: 1)
      }
      self = .dictionary(dictionary, id: span.be32(2))
    case (9, Prefix.changeLog): self = .changeLog(commit: span.be64(1))
    case (5, Prefix.consumer): self = .consumer(id: span.be32(1))
    case (13, Prefix.purge):
      self = .purge(MessageKey(conversation: span.be32(1), sequence: span.be64(5)))
    case (13, Prefix.staging): self = .staging(importNumber: span.be32(1), ordinal: span.be64(5))
    case (5, Prefix.aggregate): self = .aggregate(id: span.be32(1))
    case (9, Prefix.deletedMessages):
      self = .deletedMessages(conversation: span.be32(1), block: UInt32.max - span.be32(5))
    case (9, Prefix.deletedConversation): self = .deletedConversation(hash: span.be64(1))
    case (1, Prefix.indexBuild): self = .indexBuild
    case (5, Prefix.declaredIndex): self = .declaredIndex(id: span.be32(1))
    case (5, Prefix.recordType): self = .recordType(id: span.be32(1))
    case (13, Prefix.record): self = .record(TypedRecordKey(type: span.be32(1), sequence: span.be64(5)))
    default: throw CodingError(.header, .key)
    }
  }
}

extension ObjectKey: CustomStringConvertible {
  /// The key as faults name it, and as `satchel dump` prints it and takes it: `17`, `users/3`, `0/42`.
  package var description: String {
    switch self {
    case .header: "header"
    case .seal: "seal"
    case .indexBuild: "indexBuild"
    case .conversation(let row), .identity(let row): String(row)
    case .consumer(let id), .aggregate(let id), .declaredIndex(let id), .recordType(let id): String(id)
    case .announcement(let number), .changeLog(let number), .deletedConversation(let number): String(number)
    case .dictionary(let kind, let id): "\(kind)/\(id)"
    case .purge(let message): "\(message.conversation)/\(message.sequence)"
    case .staging(let importNumber, let ordinal): "\(importNumber)/\(ordinal)"
    case .deletedMessages(let conversation, let block): "\(conversation)/\(block)"
    case .record(let key): "\(key.type)/\(key.sequence)"
    }
  }
}

extension MessageKey {
  /// The sequence that stands for all messages of a conversation in a key of the purge queue.
  package static let wholeConversation: UInt64 = .max
}
