import RankedIndex
package import RankedKeys
import SatchelBytes
import SatchelCoding
package import SatchelIndexing
import SatchelModel
import TerminalInterface

extension Dump {
  /// Shows the rows of an index of numbers. The key to show gives the values of their first columns.
  package mutating func show(_ index: IndexDefinition) throws {
    var cursor = try snapshot.forest.cursor(index.tree)
    var prefix: [UInt64] = []
    if let key {
      prefix = Self.numbers(key)
      guard (1...index.tree.keyColumns).contains(prefix.count) else {
        throw ToolError("a key of \(index.name) is 1 to \(index.tree.keyColumns) numbers joined by /")
      }
      var words = Words()
      for (column, word) in prefix.enumerated() { words[column] = word }
      try cursor.seek(to: .before(words, columns: prefix.count))
    }
    let columns = index.columns
    while wantsMore, let words = try cursor.next() {
      guard prefix.indices.allSatisfy({ words[$0] == prefix[$0] }) else { return }
      let key = (0..<index.tree.keyColumns).map { String(words[$0]) }.joined(separator: "/")
      let file = try snapshot.file(of: index.tree, words)
      guard try write(key, Self.row(columns, words, names), in: file) else { return }
    }
  }

  /// Shows the texts of a string tree. The key to show is a group, or a group, a slash and a text.
  package mutating func show(_ index: TextTreeSchema) throws {
    var cursor = try snapshot.forest.cursor(index)
    var group: UInt64?
    var wanted: [UInt8]?
    if let key {
      let parts = key.split(separator: "/", maxSplits: 1)
      guard let number = parts.first.flatMap({ UInt64($0) }) else {
        throw ToolError("a key of \(index.name) is the number of a group, or that, / and a text")
      }
      group = number
      wanted = parts.count == 2 ? Array(parts[1].utf8) : nil
      let range = wanted.map { TextRange.text($0, group: number) } ?? .group(number)
      try cursor.seek(to: range.lower)
    }
    while wantsMore, try cursor.next() != nil, let entry = try cursor.key() {
      guard group == nil || entry.group == group, wanted == nil || entry.text == wanted else { return }
      var annotation = RecordAnnotation([])
      annotation.add(
        0..<0, "group", .number(entry.group), note: Self.groupName(entry.group, index, names))
      annotation.add(0..<0, "text", Self.text(entry, index, names))
      if index == IndexCatalog.aggregateTotals.tree {
        annotation.add(0..<0, "total", .signed(Int64(bitPattern: entry.row)))
      } else {
        annotation.add(0..<0, "row", .number(entry.row))
      }
      let file = try snapshot.file(of: index, entry)
      guard try write("\(entry.group)/\(entry.row)", annotation, in: file) else { return }
    }
  }

  private static func row(_ columns: [Segment.Column], _ words: Words, _ names: DumpNames)
    -> RecordAnnotation
  {
    var annotation = RecordAnnotation([])
    for (columnIndex, column) in columns.enumerated() {
      let word = words[columnIndex]
      switch column.kind {
      case .number: annotation.add(0..<0, column.name, .number(word))
      case .flag: annotation.add(0..<0, column.name, .flag(word != 0))
      case .hash: annotation.add(0..<0, column.name, .text(hexadecimal(word, digits: 16)))
      // A value comes after the column that says whether it exists.
      case .date:
        if words[columnIndex - 1] == 1 { annotation.add(0..<0, column.name, .date(KeyWords.value(word))) }
      case .integer:
        if words[columnIndex - 1] == 1 { annotation.add(0..<0, column.name, .signed(KeyWords.value(word))) }
      case .position:
        if words[columnIndex - 1] == 0 { annotation.add(0..<0, column.name, .signed(KeyWords.value(word))) }
      case .user:
        annotation.add(0..<0, column.name, .number(word), note: names.user(UInt32(clamping: word)))
      case .typeSet:
        annotation.add(0..<0, column.name, .number(word), note: names.typeSet(UInt32(clamping: word)))
      case .mimeType:
        annotation.add(0..<0, column.name, .number(word), note: names.mimeType(UInt32(clamping: word)))
      case .participantSet:
        annotation.add(0..<0, column.name, .number(word), note: names.participants(UInt32(clamping: word)))
      }
    }
    return annotation
  }

  private static func groupName(_ group: UInt64, _ index: TextTreeSchema, _ names: DumpNames) -> String? {
    switch index {
    case IndexCatalog.identityName.tree: NameGroup(rawValue: group).map { "\($0)" }
    case IndexCatalog.dictionaryText.tree:
      UInt8(exactly: group).flatMap { DictionaryKind(rawValue: $0) }.map { "\($0)" }
    case IndexCatalog.aggregateTotals.tree: names.aggregate(UInt32(clamping: group))?.name
    case IndexCatalog.declaredEntries.tree: names.declaredIndex(ofGroup: group)
    case IndexCatalog.recordIdentifier.tree: names.recordType(UInt32(clamping: group))
    case IndexCatalog.recordFields.tree:
      names.recordType(IndexedRecord.type(ofGroup: group)).map {
        $0 + "." + (names.metadataPath(IndexedValue.path(ofGroup: group).path) ?? "?")
      }
    default: names.metadataPath(IndexedValue.path(ofGroup: group).path)
    }
  }

  /// Returns the text or value of an entry. In dictionaries of sets entries are not texts; in aggregates not all groups are.
  private static func text(_ entry: TextKey, _ index: TextTreeSchema, _ names: DumpNames)
    -> AnnotatedField.Value
  {
    if index == IndexCatalog.dictionaryText.tree,
      let kind = UInt8(exactly: entry.group).flatMap({ DictionaryKind(rawValue: $0) }),
      kind.holdsSets
    {
      return .bytes(entry.text)
    }
    if index == IndexCatalog.declaredEntries.tree {
      // A term that was cut may end within a scalar.
      guard names.haveTerms(ofGroup: entry.group), let term = String(validating: entry.text, as: UTF8.self)
      else { return .bytes(entry.text) }
      return .text(term)
    }
    if index == IndexCatalog.aggregateTotals.tree {
      let measure = names.aggregate(UInt32(clamping: entry.group))?.entry.measure ?? .count
      guard let text = AggregateEntryText(bytes: entry.text, measure) else { return .bytes(entry.text) }
      return switch (text.group, text.part) {
      case (.missing, .whole): .text("")
      case (.integer(let number), .whole): .signed(number)
      default: .text("\(text)")
      }
    }
    let isNamed = index == IndexCatalog.identityName.tree || index == IndexCatalog.recordIdentifier.tree
    if !isNamed, !IndexedValue.path(ofGroup: entry.group).isOfTexts {
      if ValueKey(bytes: entry.text) == .list { return .text("a list") }
      let key = unsafe entry.text.dropFirst().withUnsafeBytes { unsafe Reference(keyBytes: $0) }
      if entry.text.first == ValueKey.Tag.reference, let key { return .text(key.description) }
      return ValueKey(bytes: entry.text)?.value.map { .text($0.value.description) } ?? .bytes(entry.text)
    }
    return .text(String(decoding: entry.text, as: UTF8.self))
  }
}
