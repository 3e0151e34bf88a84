package import RankedKeys

/// What is needed of a tree alone to read it together with its pending rows.
package protocol BaseTree: RunTree {
  /// Returns what is pending for the tree in a forest; nil if nothing is.
  func runs(in forest: Forest) throws(IndexError) -> Runs<Self>?

  /// Returns the number of entries of the tree alone. O(1).
  func baseCount(in forest: Forest) throws(IndexError) -> Int

  /// Returns the number of entries of the tree alone before a bound. One descent.
  func baseRank(of bound: Keys.Bound, in forest: Forest) throws(IndexError) -> Int

  /// Returns the number of entries of the tree alone before a row's key. One descent.
  func baseRank(ofRow row: Int, _ keys: Keys, in forest: Forest) throws(IndexError) -> Int

  /// Returns the entry of the tree alone at a rank; nil if it has no such entry. One descent.
  func baseSelect(_ rank: Int, in forest: Forest) throws(IndexError) -> Keys.Entry?
}

extension TreeSchema: BaseTree {
  package func runs(in forest: Forest) throws(IndexError) -> Runs<TreeSchema>? { try forest.runs(self) }

  package func baseCount(in forest: Forest) throws(IndexError) -> Int { try forest.baseCount(self) }

  package func baseRank(of bound: Bound, in forest: Forest) throws(IndexError) -> Int {
    try forest.baseRank(self, of: bound)
  }

  package func baseRank(ofRow row: Int, _ keys: WordKeys, in forest: Forest) throws(IndexError) -> Int {
    try forest.baseRank(self, of: .before(keys.value(row), columns: keyColumns))
  }

  package func baseSelect(_ rank: Int, in forest: Forest) throws(IndexError) -> Words? {
    try forest.baseSelect(self, rank)
  }
}

extension TextTreeSchema: BaseTree {
  package func runs(in forest: Forest) throws(IndexError) -> Runs<TextTreeSchema>? { try forest.runs(self) }

  package func baseCount(in forest: Forest) throws(IndexError) -> Int { try forest.baseCount(self) }

  package func baseRank(of bound: TextBound, in forest: Forest) throws(IndexError) -> Int {
    try forest.baseRank(self, of: bound)
  }

  package func baseRank(ofRow row: Int, _ keys: TextKeys, in forest: Forest) throws(IndexError) -> Int {
    unsafe try forest.textStore(self).rank(of: keys.bytes(row).bytes, row: keys.value(row))
  }

  package func baseSelect(_ rank: Int, in forest: Forest) throws(IndexError) -> TextKey? {
    try forest.baseSelect(self, rank)
  }
}

extension TextTreeStore {
  /// Returns the number of entries before a key. One descent.
  fileprivate func rank(of bytes: borrowing RawSpan, row: UInt64) throws(IndexError) -> Int {
    guard root.height > 0 else { return 0 }
    var leaf = TextPage.none
    var start = 0
    return try descend(to: bytes, row: row, &leaf, leafStart: &start)
  }
}
