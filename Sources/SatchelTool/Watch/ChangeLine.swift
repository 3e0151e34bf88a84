import Satchel
import SatchelLines

/// Lists and their changes as lines of JSON, which the help of `watch` describes.
enum ChangeLine {
  static func snapshot<Object: ListedObject>(_ list: ListSnapshot<Object>) -> [UInt8] {
    line("snapshot", list) { writer in
      writer.key("identifiers")
      writer.array(list) { $0.string($1.id.identifier) }
    }
  }

  static func changes<Object: ListedObject>(_ set: ChangeSet<Object>) -> [UInt8] {
    let difference = set.difference
    return line("changes", set.after) { writer in
      writer.key("delete")
      writer.array(difference.deletes) { $0.integer(Int64($1)) }
      writer.key("insert")
      writer.array(difference.inserts) { writer, index in
        writer.beginArray()
        writer.integer(Int64(index))
        writer.string(set.after[index].id.identifier)
        writer.endArray()
      }
      writer.key("move")
      writer.array(difference.moves) { writer, move in
        writer.beginArray()
        writer.integer(Int64(move.before))
        writer.integer(Int64(move.after))
        writer.endArray()
      }
      writer.key("update")
      writer.array(difference.updates) { $0.integer(Int64($1.before)) }
    }
  }

  private static func line<Object: ListedObject>(
    _ name: String, _ list: ListSnapshot<Object>, _ body: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key(name)
    writer.beginObject()
    writer.key("sequence")
    writer.unsigned(list.sequence)
    writer.key("total")
    writer.integer(Int64(list.totalNumberOfObjects))
    body(&writer)
    writer.endObject()
    writer.endObject()
    writer.endLine()
    return writer.bytes
  }
}

extension JSONWriter {
  fileprivate mutating func array<Elements: Sequence>(
    _ elements: Elements, _ body: (inout JSONWriter, Elements.Element) -> Void
  ) {
    beginArray()
    for element in elements { body(&self, element) }
    endArray()
  }
}
