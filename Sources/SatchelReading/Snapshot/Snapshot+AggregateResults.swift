internal import LMDB
internal import RankedIndex
internal import RankedKeys
internal import RecordStore
package import SatchelCoding
internal import SatchelIndexing
package import SatchelModel

/// What an aggregate comes to in a group.
package enum AggregateResult: Sendable, Hashable {
  /// The number of objects, or a sum that wraps around.
  case total(Int64)
  /// An exact sum: an integer, or a number, which may be infinite.
  case sum(MetadataScalar)
  /// A minimum or a maximum; `missing` if no object has a value.
  case value(AggregateGroup)

  /// True if the group is left out where all are listed: that of a number which is 0 like that of no objects.
  var isNothing: Bool { self == .total(0) || self == .sum(.integer(0)) || self == .value(.missing) }
}

/// What aggregates come to: from their entries in `aggregate.totals`, with all changes of the current transaction.
extension Snapshot {
  /// Returns what a group comes to.
  /// - Parameter values: Of which values a minimum or a maximum is.
  /// - Complexity: O(log n). Inside a write, also O(changed objects): once after each change, and for each minimum, maximum
  ///   and exact sum.
  package func result(
    of aggregate: DeclaredAggregate, in group: AggregateGroup, among values: AggregateGroup.Values = .all
  ) throws -> AggregateResult {
    let measure = aggregate.entry.measure
    let prefix = AggregateEntryText.prefix(of: group, measure)
    var changes = try pendingAggregateTotals?()[aggregate.id] ?? [:]
    if measure.hasOneEntry {
      return .total(try storedTotal(of: aggregate.id, in: prefix) &+ (changes[prefix] ?? 0))
    }
    changes = changes.filter { $0.key.starts(with: prefix) }
    return try result(of: aggregate.id, measure, prefix, changes, values)
  }

  /// Calls `visit` with every group that comes to something, in the order of the groups' bytes, until `visit` returns false.
  /// - Complexity: O(groups · log n); inside a write also O(changed objects).
  package func forEachResult(
    of aggregate: DeclaredAggregate, among values: AggregateGroup.Values = .all,
    _ visit: (_ group: AggregateGroup, _ result: AggregateResult) throws -> Bool
  ) throws {
    let changes = try pendingAggregateTotals?()[aggregate.id] ?? [:]
    try forEachResult(of: aggregate.id, aggregate.entry.measure, changes, values, visit)
  }

  /// Calls `visit` with every group that comes to something by these totals alone, as `forEachResult(of:among:_:)`.
  package func forEachResult(
    of totals: AggregateTotals, _ measure: AggregateEntry.Measure,
    _ visit: (_ group: AggregateGroup, _ result: AggregateResult) throws -> Bool
  ) throws { try forEachResult(of: nil, measure, totals, .all, visit) }

  /// Returns how many groups an aggregate has entries of.
  /// - Complexity: O(log n); O(groups · log n) if a group has several.
  package func groupCount(of aggregate: DeclaredAggregate) throws -> Int {
    guard !aggregate.entry.measure.hasOneEntry else {
      return try forest.count(IndexCatalog.aggregateTotals.tree, in: .group(UInt64(aggregate.id)))
    }
    return try storedPrefixes(of: aggregate.id).count
  }

