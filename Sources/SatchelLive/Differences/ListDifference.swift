/// How one list changed into another: which rows were deleted, inserted, moved and updated, by their indices in the two
/// lists.
///
/// Every row occurs at most once. Removing the deleted and moved rows from the list before, and then inserting the
/// inserted and moved rows by ascending index, gives the list after.
public struct ListDifference: Sendable, Hashable {
  /// A row that is in both lists.
  public struct Pair: Sendable, Hashable {
    /// The row's index in the list before.
    public let before: Int
    /// The row's index in the list after.
    public let after: Int

    /// Makes a pair from a row's indices in the two lists.
    public init(before: Int, after: Int) {
      self.before = before
      self.after = after
    }
  }

  /// The indices, in the list before, of the rows that are not in the list after; ascending.
  public let deletes: [Int]
  /// The indices, in the list after, of the rows that are not in the list before; ascending.
  public let inserts: [Int]
  /// The rows whose order among the rows of both lists has changed, by ascending `after`. A row whose index changes
  /// only because other rows come or go before it is not among them.
  public let moves: [Pair]
  /// The rows that kept their order and have changed, by ascending `before`.
  public let updates: [Pair]

  /// True if both lists are the same.
  public var isEmpty: Bool { deletes.isEmpty && inserts.isEmpty && moves.isEmpty && updates.isEmpty }

  /// Makes a difference without any changes.
  package init() {
    deletes = []
    inserts = []
    moves = []
    updates = []
  }

  /// A row that may differ.
  package struct Row {
    package let before: Int?
    package let after: Int?
    package let isChanged: Bool
    /// True for a row that counts as moved even if it keeps its order, because it is in another section now.
    package let isMoved: Bool

    package init(before: Int?, after: Int?, isChanged: Bool, isMoved: Bool = false) {
      self.before = before
      self.after = after
      self.isChanged = isChanged
      self.isMoved = isMoved
    }
  }

  /// Computes the difference of two lists of which only `rows` may differ; all other rows keep their order.
  /// - Complexity: O(k log k) for k rows, however long the lists are.
  package init(of rows: [Row]) {
    var deletes: [Int] = []
    var inserts: [Int] = []
    var stays: [Row] = []
    for row in rows {
      switch (row.before, row.after) {
      case (let before?, nil): deletes.append(before)
      case (nil, let after?): inserts.append(after)
      case (.some, .some): stays.append(row)
      case (nil, nil): break
      }
    }
    var moves: [Pair] = []
    var updates: [Pair] = []
    let kept = Self.keepingOrder(stays, among: rows)
    for (row, isKept) in zip(stays, kept) {
      guard let before = row.before, let after = row.after else { continue }
      if !isKept {
        moves.append(Pair(before: before, after: after))
      } else if row.isChanged {
        updates.append(Pair(before: before, after: after))
      }
    }
    self.deletes = deletes.sorted()
    self.inserts = inserts.sorted()
    self.moves = moves.sorted { $0.after < $1.after }
    self.updates = updates.sorted { $0.before < $1.before }
  }

  /// Returns which of the rows in both lists keep their order: as many as possible, where a changed row counts for less
  /// than an unchanged one.
  ///
  /// If a row has as many untouched rows before it as it had, it stands between the same two untouched rows. Of the
  /// rows for which this is so, the heaviest ascending sequence keeps its order.
  private static func keepingOrder(_ stays: [Row], among rows: [Row]) -> [Bool] {
    let befores = rows.compactMap(\.before).sorted()
    let afters = rows.compactMap(\.after).sorted()
    var kept = [Bool](repeating: false, count: stays.count)
    let candidates = stays.indices.filter { index in
      guard let before = stays[index].before, let after = stays[index].after, !stays[index].isMoved else {
        return false
      }
      return before - befores.rank(of: before) == after - afters.rank(of: after)
    }
    .sorted { (stays[$0].before ?? 0) < (stays[$1].before ?? 0) }
    for index in HeaviestSequence.of(
      candidates.map { (value: stays[$0].after ?? 0, weight: stays[$0].isChanged ? 1 : stays.count + 1) })
    {
      kept[candidates[index]] = true
    }
    return kept
  }
}

extension [Int] {
  /// Returns how many elements of an ascending list are smaller than a value.
  fileprivate func rank(of value: Int) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The strictly ascending subsequence of distinct numbers with the greatest weight.
enum HeaviestSequence {
  /// Returns the indices of the sequence's elements, ascending.
  /// - Complexity: O(n log n).
  static func of(_ elements: [(value: Int, weight: Int)]) -> [Int] {
    if zip(elements, elements.dropFirst()).allSatisfy({ $0.value < $1.value }) {
      return Array(elements.indices)
    }
    let order = elements.indices.sorted { elements[$0].value < elements[$1].value }
    var ranks = [Int](repeating: 0, count: elements.count)
    for (rank, index) in order.enumerated() { ranks[index] = rank + 1 }
    // For each prefix of the values, the heaviest sequence whose last value is in it: a binary indexed tree of maxima.
    var best = [(weight: Int, index: Int)](repeating: (0, -1), count: elements.count + 1)
    var previous = [Int](repeating: -1, count: elements.count)
    var heaviest = (weight: 0, index: -1)
    for index in elements.indices {
      var before = (weight: 0, index: -1)
      var node = ranks[index] - 1
      while node > 0 {
        if best[node].weight > before.weight { before = best[node] }
        node &= node - 1
      }
      previous[index] = before.index
      let entry = (weight: before.weight + elements[index].weight, index: index)
      if entry.weight > heaviest.weight { heaviest = entry }
      node = ranks[index]
      while node <= elements.count {
        if entry.weight > best[node].weight { best[node] = entry }
        node += node & -node
      }
    }
    var sequence: [Int] = []
    var index = heaviest.index
    while index >= 0 {
      sequence.append(index)
      index = previous[index]
    }
    return sequence.reversed()
  }
}
