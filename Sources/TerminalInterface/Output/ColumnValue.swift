package import SatchelLines
package import SatchelModel

/// What a column shows of an object.
package enum ColumnValue {
  case missing
  case text(String)
  case number(Int64)
  case boolean(Bool)
  case date(Timestamp)
  /// The participants of a conversation, or a value for each part of a message.
  case list([ColumnValue])
  case metadata(Metadata)
  /// A number that is given as a Double.
  case double(Double)
  /// A date of metadata, where a text may look like one.
  case customDate(Timestamp)
  /// A reference in a field of a record, where a text may look like one.
  case reference(Reference)

  package init(_ text: String?) { self = text.map { .text($0) } ?? .missing }
  package init(_ number: Int64?) { self = number.map { .number($0) } ?? .missing }
  package init(_ flag: Bool?) { self = flag.map { .boolean($0) } ?? .missing }
  package init(_ date: Timestamp?) { self = date.map { .date($0) } ?? .missing }

  /// Makes the value of metadata at a key path; a dictionary counts as missing, as in queries.
  package init(metadata value: MetadataValue?) {
    switch value {
    case nil, .dictionary?: self = .missing
    case .text(let text)?: self = .text(text)
    case .integer(let value)?: self = .number(value)
    case .number(let value)?: self = .double(value)
    case .boolean(let value)?: self = .boolean(value)
    case .date(let date)?: self = .customDate(date)
    case .list(let texts)?: self = .list(texts.map { .text($0) })
    case .reference(let reference)?: self = .reference(reference)
    }
  }

  /// The value as the cell of a table.
  package var text: String {
    switch self {
    case .missing: return ""
    case .text(let text): return text
    case .number(let number): return String(number)
    case .double(let number): return number.description
    case .boolean(let flag): return String(flag)
    case .date(let date), .customDate(let date): return Self.text(of: date)
    case .reference(let reference): return reference.description
    case .list(let values):
      return Self.present(values).map(\.text).joined(separator: ", ")
    case .metadata(let metadata):
      var texts: [String] = []
      metadata.forEachValue { path, value in texts.append(path.spelledPath + "=" + value.plain) }
      return texts.joined(separator: " ")
    }
  }

  /// The value as the cell of a CSV record: a list is JSON, so that its elements can be told apart, whatever is in them.
  package var cell: String {
    guard case .list(let values) = self else { return text }
    var writer = JSONWriter()
    Self.list(Self.present(values)).write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// What a part does not have takes no place: the text of a picture is no empty text.
  private static func present(_ values: [ColumnValue]) -> [ColumnValue] {
    values.filter { if case .missing = $0 { false } else { true } }
  }

  /// Writes the value as JSON: `null` if it is missing, what is of metadata as the interchange format has it.
  package func write(to writer: inout JSONWriter) {
    switch self {
    case .missing: writer.null()
    case .text(let text): writer.string(text)
    case .number(let number): writer.integer(number)
    case .double(let number): writer.number(number)
    case .boolean(let flag): writer.bool(flag)
    case .date(let date): writer.string(Self.text(of: date))
    case .list(let values):
      writer.beginArray()
      for value in values { value.write(to: &writer) }
      writer.endArray()
    case .customDate(let date): writer.value(ofMetadata: .date(date))
    case .reference(let reference): writer.value(ofMetadata: .reference(reference))
    case .metadata(let metadata): writer.metadata(metadata)
    }
  }

  /// Returns the date as the interchange format writes it. One beyond the format's years is shown as it is stored.
  private static func text(of date: Timestamp) -> String {
    (try? RFC3339.format(microseconds: date.microseconds)) ?? "\(date.microseconds) µs"
  }
}

extension MetadataValue {
  /// The value as it is shown in the cell of a table, a text without quotation marks.
  package var plain: String { ColumnValue(metadata: self).text }
}

extension JSONWriter {
  /// Writes an object whose members are values of columns.
  package mutating func object(_ members: [(String, ColumnValue)]) {
    beginObject()
    for (key, value) in members {
      self.key(key)
      value.write(to: &self)
    }
    endObject()
  }
}

extension Output {
  /// Writes a JSON object on a line.
  package mutating func write(_ members: [(String, ColumnValue)]) throws {
    var writer = JSONWriter()
    writer.object(members)
    writer.endLine()
    try write(writer.bytes)
  }
}
