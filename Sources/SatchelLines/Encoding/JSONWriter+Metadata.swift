package import SatchelModel

extension JSONWriter {
  /// Writes metadata as an object, of which each value is told from one of another type.
  /// - Parameter spelled: How a key of the outermost dictionary is written.
  package mutating func metadata(_ metadata: Metadata, key spelled: (String) -> String = { $0 }) {
    beginObject()
    for entry in metadata.entries {
      key(spelled(entry.key))
      value(ofMetadata: entry.value)
    }
    endObject()
  }

  /// Writes a value of metadata, which is told from one of another type.
  package mutating func value(ofMetadata value: MetadataValue) {
    switch value {
    case .text(let text): string(text)
    case .integer(let value): integer(value)
    case .number(let value): number(value)
    case .boolean(let value): bool(value)
    case .date(let date):
      beginObject()
      key(JSONValue.dateKey)
      string(date.description)
      endObject()
    case .list(let texts):
      beginArray()
      for text in texts { string(text) }
      endArray()
    case .dictionary(let inner): metadata(inner.escapingMark)
    case .reference(let id):
      beginObject()
      key(JSONValue.referenceKey)
      reference(id)
      endObject()
    }
  }

  /// Writes what a reference names: an array of its type and its identifier.
  mutating func reference(_ reference: Reference) {
    beginArray()
    string(reference.type)
    string(reference.name)
    endArray()
  }
}
