import SatchelCare
import SatchelModel
import SatchelStorage
import SatchelWriting
import TestSupport
import Testing

/// Stores of formats before 11 may have names of any length as keys of metadata. This program reads, finds, removes and saves them, and
/// writes none.
@Suite struct LongKeyTests {
  private static let key = String(repeating: "long-key_", count: 200)
  private static let metadata = Metadata([
    (key, .dictionary(["x": "deep"])), ("short", .dictionary(Metadata([(key, .text("value"))]))),
  ])

  /// A closed store as an older program may have written it.
  private func makeStore(_ path: String) throws {
    let store = try openStore(path) { $0.writerEnvironment.metadataKeys = .stored }
    defer { store.close() }
    try store.write { writer in
      _ = try writer.createConversation(
        ConversationDraft(identifier: "c", participants: ["bob"], metadata: Self.metadata))
      _ = try writer.insertMessage(
        MessageDraft(identifier: "m", sender: "bob", metadata: Self.metadata), in: "c")
      try writer.putIdentity(Identity(userID: "bob", metadata: Self.metadata))
    }
    try store.write { writer in
      var update = MessageUpdate()
      update.metadata = [.set("value", at: MetadataPath(["later", Self.key]))]
      try writer.updateMessage("m", update)
    }
  }

  private func expectMetadata(_ store: Store, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try store.read { snapshot in
      let row = try #require(try snapshot.locateConversation("c"))
      #expect(try snapshot.makeConversation(row).metadata == Self.metadata, sourceLocation: sourceLocation)
      for path in [[Self.key, "x"], ["short", Self.key], ["later", Self.key]] {
        let number = try #require(try snapshot.metadataPaths.number(of: MetadataPath(path).stored))
        #expect(try snapshot.metadataPath(number) == MetadataPath(path), sourceLocation: sourceLocation)
      }
    }
  }

  @Test func areReadAndRemovedAndNotWritten() throws {
    let directory = try TemporaryDirectory()
    try makeStore(directory.path + "/store")
    let store = try openStore(directory.path + "/store", create: false)
    defer { store.close() }
    try expectMetadata(store)
    try expectSound(store)
    for edit in [
      MetadataEdit.set("x", at: MetadataPath([Self.key, "y"])), .merge(Self.metadata),
      .replace(Self.metadata),
    ] {
      var update = ConversationUpdate()
      update.metadata = [edit]
      #expect(code { try store.write { try $0.updateConversation("c", update) } } == .invalidKey)
    }
    var update = ConversationUpdate()
    update.metadata = [
      .set("x", at: MetadataPath(["other"])), .remove(at: MetadataPath([Self.key, "x"])),
      .remove(at: MetadataPath(["short"])),
    ]
    try store.write { try $0.updateConversation("c", update) }
    try store.read { snapshot in
      let row = try #require(try snapshot.locateConversation("c"))
      #expect(
        try snapshot.makeConversation(row).metadata
          == Metadata([(Self.key, .dictionary([:])), ("other", .text("x"))]))
    }
    try expectSound(store)
  }

  @Test func areRepairedAndSalvaged() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/store"
    try makeStore(path)
    _ = try Store.repair(directory: path)
    let repaired = try openStore(path, create: false)
    try expectMetadata(repaired)
    try expectSound(repaired)
    repaired.close()
    let report = try Store.salvage(directory: path, into: directory.path + "/new")
    #expect(report.saved.conversations == 1 && report.saved.messages == 1 && report.losses.isEmpty)
    let saved = try openStore(directory.path + "/new", create: false)
    defer { saved.close() }
    try saved.read { snapshot in
      let row = try #require(try snapshot.locateConversation("c"))
      #expect(try snapshot.makeConversation(row).metadata == Self.metadata)
    }
    try expectSound(saved)
  }

  /// A backup and a compacted copy have them as they are.
  @Test func areCopied() throws {
    let directory = try TemporaryDirectory()
    try makeStore(directory.path + "/store")
    let store = try openStore(directory.path + "/store", create: false)
    defer { store.close() }
    _ = try store.backup(to: directory.path + "/copy", verifying: true) { _ in }
    let copy = try openStore(directory.path + "/copy", create: false)
    defer { copy.close() }
    try expectMetadata(copy)
    try expectSound(copy)
  }
}
