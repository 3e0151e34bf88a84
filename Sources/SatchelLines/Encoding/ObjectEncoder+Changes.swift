package import SatchelModel

/// Updates and deletions, as an import takes them. An update gives the new values of properties, not how they
/// changed.
extension ObjectEncoder {
  package mutating func appendDeletion(message id: String) { appendDeletion("message", id) }

  package mutating func appendDeletion(conversation id: String) { appendDeletion("conversation", id) }

  private mutating func appendDeletion(_ kind: String, _ id: String) {
    begin("delete")
    text(kind, id)
    writer.endObject()
  }

  /// Writes the beginning of an update, up to the values of `set`.
  package mutating func beginUpdate(_ kind: String, _ id: String) {
    begin("update")
    text(kind, id)
    writer.key("set")
    writer.beginObject()
  }

  /// Writes the end of an update. With metadata, `set` clears the old metadata and the key `metadata` after it sets
  /// the new: an import takes the two steps in this order.
  package mutating func endUpdate(metadata new: Metadata?) {
    if new != nil { null("metadata") }
    writer.endObject()
    if let new, !new.isEmpty {
      writer.key("metadata")
      writer.beginObject()
      writer.key("set")
      // Its keys are key paths.
      writer.metadata(new) { [$0].spelledPath }
      writer.endObject()
    }
    writer.endObject()
  }

  /// Writes a text, or `null` if there is none.
  package mutating func optional(_ key: String, _ value: String?) {
    if let value { text(key, value) } else { null(key) }
  }

  /// Writes a number, or `null` if there is none.
  package mutating func optional(_ key: String, _ value: Int64?) {
    guard let value else { return null(key) }
    writer.key(key)
    writer.integer(value)
  }

  /// Writes a date, or `null` if there is none.
  package mutating func optional(_ key: String, _ value: Timestamp?, of identifier: String) throws {
    if value == nil { null(key) } else { try date(key, value, of: identifier) }
  }

  package mutating func null(_ key: String) {
    writer.key(key)
    writer.null()
  }
}
