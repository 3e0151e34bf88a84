import Satchel
import SatchelCare
import SatchelLines
import TerminalInterface

/// A declared record type as `satchel stats` shows it, with what is declared of its records.
struct TypeStatistics {
  private let type: RecordType
  private let records: Int
  private var indexes: [(name: String, columns: [String])] = []
  private var aggregates: [String] = []

  /// Also what a later version has declared in a language of its own, of which no more than the names and the columns are taken.
  static func all(_ statistics: StoreStatistics) -> [TypeStatistics] {
    statistics.types.map { type, records in
      let name = Array(type.name.utf8)
      var shown = TypeStatistics(type: type, records: records)
      for index in statistics.declaredIndexes.map(\.index)
      where index.definition.recordType == name && index.entry.state != .leaving {
        shown.indexes.append((index.name, index.definition.columns.map(\.spelled)))
      }
      for (aggregate, _) in statistics.aggregates where aggregate.recordType == name {
        shown.aggregates.append(String(decoding: aggregate.name, as: UTF8.self))
      }
      return shown
    }
  }

  private init(type: RecordType, records: Int) {
    self.type = type
    self.records = records
  }

  /// All of it on one line.
  var line: String {
    let indexes = indexes.map { "; index \($0.name) (\($0.columns.joined(separator: ", ")))" }
    let aggregates = aggregates.map { "; aggregate \($0)" }
    return ("\(type), \(records) records" + indexes.joined() + aggregates.joined()).oneLine
  }

  static func write(_ types: [TypeStatistics], to writer: inout JSONWriter) {
    writer.key("types")
    writer.beginArray()
    for type in types {
      writer.beginObject()
      writer.key("name")
      writer.string(type.type.name)
      writer.key("fields")
      writer.object(type.type.fields.map { ($0.name, .text($0.type.spelling)) })
      writer.key("records")
      writer.integer(Int64(type.records))
      writer.key("indexes")
      writer.beginArray()
      for index in type.indexes {
        writer.beginObject()
        writer.key("name")
        writer.string(index.name)
        writer.key("columns")
        writer.beginArray()
        for column in index.columns { writer.string(column) }
        writer.endArray()
        writer.endObject()
      }
      writer.endArray()
      writer.key("aggregates")
      writer.beginArray()
      for aggregate in type.aggregates { writer.string(aggregate) }
      writer.endArray()
      writer.endObject()
    }
    writer.endArray()
  }
}
