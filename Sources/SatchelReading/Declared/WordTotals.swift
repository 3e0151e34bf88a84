package import RankedIndex
package import RankedKeys
internal import SatchelBytes
package import SatchelIndexing

extension Snapshot {
  /// Returns the sum of the lengths of all objects that have entries in an index of words: how many words and characters their texts have.
  /// - Complexity: O(log n).
  package func totalLength(ofWords id: UInt32) throws -> UInt64 {
    let group = WordEntries.totalLength.group(of: id)
    var cursor = try forest.cursor(IndexCatalog.declaredEntries.tree)
    try cursor.seek(to: .before(group: group))
    guard try cursor.next() != nil, let key = try cursor.key(), key.group == group else { return 0 }
    return unsafe WordEntries.total(key.text.span.bytes) ?? 0
  }
}

extension Snapshot {
  /// Returns how many objects have a text in an index of words, and the sum of their lengths.
  /// - Complexity: O(log n).
  package func words(ofDeclared id: UInt32) throws -> (objects: Int, length: UInt64) {
    let lengths = TextRange.group(WordEntries.lengths.group(of: id))
    return (
      try forest.count(IndexCatalog.declaredEntries.tree, in: lengths), try totalLength(ofWords: id)
    )
  }
}

extension TextKey {
  /// The entry that has the sum of the lengths of an index of words.
  package init(totalLength total: UInt64, ofWords id: UInt32) {
    self.init(
      group: WordEntries.totalLength.group(of: id), text: WordEntries.text(ofTotal: total), row: 0)
  }

  /// The length that the entry of an object in an index of words has; nil of all other entries.
  package func length(ofWords id: UInt32) -> UInt64? {
    guard group == WordEntries.lengths.group(of: id) else { return nil }
    return unsafe WordEntries.length(text.span.bytes)
  }
}

/// What a write changes of the sums of lengths of indexes of words.
package struct WordTotals: Sendable {
  /// By the numbers of the indexes: the sums in the state that the write has got to, and what is to be added to them, modulo 2^64.
  private var known: [UInt32: UInt64] = [:]
  private var changes: [UInt32: UInt64] = [:]

  package init() {}

  /// Notes that entries take the place of others.
  package mutating func change(_ id: UInt32, from before: [TextKey], to after: [TextKey]) {
    var change: UInt64 = 0
    for key in after { change &+= key.length(ofWords: id) ?? 0 }
    for key in before { change &-= key.length(ofWords: id) ?? 0 }
    if change != 0 { changes[id, default: 0] &+= change }
  }

  /// Notes that entries are added.
  package mutating func add(_ entries: TextBatch, of id: UInt32) {
    var change: UInt64 = 0
    entries.forEachText(ofGroup: WordEntries.lengths.group(of: id)) {
      change &+= WordEntries.length($0) ?? 0
    }
    if change != 0 { changes[id, default: 0] &+= change }
  }

  /// Notes that all entries of objects, given by their numbers, are removed.
  /// - Parameter snapshot: The state in which the index still has the entries.
  /// - Complexity: O(objects of the index).
  package mutating func remove(_ objects: NumberSet, of id: UInt32, in snapshot: Snapshot) throws {
    let group = WordEntries.lengths.group(of: id)
    var change: UInt64 = 0
    var cursor = try snapshot.forest.cursor(IndexCatalog.declaredEntries.tree)
    try cursor.seek(to: .before(group: group))
    for _ in 0..<(try snapshot.forest.count(IndexCatalog.declaredEntries.tree, in: .group(group))) {
      guard let row = try cursor.next() else { break }
      guard objects.contains(row), let text = try cursor.text() else { continue }
      change &-= unsafe WordEntries.length(text.span.bytes) ?? 0
    }
    if change != 0 { changes[id, default: 0] &+= change }
  }

  /// Returns the entry that an index has whose entries have all been noted as added; nil if it has none.
  package func entry(of id: UInt32) -> TextKey? {
    changes[id].flatMap { $0 == 0 ? nil : TextKey(totalLength: $0, ofWords: id) }
  }

  /// Adds the changes of the entries that have the sums.
  /// - Parameter snapshot: The state that the write has got to, with all such changes that were added before.
  package mutating func settle(in snapshot: Snapshot, _ found: inout IndexChanges) throws {
    guard !changes.isEmpty else { return }
    let tree = IndexCatalog.declaredEntries.tree
    for (id, change) in changes.sorted(by: { $0.key < $1.key }) where change != 0 {
      let before = try known[id] ?? snapshot.totalLength(ofWords: id)
      let after = before &+ change
      known[id] = after
      if before != 0 { found.remove(tree, TextKey(totalLength: before, ofWords: id)) }
      if after != 0 { found.insert(tree, TextKey(totalLength: after, ofWords: id)) }
    }
    changes = [:]
  }
}