  private func forEachResult(
    of id: UInt32?, _ measure: AggregateEntry.Measure, _ changes: AggregateTotals,
    _ values: AggregateGroup.Values,
    _ visit: (_ group: AggregateGroup, _ result: AggregateResult) throws -> Bool
  ) throws {
    func visitDecoded(_ group: AggregateGroup?, _ result: AggregateResult) throws -> Bool {
      guard let group else { throw Self.damaged(id) }
      return try result.isNothing || visit(group, result)
    }
    guard !measure.hasOneEntry else {
      if changes.isEmpty, let id {
        return try forEachStoredTotal(of: id) { try visitDecoded(AggregateGroup(bytes: $0), .total($1)) }
      }
      var totals = changes
      if let id {
        try forEachStoredTotal(of: id) { bytes, total in
          totals[bytes, default: 0] &+= total
          return true
        }
      }
      for (bytes, total) in totals.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
        guard try visitDecoded(AggregateGroup(bytes: bytes), .total(total)) else { return }
      }
      return
    }
    var groups: [[UInt8]: AggregateTotals] = [:]
    if let id { for prefix in try storedPrefixes(of: id) { groups[prefix] = [:] } }
    for (text, change) in changes {
      guard let end = AggregateEntryText.endOfPrefix(text) else { throw Self.damaged(id) }
      groups[Array(text[..<end]), default: [:]][text] = change
    }
    for (prefix, changes) in groups.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let result = try result(of: id, measure, prefix, changes, values)
      guard try visitDecoded(AggregateEntryText.group(ofPrefix: prefix[...]), result) else { return }
    }
  }

  // MARK: Groups of several entries

  /// Returns what the entries of a group come to.
  /// - Parameters:
  ///   - id: The aggregate; nil if it has no stored entries.
  ///   - prefix: What the texts of the group's entries begin with.
  ///   - changes: By how much the totals of these entries have changed.
  private func result(
    of id: UInt32?, _ measure: AggregateEntry.Measure, _ prefix: [UInt8], _ changes: AggregateTotals,
    _ values: AggregateGroup.Values
  ) throws -> AggregateResult {
    func part(_ text: [UInt8]) throws -> AggregateEntryText.Part {
      guard let entry = AggregateEntryText(bytes: text, measure) else { throw Self.damaged(id) }
      return entry.part
    }
    guard measure == .exactSum else {
      let text = try extreme(of: id, prefix, changes, values, isMaximum: measure == .maximum)
      guard let text, case .value(let value) = try part(text) else { return .value(.missing) }
      return .value(value)
    }
    var sum = ExactSum()
    func add(_ text: [UInt8], _ total: Int64) throws -> Bool {
      if case .limb(let limb) = try part(text) { sum.add(total, to: limb) }
      return true
    }
    for (text, change) in changes { _ = try add(text, change) }
    if let id { try forEachStoredTotal(of: id, prefix: prefix, add) }
    return .sum(sum.value)
  }

  /// Returns the first or the last entry of a group whose total is not 0.
  private func extreme(
    of id: UInt32?, _ prefix: [UInt8], _ changes: AggregateTotals, _ values: AggregateGroup.Values,
    isMaximum: Bool
  ) throws -> [UInt8]? {
    let (lower, upper) = (prefix + values.lower, prefix + values.upper)
    var best: [UInt8]?
    func take(_ text: [UInt8]) {
      if let known = best, known.lexicographicallyPrecedes(text) != isMaximum { return }
      best = text
    }
    for (text, change) in changes
    where !text.lexicographicallyPrecedes(lower) && text.lexicographicallyPrecedes(upper) {
      if try (id.map { try storedTotal(of: $0, in: text) } ?? 0) &+ change != 0 { take(text) }
    }
    guard let id else { return best }
    let tree = IndexCatalog.aggregateTotals.tree
    let range = TextRange(
      lower: .before(group: UInt64(id), text: lower), upper: .before(group: UInt64(id), text: upper))
    var left = try forest.count(tree, in: range)
    var cursor = try forest.cursor(tree)
    try cursor.seek(to: isMaximum ? range.upper : range.lower)
    while left > 0, try (isMaximum ? cursor.previous() : cursor.next()) != nil, let text = try cursor.text() {
      // Those that have changed have been looked at.
      if changes[text] == nil {
        take(text)
        break
      }
      left -= 1
    }
    return best
  }

  /// Returns the prefixes of the groups that have entries at the last commit, in their order.
  private func storedPrefixes(of id: UInt32) throws -> [[UInt8]] {
    var prefixes: [[UInt8]] = []
    var cursor = try forest.cursor(IndexCatalog.aggregateTotals.tree)
    try cursor.seek(to: .before(group: UInt64(id)))
    while try cursor.next() != nil, let key = try cursor.key(), key.group == UInt64(id) {
      guard let end = AggregateEntryText.endOfPrefix(key.text) else { throw Self.damaged(id) }
      prefixes.append(Array(key.text[..<end]))
      try cursor.seek(to: .afterPrefix(group: UInt64(id), prefix: Array(key.text[..<end])))
    }
    return prefixes
  }

  private static func damaged(_ id: UInt32?) -> RecordError {
    RecordError("aggregate.totals", id.map { "\($0)" } ?? "", "an entry is no group")
  }
}
