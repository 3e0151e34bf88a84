import SatchelCoding
import SatchelIndexing
import SatchelModel
import SatchelQuery

extension AccessPath.Source {
  /// The runs that the source reads, for explain: their number, or the bounds of a single run.
  var boundsText: String {
    switch self {
    case .scan(let scan):
      guard let span = scan.spans.first else { return "nothing" }
      if scan.spans.count > 1 { return "\(scan.spans.count) ranges" }
      return span == .all ? "all" : span.text(in: scan.index.key)
    case .textScan(let scan):
      if scan.positions.isEmpty { return "nothing" }
      if let term = scan.term { return "[\(term.text)]" }
      guard case .values(let property, let ranges) = scan.content else { return scan.columnsText }
      guard let range = ranges.first else { return "nothing" }
      if ranges.count > 1 { return "\(ranges.count) ranges" }
      let text: ([UInt8]) -> String = property.type == .custom ? \.valueText : \.text
      if let point = range.point { return "[\(text(point))]" }
      // The upper bound is the first text that is not in the run.
      return "[\(text(range.lower)) …" + (range.upper.map { " \(text($0)))" } ?? "]")
    case .search(let scan):
      let place = scan.conversation.map { "\($0) " } ?? ""
      return "[" + place + scan.patterns.map { "'\($0)'" }.joined(separator: " ") + "]"
    case .rows(let rows): return "\(rows.count) found"
    case .intersection(let paths), .union(let paths):
      return paths.count > 4 ? "" : paths.map(\.source.boundsText).joined(separator: ", ")
    case .parts(let path): return path.source.boundsText
    case .byValue: return "all"
    }
  }
}

extension KeySpan {
  /// Returns the bounds as text, by the meaning of their columns; a bound that leaves nothing out is not shown.
  fileprivate func text(in key: [Segment]) -> String {
    let first = Self.texts(lower, key)
    if isPoint { return "[\(first.joined(separator: " "))]" }
    let last = Self.texts(upper, key)
    return "[" + (first + ["…"] + last).joined(separator: " ") + "]"
  }

  private static func texts(_ words: [UInt64], _ key: [Segment]) -> [String] {
    var texts: [String] = []
    var column = 0
    for segment in key where column + segment.width <= words.count {
      let word = words[column + segment.width - 1]
      switch segment {
      case .optional where words[column] == 0: texts.append("missing")
      case .position where words[column] == 1: texts.append("unsent")
      case .optional(let property) where word > 0 && word < .max:
        let value = KeyWords.value(word)
        texts.append(
          property.type == .date ? RFC3339.text(of: Timestamp(microseconds: value)) : String(value))
      case .position where word > 0 && word < .max: texts.append(String(KeyWords.value(word)))
      case .optional, .position: break
      case .memberSet: texts.append(String(words[column]))
      default: if word < .max { texts.append(String(word)) }
      }
      column += segment.width
    }
    return texts
  }
}

extension TextScan {
  /// The bounds of the columns of a declared index, one after the other.
  fileprivate var columnsText: String {
    guard case .declared(let index, let bounded) = content, !bounded.isEmpty else { return "all" }
    let texts = zip(index.columns, bounded).map { column, runs in
      guard runs.count == 1 else { return "\(runs.count) ranges" }
      let (lower, upper) = (column.text(of: runs[0].lower), column.text(of: runs[0].upper))
      if runs[0].isPoint { return lower }
      return column.isInverted ? "\(upper) … \(lower)" : "\(lower) … \(upper)"
    }
    return "[" + texts.joined(separator: " ") + "]"
  }
}

extension DeclaredIndex.Column {
  /// Returns a value, or a bound, as text, from its bytes in an entry.
  fileprivate func text(of entry: [UInt8]) -> String {
    let bytes = isInverted ? entry.map { ~$0 } : entry
    switch bytes.first {
    case nil: return ""
    case DeclaredKey.Tag.missing? where bytes.count == 1: return "missing"
    case DeclaredKey.Tag.missingLast? where isMissingLast: return "missing"
    case DeclaredKey.Tag.integer? where bytes.count == 9:
      let word = bytes.dropFirst().reduce(0) { $0 << 8 | UInt64($1) }
      let value = Int64(bitPattern: word ^ 1 << 63)
      if value == .min || value == .max { return "" }
      return property.type == .date ? RFC3339.text(of: Timestamp(microseconds: value)) : String(value)
    case DeclaredKey.Tag.reference? where bytes.count == 5:
      return String(bytes.dropFirst().reduce(0) { $0 << 8 | UInt64($1) })
    default:
      let value = Self.unescaped(bytes)
      if case .custom = form { return value.valueText }
      return value.first == DeclaredKey.Tag.text ? Array(value.dropFirst()).text : ""
    }
  }

  private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
    var value: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0, index + 1 < bytes.count {
        if bytes[index + 1] == 1 { break }
        index += 1
        value.append(0)
      } else {
        value.append(bytes[index])
      }
      index += 1
    }
    return value
  }
}

extension [UInt8] {
  fileprivate var text: String { "'" + String(decoding: prefix(40), as: UTF8.self) + "'" }

  /// The bound of a run of metadata's values: the value, or where values of its type begin.
  fileprivate var valueText: String {
    guard let tag = first else { return "any" }
    if tag == ValueKey.Tag.text { return Array(dropFirst()).text }
    let bytes = last == 0 && ValueKey(bytes: self) == nil ? Array(dropLast()) : self
    if let value = ValueKey(bytes: bytes)?.value?.value { return value.description }
    if tag == ValueKey.Tag.reference {
      let reference = unsafe dropFirst().withUnsafeBytes { unsafe Reference(keyBytes: $0) }
      return reference.map { "\(QueryPredicate.Constant.reference($0))" } ?? "references"
    }
    return tag <= ValueKey.Tag.number ? "numbers" : tag == ValueKey.Tag.date ? "dates" : "lists"
  }
}
