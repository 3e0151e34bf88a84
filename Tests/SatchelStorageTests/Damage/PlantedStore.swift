import LMDB
import RankedIndex
import SatchelCare
import SatchelCoding
import SatchelModel
import SatchelStorage
import SatchelWriting
import Testing

/// A sound store in which damage is planted with right checksums and a seal that agrees: only who compares things that
/// belong together can find it.
final class PlantedStore {
  let directory: TemporaryDirectory
  let store: Store

  init() throws {
    directory = try TemporaryDirectory()
    store = try openStore(directory.path, journaled: false)
    try store.write { writer in
      _ = try writer.createConversation(
        ConversationDraft(identifier: "c", participants: ["bob"], metadata: ["title": "x"]))
      _ = try writer.createConversation(ConversationDraft(identifier: "d", participants: ["bob"]))
      for index in 0..<50 {
        _ = try writer.insertMessage(
          MessageDraft(
            identifier: Message.ID("m\(index)"), sender: "bob", position: Int64(index),
            isUnread: index % 2 == 0,
            parts: [.text("text"), .data([UInt8](repeating: 9, count: 2000), mimeType: "a/b")]),
          in: index % 5 == 4 ? "d" : "c")
      }
      try writer.putIdentity(
        Identity(userID: "bob", displayName: "Bob " + String(repeating: "long ", count: 100)))
      _ = try writer.insertAnnouncement(MessageDraft(identifier: "a", sender: "bob"))
    }
    try expectSound(store)
  }

  var report: VerificationReport {
    get throws { try store.read { try Verifier.verify($0) } }
  }

  /// Expects a fault that names the place and says what is wrong.
  func expectFault(
    _ place: String, _ finding: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let faults = try report.faults
    #expect(
      faults.contains { $0.location == place && $0.finding.contains(finding) },
      "\(place): \(finding) is not among \(faults.prefix(10))", sourceLocation: sourceLocation)
  }

  /// Writes what is at a key of a database; nil removes it.
  func put(_ database: String, _ key: [UInt8], _ value: [UInt8]?) throws {
    try store.environment.write { transaction in
      let database = try store.environment.database(database)
      try key.withUnsafeBytes { key in
        if let value {
          try value.withUnsafeBytes { try transaction.put(database, key, $0) }
        } else {
          _ = try transaction.delete(database, key)
        }
      }
    }
  }

  /// The bytes at a key of a database.
  func bytes(_ database: String, _ key: [UInt8]) throws -> [UInt8]? {
    try store.environment.read { transaction in
      let database = try store.environment.database(database)
      return try key.withUnsafeBytes { try transaction.get(database, $0).map { [UInt8]($0) } }
    }
  }

  /// Writes a record, and counts it in the seal.
  func plant(_ table: Seal.Table, _ database: String, _ key: KeyBytes, _ record: [UInt8]?) throws {
    let old = try bytes(database, key.array)
    try put(database, key.array, record)
    try changeSeal { seal in
      if let old { seal[table].remove(RecordFrame.storedChecksum(old)) }
      if let record { seal[table].add(RecordFrame.storedChecksum(record)) }
    }
  }

  func plant(_ table: Seal.Table, _ key: ObjectKey, _ record: [UInt8]?) throws {
    try plant(table, "objects", key.bytes, record)
  }

  /// Changes a message's record.
  func changeMessage(_ key: MessageKey, _ change: (inout StoredMessage) -> Void) throws {
    let old = try #require(try bytes("messages", key.bytes.array))
    var fields = try old.withUnsafeBytes { try MessageView($0, key: key).fields() }
    change(&fields)
    try plant(.messages, "messages", key.bytes, fields.encode(key: key))
  }

  func changeSeal(_ change: (inout Seal) throws -> Void) throws {
    let key = ObjectKey.seal.bytes.array
    let old = try #require(try bytes("objects", key))
    var seal = try old.withUnsafeBytes { try Seal($0) }
    try change(&seal)
    try put("objects", key, seal.encode())
  }

  func changeDirectory(_ change: (inout Directory) -> Void) throws {
    try changeSeal { seal in
      var directory = try Directory(seal.trees)
      change(&directory)
      seal.trees = directory.encode()
    }
  }

  /// Repairs the store, which has to be possible, and expects it to be sound.
  func expectRepair(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let report = try Store.repair(directory: directory.path, options: Self.options)
    #expect(!report.before.isSound, sourceLocation: sourceLocation)
    #expect(
      !report.isRefused, "\(report.refusal.prefix(5))", sourceLocation: sourceLocation)
    #expect(!report.actions.isEmpty, sourceLocation: sourceLocation)
    let after = try self.report
    #expect(after.isSound, "\(after.faults.prefix(8))", sourceLocation: sourceLocation)
  }

  /// The same file is open already, so durability has to agree.
  static var options: Store.Options {
    var options = Store.Options()
    options.durability = .temporaryImport
    return options
  }
}
