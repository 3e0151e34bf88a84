internal import SatchelBytes
internal import SatchelModel

extension MetadataView {
  /// Writes the entries of a dictionary.
  static func write(_ metadata: Metadata, to writer: inout ByteWriter) {
    if let bytes = metadata.bytes { return writer.bytes.append(contentsOf: bytes) }
    for entry in metadata.entries {
      let key = UInt64(entry.key.utf8.count) << 1
      switch entry.value {
      case .text(let text):
        writer.varint(key)
        writer.bytes.append(contentsOf: entry.key.utf8)
        writer.counted(text)
      case .dictionary(let inner):
        writer.varint(key | 1)
        writer.bytes.append(contentsOf: entry.key.utf8)
        var nested = ByteWriter()
        write(inner, to: &nested)
        writer.counted(nested.bytes)
      case .integer, .number, .boolean, .date, .list, .reference:
        writer.varint(key | 1)
        writer.bytes.append(contentsOf: entry.key.utf8)
        var nested = ByteWriter()
        nested.u8(MetadataBytes.scalarMark)
        if case .list(let texts) = entry.value {
          MetadataListView.write(texts, to: &nested)
        } else if case .reference(let reference) = entry.value {
          nested.u8(MetadataScalar.Kind.reference)
          nested.bytes.append(contentsOf: reference.keyBytes)
        } else {
          MetadataScalar(entry.value)?.write(to: &nested)
        }
        writer.counted(nested.bytes)
      }
    }
  }
}
