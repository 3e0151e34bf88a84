import SatchelCoding
import SatchelIndexing
import SatchelModel
import StoreModel
import TestSupport

/// Random states of one object. The values are few, so that many states share some of them: then an entry's key stays and
/// its payload changes.
extension SeededGenerator {
  /// A message, or an announcement.
  mutating func message(isAnnouncement: Bool) -> IndexedMessage {
    IndexedMessage(
      conversation: isAnnouncement ? MessageKey.announcements : 7, sequence: 1001, identifierHash: hash(),
      remoteIDHash: percent(50) ? hash() : nil,
      fields: MessageFixedFields(
        sender: id(), position: number(), sentAt: number(), receivedAt: number(), isSent: percent(50),
        isUnread: percent(50), typeSet: id()),
      parts: (0..<below(4)).map { _ in IndexedMessage.Part(mimeType: id(), size: number()) },
      metadata: metadata(), isVisible: percent(50))
  }

  mutating func conversation() -> IndexedConversation {
    IndexedConversation(
      row: 77, identifierHash: hash(), remoteIDHash: percent(50) ? hash() : nil, createdAt: number(),
      memberSet: id(),
      members: [0, 1, 2, UInt32.max].filter { _ in percent(50) }, lastReceivedAt: number(),
      lastSentAt: number(), hasUnread: percent(50), metadata: metadata(), isVisible: percent(50))
  }

  mutating func identity() -> IndexedIdentity {
    let groups = NameGroup.allCases.filter { _ in percent(50) }
    return IndexedIdentity(
      row: 5, user: id(), names: groups.map { IndexedIdentity.Name(group: $0, text: text()) },
      metadata: metadata())
  }

  private mutating func id() -> UInt32 { pick([0, 1, 2, .max]) }

  private mutating func hash() -> UInt64 { pick([0, 0xfeed, .max]) }

  private mutating func number() -> Int64? { pick([nil, .min, -5, 0, 1_700_000_000_000_000, .max]) }

  private mutating func text() -> [UInt8] { pick([[], [65], [65, 0], [0xff]]) }

  private mutating func metadata() -> [IndexedValue] {
    let scalars: [ValueKey?] = [ValueKey(true), ValueKey(5 as Int64), ValueKey(2.5), ValueKey(date: -1)]
    return [UInt32(1), 2, 3, .max].filter { _ in percent(50) }.flatMap { path -> [IndexedValue] in
      if percent(20) {
        let texts = Set((0..<2).map { _ in text() }).sorted { $0.lexicographicallyPrecedes($1) }
        return [IndexedValue(path: path, value: .scalar(.list))]
          + texts.map { IndexedValue(path: path, value: .text($0)) }
      }
      let scalar = percent(50) ? pick(scalars) : nil
      return [IndexedValue(path: path, value: scalar.map { .scalar($0) } ?? .text(text()))]
    }
  }
}
