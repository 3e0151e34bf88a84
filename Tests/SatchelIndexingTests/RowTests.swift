import RankedIndex
import SatchelCoding
import SatchelIndexing
import StoreModel
import TestSupport
import Testing

/// The rows of objects are written by hand, for speed. They have to be what the definitions of the indexes say, for any
/// object and for any change of it.
@Suite struct RowTests {
  private static let rounds = 2000

  /// Compares the changes between random states of an object with what the definitions say of these states.
  /// - Returns: The numbers of the indexes that were changed.
  private func compare<Object>(
    _ test: String = #function, random: (inout SeededGenerator) -> Object,
    defined: (Object) throws -> DefinedEntries, change: (inout IndexChanges, Object?, Object?) -> Void
  ) throws -> Set<UInt16> {
    var generator = SeededGenerator(for: test)
    var changed: Set<UInt16> = []
    for round in 0..<Self.rounds {
      let old = generator.percent(80) ? random(&generator) : nil
      let new = generator.percent(80) ? random(&generator) : nil
      var changes = IndexChanges()
      change(&changes, old, new)
      var entries = try old.map(defined) ?? DefinedEntries()
      let expected = try new.map(defined) ?? DefinedEntries()
      try entries.apply(changes)
      let wrong = entries.indexesThatDiffer(from: expected)
      try #require(wrong.isEmpty, "round \(round): \(String(describing: (old, new)))")
      changed.formUnion(changes.numeric.map(\.schema.id))
      changed.formUnion(changes.text.map(\.schema.id))
    }
    return changed
  }

  @Test func ofMessages() throws {
    let changed = try compare(
      random: { $0.message(isAnnouncement: false) }, defined: DefinedEntries.init,
      change: { $0.change(from: $1, to: $2) })
    // The writer of a store puts new entries of `message.identifier` into `message.identifierRecent`.
    let indexes = IndexCatalog.numeric.filter {
      ($0.kind == .messages || $0.kind == .parts) && $0 !== IndexCatalog.messageIdentifierRecent
    }
    #expect(changed == Set(indexes.map(\.number) + [IndexCatalog.messageMetadata.number]))
  }

  @Test func aMessageThatIsReadLeavesTheIndexesOfUnreadOnes() throws {
    var generator = SeededGenerator(for: #function)
    for round in 0..<Self.rounds {
      var message = generator.message(isAnnouncement: false)
      message.fields.isUnread = true
      var read = message
      read.fields.isUnread = false
      var entries = try DefinedEntries(message)
      var changes = IndexChanges()
      changes.markRead(
        MessageKey(conversation: message.conversation, sequence: message.sequence), message.fields,
        isVisible: message.isVisible)
      try entries.apply(changes)
      try #require(
        entries.indexesThatDiffer(from: DefinedEntries(read)).isEmpty, "round \(round): \(message)")
    }
  }

  @Test func ofAnnouncements() throws {
    let changed = try compare(
      random: { $0.message(isAnnouncement: true) }, defined: DefinedEntries.init,
      change: { $0.change(from: $1, to: $2) })
    let indexes =
      IndexCatalog.answering(.announcements) + [IndexCatalog.messageIdentifier, IndexCatalog.messageRemoteID]
    #expect(changed == Set(indexes.map(\.number) + [IndexCatalog.announcementMetadata.number]))
  }

  @Test func ofConversations() throws {
    let changed = try compare(
      random: { $0.conversation() }, defined: DefinedEntries.init,
      change: { $0.change(from: $1, to: $2) })
    let indexes = IndexCatalog.numeric.filter { $0.kind == .conversations }
    #expect(changed == Set(indexes.map(\.number) + [IndexCatalog.conversationMetadata.number]))
  }

  @Test func ofIdentities() throws {
    let changed = try compare(
      random: { $0.identity() }, defined: DefinedEntries.init,
      change: { $0.change(from: $1, to: $2) })
    // An identity's row never changes, but it comes and goes.
    let indexes = IndexCatalog.numeric.filter { $0.kind == .identities }
    let texts = [IndexCatalog.identityName, IndexCatalog.identityMetadata]
    #expect(changed == Set(indexes.map(\.number) + texts.map(\.number)))
  }

  /// A store of an earlier set gets the entries of a later index from those of another one.
  @Test func ofLaterIndexesFollowFromTheirSources() throws {
    var generator = SeededGenerator(seed: 1)
    var compared = 0
    for _ in 0..<Self.rounds {
      let rows = try DefinedEntries(generator.message(isAnnouncement: false)).rows
      for index in IndexCatalog.later {
        guard let source = index.source else { continue }
        let made = rows.filter { $0.index == source.number }.map { index.row(from: $0.words) }
        #expect(Set(made) == Set(rows.filter { $0.index == index.number }.map(\.words)), "\(index.name)")
        compared += made.count
      }
    }
    #expect(compared > 0)
  }
}
