import RankedIndex
import RankedKeys
import SatchelCoding
import SatchelExecution
import SatchelIndexing
import SatchelModel
import SatchelPlanning
import SatchelQuery
import SatchelReading

/// What an index of words says of all its objects in one snapshot: how many have a term, how often each has it, and how long their texts are.
struct IndexedWords {
  let index: DeclaredIndex
  private let snapshot: Snapshot

  static let tree = IndexCatalog.declaredEntries.tree
  /// How many rows are read at once.
  private static let batch = 4096

  init(_ index: DeclaredIndex, in snapshot: Snapshot) {
    self.index = index
    self.snapshot = snapshot
  }

  /// The group of entries in the tree.
  func group(_ entries: WordEntries) -> UInt64 { entries.group(of: index.id) }

  /// Returns the first complete index of the words of a property that has all objects of which some conditions are true; nil if there is none.
  init?(
    of property: ObjectProperty, _ kind: ObjectKind, recordType: UInt32, meeting conditions: [Condition],
    in snapshot: Snapshot
  ) throws {
    let planned = try PlannedIndexes.of(snapshot).indexes(of: kind, recordType: recordType)
    let index = planned.first { index in
      guard let column = index.columns.first, case .words = column.form else { return false }
      return column.property == property && index.conditions.allSatisfy(conditions.contains)
    }
    guard let index else { return nil }
    self.init(index, in: snapshot)
  }

  /// Returns the index of words with a name.
  /// - Throws: ``SatchelError`` `unknownIndex`, `invalidValue` or `notAvailable`.
  init(named name: String, in snapshot: Snapshot) throws {
    let indexes = try snapshot.declaredIndexes()
    guard let record = indexes.first(where: { $0.definition.name.elementsEqual(name.utf8) }) else {
      throw SatchelError(
        .unknownIndex, "No index with this name is declared",
        ["index": name, "declared": indexes.isEmpty ? "none" : indexes.map(\.name).joined(separator: ", ")])
    }
    guard record.definition.isOfWords else {
      throw SatchelError(
        .invalidValue, "Words are suggested by an index of words: declare one with wordsOf",
        ["index": name, "columns": record.definition.columns.map(\.spelled).joined(separator: ", ")])
    }
    let planned = try record.kind.map {
      try PlannedIndexes.of(snapshot).indexes(of: ObjectKind($0.kind), recordType: $0.recordType)
    }
    guard let index = planned?.first(where: { $0.id == record.id }) else {
      throw SatchelError(
        .notAvailable, "The index is being built, or has been refused: see indexes()", ["index": name])
    }
    self.init(index, in: snapshot)
  }

  // MARK: Numbers

  /// How many objects have a text.
  /// - Complexity: O(log n).
  func countOfObjects() throws -> Int { try snapshot.forest.count(Self.tree, in: .group(group(.lengths))) }

  /// How many words and characters all texts have.
  /// - Complexity: O(log n).
  func totalLength() throws -> UInt64 { try snapshot.totalLength(ofWords: index.id) }

  /// How many objects have a term.
  /// - Complexity: O(log n).
  func count(of term: [UInt8]) throws -> Int {
    try snapshot.forest.count(Self.tree, in: .text(term, group: group(.terms)))
  }

  // MARK: Entries

  /// Calls `body` with the rows of the objects that have a term, between two rows, in their order.
  func forEachRow(of term: [UInt8], in rows: ClosedRange<UInt64>, _ body: (UInt64) -> Void) throws {
    let range = TextRange(
      lower: .before(TextKey(group: group(.terms), text: term, row: rows.lowerBound)),
      upper: .after(TextKey(group: group(.terms), text: term, row: rows.upperBound)))
    try read(range) { $0.forEach(body) }
  }

  /// Calls `body` with the rows of all entries whose terms begin with a prefix: those of a term in their order, term after term.
  func forEachRow(withPrefix prefix: [UInt8], _ body: (UInt64) -> Void) throws {
    try read(.prefix(prefix, group: group(.terms))) { $0.forEach(body) }
  }

  /// Calls `body` with the rows of the objects that have a term, or one that begins with a prefix, more than once, and with how often: of each
  /// term and frequency in their order.
  /// - Parameter isPrefix: Whether terms count that begin with it.
  func forEachFrequency(of term: [UInt8], isPrefix: Bool, _ body: (UInt64, Int) -> Void) throws {
    let range = TextRange.prefix(
      isPrefix ? term : term + [WordEntries.endOfTerm], group: group(.frequencies))
    var texts: [[UInt8]] = []
    try snapshot.forest.forEachText(of: Self.tree, in: range) { text in
      texts.append(unsafe text.withUnsafeBytes { unsafe [UInt8]($0) })
      return true
    }
    // Those that are pending come behind the others, and may be there twice.
    texts = Set(texts).sorted { $0.lexicographicallyPrecedes($1) }
    for text in texts {
      guard let frequency = text.last.map(Int.init) else { continue }
      try read(.text(text, group: group(.frequencies))) { rows in
        for row in rows { body(row, frequency) }
      }
    }
  }

  /// Calls `body` with the different terms that begin with a prefix, ascending but for those that are pending, which come last. A term may be
  /// given twice, and one that no object has any more may be given.
  func forEachTerm(withPrefix prefix: [UInt8], _ body: (borrowing RawSpan) throws -> Bool) throws {
    var looked = 0
    try snapshot.forest.forEachText(of: Self.tree, in: .prefix(prefix, group: group(.terms))) { term in
      looked += 1
      if looked % Self.batch == 0 { try snapshot.checkBounds() }
      return try body(term)
    }
  }

  private func read(_ range: TextRange, _ body: ([UInt64]) -> Void) throws {
    var rows: [UInt64] = []
    var cursor = try snapshot.forest.cursor(Self.tree)
    try cursor.seek(to: range.lower)
    var isFull = true
    while isFull {
      rows.removeAll(keepingCapacity: true)
      isFull = try cursor.read(into: &rows, upTo: range.upper, limit: Self.batch)
      body(rows)
      try snapshot.checkBounds()
    }
  }
}
