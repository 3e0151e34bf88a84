package import RankedIndex
package import SatchelModel
package import SatchelQuery

/// One way to the rows of a query: where they are read, what is left to test, and what that is expected to cost.
package struct AccessPath: Sendable {
  /// Where the rows come from.
  package indirect enum Source: Sendable {
    /// Runs of an index over words.
    case scan(IndexScan)
    /// Runs of a string tree.
    case textScan(TextScan)
    /// Objects found by their identifiers.
    case rows([RowReference])
    /// The rows that all of the paths have.
    case intersection([AccessPath])
    /// The rows that any of the paths has, once each.
    case union([AccessPath])
    /// The parts of the messages of a path.
    case parts(of: AccessPath)
  }

  package var source: Source
  /// What the source does not ensure and is tested row by row.
  package var residual: Condition
  /// How the rows come into the query's order.
  package var ordering: Ordering
  /// The rows that the source gives; exact, but for an intersection or union, where it is the most there can be.
  package var cardinality: Int
  /// Whether they were counted: a path that is taken whatever its count need not be.
  package var isCounted = true
  /// The conjuncts of the query's condition, by index, that the source ensures.
  package var consumed: PlaceSet
  /// The estimate by which paths are compared.
  package var cost = Cost()

  package init(source: Source, residual: Condition, ordering: Ordering, cardinality: Int, consumed: PlaceSet)
  {
    self.source = source
    self.residual = residual
    self.ordering = ordering
    self.cardinality = cardinality
    self.consumed = consumed
  }
}

/// Runs of an index, disjoint and ascending.
package struct IndexScan: Sendable {
  package let index: IndexDescription
  /// The runs; none when nothing can match.
  package var spans: [KeySpan]
  /// How many leading segments are one value within each span.
  package var fixedSegments: Int
  /// The entries in all runs together.
  package var entries: Int

  package init(index: IndexDescription, spans: [KeySpan], fixedSegments: Int, entries: Int) {
    self.index = index
    self.spans = spans
    self.fixedSegments = fixedSegments
    self.entries = entries
  }

  /// How many columns the fixed segments take.
  package var fixedColumns: Int { index.key.prefix(fixedSegments).reduce(0) { $0 + $1.columns } }

  /// True when the fixed segments have the same values in all of the runs.
  package var isOneRun: Bool {
    guard spans.count > 1 else { return true }
    let columns = fixedColumns
    return spans.dropFirst().allSatisfy { $0.lower.prefix(columns) == spans[0].lower.prefix(columns) }
  }
}

/// Runs of one group of a string tree, disjoint and ascending.
package struct TextScan: Sendable {
  package let tree: TextTreeSchema
  package let kind: ObjectKind
  /// The property whose values the tree holds.
  package let property: Property
  package let group: UInt64
  package var ranges: [ByteRange]
  package var entries: Int

  package init(
    tree: TextTreeSchema, kind: ObjectKind, property: Property, group: UInt64, ranges: [ByteRange],
    entries: Int
  ) {
    self.tree = tree
    self.kind = kind
    self.property = property
    self.group = group
    self.ranges = ranges
    self.entries = entries
  }

  /// The runs as positions in the tree.
  package var positions: [TextRange] { ranges.map { Self.range($0, group: group) } }

  package static func range(_ range: ByteRange, group: UInt64) -> TextRange {
    TextRange(
      lower: .before(group: group, text: range.lower),
      upper: range.upper.map { .before(group: group, text: $0) } ?? .after(group: group))
  }
}
