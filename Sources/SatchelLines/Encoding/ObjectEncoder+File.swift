internal import SatchelModel

/// The first and the last line of a file.
extension ObjectEncoder {
  package mutating func appendHeader(version: Int64) {
    begin("header")
    text("format", FileHeader.format)
    writer.key("version")
    writer.integer(version)
    flag("trailer", true)
    writer.endObject()
  }

  /// - Parameter sequence: In a file of changes, the last commit whose changes it has; otherwise nil.
  package mutating func appendTrailer(counts: [(InterchangeKind, Int64)], sha256: String, sequence: UInt64?) {
    begin("trailer")
    writer.key("counts")
    writer.beginObject()
    for (kind, count) in counts {
      writer.key(kind.rawValue)
      writer.integer(count)
    }
    writer.endObject()
    text("sha256", sha256)
    if let sequence {
      writer.key("sequence")
      writer.unsigned(sequence)
    }
    writer.endObject()
  }
}
