internal import SatchelCoding
internal import SatchelModel

extension Salvager {
  /// How many objects are lost, by what was saved and what the seal counts; nil if the seal is lost.
  var lostObjects: SalvageReport.Counts? {
    guard let seal else { return nil }
    func lost(_ table: Seal.Table, _ saved: UInt64, _ others: Int) -> UInt64 {
      let count = seal[table].count
      return count - min(count, saved + UInt64(others))
    }
    var staged: [Seal.Table: Int] = [:]
    for object in self.staged {
      switch object {
      case .conversation: staged[.conversations, default: 0] += 1
      case .identity: staged[.identities, default: 0] += 1
      case .record: break
      case .message(let key): staged[key.isAnnouncement ? .announcements : .messages, default: 0] += 1
      }
    }
    return SalvageReport.Counts(
      messages: lost(.messages, report.saved.messages, staged[.messages, default: 0] + deletedMessages),
      conversations: lost(.conversations, report.saved.conversations, staged[.conversations, default: 0]),
      identities: lost(.identities, report.saved.identities, staged[.identities, default: 0]),
      announcements: lost(.announcements, report.saved.announcements, staged[.announcements, default: 0]),
      records: lost(.records, report.saved.records, 0))
  }

  /// How many messages of deleted conversations wait to be removed, as far as the purge queue was found.
  private var deletedMessages: Int {
    var count: UInt64 = 0
    try? view.forEachObject(from: .purge(MessageKey(conversation: 0, sequence: 0))) { key, value, isCertain in
      guard case .purge(let message) = key else { return false }
      if isCertain, let entry = unsafe try? PurgeEntry(value, key: message) { count &+= entry.remaining }
      return true
    }
    return Int(clamping: count)
  }
}

extension SatchelError.Code {
  /// Whether an error is the fault of one object, not of the new store's state or of the machine.
  var isOfObject: Bool {
    switch self {
    case .invalidValue, .invalidKey, .invalidIdentifier, .identifierExists, .distinctConversationExists,
      .unknownConversation, .unknownMessage, .unknownIdentity, .unknownRecordType, .recordTypeDiffers:
      true
    default: false
    }
  }
}
