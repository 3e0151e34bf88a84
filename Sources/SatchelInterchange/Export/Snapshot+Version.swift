import SatchelCoding
import SatchelLines
import SatchelModel
import SatchelReading

extension Snapshot {
  /// The lowest version of the interchange format that has a place for all metadata of the store.
  /// - Complexity: O(messages + conversations), a few steps for each: whether a value is a text is known from the records alone.
  var interchangeVersion: Int64 {
    get throws {
      var needsMore = false
      try scanObjects(from: .conversation(row: 0)) { key, value in
        switch key {
        case .conversation(let row):
          needsMore = unsafe try ConversationView(value, row: row).metadata.needsVersion2
        case .identity(let row): needsMore = unsafe try IdentityView(value, row: row).metadata.needsVersion2
        case .announcement(let sequence):
          needsMore = unsafe try MessageView(value, key: MessageKey(announcement: sequence)).metadata
            .needsVersion2
        default: break
        }
        return !needsMore
      }
      if !needsMore {
        // The tables also hold what waits to be purged, which no export has.
        var known: (conversation: UInt32, exists: Bool)?
        try scanMessages { key, value in
          if known?.conversation != key.conversation {
            known = (key.conversation, try findConversation(key.conversation) != nil)
          }
          guard known?.exists == true else { return true }
          needsMore = unsafe try MessageView(value, key: key).metadata.needsVersion2
          return !needsMore
        }
      }
      return needsMore ? FileHeader.typedVersion : FileHeader.version
    }
  }
}
