import SatchelModel

extension JSONWriter {
  /// Writes metadata as an object, of which each value is told from one of another type.
  mutating func metadata(_ metadata: Metadata) {
    beginObject()
    for entry in metadata.entries {
      key(entry.key)
      switch entry.value {
      case .text(let text): string(text)
      case .integer(let value): integer(value)
      case .number(let value): number(value)
      case .boolean(let value): bool(value)
      case .date(let date):
        beginObject()
        key(JSONValue.dateKey)
        string(date.description)
        endObject()
      case .dictionary(let inner): self.metadata(inner)
      }
    }
    endObject()
  }
}
