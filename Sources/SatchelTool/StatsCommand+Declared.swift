import Satchel
import SatchelCare
import SatchelLines
import SatchelText
import TerminalInterface

extension StatsCommand {
  /// Returns a declared index on one line; of one that a later version has declared in a language of its own, no more than its name.
  static func line(_ declared: StoreStatistics.DeclaredIndex) -> String {
    let index = declared.index
    let text = (try? Index(index.definition))?.description ?? index.name
    var line =
      "\(text.oneLine), \(index.entry.state), \(declared.entries) entries, about \(declared.bytes) bytes"
    if let words = declared.words { line += ", of \(words.length) words in \(words.objects) objects" }
    return line
  }

  static func write(_ declared: [StoreStatistics.DeclaredIndex], to writer: inout JSONWriter) {
    writer.beginObject()
    for declared in declared {
      writer.key(declared.index.name)
      var numbers: [(String, ColumnValue)] = [
        ("entries", .number(Int64(declared.entries))), ("aboutBytes", .number(Int64(declared.bytes))),
      ]
      if let words = declared.words {
        numbers += [
          ("objects", .number(Int64(words.objects))), ("words", .number(Int64(clamping: words.length))),
        ]
      }
      writer.object(numbers)
    }
    writer.endObject()
  }
}
