internal import RankedKeys
internal import SatchelCoding

/// The properties of a conversation that the indexes use.
package struct IndexedConversation: Sendable, Hashable {
  package var row: UInt32
  package var identifierHash: UInt64
  /// Nil without a remote identifier.
  package var remoteIDHash: UInt64?
  /// Microseconds since 1970.
  package var createdAt: Int64?
  /// The interned set of participants.
  package var memberSet: UInt32
  /// The participants.
  package var members: [UInt32]
  package var lastReceivedAt: Int64?
  package var lastSentAt: Int64?
  package var hasUnread: Bool
  package var metadata: [IndexedValue]
  /// Whether queries may return the conversation.
  package var isVisible: Bool

  package init(
    row: UInt32, identifierHash: UInt64, remoteIDHash: UInt64? = nil, createdAt: Int64?, memberSet: UInt32,
    members: [UInt32],
    lastReceivedAt: Int64?, lastSentAt: Int64?, hasUnread: Bool, metadata: [IndexedValue],
    isVisible: Bool
  ) {
    self.row = row
    self.identifierHash = identifierHash
    self.remoteIDHash = remoteIDHash
    self.createdAt = createdAt
    self.memberSet = memberSet
    self.members = members
    self.lastReceivedAt = lastReceivedAt
    self.lastSentAt = lastSentAt
    self.hasUnread = hasUnread
    self.metadata = metadata
    self.isVisible = isVisible
  }
}

extension IndexChanges {
  /// Adds what changes in the indexes if a conversation goes from state `old` to state `new`. A state is nil if the
  /// conversation does not exist.
  package mutating func change(from old: IndexedConversation?, to new: IndexedConversation?) {
    guard old != new else { return }
    change(IndexCatalog.conversationIdentifier.tree, old?.identifierRow, new?.identifierRow)
    change(IndexCatalog.conversationRemoteID.tree, old?.remoteIDRow, new?.remoteIDRow)
    change(IndexCatalog.conversationMemberSet.tree, old?.memberSetRow, new?.memberSetRow)
    change(IndexCatalog.conversationRows.tree, old?.rowsRow, new?.rowsRow)
    change(IndexCatalog.conversationCreated.tree, old?.createdRow, new?.createdRow)
    change(IndexCatalog.conversationReceived.tree, old?.receivedRow, new?.receivedRow)
    change(IndexCatalog.conversationSent.tree, old?.sentRow, new?.sentRow)
    change(IndexCatalog.conversationUnread.tree, old?.unreadRow, new?.unreadRow)
    change(IndexCatalog.conversationMember.tree, old?.memberRows ?? [], new?.memberRows ?? [])
    change(IndexCatalog.conversationMetadata.tree, old?.metadataKeys ?? [], new?.metadataKeys ?? [])
  }
}

extension IndexedConversation {
  private var rowWord: UInt64 { UInt64(row) }

  fileprivate var identifierRow: Words { Words(identifierHash, rowWord) }

  fileprivate var remoteIDRow: Words? { remoteIDHash.map { Words($0, rowWord) } }

  fileprivate var memberSetRow: Words { Words(UInt64(memberSet), isVisible ? 0 : 1, rowWord) }

  fileprivate var rowsRow: Words? { isVisible ? Words(rowWord) : nil }

  private func dateRow(_ date: Int64?) -> Words {
    let date = KeyWords.words(date)
    return Words(date.presence, date.word, rowWord)
  }

  fileprivate var createdRow: Words? { isVisible ? dateRow(createdAt) : nil }

  fileprivate var receivedRow: Words? { isVisible ? dateRow(lastReceivedAt) : nil }

  fileprivate var sentRow: Words? { isVisible ? dateRow(lastSentAt) : nil }

  fileprivate var unreadRow: Words? { isVisible && hasUnread ? dateRow(lastReceivedAt) : nil }

  fileprivate var memberRows: [Words] { isVisible ? members.map { Words(UInt64($0), rowWord) } : [] }

  fileprivate var metadataKeys: [TextKey] { isVisible ? metadata.keys(row: rowWord) : [] }
}
