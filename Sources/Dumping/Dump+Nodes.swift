import RankedIndex
import SatchelBytes
import SatchelIndexing

extension Dump {
  /// Shows the nodes of all indexes, or the node whose number is the key to show.
  mutating func showNodes() throws {
    if let key {
      guard let number = UInt64(key), let node = try snapshot.forest.decodeNode(number) else { return }
      _ = try write(key, Self.annotate(node), in: .database)
      return
    }
    struct Enough: Error {}
    do {
      try snapshot.forest.forEachNode { node in
        guard try write(String(node.number), Self.annotate(node), in: .database) else { throw Enough() }
      }
    } catch is Enough {}
  }

  private static func annotate(_ node: NodeDescription) -> RecordAnnotation {
    var annotation = RecordAnnotation(node.bytes)
    annotation.annotate(isValid: nil) { record throws(ByteError) in try record.node(node) }
    return annotation
  }
}

// The layouts of FORMAT.md, section 7.
extension RecordAnnotation {
  mutating func node(_ node: NodeDescription) throws(ByteError) {
    let trees =
      IndexCatalog.numeric.map { ($0.number, $0.name) } + IndexCatalog.text.map { ($0.number, $0.name) }
    try u16("tree", note: trees.first { $0.0 == node.tree }?.1)
    try u8("level") { $0 == 0 ? "a leaf" : nil }
    try u8("kind") { $0 == 1 ? "rows of numbers" : $0 == 2 ? "texts" : "unknown" }
    try u32("entries")
    try u64("number")
    try u64("sequence")
    try hash("checksum", note: node.isChecksumRight ? nil : "wrong")
    if node.kind == 1 { try numericNode(node) } else { try textNode(isLeaf: node.level == 0) }
  }

  private mutating func numericNode(_ node: NodeDescription) throws(ByteError) {
    try u16("rows")
    let width = Int(try u16("rowBytes"))
    let columns = Int(try u8("columns"))
    try u8(nil) { "\($0) bytes for a child" }
    try u8(nil) { "\($0) bytes for the entries before it" }
    try reserved(1)
    for column in 0..<columns { try u64("least[\(column)]") }
    for column in 0..<columns { try u8("bytes[\(column)]") }
    if node.level > 0 { try u64("leastChild") }
    for (index, row) in node.rows.enumerated() {
      try words("row[\(index)]", row, count: width)
    }
    try zeros()
  }

  private mutating func textNode(isLeaf: Bool) throws(ByteError) {
    try u16("keys")
    try u16("restarts")
    try u8("commonBytes")
    try u8("rowBits")
    try u8("childBits")
    try u8("countBits")
    try u64("leastRow")
    if !isLeaf { try u64("leastChild") }
  }

  /// Adds a packed row of numbers.
  private mutating func words(_ name: String, _ row: [UInt64], count: Int) throws(ByteError) {
    let start = offset
    try skip(count)
    add(start..<offset, name, .text(row.map(String.init).joined(separator: "/")))
  }

  /// Adds the zeros after the rows, which let a load at the last byte stay inside the node.
  private mutating func zeros() throws(ByteError) {
    let start = offset
    try skip(bytes.count - start)
    add(start..<offset, nil, .bytes(Array(bytes[start...])), note: "zeros")
  }
}
