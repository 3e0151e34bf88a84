package import RankedKeys
import SatchelBytes

/// The pending texts of one string tree: entries that commits have inserted or removed and that are not in the tree, or
/// still in it. An immutable value that `MergedTextTree` reads together with the tree: what `PendingRuns` is for a
/// numeric tree, with the same two sorted runs, the same trust, and the same one state of the tree as its base.
///
/// An entry of a string tree is nothing but its key. A row so either inserts or removes, and the second change of a key
/// takes back the first: insert and remove come to nothing, remove and insert as well. If both runs have a key, the small
/// one's row takes back the large one's.
package struct PendingTexts: Sendable {
  package let tree: TextTreeSchema
  let large: PendingTextRun
  let small: PendingTextRun

  /// No pending texts.
  package init(_ tree: TextTreeSchema) {
    let none = PendingTextRun()
    self.init(tree, large: none, small: none)
  }

  private init(_ tree: TextTreeSchema, large: PendingTextRun, small: PendingTextRun) {
    self.tree = tree
    self.large = large
    self.small = small
  }

  package var isEmpty: Bool { count == 0 }

  /// The number of rows of both runs, of which two may have one key.
  package var count: Int { large.rows.count + small.rows.count }

  /// The memory that the rows take, in bytes.
  package var byteCount: Int { large.rows.byteCount + small.rows.byteCount }

  /// The numbers of rows of the two runs.
  package var runCounts: (large: Int, small: Int) { (large.rows.count, small.rows.count) }

  /// The greatest number of rows of a tree's small run: as for numeric trees, and of another number for each of them.
  package static func smallRunBound(_ tree: TextTreeSchema) -> Int { 128 + 4 * Int(tree.id & 63) }

  /// The greatest number of bytes of the small run's keys. Texts may be long, and each commit copies them.
  package static var smallRunKeyBytes: Int { 1 << 16 }

  /// Returns the pending texts with a commit's changes. O(small run + changes x log(rows)), and for one commit in a
  /// hundred or so O(rows), copying.
  /// - Throws: `outOfStep` if a change contradicts a pending text or another change, `misuse` if the changes are those
  ///   of another tree, `overflow` if the texts are more than 4 GiB.
  package func adding(_ changes: TextChanges) throws(IndexError) -> PendingTexts {
    guard changes.tree.id == tree.id else {
      throw .misuse(tree: tree.id, what: "changes of \(changes.tree.name) for \(tree.name)")
    }
    guard changes.count > 0 else { return self }
    // Sums of signs, places and the ends of keys are kept in 32 bits.
    guard count + changes.count <= Int(Int32.max),
      large.rows.keyBytes + small.rows.keyBytes + changes.bytes.count <= Int(UInt32.max)
    else { throw .overflow(tree: tree.id) }
    var changes = changes
    changes.sort()
    let small = try small.adding(changes, over: large)
    guard small.rows.count > Self.smallRunBound(tree) || small.rows.keyBytes > Self.smallRunKeyBytes else {
      return PendingTexts(tree, large: large, small: small)
    }
    return PendingTexts(tree, large: large.promoting(small), small: PendingTextRun())
  }

  /// The rows of both runs, one change a key, sorted by key.
  var textChanges: [TextChange] {
    let run = large.promoting(small)
    defer { withExtendedLifetime(run) {} }
    return (0..<run.rows.count).map { TextChange(run.rows.key($0), isInsertion: run.rows.isInsertion($0)) }
  }

  /// Takes over the ranks that readers have filled in meanwhile, without descents. To be called before these rows are
  /// read with the tree into which `frozen` was written.
  /// - Parameters:
  ///   - current: The rows over the tree's old state, to which all changes since the cut were added too.
  ///   - frozen: The rows over the old state as they were at the cut. These rows began empty then.
  package func adoptRanks(of current: PendingTexts, over frozen: PendingTexts) {
    adoptRanks(small.rows, of: current, over: frozen)
    adoptRanks(large.rows, of: current, over: frozen)
  }

  private func adoptRanks(_ rows: TextRows, of current: PendingTexts, over frozen: PendingTexts) {
    for index in 0..<rows.count where rows.knownRank(index) == RunRows.unknownRank {
      let bytes = unsafe rows.bytes(index).bytes
      let row = rows.row(index)
      let known =
        Self.knownRank(current.small.rows, bytes, row) ?? Self.knownRank(current.large.rows, bytes, row)
      guard let known else { continue }
      let rank = Int(known) + frozen.pair.net(before: frozen.pair.place(of: bytes, row))
      if let rank = UInt32(exactly: rank) { rows.keep(rank: rank, index) }
    }
  }

  /// Returns the rank that is known of the row with this key; nil if there is none.
  private static func knownRank(_ rows: TextRows, _ bytes: borrowing RawSpan, _ row: UInt64) -> UInt32? {
    let index = rows.position(of: bytes, row, in: 0..<rows.count)
    guard index < rows.count, rows.compare(index, bytes, row) == 0 else { return nil }
    let rank = rows.knownRank(index)
    return rank == RunRows.unknownRank ? nil : rank
  }

  /// The addresses of both runs, valid as long as this value.
  @inline(__always)
  var pair: TextRowPair { TextRowPair(large: large.rows, small: small.rows) }

  /// The error for a row that does not fit: the words of its key are the group, the first eight bytes of the text, and
  /// the object's row.
  static func outOfStep(_ tree: TextTreeSchema, _ words: [UInt64], _ what: String) -> IndexError {
    .outOfStep(tree: tree.id, key: words, what: "\(what) in \(tree.name)")
  }

  static func outOfStep(
    _ tree: TextTreeSchema, _ rows: TextRows, _ index: Int, _ what: String
  ) -> IndexError {
    outOfStep(tree, TextChange(rows.key(index), isInsertion: rows.isInsertion(index)).words, what)
  }
}
