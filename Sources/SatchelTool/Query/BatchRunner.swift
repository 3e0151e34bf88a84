import Satchel
import SatchelInterchange
import SatchelLines
import SatchelModel
import SatchelStorage
import TerminalInterface

/// Answers one query for each line, at once and from the newest commit. If a query cannot be answered, its line of
/// output is the error.
struct BatchRunner {
  let store: Store

  func run() throws {
    var reader = LineReader(.descriptor(0), hashes: false, keepsEmptyLines: true)
    var line: [UInt8] = []
    var output = Output()
    while true {
      var encoder = ObjectEncoder()
      do {
        guard try reader.next(into: &line) else { return }
        try answer(BatchQuery(line), &encoder)
      } catch let error as SatchelError {
        encoder = ObjectEncoder()
        Self.write(error, &encoder.writer)
      } catch let error as LineReader.LineTooLong {
        encoder = ObjectEncoder()
        Self.write(
          SatchelError(.syntaxError, "The line is too long for a query", ["bytes": "over \(error.limit)"]),
          &encoder.writer)
      }
      encoder.writer.endLine()
      try output.write(encoder.writer.bytes)
      try output.flush()
    }
  }

  private func answer(_ query: BatchQuery, _ encoder: inout ObjectEncoder) throws {
    try store.read { base in
      let snapshot = StoreSnapshot(base)
      guard query.description.kind != .records || query.description.recordType != nil else {
        throw SatchelError(
          .invalidValue, "A query for records names their type",
          [
            "key": "from", "found": ObjectKind.records.rawValue,
            "declared": try snapshot.namesOfTypes.joined(separator: " "),
          ])
      }
      // What is asked for by name is found without a query; it is all there is to select from.
      let named = try query.identifiers.map { try snapshot.objects(query.description, $0) }
      encoder.writer.beginObject()
      switch query.select {
      case .count:
        let count = try named?.count ?? snapshot.count(query.description)
        encoder.writer.key("count")
        encoder.writer.integer(Int64(count))
      case .identifiers:
        let identifiers = try named?.map(\.identifier) ?? snapshot.identifiers(query.description)
        encoder.writer.key("identifiers")
        encoder.writer.beginArray()
        for identifier in identifiers { encoder.writer.string(identifier) }
        encoder.writer.endArray()
      case .objects:
        encoder.writer.key("objects")
        encoder.writer.beginArray()
        if let named {
          for object in named { try encoder.append(object, of: snapshot) }
        } else {
          try snapshot.forEachObject(query.description) { try encoder.append($0, of: snapshot) }
        }
        encoder.writer.endArray()
      }
      if query.explain {
        encoder.writer.key("plan")
        encoder.writer.string(try snapshot.explain(query.description, as: query.select).plan)
      }
      encoder.writer.endObject()
    }
  }

  private static func write(_ error: SatchelError, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("error")
    writer.beginObject()
    writer.key("code")
    writer.string(error.code.rawValue)
    writer.key("message")
    writer.string(error.description)
    if let property = error.context["property"] {
      writer.key("property")
      writer.string(property)
    }
    writer.endObject()
    writer.endObject()
  }
}
