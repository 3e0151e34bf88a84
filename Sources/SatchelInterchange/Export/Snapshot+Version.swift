import SatchelCoding
import SatchelModel
import SatchelReading

extension Snapshot {
  /// The lowest version of the interchange format that has a place for all metadata of the store.
  /// - Complexity: O(messages + conversations), a few steps for each: no index has the values of messages.
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
        try scanMessages { key, value in
          needsMore = unsafe try MessageView(value, key: key).metadata.needsVersion2
          return !needsMore
        }
      }
      return needsMore ? FileHeader.newestVersion : FileHeader.version
    }
  }
}
