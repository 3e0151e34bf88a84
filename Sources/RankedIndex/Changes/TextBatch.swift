package import RankedKeys

/// New entries of a string tree that are gathered, and sorted, before a forest gets them: one after another, without an array for each.
package struct TextBatch: Sendable {
  private(set) var changes: TextChanges

  package init(_ tree: TextTreeSchema) {
    changes = TextChanges(tree)
  }

  package var tree: TextTreeSchema { changes.tree }

  package var count: Int { changes.count }

  /// The bytes that all entries take in a journal, about: for each its text and 20 others.
  package var byteCount: Int { changes.textBytes + 12 * changes.count }

  /// Adds an entry that no other is equal to.
  package mutating func append(group: UInt64, text: RawSpan, row: UInt64) {
    changes.append(group: group, text: text, row: row, isInsertion: true)
  }

  /// Removes the entries of some rows. O(entries).
  package mutating func removeEntries(where isRemoved: (_ row: UInt64) -> Bool) {
    changes.removeAll { isRemoved($0.row) }
  }

  /// Calls `body` with the text of each entry of a group. O(entries).
  package func forEachText(ofGroup group: UInt64, _ body: (RawSpan) -> Void) {
    changes.forEachText(ofGroup: group, body)
  }

  /// Adds the entries of another batch of the tree.
  package mutating func append(_ other: TextBatch) {
    precondition(other.tree == tree)
    changes.append(other.changes)
  }

  /// Sorts the entries, so that a write that puts them in has less to do. O(entries).
  package mutating func sort() { changes = changes.sorted(from: 0) }
}
