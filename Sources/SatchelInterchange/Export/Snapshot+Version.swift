import SatchelCoding
import SatchelModel
import SatchelReading

extension Snapshot {
  /// The lowest version of the interchange format that has a place for all metadata of the store.
  /// - Complexity: O(messages + conversations), a few steps for each: no index has the values of messages.
  var interchangeVersion: Int64 {
    get throws {
      var isTyped = false
      try scanObjects(from: .conversation(row: 0)) { key, value in
        switch key {
        case .conversation(let row):
          isTyped = unsafe try ConversationView(value, row: row).metadata.hasScalars
        case .identity(let row): isTyped = unsafe try IdentityView(value, row: row).metadata.hasScalars
        case .announcement(let sequence):
          isTyped = unsafe try MessageView(value, key: MessageKey(announcement: sequence)).metadata.hasScalars
        default: break
        }
        return !isTyped
      }
      if !isTyped {
        try scanMessages { key, value in
          isTyped = unsafe try MessageView(value, key: key).metadata.hasScalars
          return !isTyped
        }
      }
      return isTyped ? FileHeader.newestVersion : FileHeader.version
    }
  }
}
