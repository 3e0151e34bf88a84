package import RankedKeys
package import SatchelIndexing
package import SatchelModel
package import SatchelQuery

/// One way to get the rows of a query: where they are read, what is left to test, and the expected cost.
package struct AccessPath: Sendable {
  /// Where the rows come from.
  package indirect enum Source: Sendable {
    /// Runs of an index over words.
    case scan(IndexScan)
    /// Runs of a string tree.
    case textScan(TextScan)
    /// A join of the runs that an index of words has of terms.
    case search(SearchScan)
    /// Objects found by their identifiers.
    case rows([RowReference])
    /// The rows that all of the paths have in common.
    case intersection([AccessPath])
    /// The rows of any of the paths, each row once.
    case union([AccessPath])
    /// The parts of a path's messages.
    case parts(of: AccessPath)
    /// All objects in the order of a property's values: those of a path that have one, and those of the other that have none, which are
    /// found by a test. These come first, or last if the order is descending.
    case byValue(AccessPath, others: AccessPath)
  }

  package var source: Source
  /// The condition that the source does not ensure; it is tested row by row.
  package var residual: Condition
  /// How the rows get into the query's order.
  package var ordering: Ordering
  /// The number of rows that the source gives. It is exact, except where `isCounted` is false, and for a search, intersection or union, where it is an upper
  /// bound, and for parts, where it is the number of messages.
  package var cardinality: Int
  /// Whether the rows were counted. A path that is taken whatever its count is need not be counted; its `cardinality`
  /// is 0. That of a path of many runs is an estimate, unless its rows are only counted.
  package var isCounted = true
  /// The indices of the query's conjuncts that the source ensures.
  package var consumed: ConjunctSet
  /// The estimated cost, by which paths are compared.
  package var cost = Cost()

  package init(
    source: Source, residual: Condition, ordering: Ordering, cardinality: Int, consumed: ConjunctSet
  ) {
    self.source = source
    self.residual = residual
    self.ordering = ordering
    self.cardinality = cardinality
    self.consumed = consumed
  }
}

/// Runs of an index, disjoint and ascending.
package struct IndexScan: Sendable {
  package let index: IndexDefinition
  /// The runs; empty if nothing can match.
  package var spans: [KeySpan]
  /// How many leading segments have a single value within each run.
  package var fixedSegments: Int
  /// The number of entries in all runs together.
  package var entries: Int

  package init(index: IndexDefinition, spans: [KeySpan], fixedSegments: Int, entries: Int) {
    self.index = index
    self.spans = spans
    self.fixedSegments = fixedSegments
    self.entries = entries
  }

  /// The number of columns that the fixed segments take.
  package var fixedColumns: Int { index.key.prefix(fixedSegments).reduce(0) { $0 + $1.width } }

  /// True if the fixed segments have the same values in all runs.
  package var isOneRun: Bool {
    guard spans.count > 1 else { return true }
    let columns = fixedColumns
    return spans.dropFirst().allSatisfy { $0.lower.prefix(columns) == spans[0].lower.prefix(columns) }
  }
}

/// Runs of a string tree, disjoint and ascending.
package struct TextScan: Sendable {
  /// What the entries of the runs are.
  enum Content: Sendable {
    /// Values of one property, with the runs as these compare.
    case values(of: ObjectProperty, [ByteRange])
    /// Those of a declared index, with the runs of its columns that are bounded.
    case declared(DeclaredIndex, [[ColumnRuns.Run]])
    /// Those of one term in an index of words.
    case term(DeclaredIndex, [UInt8])
  }

  package let tree: TextTreeSchema
  package let kind: ObjectKind
  let content: Content
  /// The runs as bounds in the tree, ascending.
  package let positions: [TextRange]
  /// The number of the type of the records that the entries are of; 0 of other objects.
  package let recordType: UInt32
  package var entries: Int

  init(
    tree: TextTreeSchema, kind: ObjectKind, content: Content, positions: [TextRange], entries: Int,
    recordType: UInt32
  ) {
    self.tree = tree
    self.kind = kind
    self.content = content
    self.positions = positions
    self.entries = entries
    self.recordType = recordType
  }

  /// The property whose values the entries are; nil for those of a declared index.
  package var property: ObjectProperty? {
    if case .values(let property, _) = content { property } else { nil }
  }

  /// Whether all entries are of one value of the property.
  package var isOfOneValue: Bool {
    guard case .values(_, let ranges) = content else { return false }
    return ranges.count <= 1 && ranges.allSatisfy { $0.point != nil }
  }

  /// The declared index that the entries are of, if they are of one.
  package var declaredIndex: DeclaredIndex? {
    switch content {
    case .declared(let index, _), .term(let index, _): index
    case .values: nil
    }
  }

  /// The term that all entries are of, in an index of words.
  package var term: [UInt8]? { if case .term(_, let term) = content { term } else { nil } }

  /// Returns what all entries have in a column of a declared index, if the runs fix it to one value.
  package func value(ofColumn column: Int) -> [UInt8]? {
    guard case .declared(_, let bounds) = content, column < bounds.count, bounds[column].count == 1,
      bounds[column][0].isPoint
    else { return nil }
    return bounds[column][0].lower
  }

  /// The name of the index.
  package var name: String { declaredIndex?.name ?? tree.name }

  /// Returns where a tree has the values of a key path that are in a set, ascending: what is no text in a group of its own, before the
  /// texts, and there as well that a value is a list.
  ///
  /// An object with a list is in the tree by each of its texts. Nil if it could so be there twice.
  /// - Parameters:
  ///   - texts: The group of the texts.
  ///   - mayRefer: Whether there may be references.
  ///   - hasLists: Whether any object has a list at the path. Asked only where that matters.
  static func positions(
    of values: ByteRanges, texts group: UInt64, mayRefer: Bool, hasLists: () throws -> Bool
  ) rethrows -> [TextRange]? {
    let scalars = IndexedValue.group(besides: group, texts: false)
    var runs = values.intersection(beforeTexts).ranges.map { range($0, group: scalars) }
    let areListsAmong = values.contains([ValueKey.Tag.list])
    let references =
      mayRefer ? values.intersection(ByteRanges([.references])).ranges.map { range($0, group: scalars) } : []
    guard case .ranges(let texts) = TextSet.ranges(values).texts else { return runs }
    if texts.isEmpty {
      if areListsAmong { runs.append(lists(texts: group)) }
      return runs + references
    }
    if texts.points?.count != 1 || areListsAmong, try hasLists() { return nil }
    return runs + references + texts.ranges.map { range($0, group: group) }
  }

  private static let beforeTexts = ByteRanges(upTo: [ValueKey.Tag.text])

  /// Returns the run of the objects that have a list at the key path whose texts have a group.
  static func lists(texts group: UInt64) -> TextRange {
    range(
      ByteRange(point: [ValueKey.Tag.list]), group: IndexedValue.group(besides: group, texts: false))
  }

  /// Returns the run of the records that have a reference in the field whose texts have a group.
  static func references(texts group: UInt64) -> TextRange {
    range(.references, group: IndexedValue.group(besides: group, texts: false))
  }

  package static func range(_ range: ByteRange, group: UInt64) -> TextRange {
    TextRange(
      lower: .before(group: group, text: range.lower),
      upper: range.upper.map { .before(group: group, text: $0) } ?? .after(group: group))
  }
}
