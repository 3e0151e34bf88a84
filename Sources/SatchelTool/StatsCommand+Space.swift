import SatchelCare
import SatchelLines
import TerminalInterface

/// `satchel stats --space`: where the bytes of `data.mdb` go.
extension StatsCommand {
  static func write(_ space: StoreSpace, to output: inout Output) throws {
    var table = Table([
      .init("part", limit: 32), .init("bytes", isNumber: true), .init("used", isNumber: true),
      .init("room", isNumber: true),
    ])
    for part in space.parts where part.bytes > 0 {
      let room = part.isFree ? "" : String(part.bytes - part.used)
      try table.add([part.name, String(part.bytes), part.isFree ? "" : String(part.used), room], to: &output)
    }
    try table.end(&output)
    try output.line("")
    try output.line(
      "file      \(space.fileBytes) bytes, \(space.free) of them free, \(space.slack) of them room inside pages"
    )
    try output.line("end       \(space.freeAtEnd) bytes of free pages")
    try output.line(
      "disk      \(space.diskBytes) bytes, \(space.givenBackBytes) of the file's are given back to the file system"
    )
  }

  static func line(_ space: StoreSpace) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("parts")
    writer.beginObject()
    for part in space.parts {
      writer.key(part.name)
      writer.beginObject()
      for (key, number) in [("bytes", part.bytes), ("used", part.used)] {
        writer.key(key)
        writer.integer(Int64(number))
      }
      writer.endObject()
    }
    writer.endObject()
    let numbers = [
      ("fileBytes", space.fileBytes), ("freeBytes", space.free), ("roomBytes", space.slack),
      ("freeBytesAtEnd", space.freeAtEnd), ("diskBytes", space.diskBytes),
      ("givenBackBytes", space.givenBackBytes),
    ]
    for (key, number) in numbers {
      writer.key(key)
      writer.integer(Int64(number))
    }
    writer.endObject()
    writer.endLine()
    return writer.bytes
  }
}
