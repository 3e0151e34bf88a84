import RankedIndex
import TestSupport

extension NodeDescription {
  /// The node that a vector's lines describe.
  init(_ reader: inout FieldReader) throws {
    self.init()
    let words = reader.find("kind") ?? []
    switch try Literal.word(words, 0) {
    case "numbers": kind = 1
    case "texts": kind = 2
    default: throw VectorError("not a kind of node: \(words)")
    }
    tree = try reader.number("tree")
    level = try reader.number("level")
    number = try reader.number("number")
    sequence = try reader.number("commit")
    entries = try reader.number("entries")
    if kind == 1 {
      rows = try reader.all("row").map { values in
        try values.indices.map { try Literal.number(values, $0) }
      }
    } else {
      children = try reader.all("child").map { values in
        (number: try Literal.number(values, 0), through: try Literal.number(values, 1))
      }
      keys = try reader.all("text").map(TextHead.init(values:))
    }
  }

  /// What a vector says of the node; that of its columns follows from its rows.
  var lines: [FieldLine] {
    var lines = [
      FieldLine("kind", kind == 1 ? "numbers" : "texts"), FieldLine("tree", "\(tree)"),
      FieldLine("level", "\(level)"), FieldLine("number", "\(number)"), FieldLine("commit", "\(sequence)"),
      FieldLine("entries", "\(entries)"),
    ]
    for row in rows {
      var line = FieldLine("row")
      line.values = row.map(String.init)
      lines.append(line)
    }
    for child in children { lines.append(FieldLine("child", "\(child.number)", "\(child.through)")) }
    lines += keys.map(\.line)
    return lines
  }
}

extension TextHead {
  /// A group, a text (or one that is repeated), a row, and the number of a continuation if there is one.
  fileprivate init(values: [String]) throws {
    let group: UInt64 = try Literal.number(values, 0)
    let word = try Literal.word(values, 1)
    let factors = word.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
    let text = try Literal.bytes(factors, 0)
    let count: Int = factors.count > 1 ? try Literal.number(factors, 1) : 1
    self.init(
      bytes: withUnsafeBytes(of: group.bigEndian) { Array($0) }
        + Array(repeatElement(text, count: count).joined()),
      continuation: values.count > 3 ? try Literal.number(values, 3) : 0, row: try Literal.number(values, 2))
  }

  /// A text as long as a node holds is spelled as a repetition, so that a line of the document stays one.
  fileprivate var line: FieldLine {
    let group = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let text = Array(bytes.dropFirst(8))
    var word = Literal.quoted(text)
    if text.count == 240, let length = (1...60).first(where: { Self.repeats(text, $0) }) {
      word = Literal.quoted(Array(text.prefix(length))) + "*\(240 / length)"
    }
    var line = FieldLine("text", "\(group)", word, "\(row)")
    if continuation != 0 { line.values.append("\(continuation)") }
    return line
  }

  private static func repeats(_ text: [UInt8], _ length: Int) -> Bool {
    text.count.isMultiple(of: length) && text.indices.allSatisfy { text[$0] == text[$0 % length] }
  }
}

extension Directory {
  init(_ reader: inout FieldReader) throws {
    self.init()
    sequence = try reader.number("commit")
    nextInner = try reader.number("nextInner")
    nextLeaf = try reader.number("nextLeaf")
    nextContinuation = try reader.number("nextContinuation")
    trees = try reader.all("tree").map { values in
      DirectoryEntry(
        id: try Literal.number(values, 0), kind: try Literal.number(values, 1),
        height: try Literal.number(values, 2), root: try Literal.number(values, 3),
        count: try Literal.number(values, 4), innerNodes: try Literal.number(values, 5),
        leafNodes: try Literal.number(values, 6))
    }
  }

  var lines: [FieldLine] {
    [
      FieldLine("commit", "\(sequence)"), FieldLine("nextInner", "\(nextInner)"),
      FieldLine("nextLeaf", "\(nextLeaf)"), FieldLine("nextContinuation", "\(nextContinuation)"),
    ]
      + trees.map { tree in
        var line = FieldLine("tree", "\(tree.id)", "\(tree.kind)", "\(tree.height)")
        line.values += [tree.root, tree.count, tree.innerNodes, tree.leafNodes].map(String.init)
        return line
      }
  }
}
