internal import SatchelCoding

/// An object of the current transaction: what the indexes hold of it, and its current fields.
final class ObjectState<Fields: EditableFields> {
  /// The fields as the indexes have them; nil if the indexes do not have the object yet.
  let original: Fields?
  /// The current fields without the gathered edits; nil if the object is deleted.
  private(set) var fields: Fields?
  private(set) var edits = Fields.Edits()
  /// The checksum of the object's record; nil if it has none.
  let storedChecksum: UInt64?
  /// Whether the stored record holds the fields of `current`.
  private(set) var isStored: Bool

  private init(original: Fields?, fields: Fields, checksum: UInt64?) {
    self.original = original
    self.fields = fields
    storedChecksum = checksum
    isStored = checksum != nil
  }

  /// An object with a record and index entries.
  convenience init(loaded fields: Fields, checksum: UInt64) {
    self.init(original: fields, fields: fields, checksum: checksum)
  }

  /// An object without a record.
  convenience init(created fields: Fields) { self.init(original: nil, fields: fields, checksum: nil) }

  /// An object with a record but without index entries: an import has staged it, or it is a message that this write has
  /// added.
  convenience init(staged fields: Fields, checksum: UInt64) {
    self.init(original: nil, fields: fields, checksum: checksum)
  }

  /// The current fields; nil if the object is deleted.
  /// - Complexity: O(size of the edited lists) if edits have been gathered since the last call.
  var current: Fields? {
    if !edits.isEmpty {
      fields?.apply(edits)
      edits = Fields.Edits()
    }
    return fields
  }

  func update(_ fields: Fields?) {
    self.fields = fields
    edits = Fields.Edits()
    isStored = false
  }

  /// Changes fields of an object that exists. The change must not touch what edits are gathered for.
  func edit(_ change: (inout Fields) -> Void) {
    guard var fields else { return }
    self.fields = nil
    change(&fields)
    self.fields = fields
    isStored = false
  }

  /// Adds to the edits of an object that exists. The closure gets the edits and the fields that they are to be applied
  /// to, and returns whether what it has added changes the object.
  func gather(_ add: (inout Fields.Edits, Fields) -> Bool) -> Bool {
    guard let fields else { return false }
    let isChanged = add(&edits, fields)
    if isChanged { isStored = false }
    return isChanged
  }
}

typealias MessageState = ObjectState<StoredMessage>
typealias ConversationState = ObjectState<StoredConversation>
typealias IdentityState = ObjectState<StoredIdentity>
