internal import RankedIndex
internal import RankedKeys
internal import SatchelBytes
internal import SatchelIndexing

extension Snapshot {
  /// Returns the terms that an index of words has in its tree, without those of pending entries; nil in a write, or if there are too many of
  /// them to be kept.
  /// - Parameter cutMark: The last byte of terms that were cut.
  /// - Complexity: O(1) if they have been asked for since the tree has changed, but for the time at which what they are found by is made; otherwise
  ///   O(terms).
  package func keptTerms(ofWords index: UInt32, cutMark: UInt8) throws -> KeptTerms? {
    guard pending == nil else { return nil }
    let tree = IndexCatalog.declaredEntries.tree
    let state = try forest.state(of: tree)
    if let kept = cache.keptTerms(), kept.index == index, kept.state == state {
      guard kept.isWorthLines() else { return kept }
      let found = KeptTerms(kept, lines: try TrigramLines(of: kept.bytes) { try checkBounds() })
      cache.keep(found)
      return found
    }
    var bytes: [UInt8] = [0]
    var rows: [KeptTerms.Rows] = []
    var looked = 0
    let isWhole = try forest.forEachBaseText(of: tree, in: .group(WordEntries.terms.group(of: index))) {
      term, first, last in
      looked += 1
      if looked % 4096 == 0 { try checkBounds() }
      unsafe term.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
      bytes.append(0)
      rows.append(KeptTerms.Rows(first: first, last: last ?? .max))
      return bytes.count <= KeptTerms.maximumBytes
    }
    guard isWhole else { return nil }
    let kept = KeptTerms(index: index, state: state, bytes: bytes, rows: rows, cutMark: cutMark)
    cache.keep(kept)
    return kept
  }
}
