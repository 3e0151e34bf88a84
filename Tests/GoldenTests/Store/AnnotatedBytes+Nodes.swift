import RankedKeys
import SatchelCoding
import SatchelIndexing
import TestSupport

/// What a tree is called.
enum TreeName {
  static func of(_ id: UInt64) -> String {
    numeric(id)?.name ?? IndexCatalog.text.first { UInt64($0.number) == id }?.name ?? "?"
  }

  static func numeric(_ id: UInt64) -> TreeSchema? {
    IndexCatalog.numeric.first { UInt64($0.number) == id }?.tree
  }
}

// The nodes of FORMAT.md, section 7, field by field: the test compares the rows with what the decoder finds.
extension AnnotatedBytes {
  /// A leaf or inner node of numbers or texts; returns its rows (without what is not a column), or no rows for texts.
  mutating func node() throws -> [[UInt64]] {
    let tree = try number(2, "tree") { "\($0) \(TreeName.of($0))" }
    let level = try number(1, "level")
    let kind = try number(1, "kind") { $0 == 1 ? "1 numbers" : "2 texts" }
    try number(4, "entries")
    try number(8, "number")
    try number(8, "commit")
    try number(8, "checksum") { _ in "hash of what follows, seeded by that of the 24 bytes before" }
    let rows = kind == 1 ? try numbers(tree, isLeaf: level == 0) : try texts(isLeaf: level == 0)
    try zeros("zeros")
    return rows
  }

  private mutating func numbers(_ tree: UInt64, isLeaf: Bool) throws -> [[UInt64]] {
    let count = try number(2, "rows")
    try number(2, "bytes of a row")
    let columns = Int(try number(1, "columns"))
    let childWidth = Int(try number(1, "bytes of a child"))
    let beforeWidth = Int(try number(1, "bytes of entries before"))
    try reserved(1)
    let schema = TreeName.numeric(tree)
    func shown(_ word: UInt64, _ column: Int) -> String { Self.word(word, column, schema) }
    var least: [UInt64] = []
    for column in 0..<columns {
      least.append(try number(8, "least of column \(column)") { shown($0, column) })
    }
    var widths: [Int] = []
    for column in 0..<columns { widths.append(Int(try number(1, "bytes of column \(column)"))) }
    if !isLeaf { try number(8, "least child") }
    var rows: [[UInt64]] = []
    for _ in 0..<count {
      var row: [UInt64] = []
      var place = offset
      for column in 0..<columns {
        guard widths[column] <= bytes.count - place else {
          throw AnnotationError(description: "a row ends early")
        }
        let packed = bytes[place..<place + widths[column]].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        row.append(least[column] &+ packed)
        place += widths[column]
      }
      let keys = schema?.keyColumns ?? columns
      let key = row.indices.prefix(keys).map { shown(row[$0], $0) }.joined(separator: " ")
      let payload = row.indices.dropFirst(keys).map { shown(row[$0], $0) }.joined(separator: " ")
      let text = "row [\(key)\(payload.isEmpty ? "" : " | " + payload)]"
      let width = place - offset + childWidth + beforeWidth
      // A single row takes no bytes: everything is in the least values.
      if width == 0 { comment(text) } else { _ = try take(width, text) }
      rows.append(row)
    }
    return rows
  }

  /// Words of dates and positions as the signed numbers that they stand for, hashes in hexadecimal.
  private static func word(_ word: UInt64, _ column: Int, _ schema: TreeSchema?) -> String {
    if let schema, schema.name.hasSuffix(".identifier"), column == 0 {
      return Literal.hexWord(word)
    }
    if word < 1 << 48 { return String(word) }
    let value = KeyWords.value(word)
    return "\(value < 0 ? "" : "+")\(value)"
  }

  private mutating func texts(isLeaf: Bool) throws -> [[UInt64]] {
    guard isLeaf else { throw AnnotationError(description: "an inner node of texts in so small a store") }
    let keys = Int(try number(2, "keys"))
    let restarts = try number(2, "restarts")
    let prefix = Int(try number(1, "bytes of the common beginning"))
    let rowBits = Int(try number(1, "bits of a row"))
    try number(1, "bits of a child")
    try number(1, "bits of entries")
    let least = try number(8, "least row")
    let packed = bytes[offset...].prefix((keys * rowBits + 7) / 8)
    let rows = (0..<keys).map { key in
      least
        + (0..<rowBits).reduce(UInt64(0)) { value, bit in
          let place = key * rowBits + bit
          return value | UInt64(packed[packed.startIndex + place / 8] >> UInt8(place % 8) & 1) << UInt64(bit)
        }
    }
    let list = "rows = \(rows.map(String.init).joined(separator: " "))"
    if packed.isEmpty { comment(list) } else { _ = try take(packed.count, list) }
    for index in 0..<restarts {
      try number(2, "restart \(index): offset of the run")
      try number(2, "restart \(index): first key")
    }
    var head: [UInt8] = []
    if prefix > 0 {
      head = Array(bytes[offset...].prefix(prefix))
      _ = try take(prefix, "common beginning = \(Self.text(head))")
    }
    var key = 0
    while key < keys { key += try run(prefix: prefix, &head, rows[key...]) }
    return []
  }

  /// One run; returns the number of its keys.
  private mutating func run(prefix: Int, _ head: inout [UInt8], _ rows: ArraySlice<UInt64>) throws -> Int {
    var count = 1
    var continuation = ""
    switch bytes[offset] {
    case 0x0F:
      try number(1, "mark") { _ in "several keys" }
      count = Int(try number(1, "keys less one")) + 1
    case 0x1F:
      try number(1, "mark") { _ in "several keys" }
      count = Int(try number(2, "keys less one")) + 1
    case 0x2F:
      try number(1, "mark") { _ in "continues" }
      continuation = ", continues in \(try number(8, "continuation"))"
    default: break
    }
    let lengths = try number(1, "run") { "\($0 >> 4) shared, \($0 & 15) of its own" }
    var shared = Int(lengths >> 4)
    var own = Int(lengths & 15)
    if shared == 15 { shared += Int(try number(1, "shared less 15")) }
    if own == 14 { own += Int(try number(1, "of its own less 14")) }
    head = Array(head.prefix(prefix + shared)) + bytes[offset...].prefix(own)
    let row = rows.prefix(count).map(String.init).joined(separator: " ")
    let text = "\(Self.text(head))\(continuation) | \(row)"
    if own == 0 { comment(text) } else { _ = try take(own, text) }
    return count
  }

  /// A head: its group, then the text.
  private static func text(_ head: [UInt8]) -> String {
    guard head.count >= 8 else { return "part of a group" }
    let group = head.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let text = Array(head.dropFirst(8))
    let isText = text.allSatisfy { $0 >= 0x20 }
    return
      "\(group) \(isText ? Literal.quoted(Array(text.prefix(40))) : Literal.hexWord(text))\(text.count > 40 ? "…" : "")"
  }
}
