import SatchelLines
import SatchelModel
import SatchelReading
import SatchelText
import TerminalInterface

/// How `dump` shows what it finds.
package enum DumpFormat: String, CaseIterable {
  /// A line for each record, with its key and its fields.
  case table
  /// A JSON object for each record.
  case json
  /// A line for each field, with its offset and its bytes.
  case hex
}

/// Writes dumped records in one of the formats.
struct DumpWriter: ~Copyable {
  private let format: DumpFormat
  private var output: Output
  private var isFirst = true

  init(_ format: DumpFormat, to stream: OutputStream) {
    self.format = format
    output = Output(stream)
  }

  /// Writes one record or one row, with the key by which `--key` finds it.
  /// - Parameter file: The file that has it; nil if that need not be said.
  mutating func write(key: String, in file: StoreFile?, _ annotation: RecordAnnotation) throws {
    switch format {
    case .table:
      let fields = annotation.fields.compactMap { field in
        field.name.map { "\($0)=\(field.value.text)\(DumpNames.bracketed(field.note))" }
      }
      let place = file.map { "in=\($0.rawValue) " } ?? ""
      try output.line("\(key)  \(place)\(fields.joined(separator: " "))".oneLine)
    case .json: try output.write(Self.line(key, file, annotation.fields))
    case .hex: try writeHex(key, file, annotation)
    }
  }

  private mutating func writeHex(_ key: String, _ file: StoreFile?, _ annotation: RecordAnnotation) throws {
    // Written at once: a write may end the snapshot, and a record of which a part was written counts as shown.
    var lines = isFirst ? [] : [""]
    isFirst = false
    let place = file.map { " in \($0.rawValue)" } ?? ""
    lines.append("\(key.oneLine)  (\(annotation.bytes.count) bytes\(place))")
    for field in annotation.fields {
      let meaning = [field.name.map { "\($0): \(field.value.text)" }, field.note].compactMap { $0 }
      var start = field.range.lowerBound
      repeat {
        let end = min(start + 16, field.range.upperBound)
        var line = String(start).padded(to: 6, onTheLeft: true) + "  "
        for (index, byte) in annotation.bytes[start..<end].enumerated() {
          line += (index > 0 && index % 4 == 0 ? " " : "") + hexadecimal(UInt64(byte), digits: 2)
        }
        if start == field.range.lowerBound {
          line = line.padded(to: 45) + "# " + meaning.joined(separator: ", ").cut(to: 400)
        }
        lines.append(line.oneLine)
        start = end
      } while start < field.range.upperBound
    }
    try output.line(lines.joined(separator: "\n"))
  }

  /// Returns a line of JSON with the named fields. A name that occurs several times has an array.
  private static func line(_ key: String, _ file: StoreFile?, _ fields: [AnnotatedField]) -> [UInt8] {
    var names: [String] = []
    var values: [String: [AnnotatedField.Value]] = [:]
    for field in fields {
      guard let name = field.name else { continue }
      if values[name] == nil { names.append(name) }
      values[name, default: []].append(field.value)
    }
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("key")
    writer.string(key)
    if let file {
      writer.key("in")
      writer.string(file.rawValue)
    }
    for name in names {
      writer.key(name)
      let all = values[name] ?? []
      if all.count > 1 { writer.beginArray() }
      for value in all { value.write(to: &writer) }
      if all.count > 1 { writer.endArray() }
    }
    writer.endObject()
    writer.endLine()
    return writer.bytes
  }
}

extension AnnotatedField.Value {
  /// The value as a text for people.
  var text: String {
    switch self {
    case .number(let number): String(number)
    case .signed(let number): String(number)
    case .real(let number): number.description
    case .text(let text): "\"\(text)\""
    case .flag(let flag): String(flag)
    case .bytes(let bytes): "\(bytes.count) bytes"
    case .date(let microseconds): (try? RFC3339.format(microseconds: microseconds)) ?? "\(microseconds) µs"
    }
  }

  fileprivate func write(to writer: inout JSONWriter) {
    switch self {
    case .number(let number): writer.unsigned(number)
    case .signed(let number): writer.integer(number)
    case .real(let number): writer.number(number)
    case .text(let text): writer.string(text)
    case .flag(let flag): writer.bool(flag)
    case .bytes(let bytes): writer.base64(bytes)
    case .date(let microseconds):
      if let text = try? RFC3339.format(microseconds: microseconds) {
        writer.string(text)
      } else {
        writer.integer(microseconds)
      }
    }
  }
}
